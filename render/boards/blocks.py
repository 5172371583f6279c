"""Blocks of a cell: what is left of it may be alike within them, and differ from one to another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCKS = 4
"""Blocks of a side of a cell."""


def block_sums(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sums of the blocks, (..., blocks), of cells (..., pixels)."""
    side = round(cells.shape[-1] ** 0.5) // BLOCKS
    split = cells.reshape(*cells.shape[:-1], BLOCKS, side, BLOCKS, side)
    sums: NDArray[np.float32] = split.sum(axis=(-3, -1)).reshape(*cells.shape[:-1], -1)
    return sums


def swayed(pulls: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how uncertain the sums of the pixels' pulls (..., pixels) are, (...).

    They are taken to differ from one block to another, not from pixel to pixel: standard errors by
    cluster (Liang and Zeger, 1986).
    """
    sums = block_sums(pulls)
    error: NDArray[np.float32] = np.sqrt((sums * sums).sum(axis=-1))
    return error
