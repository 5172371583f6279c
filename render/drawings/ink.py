"""What has been drawn onto a board: how much of each pixel is the red of a drawn way."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from render.boards.align import register, warped
from render.boards.extent import starts
from render.boards.tint import fitted
from render.boards.warping import RGB, Matrix
from render.canvas import Picture
from render.lab import lab
from render.palette import AID_RED

Share = NDArray[np.float32]
Lab = NDArray[np.float32]

WORKED_CELL = 32
"""Pixels a cell at which drawings are looked at; a line is then 4 pixels wide."""
LEAST_CELL = 12
SPECK = 0.01
"""Of a cell's pixels: so few that differ mean nothing."""
_WORKED_SIDE = 1280
_SAME = 0.35
"""The least of a board that shows where something is drawn over it."""
_ALIKE, _ASTRAY = 64, 1 / 8
"""Of 255 and in cells: pixels so near to the board's, so far off, may be the board's."""
_CORRELATED, _WELL = 0.85, 0.97
"""How well these must then correlate; and so well that no other place need be tried."""
_NOISE, _PALEST = 12.0, 45.0
"""Of redness: what is no more than noise, and the least of a line that is called red."""
_HUES = (-5.0, 55.0)
"""Degrees in CIELAB between which a line is called red; ours has 38."""
_STAINED, _MUCH, _HALO = 0.1, 0.5, 1 / 8
"""A pixel with so much red on it tells nothing of the board, if there is much so near, in cells:
a floor is a little redder than a wall."""


class OtherPicture(ValueError):
    """The picture does not show the board onto which something was to be drawn."""


class Sheet(NamedTuple):
    """A picture in RGB, and the board's own drawing at its size, ``cell`` pixels a cell.

    ``drawn`` (H, W) says which pixels may hold what was drawn: where the picture is otherwise the
    drawing itself, those that differ from it. It is None where that can't be said.
    """

    image: RGB
    board: Picture
    cell: int
    drawn: NDArray[np.bool_] | None


def sheet(
    image: RGB, draw: Callable[[int], Picture], rows: int, cols: int, worked: int | None = None
) -> Sheet:
    """Return a picture of a (rows, cols) board beside the true drawing.

    A picture that is this drawing but for what was added stays as large as it is; others come to a
    size at which they are worked on, ``worked`` pixels a cell. Raises OtherPicture.
    """
    height, width = image.shape[:2]
    own = height // rows
    if own >= LEAST_CELL and (height, width) == (rows * own, cols * own):
        board = draw(own)
        drawn = _unlike(image, board)
        if _in_place(drawn, board):
            return Sheet(image, board, own, drawn)
    cell = worked or worked_cell(rows, cols)
    board = draw(cell)
    return Sheet(_in_line(image, board, cell), board, cell, None)


def _in_line(image: RGB, board: Picture, cell: int) -> RGB:
    """Return a picture brought into line with the board, in place and in colour."""
    true = plain(board)
    size = 2 * max(1, round(_ASTRAY * cell)) + 1, 2 * max(1, round(_ASTRAY * cell)) + 1, 1
    near = ndimage.minimum_filter(true, size), ndimage.maximum_filter(true, size)
    best: tuple[float, RGB] | None = None
    for start in starts(image, true.shape[:2]):
        found = _from(image, true, near, start)
        if found and (best is None or found[0] > best[0]):
            best = found
        if best and best[0] > _WELL:
            break
    if best is None:
        raise OtherPicture("the picture does not show the board")
    return best[1]


def _from(image: RGB, true: RGB, near: tuple[RGB, RGB], start: Matrix) -> tuple[float, RGB] | None:
    """Return how well the two correlate from a first guess on, and the picture in line.

    ``near`` are the darkest and brightest values of the board about each pixel: what lies between
    these may be the board's, somewhat off its place. Where boards are so varied that this holds of
    what is drawn too, pixels must be like the board's where they are.
    """
    place, shape = register(image, true, start=start), true.shape[:2]
    for low, high in (near, (true, true), (true, true)):
        seen = fitted(warped(image, place.matrix, shape), true)
        alike = (np.maximum(seen, high) - high < _ALIKE) & (low - np.minimum(seen, low) < _ALIKE)
        bare = alike[..., 0] & alike[..., 1] & alike[..., 2]
        if bare.mean() < _SAME:
            return None
        place = register(image, true, bare, place.matrix, near=True)
        if place.correlation >= _CORRELATED:
            return place.correlation, fitted(warped(image, place.matrix, shape), true)
    return None


def worked_cell(rows: int, cols: int) -> int:
    """Return at how many pixels a cell drawings on a (rows, cols) board are looked at."""
    return max(LEAST_CELL, min(WORKED_CELL, _WORKED_SIDE // max(rows, cols)))


def _in_place(drawn: NDArray[np.bool_], board: Picture) -> bool:
    """Return whether the board is where it should be to the pixel, but for what is drawn over it.

    If it had moved in some direction, no pixel unlike its neighbour there would be the same.
    """
    for axis in (0, 1):
        changes = np.diff(board.pixels, axis=axis) != 0
        count = max(1, int(changes.sum()))
        for side in (drawn[:-1], drawn[1:]) if axis == 0 else (drawn[:, :-1], drawn[:, 1:]):
            if (changes & side).sum() > (1 - _SAME) * count:
                return False
    return True


def _unlike(image: RGB, board: Picture) -> NDArray[np.bool_]:
    apart = (image != plain(board)).reshape(-1, 3)
    unlike: NDArray[np.bool_] = apart[:, 0] | apart[:, 1] | apart[:, 2]
    return unlike.reshape(board.pixels.shape)


def plain(picture: Picture) -> RGB:
    """Return a picture of palette indices in RGB."""
    indices = Image.fromarray(picture.pixels)
    indices.putpalette(picture.palette.tobytes())
    return np.asarray(indices.convert("RGB"))


def redness(colours: Lab) -> Share:
    """Return how far colours lie in the direction of red, 0 for what is not red at all."""
    red: Share = np.maximum(0.8 * colours[..., 1] + 0.5 * colours[..., 2], 0)
    return red


_REDNESS = float(redness(lab(np.array(AID_RED, np.uint8))))


def red_ink(sheet: Sheet) -> Share:
    """Return how much of each pixel is covered by red that is not the board's, 0 to 1 (H, W).

    Nothing is red where what was added is mostly of another hue.
    """
    where, reds = sheet.drawn, redness(lab(sheet.board.palette))
    if where is not None:
        ink = np.zeros(where.shape, np.float32)
        colours, below = lab(sheet.image[where]), reds[sheet.board.pixels[where]]
        ink[where] = _covered(colours, redness(colours), below, sheet.cell)
        return ink
    colours = lab(sheet.image)
    red = ndimage.gaussian_filter(redness(colours), 0.03 * sheet.cell)
    reach = 2 * (sheet.cell // 16) + 1
    below = ndimage.maximum_filter(reds[sheet.board.pixels], size=reach)
    return _covered(colours, red, below, sheet.cell)


def _covered(colours: Lab, red: Share, below: Share, cell: int) -> Share:
    more = red - below
    strong = more > _NOISE
    if strong.sum() <= SPECK * cell * cell:
        return np.zeros(red.shape, np.float32)
    level = float(np.clip(np.percentile(red[strong], 80), _PALEST, _REDNESS))
    full = colours[strong & (red > 0.7 * level)]
    if not len(full):
        return np.zeros(red.shape, np.float32)
    a, b = full[:, 1].mean(), full[:, 2].mean()
    if not _HUES[0] < np.degrees(np.arctan2(b, a)) < _HUES[1]:
        return np.zeros(red.shape, np.float32)
    share: Share = np.clip(more / np.maximum(level - below, _NOISE), 0, 1)
    return share


def coarse(ink: Share, cell: int) -> tuple[Share, int]:
    """Return the most ink of each few pixels, WORKED_CELL or more a cell, and how many those are.

    The way of a line does not hang on single pixels.
    """
    fold = cell // WORKED_CELL
    if fold < 2 or cell % fold:
        return ink, cell
    most: Share = ink[::fold].copy()
    for k in range(1, fold):
        np.maximum(most, ink[k::fold], out=most)
    down, most = most, most[:, ::fold].copy()
    for k in range(1, fold):
        np.maximum(most, down[:, k::fold], out=most)
    return most, cell // fold


def stained(ink: Share, cell: int) -> NDArray[np.bool_]:
    """Return where a line hides the board, (H, W): on the line, and in the halo at its edges."""
    much, folded = coarse(ink, cell)
    line = ndimage.maximum_filter(much > _MUCH, 2 * max(1, round(_HALO * folded)) + 1)
    fold = cell // folded
    near: NDArray[np.bool_] = line.repeat(fold, axis=0).repeat(fold, axis=1)
    return near & (ink > _STAINED)


def difference(sheet: Sheet) -> Lab:
    """Return the picture's colours less the board's, in CIELAB: (H, W, 3)."""
    board = lab(sheet.board.palette)
    gap: Lab
    if sheet.drawn is not None:
        gap = np.zeros(sheet.image.shape, np.float32)
        below = board[sheet.board.pixels[sheet.drawn]]
        gap[sheet.drawn] = lab(sheet.image[sheet.drawn]) - below
        return gap
    gap = lab(sheet.image) - board[sheet.board.pixels]
    return gap


def smaller(sheet: Sheet, cell: int) -> Sheet:
    """Return every so many pixels of a sheet alone, ``cell`` a cell; colours stay what they are."""
    if cell >= sheet.cell:
        return sheet
    rows, cols = (side // sheet.cell for side in sheet.board.pixels.shape)
    y, x = ((np.arange(count * cell) * 2 + 1) * sheet.cell // (2 * cell) for count in (rows, cols))
    picked = np.ix_(y, x)
    board = sheet.board._replace(pixels=sheet.board.pixels[picked])
    drawn = None if sheet.drawn is None else sheet.drawn[picked]
    return Sheet(sheet.image[picked], board, cell, drawn)
