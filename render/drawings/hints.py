"""Numbered move hints read back: our own chips are held against what is seen of them."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.canvas import Pixels
from render.chips import Box, Hint, body, largest, pointed, written
from render.drawings.arrangements import (
    AXIS,
    GROUND,
    INK,
    MARKED,
    SMALLEST,
    Chips,
    Layout,
    Layouts,
    layouts_of,
)
from render.drawings.ink import Sheet
from render.glyphs import width
from render.palette import LEVELS, Paints

Values = NDArray[np.float32]
Mask = NDArray[np.bool_]

_SIDES = ("up", "right", "down", "left")
_CHANGED = 60
"""Of 255, in some channel: so much does a chip change a pixel."""
_CLOSER = (16, 6)
"""So many of the arrangements that fit best are looked at more closely, likewise."""
_EXACT = 5e-4
"""Of the residual: these are the very chips."""


class _Sprites(NamedTuple):
    """A chip without marks, (h, w, 3); which pixels marks may cover; and all the marks there are.

    ``ink`` (most * 4, pixels) says how far a number and an arrow cover those, and ``squares`` is
    what the squares of each sum up to.
    """

    body: Values
    cover: NDArray[np.bool_]
    inner: NDArray[np.bool_]
    ink: Values
    squares: Values


def read_box(sheet: Sheet, box: Box, paints: Paints, most: int) -> Chips:
    """Return the chips in a box of the picture, whose numbers are at most ``most``."""
    top, left, high, wide = box
    area = slice(top, top + high), slice(left, left + wide)
    seen = sheet.image[area].astype(np.float32)
    plain = sheet.board.palette[sheet.board.pixels[area]].astype(np.float32)
    marked = abs(seen - plain).max(axis=-1) > _CHANGED
    best = Chips([], 0.0, 1.0)
    if marked.mean() < MARKED:
        return best
    best = Chips([], 1.0, 0.0)
    layouts = layouts_of(high, wide, largest(sheet.cell), SMALLEST[sheet.drawn is None], most)
    for layout in _likely(marked, layouts)[: _CLOSER[sheet.drawn is None]]:
        chips = _read(seen, plain, layout, paints, most)
        best = min(best, chips, key=lambda found: found.residual)
        if best.residual < _EXACT:
            break
    return best


def _likely(marked: NDArray[np.bool_], layouts: Layouts) -> list[Layout]:
    """Return the arrangements that lie best on what is marked, the best first."""
    if not layouts.each:
        return []
    height, width = marked.shape
    sums = np.pad(marked.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    top, left, bottom, right = np.minimum(layouts.edges, (height, width, height, width)).T
    hit = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    size = (bottom - top) * (right - left)
    missed = np.add.reduceat(size - 2 * hit, layouts.starts)
    return [layouts.each[k] for k in np.argsort(missed, kind="stable")[: max(_CLOSER)]]


def _read(seen: Values, plain: Values, layout: Layout, paints: Paints, most: int) -> Chips:
    """Return the chips that fit best where a layout has them."""
    _, high, wide = layout
    body, cover, inner, ink, squares = _sprites(high, wide, paints, most)
    drawn, hints, margin = plain.copy(), list[Hint](), 1.0
    for y, x in layout.spots:
        patch = seen[y : y + high, x : x + wide]
        if patch.shape != (high, wide, 3):
            return Chips([], 1.0, 0.0)
        shade = (patch[inner] - GROUND) @ AXIS
        gaps = squares - 2 * ink @ shade
        best, second = np.argpartition(gaps, 1)[:2]
        number, side = divmod(int(best), len(_SIDES))
        hints.append((number + 1, _SIDES[side]))
        apart = ((ink[best] - ink[second]) ** 2).sum()
        margin = min(margin, float((gaps[second] - gaps[best]) / max(apart, 1e-6)))
        face = body.copy()
        face[inner] += ink[best][:, None] * (INK - GROUND)
        region = drawn[y : y + high, x : x + wide]
        region[cover] = face[cover]
    residual = float(((drawn - seen) ** 2).mean()) / 255**2
    return Chips(hints, residual, margin)


@lru_cache(maxsize=256)
def _sprites(high: int, wide: int, paints: Paints, most: int) -> _Sprites:
    blank = body(high, wide, paints)
    face = paints.colours[blank.pixels].astype(np.float32)
    inner = blank.mask & (face == GROUND).all(axis=-1)
    arrows = dict[tuple[float, str], Pixels]()
    ink = []
    for number in range(1, most + 1):
        figures, reach = written(number, high, wide)[inner], width(str(number))
        for side in _SIDES:
            if (reach, side) not in arrows:
                arrows[reach, side] = pointed(number, side, high, wide)[inner]
            ink.append(np.maximum(figures, arrows[reach, side]))
    share = np.stack(ink).astype(np.float32) / np.float32(LEVELS)
    return _Sprites(face, blank.mask, inner, share, (share * share).sum(axis=1))
