"""Where a board lies in a picture: affine registration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.boards.warping import RGB, Grey, Matrix, grey_of, paired, reduced, resized, transformed

_STEPS = 15
_STILL = 0.02
"""Pixels of the level that the last step has moved a corner by, when there is no more to gain."""
_LEAST = 32
"""Pixels of the shorter side of the coarsest level."""
_FINEST = 240
"""Pixels of the longer side of the finest level: more make no difference that matters."""
AFFINE = np.eye(6)
SIMILAR = np.array(
    [[1, 0, 0, 0, 1, 0], [0, -1, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1.0]]
)
SHIFTED = SIMILAR[2:]
"""How a board may move, (n, 6): each row a change of the six numbers of its matrix."""
FREEDOMS = (AFFINE, SIMILAR, SHIFTED)
TOGETHER = 0.3
"""Correlation below which a picture and a board show nothing of each other."""
_LEANING, _UNEVEN = 0.12, 0.06
"""How much, as a share, a board may turn, grow or lean; and grow one way more than the other."""
_NEARLY = 1.25
"""How many times as many pixels as are wanted a picture may have: as good as those."""
NEARLY_TWO = 1.6
"""Pixels of the picture for one of the board that are as good as two."""
OUTLIER = 2.5
"""Standard deviations beyond which a pixel says nothing of where the board lies."""


class Alignment(NamedTuple):
    """How a board lies in a picture: ``matrix``, and how well the two then correlate (up to 1)."""

    matrix: Matrix
    correlation: float


def whole(board: tuple[int, int], image: tuple[int, int]) -> Matrix:
    """Return the matrix by which a board of (height, width) fills a picture of that size."""
    return np.array([[image[1] / board[1], 0, 0], [0, image[0] / board[0], 0]], float)


def squared(matrix: Matrix, shape: tuple[int, int]) -> Matrix:
    """Return the matrix that lies likest one and keeps squares square, about the board's middle."""
    u, stretch, v = np.linalg.svd(matrix[:, :2])
    turned = np.sqrt(stretch.prod()) * (u @ v)
    middle = np.array([shape[1] / 2, shape[0] / 2])
    return np.column_stack([turned, matrix @ [*middle, 1] - turned @ middle])


def chain(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix that does ``inner``, then ``outer``."""
    both: Matrix = outer @ np.vstack([inner, [0, 0, 1]])
    return both


def warped(image: RGB, matrix: Matrix, shape: tuple[int, int]) -> RGB:
    """Return the board of ``shape`` (height, width) that lies in a picture, cut out and set right.

    Pixels are averaged where the board is the smaller; outside the picture its edge goes on.
    """
    height, width = shape
    if np.array_equal(matrix, whole(shape, image.shape[:2])):
        return resized(image, (width, height))
    scale = np.sqrt(abs(np.linalg.det(matrix[:, :2])))  # picture pixels a board pixel
    fold = 2 if scale > 1 else 1
    size = tuple(max(1, round(side * fold / scale)) for side in image.shape[1::-1])
    small = resized(image, size) if scale > _NEARLY * fold else image
    ratio = [small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]]
    fine = matrix * np.array(ratio)[:, None]
    if abs(np.linalg.det(fine[:, :2])) > NEARLY_TWO**2:
        means = paired(small)
        if means is not None:  # of what lies half a pixel aside each way: the same, but sooner
            return transformed(means, fine - [[0, 0, 0.5]], shape)
    fine *= [1 / fold, 1 / fold, 1]
    return reduced(transformed(small, fine, (height * fold, width * fold)), fold)


def aligned(
    image: RGB,
    board: RGB,
    mask: NDArray[np.bool_],
    start: Matrix,
    near: bool,
    freedoms: Sequence[NDArray[np.float64]] = FREEDOMS,
) -> Matrix | None:
    """Return where ``board`` lies in ``image``, near ``start``; None where that can't be told.

    A few tiles don't say how a board leans: it moves as freely as leads to where one may lie.
    """
    for freedom in freedoms:
        matrix, correlation = register(image, board, mask, start, near, freedom)
        changed = np.linalg.solve(start[:, :2], matrix[:, :2]) - np.eye(2)
        uneven = abs(changed[0, 0] - changed[1, 1])
        possible = np.abs(changed).max() < _LEANING and uneven < _UNEVEN
        if correlation >= TOGETHER and possible:
            return matrix
        if freedom is AFFINE and correlation < TOGETHER:
            break
    return None


def register(
    image: RGB,
    board: RGB,
    mask: NDArray[np.bool_] | None = None,
    start: Matrix | None = None,
    near: bool = False,
    freedom: NDArray[np.float64] = AFFINE,
) -> Alignment:
    """Return where ``board`` lies in ``image``, near ``start``.

    Inverse-compositional Lucas-Kanade (Baker and Matthews, 2004) of the luminances with an affine
    warp, gain and offset, on a pyramid; pixels far off are left out.

    mask
        (H, W) of the board: what takes part; all if None.
    start
        A first guess; if None the board fills the picture.
    near
        The guess is off by a pixel or so, so that the finest level is enough.
    freedom
        How the board may move.
    """
    shape = board.shape[:2]
    matrix = whole(shape, image.shape[:2]) if start is None else start
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    side = tuple(max(8, round(n / scale)) for n in image.shape[1::-1])
    ratio = np.array([side[0] / image.shape[1], side[1] / image.shape[0]])
    matrix = matrix * ratio[:, None]
    whole_image, whole_board = grey_of(resized(image, side)), grey_of(board)
    shown = np.ones(shape, np.float32) if mask is None else mask.astype(np.float32)
    correlation = 0.0
    for fold in folds(shape)[-1 if near else 0 :]:
        level = _Level.of(whole_board, shown, fold, freedom.astype(np.float32))
        matrix[:, 2] /= fold
        matrix, correlation = level.fit(reduced(whole_image, fold), matrix)
        matrix[:, 2] *= fold
    return Alignment(matrix / ratio[:, None], correlation)


class _Level(NamedTuple):
    """A level of the pyramid: the board there, and how it changes with each parameter."""

    grey: Grey
    weight: Grey
    freedom: NDArray[np.float32]  # (n, 6)
    descent: NDArray[np.float32]  # (pixels, n)
    points: NDArray[np.float64]  # (3, pixels)
    texture: Grey  # how much each pixel tells, squared gradients

    @classmethod
    def of(cls, grey: Grey, weight: Grey, fold: int, freedom: NDArray[np.float32]) -> _Level:
        grey, weight = reduced(grey, fold), reduced(weight, fold)
        dy, dx = (slope.ravel() for slope in np.gradient(grey))
        points = _points(grey.shape)
        x, y = points[:2].astype(np.float32)
        descent = np.stack([dx * x, dx * y, dx, dy * x, dy * y, dy], axis=-1)
        descent = descent if len(freedom) == 6 else descent @ freedom.T
        texture = dx * dx + dy * dy
        shown = (weight > 0.99).astype(np.float32)
        return cls(grey, shown, freedom, descent, points, texture)

    def fit(self, image: Grey, matrix: Matrix) -> tuple[Matrix, float]:
        height, width = self.grey.shape
        true = self.grey.ravel()
        corners = np.array([[0, width, 0, width], [0, 0, height, height], [1, 1, 1, 1]], float)
        correlation = 0.0
        for _ in range(_STEPS):
            seen = transformed(image, matrix, (height, width))
            x, y = matrix @ self.points
            inside = (x > 0.5) & (x < image.shape[1] - 0.5) & (y > 0.5) & (y < image.shape[0] - 0.5)
            weight = self.weight.ravel() * inside
            gap, correlation, weight = _compare(seen.ravel(), true, weight, self.texture)
            if correlation <= 0:
                break
            weighted = self.descent * weight[:, None]
            hessian = weighted.T @ self.descent
            hessian[np.diag_indices(len(hessian))] *= 1 + 1e-6
            try:
                d = np.linalg.solve(hessian.astype(np.float64), (weighted.T @ gap).astype(float))
            except np.linalg.LinAlgError:
                break
            d = d @ self.freedom
            change = np.array([[1 + d[0], d[1], d[2]], [d[3], 1 + d[4], d[5]], [0, 0, 1]])
            if abs(np.linalg.det(change)) < 0.25:
                break
            after = matrix @ np.linalg.inv(change)
            moved = np.abs((after - matrix) @ corners).max()
            matrix = after
            if moved < _STILL:
                break
        return matrix, correlation


@lru_cache(maxsize=16)
def _points(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the centres of all pixels, (3, pixels): x, y and 1."""
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    points: NDArray[np.float64] = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    return points


def _compare(seen: Grey, true: Grey, weight: Grey, texture: Grey) -> tuple[Grey, float, Grey]:
    """Return the gap of two greys in one brightness, their correlation, and new weights."""
    total = float(weight.sum())
    if total < 16:
        return seen, 0.0, weight
    a, b = seen - float(seen @ weight) / total, true - float(true @ weight) / total
    aa, bb = float((a * a) @ weight), float((b * b) @ weight)
    if aa <= 0 or bb <= 0:
        return seen, 0.0, weight
    correlation = float((a * b) @ weight) / np.sqrt(aa * bb)
    gap = a * np.float32(np.sqrt(bb / aa)) - b
    # Most pixels are plain ground: where edges are off, theirs is the deviation that counts.
    telling = weight * texture
    spread = OUTLIER * np.sqrt(float((gap * gap) @ telling) / float(telling.sum() + 1e-6)) + 1e-6
    share = np.minimum(np.float32(spread) / np.maximum(np.abs(gap), np.float32(1e-6)), 1)
    return gap, float(correlation), weight * share * share


def folds(shape: tuple[int, int]) -> list[int]:
    """Return by how much each level is smaller than the board, the coarsest first."""
    finest = 1
    while max(shape) / finest > _FINEST:
        finest *= 2
    return [fold for fold in (4 * finest, 2 * finest, finest) if min(shape) / fold >= _LEAST] or [1]
