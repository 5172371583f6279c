"""How good a picture is to look at: readable, sharp and in the colours of the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from render.boards.align import register, warped, whole
from render.boards.looks import RGB
from render.boards.tint import fitted
from render.boards.warping import Matrix
from render.lab import lab

CELL = 32
"""Pixels a cell at which pictures are compared: half of what boards are handed out with, so that
the grain of a photo or a slight shift makes no difference."""
FULL_EDGE = 0.7
"""Share of an outline's steepness from which on it counts as sharp: enlarging a picture of half the
size, or JPEG, leaves more; a blur by a thirtieth of a cell leaves less."""
NEAR, FAR = 6.0, 40.0
"""Colour differences, in CIELAB: one that people hardly see beside the true one, and that of
colours which the drawings tell apart."""
_APART = 20.0
"""Colour difference, in CIELAB, from which on a cell shows something else than the drawing."""
_LIES = 0.5
"""Correlation below which a picture is hardly that of the board, as in ``drawings.aid_check``."""
_STEP = 20.0
"""Levels of brightness a pixel by which an outline is known in a drawing."""

Mask = NDArray[np.bool_]


def quality(
    image: RGB, matrix: Matrix, drawings: Sequence[RGB], alike: Mask, told: float = 1.0
) -> float:
    """Return how good a picture is, 0 to 100: the least of ``told``, its sharpness, its colours.

    matrix
        From (x, y, 1) in cells to pixels of the picture.
    drawings
        What it may be a picture of, at CELL pixels a cell; each cell is held to the one that it is
        closest to.
    alike
        (rows, columns): the cells that show what the drawings show; others don't take part.
    told
        Share of the cells that can be told.
    """
    if not alike.any():
        return 0.0
    board = warped(image, matrix * np.array([1 / CELL, 1 / CELL, 1]), drawings[0].shape[:2])
    gaps = np.min([_gaps(board, drawing) for drawing in drawings], axis=0)
    colours = np.clip((FAR - gaps[alike]) / (FAR - NEAR), 0, 1).mean()
    sharp = max(_sharpness(board, drawing, alike) for drawing in drawings)
    return round(100 * min(told, float(colours), min(1.0, sharp / FULL_EDGE)), 2)


class Likeness(NamedTuple):
    """How a picture and the drawings that it may be of go together.

    quality
        See ``quality``.
    kept
        Share of the cells that show, whatever the cast, what a drawing shows.
    """

    quality: float
    kept: float


def likeness(image: RGB, drawings: Sequence[RGB]) -> Likeness | None:
    """Return how a picture is like one of ``drawings``, at CELL pixels a cell.

    None where it does not lie on the last of them.
    """
    last = drawings[-1]
    start = whole(last.shape[:2], image.shape[:2])
    laid = register(image, last, start=start)
    if laid.correlation < _LIES:
        return None
    matrix = min((start, laid.matrix), key=lambda at: _off(image, at, last))
    board = warped(image, matrix, last.shape[:2])
    gaps = np.min([_gaps(fitted(board, drawing), drawing) for drawing in drawings], axis=0)
    size = last.shape[0] // CELL, last.shape[1] // CELL
    in_cells = matrix * np.array([CELL, CELL, 1])
    look = quality(image, in_cells, drawings, np.ones(size, bool))
    return Likeness(look, float((gaps < _APART).mean()))


def _off(image: RGB, matrix: Matrix, drawing: RGB) -> float:
    board = warped(image, matrix, drawing.shape[:2])
    return float(np.abs(board.astype(np.int16) - drawing).mean())


def _gaps(board: RGB, drawing: RGB) -> NDArray[np.float32]:
    """How far off the colours of cells are: of each the median, which no thin line touches."""
    apart = np.sqrt(((lab(board) - lab(drawing)) ** 2).sum(axis=2))
    rows, cols = apart.shape[0] // CELL, apart.shape[1] // CELL
    cells = apart.reshape(rows, CELL, cols, CELL).transpose(0, 2, 1, 3)
    gaps: NDArray[np.float32] = np.median(cells.reshape(rows, cols, -1), axis=2)
    return gaps


def _sharpness(board: RGB, drawing: RGB, alike: Mask) -> float:
    """How steep the drawing's outlines are in the board, as a share; 1 where it has none."""
    steep, true = (_steepness(rgb) for rgb in (board, drawing))
    shown = np.kron(alike, np.ones((CELL, CELL), bool))
    outlines = (true > _STEP) & shown
    near, due = (ndimage.maximum_filter(one, 3)[outlines].sum() for one in (steep, true))
    return float(near / due) if due else 1.0


def _steepness(rgb: RGB) -> NDArray[np.float32]:
    grey = np.asarray(Image.fromarray(rgb).convert("L"), np.float32)
    down, across = np.gradient(grey)
    steep: NDArray[np.float32] = np.hypot(down, across)
    return steep
