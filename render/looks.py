"""What the cells of a family can look like, learned from its own drawings."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

RGB = NDArray[np.uint8]
"""(H, W, 3) pixels."""
Patches = NDArray[np.float32]
"""(cells, detail * detail * 3): cells in CIELAB, row by row, the three channels last."""


class Looks:
    """The distinct looks of cells: patches (looks, d) and parts, int16 (looks,)."""

    def __init__(self, drawings: Iterable[tuple[RGB, NDArray[np.int16]]], detail: int):
        """Learn from drawings and the parts, int16 (rows, columns), that they show."""
        raise NotImplementedError

    def nearest(self, patches: Patches) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """Return the part of the nearest look, and how sure that is, for each of (cells, d)."""
        raise NotImplementedError
