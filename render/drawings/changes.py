"""What differs in a picture from the board that it is drawn on, and where nothing explains it."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.boards.warping import RGB
from render.drawings.ink import SPECK, Lab, Share, Sheet, difference
from render.lab import lab

Mask = NDArray[np.bool_]
Cell = tuple[int, int]

_DIFFERENT = 25.0
"""Of distance in CIELAB: a difference that is seen at once."""
_REACH = 1 / 16
"""In cells: so far a pixel may have moved; and so far about a line its edges may be unlike it."""
_SOFT = 0.03
"""In cells: what other pictures are smoothed by."""
_TINT, _BARE = 15.0, 0.4
"""In CIELAB: how far a cell's mean colour must be off; and the share of it that must be bare."""
_ODD = 0.06
"""Of a cell's pixels: how many must look different in another picture for the cell to be."""


def strange(sheet: Sheet) -> Mask:
    """Return which pixels (H, W) look like none of the board's, nor any between them, nearby.

    Where board and picture match to the pixel, these are the pixels that plainly differ.
    """
    if sheet.drawn is not None:
        out: Mask = distance(sheet) > _DIFFERENT
        return out
    board, reach = lab(sheet.board.palette)[sheet.board.pixels], 2 * reach_of(sheet) + 1
    seen = ndimage.gaussian_filter(lab(sheet.image), (_SOFT * sheet.cell, _SOFT * sheet.cell, 0))
    far = np.zeros(board.shape[:2], np.float32)
    for k in range(3):
        above = seen[..., k] - ndimage.maximum_filter(board[..., k], reach)
        below = ndimage.minimum_filter(board[..., k], reach) - seen[..., k]
        far += np.maximum(np.maximum(above, below), 0) ** 2
    return far > _DIFFERENT**2


def added(differs: Mask, cell: int) -> bool:
    """Return whether more than a speck of a picture is strange."""
    return bool(differs.sum() > SPECK * cell**2)


def unexplained(sheet: Sheet, differs: Mask, ink: Mask) -> tuple[Cell, ...]:
    """Return the cells (row, column) that look different for another reason than the ``ink``."""
    cell, reach = sheet.cell, 2 * reach_of(sheet) + 1
    if sheet.drawn is not None and not added(differs & ~ink, cell):
        return ()
    bare = ~ndimage.maximum_filter(ink, reach)
    other = differs & bare
    if sheet.drawn is None:  # at its edge a board may be cut off
        edge, whole = max(1, cell // 8), other
        other = np.zeros_like(whole)
        other[edge:-edge, edge:-edge] = whole[edge:-edge, edge:-edge]
    rows, cols = (side // cell for side in other.shape)
    share = other.reshape(rows, cell, cols, cell).mean(axis=(1, 3))
    odd = np.argwhere(
        share > SPECK if sheet.drawn is not None else (share > _ODD) | _tinted(sheet, bare)
    )
    return tuple((int(r), int(c)) for r, c in odd)


def cleaned(sheet: Sheet, ink: Mask) -> RGB:
    """Return the picture with the board's own drawing where ``ink`` hides it, and close by."""
    hidden = ndimage.maximum_filter(ink, 2 * reach_of(sheet) + 1)
    image = sheet.image.copy()
    image[hidden] = sheet.board.palette[sheet.board.pixels[hidden]]
    return image


def _tinted(sheet: Sheet, bare: Mask) -> Mask:
    """Return the cells (rows, cols) that have another colour on the whole, where they are bare."""
    cell = sheet.cell
    rows, cols = (side // cell for side in bare.shape)
    gap = (difference(sheet) * bare[..., None]).reshape(rows, cell, cols, cell, 3).sum(axis=(1, 3))
    count = bare.reshape(rows, cell, cols, cell).sum(axis=(1, 3))
    mean = np.sqrt((gap * gap).sum(axis=2)) / np.maximum(count, 1)
    tinted: Mask = (mean > _TINT) & (count > _BARE * cell * cell)
    return tinted


def reach_of(sheet: Sheet) -> int:
    """Return how many pixels something may be off its place."""
    return max(1, round(_REACH * sheet.cell))


def distance(sheet: Sheet) -> Share:
    """Return how far each pixel is from the board's, in CIELAB: (H, W)."""
    if sheet.drawn is None:
        return _length(difference(sheet))
    far = np.zeros(sheet.drawn.shape, np.float32)
    below = lab(sheet.board.palette)[sheet.board.pixels[sheet.drawn]]
    far[sheet.drawn] = _length(lab(sheet.image[sheet.drawn]) - below)
    return far


def _length(gap: Lab) -> Share:
    far: Share = np.sqrt(np.einsum("...c,...c->...", gap, gap))
    return far
