"""What has been drawn onto a board: how much of each pixel is the red of a drawn way."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from render.canvas import Picture
from render.cielab import RGB, Lab, lab
from render.palette import AID_RED

Share = NDArray[np.float32]

WORKED_CELL = 32
"""Pixels a cell at which drawings are looked at; a line is then 4 pixels wide."""
_WORKED_SIDE, _LEAST_CELL = 1280, 12
_SAME = 0.7
"""A picture that shares so many of its pixels with the board's own drawing is that drawing."""
_NOISE, _PALEST = 12.0, 45.0


class Sheet(NamedTuple):
    """A picture and the board's own drawing, both RGB at ``cell`` pixels a cell.

    ``exact`` says that they differ only where something was drawn, and then ``touched`` (H, W)
    says where that is, at the picture's own size; else it is None.
    """

    image: RGB
    board: RGB
    cell: int
    exact: bool
    touched: NDArray[np.bool_] | None


def sheet(image: RGB, draw: Callable[[int], Picture], rows: int, cols: int) -> Sheet:
    """Return a picture of a (rows, cols) board at a size to work on, beside the true drawing."""
    cell = max(_LEAST_CELL, min(WORKED_CELL, _WORKED_SIDE // max(rows, cols)))
    height, width = image.shape[:2]
    own = height // rows
    exact, touched = False, None
    if own >= _LEAST_CELL and (height, width) == (rows * own, cols * own):
        board = pixels(draw(own))
        touched = (image != board).any(axis=-1)
        exact = bool(touched.mean() < 1 - _SAME)
        if exact:
            board = _sized(board, rows * cell, cols * cell)
            return Sheet(_sized(image, rows * cell, cols * cell), board, cell, True, touched)
    board = pixels(draw(cell))
    return Sheet(_sized(image, rows * cell, cols * cell), board, cell, False, None)


def pixels(picture: Picture) -> RGB:
    """Return a drawing of ours as (H, W, 3) RGB."""
    return picture.palette[picture.pixels]


def _sized(image: RGB, height: int, width: int) -> RGB:
    if image.shape[:2] == (height, width):
        return image
    way = Image.Resampling.BOX if image.shape[0] > height else Image.Resampling.BICUBIC
    return np.asarray(Image.fromarray(image).resize((width, height), way))


def redness(colours: Lab) -> Share:
    """Return how far colours lie in the direction of red, 0 for what is not red at all."""
    red: Share = np.maximum(0.8 * colours[..., 1] + 0.5 * colours[..., 2], 0)
    return red


_RED = lab(np.array(AID_RED, np.uint8))
_REDNESS = float(redness(_RED))


def red_ink(sheet: Sheet) -> Share:
    """Return how much of each pixel is covered by red that is not the board's, 0 to 1."""
    colours, below = lab(sheet.image), lab(sheet.board)
    red, base = redness(colours), redness(below)
    if not sheet.exact:
        reach = 2 * (sheet.cell // 16) + 1
        red = ndimage.gaussian_filter(red, 0.03 * sheet.cell)
        base = ndimage.maximum_filter(base, size=reach)
    more = red - base
    strong = red[more > _NOISE]
    if strong.size < sheet.cell**2 / 100:
        return np.zeros(red.shape, np.float32)
    level = float(np.clip(np.percentile(strong, 80), _PALEST, _REDNESS))
    share: Share = np.clip(more / np.maximum(level - base, _NOISE), 0, 1).astype(np.float32)
    return share


def changed(sheet: Sheet) -> Share:
    """Return how far each pixel differs from the board, as a distance in CIELAB."""
    gap = lab(sheet.image) - lab(sheet.board)
    distance: Share = np.sqrt((gap * gap).sum(axis=-1))
    if not sheet.exact:
        distance = ndimage.gaussian_filter(distance, 0.03 * sheet.cell)
    return distance


_DIFFERENT, _FEWEST = 25.0, 0.05


def off_colour(sheet: Sheet) -> bool:
    """Return whether more than a speck differs plainly from the board."""
    return bool((changed(sheet) > _DIFFERENT).sum() > _FEWEST * sheet.cell**2)
