"""Numbered move hints read back: our own chips are held against what is seen of them."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.canvas import Pixels
from render.chips import (
    CHIP,
    CHIP_INK,
    Box,
    Hint,
    aspect_of,
    body,
    largest,
    pointed,
    slots,
    written,
)
from render.glyphs import width
from render.ink import Sheet
from render.lab import lab
from render.numerals import read_marker
from render.palette import LEVELS, Paints

Values = NDArray[np.float32]
Mask = NDArray[np.bool_]

_SIDES = ("up", "right", "down", "left")
_SMALLEST = (5, 7)
"""Pixels: chips that are less high can't be read, in our own drawings and in other pictures."""
_MARKED = 0.04
"""Of a box's pixels: where fewer are changed it is empty."""
_CHANGED = 60
"""Of 255, in some channel: so much does a chip change a pixel."""
_CLOSER = (16, 6)
"""So many of the arrangements that fit best are looked at more closely, likewise."""
_EXACT = 5e-4
"""Of the residual: these are the very chips."""
_MOVED, _LONGER = 5, 6
"""Pixels at 64 a cell that chips may be off their place, and that they may be longer altogether."""
_CLOSEST = 24
"""So many arrangements are looked at closely where chips have moved."""
_SOFT, _EDGE = 0.8, 0.2
"""Pixels that colours are smoothed by; and share of its longest row that a row of chips has."""
_PINK = 30.0
"""Of chroma in CIELAB along the hue of chips."""
_GROUND, _INK = np.array(CHIP, np.float32), np.array(CHIP_INK, np.float32)
_AXIS = (_INK - _GROUND) / ((_INK - _GROUND) ** 2).sum()


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


class _Layouts(NamedTuple):
    """All arrangements of chips in a box, and their slots one after another: (slots, 4) edges."""

    each: list[_Layout]
    edges: NDArray[np.intp]
    starts: NDArray[np.intp]


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
    if marked.mean() < _MARKED:
        return best
    best = Chips([], 1.0, 0.0)
    layouts = _layouts(high, wide, largest(sheet.cell), _SMALLEST[sheet.drawn is None], most)
    for layout in _likely(marked, layouts)[: _CLOSER[sheet.drawn is None]]:
        chips = _read(seen, plain, layout, paints, most)
        best = min(best, chips, key=lambda found: found.residual)
        if best.residual < _EXACT:
            break
    return best


def read_moved_box(sheet: Sheet, box: Box, chips: Mask, most: int) -> Chips:
    """Return the chips in a box of a picture that does not match the board to the pixel.

    ``chips`` says where the colour of chips is seen, (H, W).
    """
    top, left, high, wide = box
    reach = _MOVED * sheet.cell // 64
    above, before = max(0, top - reach), max(0, left - reach)
    area = slice(above, top + high + reach), slice(before, left + wide + reach)
    seen = chips[area]
    if seen.sum() < _MARKED * high * wide:
        return Chips([], 0.0, 1.0)
    counts = seen.sum(axis=1), seen.sum(axis=0)
    rows, cols = (np.flatnonzero(count > _EDGE * count.max()) for count in counts)
    ends = np.array([rows[0], cols[0], rows[-1] + 1, cols[-1] + 1], float)
    layouts = _layouts(high, wide, largest(sheet.cell), _SMALLEST[1], most)
    shade = _shade(sheet.image[area], seen)
    best = Chips([], 1.0, 0.0)
    for layout, y, x in _placed(seen, ends, layouts):
        found = _read_moved(shade, layout, y, x, 1 - best.residual)
        if found.residual < best.residual:
            best = found
    return best


def _placed(
    seen: Mask, ends: NDArray[np.float64], layouts: _Layouts
) -> list[tuple[_Layout, float, float]]:
    """Return the arrangements that lie best on chips with these ends, and how far off they are."""
    if not layouts.each:
        return []
    spans = np.concatenate(
        [
            np.minimum.reduceat(layouts.edges[:, :2], layouts.starts, axis=0),
            np.maximum.reduceat(layouts.edges[:, 2:], layouts.starts, axis=0),
        ],
        axis=1,
    )
    sizes = spans[:, 2:] - spans[:, :2] - (ends[2:] - ends[:2])
    fitting = np.flatnonzero((abs(sizes) <= _LONGER).all(axis=1))
    sums = np.pad(seen.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    found = list[tuple[int, int, _Layout, float, float]]()
    for k in fitting.tolist():
        layout = layouts.each[k]
        y, x = (ends[:2] + ends[2:]) / 2 - (spans[k, :2] + spans[k, 2:]) / 2
        spots = np.rint(np.add(layout.spots, (y, x))).astype(int).clip(0)
        down = (spots[:, 0] + layout.height).clip(0, seen.shape[0])
        right = (spots[:, 1] + layout.width).clip(0, seen.shape[1])
        hit = sums[down, right] - sums[spots[:, 0], right]
        hit += sums[spots[:, 0], spots[:, 1]] - sums[down, spots[:, 1]]
        missed = len(spots) * layout.height * layout.width - 2 * int(hit.sum())
        found.append((missed, len(found), layout, float(y), float(x)))
    return [(layout, y, x) for _, _, layout, y, x in sorted(found)[:_CLOSEST]]


def _read_moved(shade: Values, layout: _Layout, y: float, x: float, least: float) -> Chips:
    """Return the chips of an arrangement so far off its place, if all correlate that well."""
    hints, margin, likeness = list[Hint](), 1.0, 1.0
    high, wide = layout.height, layout.width
    inset = max(1, round(0.08 * high))
    for top, left in layout.spots:
        first, start = round(top + y), round(left + x)
        rows = slice(max(0, first + inset), max(0, first + high - inset))
        cols = slice(max(0, start + inset), max(0, start + wide - inset))
        patch = shade[rows, cols]
        if min(patch.shape) < 3:
            return Chips([], 1.0, 0.0)
        middle = top + y + high / 2 - rows.start, left + x + wide / 2 - cols.start
        read = read_marker(patch, high, middle)
        if read.correlation <= least:
            break
        hints.append((read.number, read.side))
        margin, likeness = min(margin, read.margin), min(likeness, read.correlation)
    fits = len(hints) == len(layout.spots)
    if not fits or int(high * aspect_of(max(number for number, _ in hints))) != wide:
        return Chips([], 1.0, 0.0)  # with these numbers chips would have another width
    return Chips(hints, 1 - likeness, margin)


def _shade(image: NDArray[np.uint8], chips: Mask) -> Values:
    """Return how far each pixel is on the way from a chip's ground to its ink, 0 to 1."""
    seen = image.astype(np.float32)
    ground = np.median(seen[chips], axis=0)
    shade: Values = np.clip((seen - ground) @ _AXIS, 0, 1).astype(np.float32)
    return shade


def chip_coloured(sheet: Sheet) -> Mask:
    """Return where a picture has the colour of chips, or one between theirs and white."""
    colours = ndimage.gaussian_filter(lab(sheet.image)[..., 1:], (_SOFT, _SOFT, 0))
    hue = lab(np.array(CHIP, np.uint8))[1:]
    hue /= np.hypot(*hue)
    along, across = colours @ hue, abs(colours @ np.array([-hue[1], hue[0]], np.float32))
    out: Mask = (along > _PINK) & (across < 0.5 * along)
    return out


@lru_cache(maxsize=1024)
def _layouts(height: int, width: int, high: int, least: int, most: int) -> _Layouts:
    """Return the arrangements of up to ``most`` chips that there can be in a box."""
    found = dict[_Layout, None]()
    for count in range(1, most + 1):
        for aspect in {aspect_of(number) for number in range(count, most + 1)}:
            spots, size = slots(count, (0, 0, height, width), aspect, high)
            if size >= least:
                found[_Layout(tuple(spots), size, int(size * aspect))] = None
    each = list(found)
    edges = [(y, x, y + one.height, x + one.width) for one in each for y, x in one.spots]
    starts = np.cumsum([0, *(len(one.spots) for one in each)])[:-1]
    return _Layouts(each, np.array(edges, np.intp).reshape(-1, 4), starts)


def _likely(marked: NDArray[np.bool_], layouts: _Layouts) -> list[_Layout]:
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


def _read(seen: Values, plain: Values, layout: _Layout, paints: Paints, most: int) -> Chips:
    """Return the chips that fit best where a layout has them."""
    _, high, wide = layout
    body, cover, inner, ink, squares = _sprites(high, wide, paints, most)
    drawn, hints, margin = plain.copy(), list[Hint](), 1.0
    for y, x in layout.spots:
        patch = seen[y : y + high, x : x + wide]
        if patch.shape != (high, wide, 3):
            return Chips([], 1.0, 0.0)
        shade = (patch[inner] - _GROUND) @ _AXIS
        gaps = squares - 2 * ink @ shade
        best, second = np.argpartition(gaps, 1)[:2]
        number, side = divmod(int(best), len(_SIDES))
        hints.append((number + 1, _SIDES[side]))
        apart = ((ink[best] - ink[second]) ** 2).sum()
        margin = min(margin, float((gaps[second] - gaps[best]) / max(apart, 1e-6)))
        face = body.copy()
        face[inner] += ink[best][:, None] * (_INK - _GROUND)
        region = drawn[y : y + high, x : x + wide]
        region[cover] = face[cover]
    residual = float(((drawn - seen) ** 2).mean()) / 255**2
    return Chips(hints, residual, margin)


@lru_cache(maxsize=256)
def _sprites(high: int, wide: int, paints: Paints, most: int) -> _Sprites:
    blank = body(high, wide, paints)
    face = paints.colours[blank.pixels].astype(np.float32)
    inner = blank.mask & (face == _GROUND).all(axis=-1)
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
