"""Where in a picture a board may lie, and how many rows and columns it may have."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.boards.align import whole
from render.boards.warping import RGB, Matrix, grey_of

Size = tuple[int, int]

SIDES = range(3, 31)
"""Rows and columns that are tried where the size of the board isn't known."""
ASPECT = 0.06
"""How far a picture's aspect ratio may be off, as a share."""
LEAST = 48
"""Pixels of the shorter side below which nothing can be read."""


Profile = NDArray[np.floating]
"""(n - 1,): how much changes from each of n rows or columns of a board to the next."""
_LOOKED_AT = 200
"""Pixels of a line that say whether it has one colour."""
_HARMONICS = 4
_SMOOTH, _ASIDE = 0.003, 0.05
"""How wide a line between cells is taken to be, as a share of the board, and how far off, of a
cell."""


def sizes(image: RGB) -> list[Size]:
    """Return the sizes (rows, columns) that a board in a picture may have, the likeliest first.

    Where cells meet, brightness changes all along a line; and what is in them repeats itself. Each
    has a say in turn.
    """
    scored: list[dict[Size, float]] = [{}, {}]
    top, bottom, left, right = border(image)
    height, width = image.shape[:2]
    for area in {(0, height, 0, width), (top, height - bottom, left, width - right)}:
        part = grey_of(image[area[0] : area[1], area[2] : area[3]])
        if min(part.shape) < LEAST:
            continue
        along = [np.abs(np.diff(part, axis=k)).mean(axis=1 - k) for k in (0, 1)]
        fitting = [(r, c) for r in SIDES for c in SIDES if near(part.shape, (r, c))]
        for scores, judge in zip(scored, (met, repeated), strict=True):
            down, across = map(judge, along)
            for rows, cols in fitting:
                score = down[rows] + across[cols]
                scores[rows, cols] = max(score, scores.get((rows, cols), -np.inf))
    ranked = [sorted(scores, key=lambda size: -scores[size]) for scores in scored]
    return list(dict.fromkeys(size for pair in zip(*ranked, strict=True) for size in pair))


def met(changes: Profile) -> dict[int, float]:
    """Return, for each number of cells, how much more (in deviations) changes where they meet."""
    side, out = len(changes) + 1, {}
    smooth = ndimage.gaussian_filter1d(changes.astype(float), max(0.7, _SMOOTH * side))
    for cells in SIDES:
        cell = side / cells
        about = ndimage.maximum_filter1d(smooth, 2 * round(_ASIDE * cell) + 1)
        at = np.rint(np.arange(1, cells) * cell - 1).astype(int)
        apart = about[at].mean() - about.mean()
        out[cells] = float(apart / (about.std() + 1e-6) * np.sqrt(cells - 1))
    return out


def repeated(changes: Profile) -> dict[int, float]:
    """Return, for each number of cells, the share of what changes that repeats itself so often."""
    power = np.abs(np.fft.rfft(changes - changes.mean())) ** 2
    power /= power.sum() + 1e-6
    out = {}
    for cells in SIDES:
        at = np.arange(1, _HARMONICS + 1) * cells
        out[cells] = float(power[at[at < len(power)]].sum())
    return out


def starts(image: RGB, shape: Size) -> Iterator[Matrix]:
    """Yield where a board may lie: all over the picture, or within a border of one colour."""
    if near(image.shape[:2], shape):
        yield whole(shape, image.shape[:2])
    top, bottom, left, right = border(image)
    inner = image.shape[0] - top - bottom, image.shape[1] - left - right
    if inner != image.shape[:2] and min(inner) >= LEAST and near(inner, shape):
        matrix = whole(shape, inner)
        yield matrix + np.array([[0, 0, left], [0, 0, top]])


def border(image: RGB) -> tuple[int, int, int, int]:
    """Return how many rows and columns at each side (top, bottom, left, right) have one colour."""
    out = []
    for lines in (image, image.transpose(1, 0, 2)):
        step = 1 + lines.shape[1] // _LOOKED_AT
        for ahead in (lines, lines[::-1]):
            rows = ahead[: len(lines) // 2 + 1, ::step].astype(np.int16)
            off = (np.abs(rows - np.median(rows[0], axis=0)) > 24).any(axis=2).mean(axis=1) > 0.02
            out.append(int(off.argmax()))
    return out[0], out[1], out[2], out[3]


def near(shape: Size, size: Size) -> bool:
    """Return whether two heights and widths have nearly the same aspect ratio."""
    return abs(log(shape[0] / shape[1] * size[1] / size[0])) < ASPECT
