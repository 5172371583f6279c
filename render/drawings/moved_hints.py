"""Numbered move hints read back where a picture does not match the board to the pixel."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.chips import CHIP, Box, Hint, aspect_of, largest
from render.drawings.arrangements import AXIS, MARKED, SMALLEST, Chips, Layout, Layouts, layouts_of
from render.drawings.ink import Sheet
from render.drawings.numerals import read_marker
from render.lab import lab

Values = NDArray[np.float32]
Mask = NDArray[np.bool_]

_MOVED, _LONGER = 5, 6
"""Pixels at 64 a cell that chips may be off their place, and that they may be longer altogether."""
_CLOSEST = 24
"""So many arrangements are looked at closely where chips have moved."""
_SOFT, _EDGE = 0.8, 0.2
"""Pixels that colours are smoothed by; and share of its longest row that a row of chips has."""
_PINK = 30.0
"""Of chroma in CIELAB along the hue of chips."""


def read_moved_box(sheet: Sheet, box: Box, chips: Mask, most: int) -> Chips:
    """Return the chips in a box of a picture that does not match the board to the pixel.

    ``chips`` says where the colour of chips is seen, (H, W).
    """
    top, left, high, wide = box
    reach = _MOVED * sheet.cell // 64
    above, before = max(0, top - reach), max(0, left - reach)
    area = slice(above, top + high + reach), slice(before, left + wide + reach)
    seen = chips[area]
    if seen.sum() < MARKED * high * wide:
        return Chips([], 0.0, 1.0)
    counts = seen.sum(axis=1), seen.sum(axis=0)
    rows, cols = (np.flatnonzero(count > _EDGE * count.max()) for count in counts)
    ends = np.array([rows[0], cols[0], rows[-1] + 1, cols[-1] + 1], float)
    layouts = layouts_of(high, wide, largest(sheet.cell), SMALLEST[1], most)
    shade = _shade(sheet.image[area], seen)
    best = Chips([], 1.0, 0.0)
    for layout, y, x in _placed(seen, ends, layouts):
        found = _read_moved(shade, layout, y, x, 1 - best.residual)
        if found.residual < best.residual:
            best = found
    return best


def _placed(
    seen: Mask, ends: NDArray[np.float64], layouts: Layouts
) -> list[tuple[Layout, float, float]]:
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
    found = list[tuple[int, int, Layout, float, float]]()
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


def _read_moved(shade: Values, layout: Layout, y: float, x: float, least: float) -> Chips:
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
    shade: Values = np.clip((seen - ground) @ AXIS, 0, 1).astype(np.float32)
    return shade


def chip_coloured(sheet: Sheet) -> Mask:
    """Return where a picture has the colour of chips, or one between theirs and white."""
    colours = ndimage.gaussian_filter(lab(sheet.image)[..., 1:], (_SOFT, _SOFT, 0))
    hue = lab(np.array(CHIP, np.uint8))[1:]
    hue /= np.hypot(*hue)
    along, across = colours @ hue, abs(colours @ np.array([-hue[1], hue[0]], np.float32))
    out: Mask = (along > _PINK) & (across < 0.5 * along)
    return out
