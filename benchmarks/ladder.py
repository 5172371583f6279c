"""Steps of the corruption ladder: boards on their way to the goal, disturbed, read, counted."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from benchmarks.disturbances import ALL, CELL, RGB, disturbed
from puzzles import family, make
from puzzles.reading import read, read_cells
from puzzles.replay import initial, optimal_actions
from render.boards.looks import UNKNOWN
from render.read import UnreadableImage


class Case(NamedTuple):
    """A state on the way to the goal, and the one before it (itself, where it is the first)."""

    family: str
    seed: int
    name: str
    before: Any
    state: Any


class Counts(NamedTuple):
    """What came of some boards.

    exact
        Boards of which every cell was read, and rightly.
    refused
        Boards in which nothing was read; their cells count as unknown.
    misread
        Boards that ``read`` returned without complaint, and that are not what was drawn.
    cells, unknown, wrong
        Cells in all; not told; told, and wrong.
    """

    exact: int
    refused: int
    misread: int
    cells: int
    unknown: int
    wrong: int


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
        out.append(Case(name, seed, f"{tier}-{k}-{at}", states[max(0, at - 1)], states[at]))
    outcome(out[0], picture(out[0], (), 0), False)  # learns the looks, off the clock
    return out


def stream(*key: object) -> np.random.Generator:
    """Return the random stream of a name: pictures do not depend on what else is measured."""
    digest = blake2b(repr(key).encode(), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def picture(case: Case, names: Sequence[str], strength: int) -> RGB:
    """Return a board as it arrives."""
    drawn = family(case.family).draw(case.state, CELL)
    random = stream(case.seed, case.family, case.name, tuple(names), strength)
    return disturbed(drawn.palette[drawn.pixels], names, strength, random)


def measure(
    chosen: Sequence[Case],
    names: Sequence[str],
    strength: int,
    reference: bool = False,
    fails: Path | None = None,
) -> tuple[Counts, float]:
    """Disturb boards and read them; return the counts, and seconds of processor time a reading.

    Pictures that were not read exactly are kept in the folder ``fails``.
    """
    counts, spent = list[Counts](), 0.0
    for case in chosen:
        pixels = picture(case, names, strength)
        started = time.process_time()
        came, said = outcome(case, pixels, reference)
        spent += time.process_time() - started
        counts.append(came)
        if fails is not None and not came.exact:
            kept = f"{case.family} {title(names)} {strength}{' ref' if reference else ''}"
            Image.fromarray(pixels).save(fails / f"{kept} {case.name}.png".replace(" ", "_"))
            print(f"    {kept} {case.name}: {said}", file=sys.stderr, flush=True)
    return Counts(*map(sum, zip(*counts, strict=True))), spent / len(chosen)


def outcome(case: Case, pixels: RGB, reference: bool) -> tuple[Counts, str]:
    """Return what came of a picture, and in words what is wrong with that."""
    room = family(case.family)
    assert room.reading is not None
    true = room.reading.parts(case.state)
    known = {"reference": case.before} if reference else {"size": true.shape}
    try:
        seen = read_cells(room, pixels, **known).parts
    except UnreadableImage as error:
        return Counts(0, 1, 0, true.size, true.size, 0), str(error)
    unknown = int((seen == UNKNOWN).sum())
    off = np.argwhere((seen != true) & (seen != UNKNOWN)).tolist()
    exact, misread = not unknown and not off, False
    if off and not unknown:
        with suppress(UnreadableImage):
            read(room, pixels, **known)
            misread = True
    counts = Counts(int(exact), 0, int(misread), true.size, unknown, len(off))
    return counts, f"{unknown} unknown, wrong at {off}{', misread' if misread else ''}"


def title(names: Sequence[str]) -> str:
    """Return the name of disturbances that come together."""
    return "all" if len(names) == len(ALL) else " + ".join(names) or "none"
