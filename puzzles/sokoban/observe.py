"""A Sokoban board as learners see it."""

import numpy as np
from numba import njit


@njit(cache=True)
def observe(level, states, out):
    """Write the codes of all cells of all states, the legend being ``#-@+$*.``."""
    _, _, targets, shift, cells, walls, _ = level
    rows, columns = walls.shape
    low = (np.uint64(1) << np.uint64(shift)) - np.uint64(1)
    for i in range(states.shape[0]):
        for r in range(rows):
            for c in range(columns):
                out[i, r, c] = 0 if walls[r, c] else 1
        player = np.int64(states[i, 0] & low)
        for cell in range(cells.shape[0]):
            bit = np.uint64(cell + shift)
            word, place = bit >> np.uint64(6), bit & np.uint64(63)
            target = (targets[0, word] >> place) & np.uint64(1) != 0
            box = (states[i, word] >> place) & np.uint64(1) != 0
            code = 6 if target else 1
            if box:
                code = 5 if target else 4
            elif cell == player:
                code = 3 if target else 2
            out[i, cells[cell, 0], cells[cell, 1]] = code
