"""The corruption ladder: how much of a board is still read after what happens to pictures.

python -m benchmarks.reading -n 5 --family maze --only warp --strength 1,2
make ladder           all of it, into benchmarks/reading.jsonl, and the picture of it

Boards are states along solutions of instances made on the spot, of all difficulties, drawn at 64
pixels a cell, disturbed (benchmarks/disturbances.py) and read with the size known: once with
nothing else, once with the state before as a reference, which is what a judge has. A row of the
results is a family, what was done to its boards, and how strongly; rows that the file has already
are not measured again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from benchmarks.disturbances import ALL, CELL, PAIRS, RGB, SINGLES, STRENGTHS, disturbed
from puzzles import NAMES, family, make
from puzzles.reading import read, read_cells
from puzzles.replay import initial, optimal_actions
from render.looks import UNKNOWN
from render.read import UnreadableImage

SEED = 2607
GROUPS = {"none": ((),), "singles": SINGLES, "pairs": PAIRS, "all": (ALL,)}


class Case(NamedTuple):
    """A state on the way to the goal, and the one before it (itself, where it is the first)."""

    family: str
    name: str
    before: Any
    state: Any


class Row(NamedTuple):
    """What came of the boards of a family after the same disturbances.

    exact
        Boards of which every cell was read, and rightly.
    unreadable
        Boards that were refused as a whole; their cells count as unknown.
    misread
        Boards that ``read`` returned without complaint, and that are not what was drawn.
    cells, unknown, wrong
        Cells in all; not told; told, and wrong.
    """

    family: str
    disturbances: str
    strength: int
    reference: bool
    boards: int
    exact: int
    unreadable: int
    misread: int
    cells: int
    unknown: int
    wrong: int
    seconds: float

    @property
    def key(self) -> tuple[str, str, int, bool, int]:
        return self[:5]


@lru_cache(maxsize=64)
def cases(name: str, n: int, seed: int) -> list[Case]:
    """Return ``n`` states, each of an instance of its own, all difficulties alike."""
    room = family(name)
    tiers, out = list(room.buckets), list[Case]()
    made = {tier: make(name, tier, -(-n // len(tiers)), seed=seed) for tier in tiers[:n]}
    for k in range(n):
        tier = tiers[k % len(tiers)]
        instance = made[tier][k // len(tiers)]
        states = [initial(instance)]
        for action in optimal_actions(instance):
            states.append(room.apply(states[-1], action))
        at = int(stream(seed, name, "state", k).integers(len(states)))
        out.append(Case(name, f"{tier}-{k}-{at}", states[max(0, at - 1)], states[at]))
    outcome(out[0], picture(out[0], (), 0, seed), False)  # learns the looks, off the clock
    return out


def stream(*key: object) -> np.random.Generator:
    """Return the random stream of a name: pictures do not depend on what else is measured."""
    digest = blake2b(repr(key).encode(), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def picture(case: Case, names: Sequence[str], strength: int, seed: int) -> RGB:
    """Return a board as it arrives."""
    drawn = family(case.family).draw(case.state, CELL)
    pixels = drawn.palette[drawn.pixels]
    random = stream(seed, case.family, case.name, tuple(names), strength)
    return disturbed(pixels, names, strength, random)


def measure(
    chosen: Sequence[Case],
    names: Sequence[str],
    strength: int,
    reference: bool,
    seed: int,
    fails: Path | None = None,
) -> Row:
    """Disturb boards, read them, and count; failures are kept as pictures in ``fails``."""
    counts = np.zeros(6, int)
    spent = 0.0
    for case in chosen:
        pixels = picture(case, names, strength, seed)
        started = time.process_time()
        counts_of, said = outcome(case, pixels, reference)
        spent += time.process_time() - started
        counts += counts_of
        if fails is not None and said:
            kept = f"{case.family} {title(names)} {strength}{' ref' if reference else ''}"
            Image.fromarray(pixels).save(fails / f"{kept.replace(' ', '_')}_{case.name}.png")
            print(f"    {kept} {case.name}: {said}", file=sys.stderr, flush=True)
    return Row(
        chosen[0].family, title(names), strength, reference, len(chosen), *map(int, counts),
        round(spent / len(chosen), 4),
    )  # fmt: skip


def outcome(case: Case, pixels: RGB, reference: bool) -> tuple[tuple[int, ...], str]:
    """Return what a board adds to the counts of a row, and what went wrong, if anything."""
    room = family(case.family)
    assert room.reading is not None
    true = room.reading.parts(case.state)
    known = {"reference": case.before} if reference else {"size": true.shape}
    try:
        seen = read_cells(room, pixels, **known).parts
    except UnreadableImage as error:
        return (0, 1, 0, true.size, true.size, 0), str(error)
    unknown = int((seen == UNKNOWN).sum())
    off = np.argwhere((seen != true) & (seen != UNKNOWN))
    if not unknown and not len(off):
        return (1, 0, 0, true.size, 0, 0), ""
    misread = 0
    if not unknown:
        try:
            read(room, pixels, **known)
            misread = 1
        except UnreadableImage:
            pass
    said = f"unknown {unknown}, wrong {[tuple(at) for at in off.tolist()]}, misread {misread}"
    return (0, 0, misread, true.size, unknown, len(off)), said


def title(names: Sequence[str]) -> str:
    """Return the name of disturbances that come together."""
    return "all" if len(names) == len(ALL) else " + ".join(names) or "none"


def ladder(only: Sequence[str], strengths: Sequence[int]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield disturbances and strengths: groups, or the names of some joined by +."""
    for word in only:
        group = GROUPS.get(word)
        if group is None:
            group = (tuple(word.split("+")),)
            if not set(group[0]) <= set(ALL):
                raise SystemExit(f"--only: {word} is none of {', '.join([*GROUPS, *ALL])}")
        for names, strength in product(group, strengths if word != "none" else strengths[:1]):
            yield names, strength if names else 0


def known_rows(file: Path | None) -> dict[tuple[Any, ...], Row]:
    """Return the rows of a file, by their keys."""
    if file is None or not file.exists():
        return {}
    rows = [Row(**json.loads(line)) for line in file.read_text().splitlines()]
    return {row.key: row for row in rows}


def rows(given: argparse.Namespace) -> list[Row]:
    """Measure what is asked for, or take it from the file; keep every row at once."""
    known, out = known_rows(given.output), []
    wanted = list(product(ladder(given.only, given.strength), given.reference, given.family))
    for number, ((names, strength), reference, name) in enumerate(wanted, 1):
        row = known.get((name, title(names), strength, reference, given.n))
        if row is None:
            chosen = cases(name, given.n, given.seed)
            row = measure(chosen, names, strength, reference, given.seed, given.fails)
            if given.output:
                with given.output.open("a") as file:
                    file.write(json.dumps(row._asdict()) + "\n")
        out.append(row)
        print(f"{number}/{len(wanted)}  {said(row)}", file=sys.stderr, flush=True)
    return out


def said(row: Row) -> str:
    """Return a row as a line."""
    return (
        f"{row.family:8} {row.disturbances:18} {row.strength} {'ref' if row.reference else '   '} "
        f"exact {row.exact}/{row.boards}  refused {row.unreadable}  misread {row.misread}  "
        f"unknown {1000 * row.unknown / row.cells:.1f}  wrong {1000 * row.wrong / row.cells:.2f} "
        f"per 1,000 cells  {row.seconds:.3f} s"
    )


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    def listed(text: str) -> list[str]:
        return text.split(",")

    parser = argparse.ArgumentParser(prog="benchmarks.reading", description=__doc__)
    parser.add_argument("-n", type=int, default=10, help="boards a row")
    parser.add_argument("--family", type=listed, default=list(NAMES))
    parser.add_argument("--only", type=listed, default=list(GROUPS), help="none, singles, pairs, "
                        "all, or disturbances: warp,warp+jpeg")  # fmt: skip
    parser.add_argument("--strength", type=lambda text: [int(n) for n in text.split(",")],
                        default=list(STRENGTHS))  # fmt: skip
    parser.add_argument("--reference", choices=("both", "without", "with"), default="both")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fails", type=Path, help="a folder for the pictures that were not read")
    parser.add_argument("-o", "--output", type=Path, help="JSON lines to go on with")
    given = parser.parse_args(words)
    given.reference = {"both": (False, True), "without": (False,), "with": (True,)}[given.reference]
    return given


def main(words: Sequence[str] | None = None) -> None:
    given = arguments(words)
    if given.fails:
        given.fails.mkdir(parents=True, exist_ok=True)
    rows(given)


if __name__ == "__main__":
    main()
