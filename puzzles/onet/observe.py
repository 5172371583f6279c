"""A board of Onet as learners see it, and the numbers of its removals."""

import numpy as np
from numba import njit


def numbers(level):
    """Return b * (b - 1) / 2 + a for each move code, a < b being the indices of its two cells."""
    _, pitch, rim, cells, _, pairs, _ = level
    rows, columns = np.divmod(cells, pitch)
    index = (rows - rim) * (pitch - 2 * rim) + columns - rim
    ends = np.sort(index[pairs], axis=1)
    a, b = ends[:, 0], ends[:, 1]
    return (b * (b - 1) // 2 + a).astype(np.int32)


@njit(cache=True)
def observe(level, states, out):
    """Write the codes of all cells of all states: ``.``, then A to Z, then a to z."""
    _, pitch, rim, cells, kinds, _, _ = level
    for i in range(states.shape[0]):
        for r in range(out.shape[1]):
            for c in range(out.shape[2]):
                out[i, r, c] = 0
        for tile in range(cells.shape[0]):
            if (states[i, tile >> 6] >> np.uint64(tile & 63)) & np.uint64(1):
                letter = kinds[tile] - 65 if kinds[tile] < 97 else kinds[tile] - 97 + 26
                out[i, cells[tile] // pitch - rim, cells[tile] % pitch - rim] = 1 + letter
