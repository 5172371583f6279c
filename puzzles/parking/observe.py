"""A parking lot as learners see it, and the numbers of the moves of its vehicles."""

import numpy as np
from numba import njit

_UPPER, _LOWER = 65, 97
_UP, _RIGHT, _DOWN, _LEFT = range(4)


def numbers(level):
    """Return 4 * letter + direction for each move code; letters A to Z are 0 to 25, then a to z."""
    across, names = level[3], level[5]
    letters = np.where(names < _LOWER, names - _UPPER, names - _LOWER + 26)
    back, forth = np.where(across, _LEFT, _UP), np.where(across, _RIGHT, _DOWN)
    return np.stack([4 * letters + back, 4 * letters + forth], axis=1).ravel().astype(np.int32)


@njit(cache=True)
def observe(level, states, out):
    """Write the codes of all cells of all states: ``.#``, then A to Z, then a to z."""
    walls, lanes, lengths, across, bits, names = level
    rows, columns = walls.shape
    fit = 64 // bits
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for i in range(states.shape[0]):
        for r in range(rows):
            for c in range(columns):
                out[i, r, c] = 1 if walls[r, c] else 0
        for v in range(lanes.shape[0]):
            at = np.int64((states[i, v // fit] >> np.uint64(v % fit * bits)) & mask)
            letter = names[v] - _UPPER if names[v] < _LOWER else names[v] - _LOWER + 26
            for k in range(at, at + lengths[v]):
                if across[v]:
                    out[i, lanes[v], k] = 2 + letter
                else:
                    out[i, k, lanes[v]] = 2 + letter
