"""The visual aid: red lines at every cell boundary and `(r,c)` at the centre of cells."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from render.canvas import Picture
from render.glyphs import label, label_margin, width
from render.palette import AID_RED, HALO, INK, LEVELS, Colour, Paints, mix

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
    labelled: NDArray[np.bool_] | None = None,
    dashed: bool = False,
) -> Picture:
    """The picture with grid lines and labels; ``labelled`` (rows, cols) says which cells get one."""
    pixels = picture.pixels.copy()
    rows, cols = pixels.shape[0] // cell, pixels.shape[1] // cell
    _lines(pixels, cell, paints.index(AID_RED), dashed)
    texts, y, x = _labels(rows, cols, cell)
    if labelled is not None:
        texts = texts * labelled[:, None, :, None]
    h, w = texts.shape[1], texts.shape[3]
    cells = pixels.reshape(rows, cell, cols, cell)[:, y : y + h, :, x : x + w]
    cells[...] = label_wash(paints)[texts, cells]
    return Picture(pixels, picture.palette)


def line_width(cell: int) -> int:
    """Pixels across a grid line: a thirty-second of a cell."""
    return max(1, round(cell / 32))


def label_wash(paints: Paints) -> NDArray[np.uint8]:
    """(7, 256): what a palette index becomes under each level of ``glyphs.label``."""
    halo = paints.wash(HALO)
    inks = [np.full(256, paints.index(mix(HALO, INK, k)), np.uint8) for k in range(1, LEVELS + 1)]
    return np.stack([halo[0], halo[LEVELS // 2], halo[LEVELS], *inks])


def _lines(pixels: NDArray[np.uint8], cell: int, red: int, dashed: bool) -> None:
    thick = line_width(cell)
    for along in (pixels, pixels.T):
        on = np.ones(along.shape[1], bool)
        if dashed:
            dash = max(2, cell // 8)
            on = (np.arange(len(on)) + dash // 2) % (2 * dash) < dash
        for at in range(cell, along.shape[0], cell):
            along[at - thick // 2 : at - thick // 2 + thick, on] = red


@lru_cache(maxsize=8)
def _labels(rows: int, cols: int, cell: int) -> tuple[NDArray[np.uint8], int, int]:
    """Labels of all cells, (rows, h, cols, w), and where (y, x) they start inside a cell."""
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


def label_size(rows: int, cols: int, cell: int) -> int:
    """Height in pixels of the digits of a grid's labels, so that the longest fits its cell."""
    longest = f"({'0' * len(str(rows - 1))},{'0' * len(str(cols - 1))})"
    return max(4, round(min(0.235 * cell, 0.82 * cell / (width(longest) + 0.2))))
