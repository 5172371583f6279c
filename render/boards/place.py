"""Where a board lies in a picture whose parts may have wandered, and the board cut out of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.boards.align import NEARLY_TWO, warped
from render.boards.warping import RGB, Grey, Matrix, meshed, paired, reduced, resized, spread

Size = tuple[int, int]
Bend = NDArray[np.float32]
"""(m, n, 2): how far, in pixels of the board (x, y), each of m rows of n evenly spaced nodes has
moved from where the matrix puts it."""
NARROW, WIDE = 1.2, 4.0
"""Nodes over which a displacement is taken to be the same, and where a node knows nothing."""
WIDELY = 0.05
"""Weight of what is known far away."""
STIFF = 40.0
"""Squared change in levels that a pixel of displacement must make, summed, to be believed half."""
LEAP = 1.5
"""Pixels of the board that a node may be moved by in one step."""
FAR = 0.25
"""Blocks that a node may be from where the matrix puts it."""
OUTLIER = 2.5
"""Standard deviations of the edges beyond which a pixel says less and less."""


class Place(NamedTuple):
    """Where a board lies: ``matrix`` from its pixels to the picture's, then bent by ``bend``."""

    matrix: Matrix
    bend: Bend | None = None

    def scaled(self, ratio: NDArray[np.float64]) -> Place:
        """Return the place in a picture so many times as (wide, high)."""
        return Place(self.matrix * ratio[:, None], self.bend)

    def finer(self, times: float) -> Place:
        """Return the same place of a board of so many times as many pixels a side."""
        bend = None if self.bend is None else self.bend * np.float32(times)
        return Place(self.matrix / np.array([times, times, 1]), bend)


def shrunk_to(image: RGB, place: Place) -> tuple[RGB, NDArray[np.float64]]:
    """Return a picture with at most two pixels for one of the board, and how much larger it is."""
    scale = float(np.sqrt(abs(np.linalg.det(place.matrix[:, :2]))))
    if scale <= 2.5:
        return image, np.ones(2)
    side = tuple(round(n * 2 / scale) for n in image.shape[1::-1])
    small = resized(image, (side[0], side[1]))
    return small, np.array([side[0] / image.shape[1], side[1] / image.shape[0]])


def cut_out(image: RGB, place: Place, shape: Size) -> RGB:
    """Return the board of ``shape`` (height, width); outside the picture its edge goes on.

    Pixels are averaged where the board is the smaller.
    """
    if place.bend is None:
        return warped(image, place.matrix, shape)
    fold = 2
    small, ratio = shrunk_to(image, place)
    at = nodes(place.scaled(ratio), shape)
    if abs(np.linalg.det(place.scaled(ratio).matrix[:, :2])) > NEARLY_TWO**2:
        means = paired(small)
        if means is not None:  # of what lies half a pixel aside each way: the same, but sooner
            return meshed(means, at - 0.5, shape)
    fine = shape[0] * fold, shape[1] * fold
    return reduced(meshed(small, at, fine), fold)


def nodes(place: Place, shape: Size) -> NDArray[np.float64]:
    """Return where the nodes of a bent board lie in the picture, (2, m, n): x and y."""
    assert place.bend is not None
    m, n = place.bend.shape[:2]
    y, x = np.meshgrid(np.linspace(0, shape[0], m), np.linspace(0, shape[1], n), indexing="ij")
    points = np.stack([x + place.bend[..., 0], y + place.bend[..., 1], np.ones_like(x)])
    out: NDArray[np.float64] = np.einsum("ij,jmn->imn", place.matrix, points)
    return out


def inside(image: Size, place: Place, shape: Size) -> NDArray[np.bool_]:
    """Return which pixels (height, width) of the board the picture shows."""
    if place.bend is None:
        y, x = np.ogrid[0.5 : shape[0], 0.5 : shape[1]]
        a = place.matrix
        u, v = (a[k, 0] * x + a[k, 1] * y + a[k, 2] for k in (0, 1))
    else:
        at = nodes(place, shape)
        if (at > 0).all() and (at < np.array(image[::-1])[:, None, None]).all():
            return np.ones(shape, bool)
        u, v = spread(at.transpose(1, 2, 0), shape)
    shown: NDArray[np.bool_] = (u > 0) & (v > 0) & (u < image[1]) & (v < image[0])
    return shown


def bent(board: Grey, true: Grey, shown: NDArray[np.bool_], place: Place, block: int) -> Place:
    """Return the place after one step towards where ``board`` looks like ``true``.

    Lucas-Kanade for every node, ``block`` pixels apart, from what is around it; far nodes say
    where one can't tell by itself.
    """
    dy, dx = (np.asarray(a, np.float32) for a in np.gradient((board + true) / 2))
    gap = true - board
    telling = shown * (dx * dx + dy * dy)
    spread = OUTLIER * np.sqrt((gap * gap * telling).sum() / (telling.sum() + 1e-6)) + 4
    weight = shown / (1 + (gap / spread) ** 2)
    x, y = dx * weight, dy * weight
    products = (x, dx), (x, dy), (y, dy), (x, gap), (y, gap)
    sums = np.stack([_summed(a, b, block) for a, b in products])
    around = np.pad(sums, ((0, 0), (1, 1), (1, 1)))
    at_nodes = around[:, 1:, 1:] + around[:, :-1, 1:] + around[:, 1:, :-1] + around[:, :-1, :-1]
    near = ndimage.gaussian_filter(at_nodes, (0, NARROW, NARROW))
    far = ndimage.gaussian_filter(at_nodes, (0, WIDE, WIDE))
    xx, xy, yy, xt, yt = near + WIDELY * far
    stiff = STIFF * block
    xx, yy = xx + stiff, yy + stiff
    solved = (
        np.stack([yy * xt - xy * yt, xx * yt - xy * xt], axis=-1) / (xx * yy - xy * xy)[..., None]
    )
    moved = np.clip(solved, -LEAP, LEAP)
    before = np.zeros_like(moved) if place.bend is None else place.bend
    return Place(
        place.matrix, np.clip(before + moved, -FAR * block, FAR * block).astype(np.float32)
    )


def _summed(some: Grey, other: Grey, block: int) -> Grey:
    """Return the sums over blocks of the products of two pictures (H, W)."""
    height, width = some.shape[0] // block, some.shape[1] // block
    rows = (a.reshape(height, block, -1) for a in (some, other))
    sums: Grey = np.einsum("ijk,ijk->ik", *rows).reshape(height, width, block).sum(axis=2)
    return sums
