"""Which blocks a Klotski board holds: by its size, or as asked for."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from puzzles.directions import quoted
from puzzles.family import GenerationError, Size
from puzzles.klotski.packing import Shape
from puzzles.klotski.rules import NAMES

_SIZE = re.compile(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})")


def rectangle(rows: int, columns: int) -> Shape:
    return tuple((r, c) for r in range(rows) for c in range(columns))


TARGET, UPRIGHT, FLAT, SINGLE = (rectangle(*size) for size in ((2, 2), (2, 1), (1, 2), (1, 1)))
SHAPES = (TARGET, UPRIGHT, FLAT, SINGLE)
"""The usual shapes, which boards are searched for fastest (see explore.py)."""
HOLES = 2


class BlockSet(NamedTuple):
    """Shapes, T's first and alone; how many blocks there are of each; how many empty cells."""

    shapes: tuple[Shape, ...]
    counts: tuple[int, ...]
    holes: int

    @property
    def usual(self) -> bool:
        """Whether these are blocks of the usual shapes, with as many empty cells as is usual."""
        return self.shapes == SHAPES and self.holes == HOLES


def inventory(size: Size) -> tuple[int, ...]:
    """Return how many blocks of each of ``SHAPES`` a board of this size holds.

    Two cells stay empty, and the others are shared out as on 6x6: 1, 8, 3 and 8 blocks. On five
    rows by four columns that gives the classic 1, 4, 1 and 4.
    """
    rows, columns = size
    cells = rows * columns - len(TARGET) - HOLES
    if min(size) < 2 or cells < 0:
        raise GenerationError(
            f"klotski: {rows}x{columns} cells have no room for the 2x2 block and two empty cells"
        )
    upright, flat = (8 * cells + 15) // 30, (cells + 5) // 10
    singles = cells - 2 * upright - 2 * flat
    _check_names(size, upright + flat + singles)
    return 1, upright, flat, singles


def _check_names(size: Size, blocks: int) -> None:
    if blocks > len(NAMES):
        raise GenerationError(
            f"klotski: a board of {size[0]}x{size[1]} takes {blocks} blocks besides T, and there "
            f"are names for {len(NAMES)}"
        )


def block_set(size: Size, wanted: Mapping[str, Any]) -> BlockSet:
    """Return the blocks for a board of this size.

    ``wanted`` names shapes as ROWSxCOLUMNS with the number of blocks of each, and the shape of the
    target as ``T``, 2x2 unless given: {"T": "2x2", "2x1": 4, "1x2": 1, "1x1": 4}. What they leave
    stays empty. Without any it is the inventory of the size. Raises GenerationError for what can't
    lie on the board.
    """
    if not wanted:
        return BlockSet(SHAPES, inventory(size), HOLES)
    target = _shape(size, wanted.get("T", "2x2"))
    counts = dict.fromkeys(SHAPES[1:], 0)
    for name, count in wanted.items():
        if name == "T":
            continue
        if type(count) is not int or count < 0:
            raise GenerationError(f"klotski: {quoted(count)} is not a number of {name} blocks")
        shape = _shape(size, name) if count else SINGLE
        counts[shape] = counts.get(shape, 0) + count
    cells, area = size[0] * size[1], len(target) + sum(len(s) * n for s, n in counts.items())
    if area >= cells:
        short = ", and one at least has to stay empty" if area == cells else ""
        raise GenerationError(
            f"klotski: the blocks cover {area} cells, the board has {cells}{short}"
        )
    _check_names(size, sum(counts.values()))
    return BlockSet((target, *counts), (1, *counts.values()), cells - area)


def _shape(size: Size, name: Any) -> Shape:
    found = _SIZE.fullmatch(name) if isinstance(name, str) else None
    if not found:
        raise GenerationError(
            f"klotski: {quoted(name)} is not the shape of a block, ROWSxCOLUMNS such as 2x1"
        )
    rows, columns = int(found[1]), int(found[2])
    if rows > size[0] or columns > size[1]:
        raise GenerationError(
            f"klotski: a block of {name} is larger than the board of {size[0]}x{size[1]}"
        )
    return rectangle(rows, columns)
