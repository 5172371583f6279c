"""The visual aid: red lines at every cell boundary and `(r,c)` at the centre of cells."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from render.canvas import Picture
from render.glyphs import label, label_margin, width
from render.palette import AID_RED, HALO, INK, LEVELS, Colour, Paints, mix

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]
_LEVEL = 256  # entries of a level of a wash
_HALO = 2 * _LEVEL
_CACHED_CELLS = 4096  # labels of larger boards are made anew each time

AID_COLOURS: tuple[Colour, ...] = (
    AID_RED,
    INK,
    HALO,
    *(mix(HALO, INK, k) for k in range(1, LEVELS)),
)  # a family's Paints keep these exact


def aid(
    picture: Picture,
    cell: int,
    paints: Paints,
    labelled: Mask | None = None,
    dashed: bool = False,
    letters: Mask | None = None,
) -> Picture:
    """The picture with grid lines and coordinates.

    ``labelled`` (rows, cols) says which cells get coordinates, if not all; halos and lines leave
    the pixels of ``letters`` (H, W) as they are.
    """
    pixels = picture.pixels.copy()
    flat, (rows, cols) = pixels.ravel(), (side // cell for side in pixels.shape)
    make = _labels if rows * cols <= _CACHED_CELLS else _labels.__wrapped__
    at, levels, cells = make(rows, cols, cell)
    if labelled is not None:
        shown = labelled.ravel().take(cells)
        at, levels = at[shown], levels[shown]
    before = flat.take(at)
    after = _wash(paints).ravel().take(levels + before)
    if letters is not None:
        kept = np.flatnonzero(letters.ravel().take(at) & (levels <= _HALO))
        after[kept] = before[kept]
    flat[at] = after
    red = paints.index(AID_RED)
    _lines(pixels, cell, red, dashed)
    if letters is not None:  # the name of a piece stays whole where a line would cross it
        crossed = letters & (pixels == red)
        pixels[crossed] = picture.pixels[crossed]
    return Picture(pixels, picture.palette)


def line_width(cell: int) -> int:
    """Pixels across a grid line: a thirty-second of a cell."""
    return max(1, round(cell / 32))


def _lines(pixels: NDArray[np.uint8], cell: int, red: int, dashed: bool) -> None:
    thick = line_width(cell)
    for along in (pixels, pixels.T):
        for at in range(cell, along.shape[0], cell):
            line = along[at - thick // 2 : at - thick // 2 + thick]
            if dashed:
                dash = max(2, cell // 8)
                line[:, (np.arange(line.shape[1]) + dash // 2) % (2 * dash) < dash] = red
            else:
                line[:] = red


@lru_cache(maxsize=64)
def _wash(paints: Paints) -> NDArray[np.uint8]:
    """(7, 256): what an index becomes under each level of ``glyphs.label``."""
    halo = paints.wash(HALO)
    inks = [np.full(256, paints.index(mix(HALO, INK, k)), np.uint8) for k in range(1, LEVELS + 1)]
    return np.stack([halo[0], halo[LEVELS // 2], halo[LEVELS], *inks])


@lru_cache(maxsize=8)
def _labels(rows: int, cols: int, cell: int) -> tuple[Indices, Indices, Indices]:
    """The pixels that labels touch: where in the flat picture, at which level, in which cell.

    Levels are where they begin in a flat wash, so that an index has only to be added.
    """
    levels, y, x = label_levels(rows, cols, cell)
    r, dy, c, dx = np.nonzero(levels)
    at = ((r * cell + y + dy) * cols + c) * cell + x + dx
    return at, levels[r, dy, c, dx].astype(np.intp) * _LEVEL, r * cols + c


def label_levels(rows: int, cols: int, cell: int) -> tuple[NDArray[np.uint8], int, int]:
    """The levels of ``glyphs.label`` for all cells, (rows, h, cols, w), and where they start."""
    size = label_size(rows, cols, cell)
    texts = [[label(f"({r},{c})", size) for c in range(cols)] for r in range(rows)]
    h = min(cell, texts[0][0].shape[0])
    w = min(cell, max(text.shape[1] for row in texts for text in row))
    out = np.zeros((rows, h, cols, w), np.uint8)
    for r, row in enumerate(texts):
        for c, text in enumerate(row):
            text = text[:, max(0, (text.shape[1] - w) // 2) :][:h, :w]
            left = (w - text.shape[1]) // 2
            out[r, : text.shape[0], c, left : left + text.shape[1]] = text
    middle = label_margin(size) + size / 2  # of the capitals, within the label
    y = min(max(0, round(cell / 2 - middle)), cell - h)
    return out, y, (cell - w) // 2


def label_mask(rows: int, cols: int, cell: int) -> Mask:
    """Return where the labels of all cells and their halos are, (rows * cell, cols * cell)."""
    levels, y, x = label_levels(rows, cols, cell)
    mask = np.zeros((rows, cell, cols, cell), bool)
    mask[:, y : y + levels.shape[1], :, x : x + levels.shape[3]] = levels > 0
    return mask.reshape(rows * cell, cols * cell)


def label_size(rows: int, cols: int, cell: int) -> int:
    """Height in pixels of the digits of a grid's labels, so that the longest fits its cell."""
    longest = f"({'0' * len(str(rows - 1))},{'0' * len(str(cols - 1))})"
    return max(4, round(min(0.235 * cell, 0.82 * cell / (width(longest) + 0.2))))
