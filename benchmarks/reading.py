"""The corruption ladder: how much of a board is still read after what happens to pictures.

python -m benchmarks.reading -n 5 --family maze --only warp --strength 1,2
python -m benchmarks.reading -o benchmarks/reading.jsonl        all of it

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
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.disturbances import ALL, PAIRS, SINGLES, STRENGTHS
from benchmarks.ladder import Counts, cases, measure, title
from puzzles import NAMES

SEED = 2607
GROUPS = {"none": ((),), "singles": SINGLES, "pairs": PAIRS, "all": (ALL,)}


class Row(NamedTuple):
    """What came of the boards of a family that met with the same."""

    family: str
    disturbances: str
    strength: int
    reference: bool
    boards: int
    seed: int
    counts: Counts
    seconds: float

    @property
    def key(self) -> tuple[Any, ...]:
        return self[:-2]

    def line(self) -> str:
        """Return the row as JSON, without the clock's noise."""
        flat = {**self._asdict(), **self.counts._asdict(), "seconds": round(self.seconds, 4)}
        del flat["counts"]
        return json.dumps(flat)

    @classmethod
    def of(cls, line: str) -> Row:
        flat = json.loads(line)
        counts = Counts(*(flat.pop(name) for name in Counts._fields))
        return cls(**flat, counts=counts)


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


def rows(given: argparse.Namespace) -> Iterator[Row]:
    """Measure what is asked for, or take it from the file; every new row is kept there at once."""
    known = {row.key: row for row in kept(given.output)}
    wanted = list(product(ladder(given.only, given.strength), given.reference, given.family))
    for number, ((names, strength), reference, name) in enumerate(wanted, 1):
        key = name, title(names), strength, reference, given.n, given.seed
        row = known.get(key)
        if row is None:
            chosen = cases(name, given.n, given.seed)
            row = Row(*key, *measure(chosen, names, strength, reference, given.fails))
            if given.output:
                with given.output.open("a") as file:
                    file.write(row.line() + "\n")
        print(f"{number}/{len(wanted)}  {said(row)}", file=sys.stderr, flush=True)
        yield row


def kept(file: Path | None) -> list[Row]:
    """Return the rows of a file, if there is one."""
    if file is None or not file.exists():
        return []
    return [Row.of(line) for line in file.read_text().splitlines()]


def said(row: Row) -> str:
    """Return a row as a line of text."""
    counts, a_thousand = row.counts, 1000 / row.counts.cells
    return (
        f"{row.family:8} {row.disturbances:18} {row.strength} {'ref' if row.reference else '   '} "
        f"exact {counts.exact}/{row.boards}  refused {counts.refused}  misread {counts.misread}  "
        f"a thousand cells: unknown {counts.unknown * a_thousand:.1f}, "
        f"wrong {counts.wrong * a_thousand:.2f}  {row.seconds:.3f} s"
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
    for _ in rows(given):
        pass


if __name__ == "__main__":
    main()
