"""Pictures of palette indices: sprites painted from shapes, boards laid from tiles."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.palette import LEVELS, Colour, Paints, distinct
from render.shapes import Field, Plane

Pixels = NDArray[np.uint8]


class Picture(NamedTuple):
    """What is drawn: (H, W) palette indices and the (n <= 256, 3) colours they stand for."""

    pixels: Pixels
    palette: Pixels


class Sprite(NamedTuple):
    """Palette indices (h, w), and where they cover what is below."""

    pixels: Pixels
    mask: NDArray[np.bool_]


class Painting:
    """A sprite in the making: shapes laid one over another on a ground colour."""

    def __init__(self, cell: int, ground: Colour, rows: int = 1, cols: int = 1):
        self.cell = cell
        self.plane = Plane(rows, cols, cell)
        self.rgb: NDArray[np.int32] = np.empty((rows * cell, cols * cell, 3), np.int32)
        self.rgb[:] = ground
        self.mask: NDArray[np.bool_] = np.zeros(self.rgb.shape[:2], bool)
        self._laid: list[tuple[Pixels, Colour]] = []

    def fill(self, shape: Field, colour: Colour) -> "Painting":
        """Lay a shape over what is there, its edge anti-aliased in LEVELS steps."""
        self._lay(coverage(shape, self.cell), colour)
        return self

    def over(self, ground: "Painting") -> "Painting":
        """Lay the same shapes over another painting of the same size."""
        for level, colour in self._laid:
            ground._lay(level, colour)
        return ground

    def _lay(self, level: Pixels, colour: Colour) -> None:
        self._laid.append((level, colour))
        rows, cols = np.flatnonzero(level.any(axis=1)), np.flatnonzero(level.any(axis=0))
        if rows.size:
            box = slice(rows[0], rows[-1] + 1), slice(cols[0], cols[-1] + 1)
            level, rgb, over = level[box], self.rgb[box], np.array(colour, np.int32)
            np.copyto(rgb, over, where=(level == LEVELS)[..., None])
            edge = ((level > 0) & (level < LEVELS)).nonzero()
            k = level[edge][:, None].astype(np.int32)
            rgb[edge] = (rgb[edge] * (LEVELS - k) + k * over + LEVELS // 2) // LEVELS
            self.mask[box] |= level > 0

    def bake(self, paints: Paints) -> Sprite:
        return Sprite(paints.indices(self.rgb), self.mask)


class Stencil:
    """Shapes laid one over another, to be painted in any colours."""

    def __init__(self, cell: int, shapes: Sequence[Field]):
        levels = [coverage(shape, cell) for shape in shapes]
        codes = np.zeros(levels[0].shape, np.int64)
        for level in levels:
            codes = codes * (LEVELS + 1) + level
        found, self._where = distinct(codes)
        powers = (LEVELS + 1) ** np.arange(len(levels))[::-1]
        self._levels = (found[:, None] // powers % (LEVELS + 1)).astype(np.int32)

    def rgb(self, ground: Colour, colours: Sequence[Colour]) -> NDArray[np.int32]:
        """The picture (H, W, 3) of the shapes in these colours, the edge of each anti-aliased."""
        return self._blends(ground, colours)[self._where]

    def bake(self, ground: Colour, colours: Sequence[Colour], paints: Paints) -> Sprite:
        indices = paints.indices(self._blends(ground, colours)[None])[0]
        covered = (self._levels > 0).max(axis=1)
        return Sprite(indices[self._where], covered[self._where])

    def _blends(self, ground: Colour, colours: Sequence[Colour]) -> NDArray[np.int32]:
        rgb = np.tile(np.array(ground, np.int32), (len(self._levels), 1))
        for level, colour in zip(self._levels.T[..., None], colours, strict=True):
            over = level * np.array(colour, np.int32) + LEVELS // 2
            rgb = (rgb * (LEVELS - level) + over) // LEVELS
        return rgb


def coverage(shape: Field, cell: int) -> Pixels:
    """How far each pixel is covered, 0 to LEVELS."""
    share = np.minimum(np.maximum(0.5 - shape * cell, 0.0), 1.0)
    levels: Pixels = np.floor(share * LEVELS + 0.5).astype(np.uint8)
    return levels


def lay(tiles: Pixels, board: NDArray[np.integer]) -> Pixels:
    """A (rows, cols) board of tile numbers as pixels, from (n, cell, cell) tiles."""
    rows, cols = board.shape
    cell = tiles.shape[1]
    pixels: Pixels = tiles[board].transpose(0, 2, 1, 3).reshape(rows * cell, cols * cell)
    return pixels


def stamp(pixels: Pixels, sprite: Sprite, y: int, x: int) -> None:
    """Put a sprite with its top left corner at pixel (y, x), in place."""
    h, w = sprite.pixels.shape
    np.copyto(pixels[y : y + h, x : x + w], sprite.pixels, where=sprite.mask)


def mark(mask: NDArray[np.bool_], sprite: Sprite, y: int, x: int) -> None:
    """Note in an (H, W) mask where a sprite stamped at (y, x) covers, in place."""
    h, w = sprite.mask.shape
    mask[y : y + h, x : x + w] |= sprite.mask


def blend(pixels: Pixels, levels: Pixels, wash: Pixels, y: int, x: int) -> None:
    """Lay levels of a wash with their top left corner at pixel (y, x), in place; clipped."""
    h, w = levels.shape
    top, left = max(0, -y), max(0, -x)
    bottom, right = min(h, pixels.shape[0] - y), min(w, pixels.shape[1] - x)
    if top < bottom and left < right:
        region = pixels[y + top : y + bottom, x + left : x + right]
        region[:] = wash[levels[top:bottom, left:right], region]


def stack(sprites: Sequence[Sprite]) -> Pixels:
    """One-cell sprites as (n, cell, cell) tiles for ``lay``."""
    return np.stack([sprite.pixels for sprite in sprites])


def characters(rows: Sequence[str]) -> Pixels:
    """Rows of ASCII text as a (rows, columns) array of character codes."""
    return np.frombuffer("".join(rows).encode("latin-1"), np.uint8).reshape(len(rows), -1)
