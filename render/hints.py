"""Numbered move hints read back: our own chips are held against what is seen of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.canvas import Picture
from render.chips import Box, Hint, aspect_of, chip, largest, slots
from render.cielab import RGB
from render.ink import Sheet
from render.palette import Paints

Values = NDArray[np.float32]

_SIDES = ("up", "right", "down", "left")
_LEAST_HIGH = 5
"""Pixels: smaller chips can't be read."""
_MARKED = 0.04
"""Of a box's pixels: where fewer are changed it is empty."""
_CHANGED = 60
"""Of 255, in some channel: so much does a chip change a pixel."""
_CLOSER = 6
"""So many of the arrangements that fit best are looked at more closely."""


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


class _Layout(NamedTuple):
    spots: tuple[tuple[int, int], ...]
    height: int
    width: int


def read_box(sheet: Sheet, box: Box, paints: Paints, most: int) -> Chips:
    """Return the chips in a box of the picture, whose numbers are at most ``most``."""
    top, left, height, width = box
    area = slice(top, top + height), slice(left, left + width)
    seen = sheet.image[area].astype(np.float32)
    plain = sheet.board.palette[sheet.board.pixels[area]].astype(np.float32)
    marked = abs(seen - plain).max(axis=-1) > _CHANGED
    if marked.mean() < _MARKED:
        return Chips([], 0.0, 1.0)
    found = sorted(
        (float((marked != _covered(layout, box, paints)).mean()), layout)
        for layout in _layouts((0, 0, height, width), largest(sheet.cell), most)
    )
    readings = [_read(seen, plain, layout, paints, most) for _, layout in found[:_CLOSER]]
    return min(readings, key=lambda chips: chips.residual, default=Chips([], 1.0, 0.0))


@lru_cache(maxsize=1024)
def _layouts(box: Box, high: int, most: int) -> list[_Layout]:
    """Return the arrangements of chips that there can be in a box."""
    found = dict[_Layout, None]()
    for count in range(1, most + 1):
        for aspect in {aspect_of(number) for number in range(count, most + 1)}:
            spots, size = slots(count, box, aspect, high)
            if size >= _LEAST_HIGH:
                found[_Layout(tuple(spots), size, int(size * aspect))] = None
    return list(found)


def _covered(layout: _Layout, box: Box, paints: Paints) -> NDArray[np.bool_]:
    """Return where the chips of a layout lie, in its box."""
    mask = np.zeros(box[2:], bool)
    shape = chip(1, "up", layout.height, layout.width, paints).mask
    for y, x in layout.spots:
        mask[y : y + layout.height, x : x + layout.width] |= shape[
            : max(0, box[2] - y), : max(0, box[3] - x)
        ]
    return mask


def _read(seen: Values, plain: Values, layout: _Layout, paints: Paints, most: int) -> Chips:
    """Return the chips that fit best where a layout has them."""
    _, high, wide = layout
    sprites, mask = _sprites(high, wide, paints, most)
    squares = (sprites * sprites).sum(axis=1)
    drawn, hints, margin = plain.copy(), list[Hint](), 1.0
    for y, x in layout.spots:
        patch = seen[y : y + high, x : x + wide]
        if patch.shape != (high, wide, 3):
            return Chips([], 1.0, 0.0)
        flat = patch[mask].ravel()
        gaps = squares - 2 * sprites @ flat + flat @ flat
        best, second = np.argpartition(gaps, 1)[:2]
        number, side = divmod(int(best), len(_SIDES))
        hints.append((number + 1, _SIDES[side]))
        apart = ((sprites[best] - sprites[second]) ** 2).sum()
        margin = min(margin, float((gaps[second] - gaps[best]) / max(apart, 1)))
        region = drawn[y : y + high, x : x + wide]
        region[mask] = sprites[best].reshape(-1, 3)
    residual = float(((drawn - seen) ** 2).mean()) / 255**2
    return Chips(hints, residual, margin)


@lru_cache(maxsize=256)
def _sprites(high: int, wide: int, paints: Paints, most: int) -> tuple[Values, NDArray[np.bool_]]:
    """Return all chips of a size up to a number, (most * 4, pixels * 3), and where they cover."""
    chips = [chip(number, side, high, wide, paints) for number in range(1, most + 1) for side in _SIDES]
    mask = chips[0].mask
    colours = paints.colours.astype(np.float32)
    return np.stack([colours[one.pixels[mask]].ravel() for one in chips]), mask
