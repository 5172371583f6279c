"""Where in a picture a board may lie, and how many rows and columns it may have."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np

from render.align import whole
from render.warping import RGB, Matrix

Size = tuple[int, int]

SIDES = range(3, 31)
"""Rows and columns that are tried where the size of the board isn't known."""
ASPECT = 0.05
"""How far a picture's aspect ratio may be off, as a share."""
LEAST = 48
"""Pixels of the shorter side below which nothing can be read."""


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
    for axis in (0, 1):
        for lines in (image, image[::-1] if axis == 0 else image[:, ::-1]):
            rows = lines if axis == 0 else lines.transpose(1, 0, 2)
            ground = np.median(rows[0], axis=0)
            off = (np.abs(rows.astype(np.int16) - ground) > 24).any(axis=2).mean(axis=1) > 0.02
            out.append(int(off.argmax()))
    return out[0], out[1], out[2], out[3]


def near(shape: Size, size: Size) -> bool:
    """Return whether two heights and widths have nearly the same aspect ratio."""
    return abs(log(shape[0] / shape[1] * size[1] / size[0])) < ASPECT
