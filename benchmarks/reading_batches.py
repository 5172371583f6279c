"""How many pictures a second are read in batches by torch, on one core of the CPU.

python -m benchmarks.reading_batches [FAMILY ...]

Boards of the family's usual size, 640 pixels a side or as many as fit the cells; undisturbed, and
turned and moved as in benchmarks/reading_speed.py; a second of processor time each. What the
batched reader can't tell and leaves to the other one takes its time too, and is counted. Beside it
stands the rate of the other reader in the same process: machines differ, their ratio less so.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from benchmarks.disturbances import disturbed
from benchmarks.ladder import cases, stream
from benchmarks.reading_speed import ALIGNED, SIDE
from puzzles import NAMES, family
from puzzles.reading import read_cells
from puzzles.reading_torch import read_batch
from render.boards.looks import UNKNOWN

BATCHES = (1, 32, 256)
SEED, BOARDS = 2609, 8
"""Boards that batches are made of, again and again."""
KINDS = {"undisturbed": (), "turned and moved": ALIGNED}


def batch(name: str, what: Sequence[str]) -> tuple[Tensor, Mapping[str, Any]]:
    """Return pictures (BOARDS, H, W, 3) of boards with the same rules, and these."""
    room, out = family(name), list[NDArray[np.uint8]]()
    states = [case.state for case in cases(name, 8 * BOARDS, SEED)]
    states = [state for state in states if shape(name, state) == room.size]
    rules = room.rules_of(states[0])
    for number, state in enumerate(s for s in states if room.rules_of(s) == rules):
        drawn = room.draw(state, SIDE // max(room.size))
        random = stream("batches", name, number)
        out.append(disturbed(drawn.palette[drawn.pixels], what, 2, random))
    return torch.tensor(np.stack(out[:BOARDS])), rules


def shape(name: str, state: Any) -> tuple[int, ...]:
    reading = family(name).reading
    assert reading is not None
    return reading.parts(state).shape


def rate(read: Callable[[Tensor], object], images: Tensor, count: int, span: float = 1.0) -> float:
    """Return how many pictures are read a second of processor time, so many at a time."""
    many = images[torch.arange(max(count, len(images))) % len(images)]
    read(many[:count])  # what is learned once is off the clock
    done, started = 0, time.process_time()
    while time.process_time() < started + span:
        for some in many.split(count):
            read(some)
        done += len(many)
    return done / (time.process_time() - started)


def rows(names: Sequence[str] = NAMES) -> Iterator[tuple[str, str, str]]:
    """Yield rows of the table: rates with one, 32 and 256 pictures at a time, and of the other."""
    torch.set_num_threads(1)
    for name in names:
        room = family(name)
        for kind, what in KINDS.items():
            images, rules = batch(name, what)
            own = read_batch(room, images, rules=rules, fallback=False)
            left = (own.parts == UNKNOWN).flatten(1).any(1).float().mean().item()
            batched = partial(read_batch, room, rules=rules)
            rates = [f"{rate(batched, images, count):,.0f}" for count in BATCHES]
            alone = rate(partial(_read_one, name, rules), images, 1)
            said = f"{' '.join(rates)} /s; {left:.0%} left to the other reader, {alone:,.0f} /s"
            yield f"read {name} in batches of {BATCHES}, {kind}", said, ""


def _read_one(name: str, rules: Mapping[str, Any], images: Tensor) -> None:
    read_cells(family(name), images[0].numpy(), size=family(name).size, rules=rules)


if __name__ == "__main__":
    for row in rows(sys.argv[1:] or NAMES):
        print(*row, sep="  |  ", flush=True)
