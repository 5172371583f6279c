"""Many patches that differ in few ways, and how far others are from each: principal axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Patches = NDArray[np.float32]
"""(n, d)."""
_LEFT_OUT = 0.003
"""Mean square, a number, of what patches may have beside the axes: nothing next to noise."""


class Axes(NamedTuple):
    """Patches by their places along the axes in which they differ most.

    mean, basis
        (d,) and (d, axes): where the axes start, and where each points.
    points
        (n, axes): the patches along them.
    squares
        (n,): square distances of the patches from the mean.
    """

    mean: NDArray[np.float32]
    basis: NDArray[np.float32]
    points: NDArray[np.float32]
    squares: NDArray[np.float32]

    @classmethod
    def of(cls, patches: Patches) -> Axes:
        """Return the axes that leave nothing of the patches out that matters."""
        mean = patches.mean(axis=0)
        rest = patches - mean
        count, side = rest.shape
        products = rest @ rest.T if count < side else rest.T @ rest
        energies, found = np.linalg.eigh(products.astype(np.float64))
        left = np.cumsum(np.maximum(energies, 0))
        enough = slice(int((left <= _LEFT_OUT * count * side).sum()), None)
        basis = found[:, enough].astype(np.float32)
        if count < side:
            basis = rest.T @ (basis / np.sqrt(energies[enough]).astype(np.float32))
        return cls(mean, basis, rest @ basis, np.einsum("ij,ij->i", rest, rest))

    def distances(self, patches: Patches) -> NDArray[np.float32]:
        """Return the square distances (m, n) of m patches from those of the axes."""
        rest = patches - self.mean
        far = (rest @ self.basis) @ (-2 * self.points.T)
        far += self.squares
        far += np.einsum("ij,ij->i", rest, rest)[:, None]
        return np.maximum(far, 0, out=far)

    def apart(self, some: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the square distances (m, k) of patches (m, k) from patches (m,)."""
        gaps = self.points[some] - self.points[other][:, None]
        out: NDArray[np.float32] = np.einsum("ijk,ijk->ij", gaps, gaps)
        return out
