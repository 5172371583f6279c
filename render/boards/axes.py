"""Many patches that differ in few ways, and how far others are from each: principal axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Patches = NDArray[np.float32]
"""(n, d)."""
_FIRST = 16
"""Axes along which nearly all patches are seen to be farther than the nearest."""
_ROUNDED = 1e-5
"""What rounding may add to a square distance, as a share of what it is the difference of."""
_FEW, _TURNS = 12, 3
"""One of so many axes is looked for first, in so many turns."""
_LEFT_OUT = 0.003
"""Mean square, a number, of what patches may have beside the axes: nothing next to noise."""


class Seen(NamedTuple):
    """Patches that are compared with those of axes.

    along, beside
        (m, axes): where they lie along them; (m,): their square distances from there.
    low, rounded
        (m, n): their square distances along the axes from each patch, at least; (m,): by how much
        these may be off.
    """

    along: NDArray[np.floating]
    beside: NDArray[np.floating]
    low: NDArray[np.floating]
    rounded: NDArray[np.floating]


class Axes(NamedTuple):
    """Patches by their places along the axes in which they differ most.

    mean, basis
        (d,) and (d, axes): where the axes start, and where each points, that of most last.
    points
        (n, axes): the patches along them.
    squares
        (n,): square distances of the patches from the mean.
    bounds
        (some + 3, n): what tells, of a point along the axes of most and how far off it is along
        the others, how far it is from another point at least.
    """

    mean: NDArray[np.float32]
    basis: NDArray[np.float32]
    points: NDArray[np.float32]
    squares: NDArray[np.float32]
    bounds: NDArray[np.float32]

    @classmethod
    def of(cls, patches: Patches) -> Axes:
        """Return the axes that leave nothing of the patches out that matters."""
        mean = patches.mean(axis=0)
        rest = patches - mean
        count, side = rest.shape
        products = rest @ rest.T if count < side else rest.T @ rest
        allowed = _LEFT_OUT * count * side
        energies, found, beside = _strongest(products.astype(np.float64), allowed)
        left = beside + np.cumsum(np.maximum(energies, 0))
        enough = slice(int((left <= allowed).sum()), None)
        basis = found[:, enough].astype(np.float32)
        if count < side:
            basis = rest.T @ (basis / np.sqrt(energies[enough]).astype(np.float32))
        points = rest @ basis
        squares = np.einsum("ij,ij->i", rest, rest)
        own = np.einsum("ij,ij->i", points, points)
        bounds = np.vstack([-2 * _folded(points).T, own, np.ones_like(own)])
        return cls(mean, basis, points, squares, np.ascontiguousarray(bounds))

    def distances(self, patches: Patches) -> NDArray[np.float32]:
        """Return the square distances (m, n) of m patches from those of the axes."""
        rest = patches - self.mean
        far = (-2 * (rest @ self.basis)) @ self.points.T
        far += self.squares
        far += np.einsum("ij,ij->i", rest, rest)[:, None]
        return np.maximum(far, 0, out=far)

    def seen(self, patches: Patches) -> Seen:
        """Return where m patches lie, and how far they are from those of the axes at least."""
        rest = patches - self.mean
        along = rest @ self.basis
        own = np.einsum("ij,ij->i", along, along)
        low = np.column_stack([_folded(along), np.ones_like(own), own]) @ self.bounds
        beside = np.maximum(np.einsum("ij,ij->i", rest, rest) - own, 0)
        return Seen(along, beside, low, _ROUNDED * (own + self.squares.max()))

    def nearest(self, seen: Seen, count: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the ``count`` of n that are nearest to each of m patches, in no order, and their
        square distances along the axes, (m, count) each.

        Only what may be among them by ``seen.low`` is looked at.
        """
        most = self._far(seen.along, least(seen.low, count)).max(axis=1) + seen.rounded
        # Of a flat mask numpy finds the few that are true soonest.
        cell, near = np.divmod(np.flatnonzero(seen.low <= most[:, None]), seen.low.shape[1])
        start = np.searchsorted(cell, np.arange(len(most)))
        at = cell, np.arange(len(cell)) - start[cell]
        shape = len(most), int(at[1].max(initial=0)) + 1
        chosen, far = np.zeros(shape, np.intp), np.full(shape, np.inf, np.float32)
        gaps = seen.along[cell] - self.points[near]
        chosen[at], far[at] = near, np.einsum("ij,ij->i", gaps, gaps)
        best = least(far, count)
        return np.take_along_axis(chosen, best, 1), np.take_along_axis(far, best, 1)

    def _far(self, along: NDArray[np.floating], some: NDArray[np.intp]) -> NDArray[np.float32]:
        gaps = self.points[some] - along[:, None]
        out: NDArray[np.float32] = np.einsum("ijk,ijk->ij", gaps, gaps)
        return out

    def apart(self, some: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the square distances (m, k) of patches (m, k) from patches (m,)."""
        return self._far(self.points[other], some)


def _strongest(
    products: NDArray[np.float64], allowed: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return eigenvalues, ascending, their eigenvectors, and the sum of those that are missing.

    A few by subspace iteration (Halko, Martinsson and Tropp, 2011) where they leave no more than
    what is allowed out, else all.
    """
    few = np.random.default_rng(0).normal(size=(len(products), max(1, len(products) // _FEW)))
    for _ in range(_TURNS):
        few = np.linalg.qr(products @ few)[0]
    energies, turned = np.linalg.eigh(few.T @ products @ few)
    beside = float(products.trace() - energies.sum())
    if beside <= allowed / 2:
        return energies, few @ turned, max(beside, 0.0)
    return *np.linalg.eigh(products), 0.0


def least(far: NDArray[np.floating], count: int) -> NDArray[np.intp]:
    """Return where in each row the ``count`` smallest numbers are, in no order.

    Where fewer are finite, the others are any.
    """
    if count == 1:
        return np.expand_dims(far.argmin(axis=1), 1)
    if far.shape[1] <= 8 * count:
        return np.argpartition(far, min(count, far.shape[1] - 1), axis=1)[:, :count]
    # They are among the groups of the smallest minima, of which there are not more.
    groups = -(-far.shape[1] // 8)
    wide = np.full((len(far), 8 * groups), np.inf, far.dtype)
    wide[:, : far.shape[1]] = far
    best = wide.reshape(len(far), 8, groups).min(axis=1)
    chosen = np.argpartition(best, count, axis=1)[:, :count, None] + groups * np.arange(8)
    chosen = chosen.reshape(len(far), -1)
    among = np.argpartition(np.take_along_axis(wide, chosen, 1), count, axis=1)[:, :count]
    found = np.take_along_axis(chosen, among, 1)
    out: NDArray[np.intp] = np.minimum(found, far.shape[1] - 1)
    return out


def _folded(points: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return points (n, axes) along the axes of most, and how far off they are along the others."""
    off = np.linalg.norm(points[:, :-_FIRST], axis=1)
    return np.column_stack([points[:, -_FIRST:], off])
