"""Numbered move hints: how chips can be arranged in a box, and what is read of them there."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.chips import CHIP, CHIP_INK, Hint, aspect_of, slots

GROUND, INK = np.array(CHIP, np.float32), np.array(CHIP_INK, np.float32)
AXIS = (INK - GROUND) / ((INK - GROUND) ** 2).sum()
"""From the ground of chips to their ink."""
MARKED = 0.04
"""Of a box's pixels: where fewer are changed it is empty."""
SMALLEST = (5, 7)
"""Pixels: chips that are less high can't be read, in our own drawings and in other pictures."""


class Chips(NamedTuple):
    """The hints of a box in their order.

    residual
        Mean square difference between what is seen in the box and these chips, 0 to 1.
    margin
        By how much, at the least, the next best reading of a chip differs more, relative to it.
    """

    hints: list[Hint]
    residual: float
    margin: float


class Layout(NamedTuple):
    spots: tuple[tuple[int, int], ...]
    height: int
    width: int


class Layouts(NamedTuple):
    """All arrangements of chips in a box, and their slots one after another: (slots, 4) edges."""

    each: list[Layout]
    edges: NDArray[np.intp]
    starts: NDArray[np.intp]


@lru_cache(maxsize=1024)
def layouts_of(height: int, width: int, high: int, least: int, most: int) -> Layouts:
    """Return the arrangements of up to ``most`` chips that there can be in a box."""
    found = dict[Layout, None]()
    for count in range(1, most + 1):
        for aspect in {aspect_of(number) for number in range(count, most + 1)}:
            spots, size = slots(count, (0, 0, height, width), aspect, high)
            if size >= least:
                found[Layout(tuple(spots), size, int(size * aspect))] = None
    each = list(found)
    edges = [(y, x, y + one.height, x + one.width) for one in each for y, x in one.spots]
    starts = np.cumsum([0, *(len(one.spots) for one in each)])[:-1]
    return Layouts(each, np.array(edges, np.intp).reshape(-1, 4), starts)
