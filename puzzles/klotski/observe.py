"""A Klotski board as learners see it, and the numbers of its slides."""

import numpy as np
from numba import njit


def numbers(level):
    """Return 4 * cell + direction for each move code, which are the codes themselves."""
    return np.arange(4 * level[0] * level[1], dtype=np.int32)


@njit(cache=True)
def observe(level, states, out):
    """Write the codes of all cells of all states: ``.T``, then the other names in their order."""
    rows, columns, bits, _, _, _, sizes, parts, _, _, _ = level
    per, width = 64 // bits, columns + 1
    mask = np.uint64((1 << bits) - 1)
    for i in range(states.shape[0]):
        for r in range(rows):
            for c in range(columns):
                out[i, r, c] = 0
        name = 2
        for cell in range(rows * columns):
            code = np.int64((states[i, cell // per] >> np.uint64(cell % per * bits)) & mask)
            if code == 0:
                continue
            at = cell // columns * width + cell % columns
            for k in range(sizes[code]):
                part = at + parts[code, k]
                out[i, part // width, part % width] = 1 if code == 1 else name
            name += code != 1
