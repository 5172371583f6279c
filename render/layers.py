"""Where the nodes of a layered graph stand, so that few edges cross and most are short."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_SWEEPS = 24
"""Passes over the layers, to and fro; more change little."""


def layered(layer: NDArray[np.int32], edges: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the height of each node: nodes of one layer are 1 or more apart.

    ``layer`` int32 (nodes,), not descending; ``edges`` int (edges, 2). The layers are swept to and
    fro, and each node is drawn to the mean of its neighbours in the layers beside (the barycentre
    heuristic of Sugiyama, Tagawa and Toda, 1981), as near as the order and the others allow.
    """
    bounds = np.searchsorted(layer, np.arange(int(layer[-1]) + 2))
    height = np.empty(len(layer))
    for low, high in pairwise(bounds):
        height[low:high] = np.arange(high - low) - (high - low - 1) / 2
    beside = edges[layer[edges[:, 0]] != layer[edges[:, 1]]]
    beside = np.unique(np.concatenate([beside, beside[:, ::-1]]), axis=0)
    groups = [beside[(layer[beside[:, 0]] == at)] for at in range(len(bounds) - 1)]
    for sweep in range(_SWEEPS):
        for at in range(len(groups))[:: 1 if sweep % 2 == 0 else -1]:
            low, high = bounds[at], bounds[at + 1]
            wanted = _means(groups[at] - [low, 0], height, height[low:high])
            order = np.argsort(wanted, kind="stable")
            height[low + order] = _spread(wanted[order])
    return height


def _means(
    pairs: NDArray[np.int64], height: NDArray[np.float64], own: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mean height of what each node is paired with; its ``own`` where with nothing."""
    counts = np.bincount(pairs[:, 0], minlength=len(own))
    sums = np.bincount(pairs[:, 0], height[pairs[:, 1]], len(own))
    return np.where(counts > 0, sums / np.maximum(counts, 1), own)


def _spread(wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ascending heights 1 or more apart, in sum of squares as near to ``wanted`` as can be.

    Less their index they only have to be monotone: an isotonic regression, by pooling neighbours.
    """
    pools: list[tuple[float, int]] = []
    for at, value in enumerate(wanted.tolist()):
        total, count = value - at, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / count:
            before, size = pools.pop()
            total, count = total + before, count + size
        pools.append((total, count))
    level = [total / count for total, count in pools for _ in range(count)]
    return np.array(level) + np.arange(len(level))
