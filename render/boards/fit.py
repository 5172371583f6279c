"""Looks fitted to a cell: they may move a little, and change their colours a little."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_ASIDE, _GAIN = 0.5, 0.01
"""Standard deviations of what a look may move by, in pixels, and of what its contrast may be off by
as a share for each level that its brightness may."""
_LEAST_OFF = 4.0
"""Levels that the brightness of a cell may be off by: as much as the noise, so much at least."""

Levels = NDArray[np.float32]


class Fit(NamedTuple):
    """Looks (n, side, side, 3) that may move and change their colours, as far as is likely."""

    looks: Levels
    weight: Levels  # (pixels,)
    ways: Levels  # (n, 3, 4, pixels): how each channel changes: down, across, brightness, contrast
    likely: NDArray[np.float64]  # (8,)
    system: NDArray[np.float64]  # (n, 8, 8)

    @classmethod
    def of(cls, looks: Levels, weight: Levels, noise: float) -> Fit:
        slopes = np.gradient(looks, axis=(1, 2))
        contrast = looks - looks.mean(axis=(1, 2), keepdims=True)
        ways = np.stack([*slopes, np.ones_like(looks), contrast], axis=1)
        ways = ways.reshape(len(looks), 4, -1, 3).transpose(0, 3, 1, 2)
        flat = weight.reshape(-1)
        products = (ways * flat) @ ways.transpose(0, 1, 3, 2)
        system = np.zeros((len(looks), 8, 8))
        system[:, :2, :2] = products[:, :, :2, :2].sum(axis=1)
        for k in range(3):
            own = slice(2 + 2 * k, 4 + 2 * k)
            system[:, own, own] = products[:, k, 2:, 2:]
            system[:, :2, own] = products[:, k, :2, 2:]
            system[:, own, :2] = products[:, k, 2:, :2]
        off = max(noise, _LEAST_OFF)
        likely = np.array([_ASIDE] * 2 + [off, _GAIN * off] * 3)
        system[:, range(8), range(8)] += (noise / likely) ** 2
        return cls(looks, flat, ways, likely, system)

    def left(self, seen: Levels) -> tuple[NDArray[np.float64], Levels, NDArray[np.float64]]:
        """Return what a cell costs as each of the looks (n,), and what is left (n, 3, pixels).

        Then how unlikely it is that they change so, in standard deviations.
        """
        rest = (seen - self.looks).reshape(len(self.looks), -1, 3).transpose(0, 2, 1)
        pulls = (self.ways @ (rest * self.weight)[..., None])[..., 0]
        pulls = np.concatenate([pulls[:, :, :2].sum(axis=1), pulls[:, :, 2:].reshape(-1, 6)], 1)
        by = np.linalg.solve(self.system, pulls[..., None].astype(np.float64))[..., 0]
        costs = (rest**2 @ self.weight).sum(axis=1) - (by * pulls).sum(axis=1)
        moved = np.repeat(by[:, None, :2], 3, axis=1)
        steps = np.concatenate([moved, by[:, 2:].reshape(-1, 3, 2)], axis=2)
        left = rest - (steps[:, :, None].astype(np.float32) @ self.ways)[:, :, 0]
        return np.maximum(costs, 0), left, np.sqrt(((by / self.likely) ** 2).sum(axis=1))
