"""Whether a picture has the grid and the coordinates asked for, and is the same otherwise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from render.boards.align import register, warped, whole
from render.boards.looks import RGB
from render.boards.tint import fitted
from render.boards.warping import Matrix
from render.drawings.labels import likeness_of_labels
from render.lab import lab
from render.palette import AID_RED

Mask = NDArray[np.bool_]
Cell = tuple[int, int]

CELL = 64
"""Pixels a cell at which pictures are compared."""
RIGHT, WRONG, MISSING, UNCLEAR = "right", "wrong", "missing", "unclear"
_NEAR = 4
"""Pixels by which a line may lie off its boundary: a sixteenth of a cell."""
_RED = 24.0
"""How much redder than the board, in CIELAB, a line is."""
_COVERED = 0.6
"""Share of what a true line covers, from which on a piece of line is there."""
_LIKE, _AHEAD = 0.6, 0.03
"""Correlation from which on a label is read, and by how much it must beat the others."""
_UNTOUCHED = 0.25
"""Share of the change that a label makes below which nothing has been written."""
_INKED = 0.01
"""Share of a cell's pixels that are red beside its lines, from which on something is drawn."""
_APART, _CHANGED = 26.0, 0.05
"""How far off, in CIELAB, a pixel is another; share of a cell's pixels that makes it another."""


class AidCheck(NamedTuple):
    """What became of an aid.

    lines
        Share of the pieces of grid lines, each as long as a cell, that are where they belong.
    stray
        Lines along whole rows or columns of pixels where none belongs.
    labels
        By each cell that is to have coordinates: right, wrong (those of another cell), missing, or
        unclear (something is written there, but nothing that can be read).
    added
        Cells with coordinates where none were asked for.
    changed
        Cells whose board beneath, where the aid leaves it to be seen, is not what it was, or has
        more red on it than its lines.
    correlation
        How well the picture lies on the board, up to 1; below 0.5 it hardly is the same picture.
    matrix
        (2, 3): from (x, y, 1) in cells to pixels of the picture.
    """

    lines: float
    stray: int
    labels: dict[Cell, str]
    added: list[Cell]
    changed: list[Cell]
    correlation: float
    matrix: Matrix


def check_aid(image: RGB, plain: RGB, aid: RGB) -> AidCheck:
    """Return what ``image`` has of ``aid``.

    ``plain`` is the board and ``aid`` the board with the true aid, both at CELL pixels a cell;
    ``image`` is of any size.
    """
    added = (plain != aid).any(axis=2)
    matrix, board = _laid(image, plain, aid, ~_grown(added, 2))
    size = plain.shape[0] // CELL, plain.shape[1] // CELL
    redder = _redness(board) - _redness(plain)
    red = added & (np.abs(aid.astype(int) - AID_RED).max(axis=2) == 0)
    labels, more = _labels(board, plain, aid, added & ~red, size)
    inside = _inside(matrix, board.shape[:2], image.shape[:2])
    beneath = ~_grown(added, 3) & (redder < _RED) & inside
    inked = _inked(board, plain, inside, size)
    return AidCheck(
        _lines(redder, red, size),
        sum(_stray(redder.T if across else redder) for across in (False, True)),
        labels,
        more,
        sorted({*_changed(board, plain, beneath, size), *inked}),
        _correlation(board, plain, beneath),
        matrix * np.array([CELL, CELL, 1]),
    )


def _laid(image: RGB, plain: RGB, aid: RGB, beneath: Mask) -> tuple[Matrix, RGB]:
    """Where the board lies in a picture, and that piece of it in the colours of the aid.

    The board is sought by what the aid leaves to be seen, unless it fits as well where it fills the
    picture.
    """
    start = whole(plain.shape[:2], image.shape[:2])
    found = []
    for matrix in (start, register(image, plain, beneath, start).matrix):
        board = fitted(warped(image, matrix, plain.shape[:2]), aid)
        found.append((_correlation(board, plain, beneath), matrix, board))
    _, matrix, board = max(found, key=lambda one: one[0])
    return matrix, board


def _correlation(board: RGB, plain: RGB, beneath: Mask) -> float:
    """Of the luminances, where the board beneath the aid is seen; 0 where all has one."""
    one, other = (_grey(rgb)[beneath] for rgb in (board, plain))
    one, other = one - one.mean(), other - other.mean()
    spread = float((one * one).sum() * (other * other).sum()) ** 0.5
    return float((one * other).sum()) / spread if spread else 0.0


def _grey(rgb: RGB) -> NDArray[np.float32]:
    return np.asarray(Image.fromarray(rgb).convert("L"), np.float32)


def _inside(matrix: Matrix, board: tuple[int, int], image: tuple[int, int]) -> Mask:
    """Which pixels of the board lie in the picture, and not at its very edge."""
    y, x = np.mgrid[: board[0], : board[1]] + 0.5
    points = np.stack([x, y, np.ones_like(x)]).reshape(3, -1)
    across, down = matrix @ points
    edge = 2 * np.sqrt(abs(np.linalg.det(matrix[:, :2])))
    inside = (across > edge) & (across < image[1] - edge) & (down > edge) & (down < image[0] - edge)
    out: Mask = inside.reshape(board)
    return out


def _redness(rgb: RGB) -> NDArray[np.float32]:
    red = lab(np.array(AID_RED, np.uint8))[1:]
    chroma: NDArray[np.float32] = lab(rgb)[..., 1:] @ (red / np.hypot(*red)).astype(np.float32)
    return chroma


def _grown(mask: Mask, by: int) -> Mask:
    grown: Mask = ndimage.binary_dilation(mask, np.ones((2 * by + 1, 2 * by + 1), bool))
    return grown


def _lines(redder: NDArray[np.float32], red: Mask, size: tuple[int, int]) -> float:
    """The share of pieces of line that are there, of those that the true aid shows."""
    there = due = 0
    for pixels, true, count in ((redder, red, size[0]), (redder.T, red.T, size[1])):
        for at in range(CELL, count * CELL, CELL):
            band = slice(at - _NEAR, at + _NEAR)
            drawn = (pixels[band] > _RED).any(axis=0).reshape(-1, CELL).sum(axis=1)
            needed = true[band].any(axis=0).reshape(-1, CELL).sum(axis=1)
            there += int((drawn >= _COVERED * needed)[needed > 0].sum())
            due += int((needed > 0).sum())
    return there / due if due else 1.0


def _stray(redder: NDArray[np.float32]) -> int:
    """Count the red lines that run along rows of pixels away from the boundaries of cells."""
    return int(ndimage.label(_along(redder > _RED))[1])


def _along(red: Mask) -> Mask:
    """Which rows of pixels, away from the boundaries of cells, a red line runs along."""
    share = red.mean(axis=1)
    off = (np.arange(len(share)) + CELL // 2) % CELL - CELL // 2
    along: Mask = (share > 0.4) & (np.abs(off + 0.5) > 2 * _NEAR)
    return along


def _inked(board: RGB, plain: RGB, inside: Mask, size: tuple[int, int]) -> list[Cell]:
    """The cells on which something red is drawn that is no line along a row or column of pixels."""
    below = ndimage.maximum_filter(np.maximum(_redness(plain), 0), 2 * _NEAR + 1)
    seen = ndimage.uniform_filter(board, (_NEAR + 1, _NEAR + 1, 0))  # noise is red here and there
    red = (_redness(seen) - below > _RED) & inside
    for mask in (red, red.T):
        mask[_along(mask)] = False
    margin = 2 * _NEAR
    within = red.reshape(size[0], CELL, size[1], CELL)[:, margin:-margin, :, margin:-margin]
    share = within.sum(axis=(1, 3)) / CELL**2
    return [(int(r), int(c)) for r, c in zip(*(share > _INKED).nonzero(), strict=True)]


def _labels(
    board: RGB, plain: RGB, aid: RGB, written: Mask, size: tuple[int, int]
) -> tuple[dict[Cell, str], list[Cell]]:
    """What is written in cells that are to have coordinates, and which others have some."""
    grey = _grey(board)
    likeness = likeness_of_labels(grey, *size, CELL)
    touched = _touched(board, plain, aid, written, size)
    labels, more = dict[Cell, str](), list[Cell]()
    for number, row in enumerate(likeness):
        cell = divmod(number, size[1])
        best = int(row.argmax())
        ahead = row[best] - np.delete(row, best).max(initial=-1)
        read = row[best] >= _LIKE and ahead >= _AHEAD
        if np.isnan(touched[number]):
            more += [cell] if read and best == number else []
        elif touched[number] < _UNTOUCHED:
            labels[cell] = MISSING
        else:
            labels[cell] = UNCLEAR if not read else RIGHT if best == number else WRONG
    return labels, more


def _touched(
    board: RGB, plain: RGB, aid: RGB, written: Mask, size: tuple[int, int]
) -> NDArray[np.float64]:
    """How much a cell has been changed where its label stands, 1 as much as by the true one.

    nan where no label is to be.
    """
    due = np.abs(aid.astype(np.int16) - plain).sum(axis=2) * written
    done = np.minimum(np.abs(board.astype(np.int16) - plain).sum(axis=2) * written, due)
    rows, cols = size
    needed = due.reshape(rows, CELL, cols, CELL).sum(axis=(1, 3)).ravel().astype(float)
    needed[needed == 0] = np.nan
    share = done.reshape(rows, CELL, cols, CELL).sum(axis=(1, 3)).ravel()
    out: NDArray[np.float64] = share / needed
    return out


def _changed(board: RGB, plain: RGB, beneath: Mask, size: tuple[int, int]) -> list[Cell]:
    """The cells with pixels unlike any of the true ones around their place."""
    seen, true = (lab(ndimage.uniform_filter(rgb, (3, 3, 0))) for rgb in (board, plain))
    nearest = np.full(beneath.shape, np.inf, np.float32)
    for y in (-2, -1, 0, 1, 2):
        for x in (-2, -1, 0, 1, 2):
            gap = ((seen - np.roll(true, (y, x), (0, 1))) ** 2).sum(axis=2)
            nearest = np.minimum(nearest, gap)
    rows, cols = size
    other = (nearest > _APART**2) & beneath
    shares = [m.reshape(rows, CELL, cols, CELL).sum(axis=(1, 3)) for m in (other, beneath)]
    share = shares[0] / np.maximum(shares[1], 1)
    return [(int(r), int(c)) for r, c in zip(*(share > _CHANGED).nonzero(), strict=True)]
