"""Boards of two grounds, walls and floor, whose common edge is softly rounded."""

import numpy as np
from numpy.typing import NDArray

from render.canvas import Painting
from render.palette import Colour
from render.shapes import Field, Plane, meet, union

TILES = 32  # numbers from ``soft_tiles``: 16 floors, then 16 walls
_CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))


def paint_tiles(cell: int, floor: Colour, wall: Colour, radius: float = 0.2) -> list[Painting]:
    """The TILES one-cell tiles that ``soft_tiles`` numbers."""
    out = []
    for ground, other in ((floor, wall), (wall, floor)):
        for bits in range(16):
            painting = Painting(cell, ground)
            chosen = [corner for k, corner in enumerate(_CORNERS) if bits >> k & 1]
            rounded = [_corner(painting.plane, y, x, radius) for y, x in chosen]
            if rounded:
                painting.fill(union(*rounded), other)
            out.append(painting)
    return out


def soft_tiles(walls: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Tile numbers of a (rows, cols) board.

    A wall's corner is rounded where both cells beside it are floor, a floor's where both cells
    beside it and the one across are wall; outside the board the nearest cell goes on.
    """
    rows, cols = walls.shape
    wide = np.pad(walls, 1, mode="edge")
    out = np.where(walls, np.uint8(16), np.uint8(0))
    for k, (y, x) in enumerate(_CORNERS):
        beside = wide[1:-1, 2 * x : 2 * x + cols], wide[2 * y : 2 * y + rows, 1:-1]
        across = wide[2 * y : 2 * y + rows, 2 * x : 2 * x + cols]
        convex = walls & ~(beside[0] | beside[1])
        concave = ~walls & beside[0] & beside[1] & across
        out |= (convex | concave).astype(np.uint8) << k
    return out


def _corner(plane: Plane, y: int, x: int, radius: float) -> Field:
    """What a rounded corner of the cell cuts away."""
    cx, cy = (1 - radius if x else radius), (1 - radius if y else radius)
    (x0, x1), (y0, y1) = sorted((cx, 2 * x - 0.5)), sorted((cy, 2 * y - 0.5))
    square = plane.box(x0, y0, x1, y1)
    return meet(square, -plane.disc(cx, cy, radius))
