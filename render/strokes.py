"""Drawn ways: polylines along rows and columns, with round ends and corners."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from render.canvas import Picture, blend, coverage
from render.palette import AID_RED, LEVELS, Paints
from render.shapes import Plane, Point

Cell = tuple[int, int]
Pixels = NDArray[np.uint8]


def stroke_width(cell: int) -> int:
    """Pixels across a drawn way: an eighth of a cell."""
    return max(1, round(cell / 8))


def centres(cells: Iterable[Cell]) -> list[Point]:
    """The (x, y) centres, in cells, of (row, column) cells."""
    return [(col + 0.5, row + 0.5) for row, col in cells]


def draw_way(picture: Picture, cells: Iterable[Cell], cell: int, paints: Paints) -> Picture:
    """Draw the red way over the centres of ``cells`` onto ``picture``, and return it."""
    wash = paints.wash(AID_RED)
    polyline(picture.pixels, centres(cells), cell, stroke_width(cell), wash)
    return picture


def polyline(pixels: Pixels, points: Sequence[Point], cell: int, width: int, wash: Pixels) -> None:
    """Draw a line along axis-parallel ``points`` (in cells), ``width`` pixels wide, in place."""
    cap, solid = _cap(width), wash[LEVELS, 0]
    spots = [(_edge(x, cell, width), _edge(y, cell, width)) for x, y in points]
    for x, y in dict.fromkeys(spots):
        blend(pixels, cap, wash, y, x)
    for (ax, ay), (bx, by) in pairwise(spots):
        if ax != bx and ay != by:
            raise ValueError(f"{points} has a slanted piece")
        half, rest = width // 2, width - width // 2
        if ay == by:
            _fill(pixels, ay, ay + width, min(ax, bx) + half, max(ax, bx) + rest, solid)
        else:
            _fill(pixels, min(ay, by) + half, max(ay, by) + rest, ax, ax + width, solid)


def _fill(pixels: Pixels, top: int, bottom: int, left: int, right: int, index: int) -> None:
    pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = index


def _edge(at: float, cell: int, width: int) -> int:
    """Where a band of ``width`` pixels centred at ``at`` cells begins."""
    return int((2 * at * cell - width) // 2)


@lru_cache(maxsize=64)
def _cap(width: int) -> Pixels:
    return coverage(Plane(1, 1, width).disc(0.5, 0.5, 0.5), width)
