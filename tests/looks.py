"""Pictures that nothing has disturbed, read cell by cell: by looking each one up, bit by bit."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.canvas import Picture

Parts = NDArray[np.int16]
Draw = Callable[[Any, int], Picture]


def cells(picture: Picture, cell: int) -> list[list[bytes]]:
    """Return the pixels of each cell, row by row."""
    rows, cols = (side // cell for side in picture.pixels.shape)
    cut = picture.pixels.reshape(rows, cell, cols, cell).transpose(0, 2, 1, 3)
    return [[cut[r, c].tobytes() for c in range(cols)] for r in range(rows)]


def learned(
    specimens: Iterable[Any], draw: Draw, parts: Callable[[Any], Parts], cell: int
) -> dict[bytes, int]:
    """Return the part by the pixels of its cell, and see that no two parts look alike."""
    known: dict[bytes, int] = {}
    for state in specimens:
        for looks, numbers in zip(cells(draw(state, cell), cell), parts(state), strict=True):
            for look, number in zip(looks, numbers.tolist(), strict=True):
                assert known.setdefault(look, number) == number, f"{state} looks like another"
    return known


def looked_up(known: dict[bytes, int], picture: Picture, cell: int) -> Parts:
    """Return the parts that a picture shows, -1 for a cell that looks like none of them."""
    found = [[known.get(look, -1) for look in row] for row in cells(picture, cell)]
    return np.array(found, np.int16)
