"""The search of Onet's own: not for an order of removals, but for who goes with whom."""

import numpy as np
from numpy.typing import NDArray

from puzzles.onet.explore import search
from puzzles.onet.packing import Level
from solvers import Limit, Path, SearchLimit, Unsolvable

_SLICE = 20_000
"""States that are looked at before Python has its turn: to see Ctrl-C."""


def clear(level: Level, start: NDArray[np.uint64], limit: Limit) -> Path:
    """Return removals that take all tiles of ``start``: a shortest path, since all are as long.

    The search keeps no states, so its memory depends on the board alone; ``limit.states`` bounds
    those that it looks at. Raises Unsolvable and SearchLimit.
    """
    tiles, length = len(level.cells), sum(int(word).bit_count() for word in start) // 2
    if length == 0:
        return Path(np.empty(0, np.int32), 0)
    depths = tiles // 2 + 1
    needed = depths * depths + 8 * (2 * len(level.pairs) + 4 * tiles + 4 * len(level.base))
    if needed > limit.memory:
        raise SearchLimit(limit.in_words(0), 0, length)
    at, trail, gone = np.zeros(3, np.int64), np.zeros(tiles, np.int64), np.zeros(depths + 1, int)
    decisions, mates = np.zeros(depths, np.int64), np.zeros(depths, np.int64)
    options, ends = np.zeros(len(level.pairs), np.int64), np.zeros(depths + 1, np.int64)
    blame, weight = np.zeros((depths, depths), np.bool_), np.zeros(256, np.int64)
    kept = (trail, gone, decisions, mates, options, ends, blame, weight)
    while not at[2]:
        if at[1] >= limit.states:
            raise SearchLimit(limit.in_words(limit.states), int(at[1]), length)
        search(tuple(level), start, min(limit.states, at[1] + _SLICE), at, *kept)
    if at[2] < 0:
        raise Unsolvable(int(at[1]), pruned=True)
    return Path(trail[:length].astype(np.int32), int(at[1]))
