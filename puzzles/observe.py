"""Boards of corridors as learners see them, and the numbers of a walker's steps."""

import numpy as np
from numba import njit

_WALL = 35
_MARKER, _GOAL, _BOTH, _LABEL, _LABELS = 2, 3, 4, 5, 24


def directions(level):
    """Return the numbers of a walker's move codes, which are the codes themselves."""
    return np.arange(4, dtype=np.int32)


@njit(cache=True)
def _code(mark):
    """Return the code of a character of the ground: wall, floor, or a letter (not S or G)."""
    if mark == _WALL:
        return 0
    if mark < 65:
        return 1
    return _LABEL + mark - 65 - (mark > 71) - (mark > 83)


@njit(cache=True)
def observe(level, states, out):
    """Write the codes of all cells of all states; see puzzles.controls.

    The legend is ``#.SG*``, then the letters without S and G, then the same in lower case, for
    labels that the marker stands on.
    """
    ground, goal = level
    rows, columns = ground.shape
    for i in range(states.shape[0]):
        for r in range(rows):
            for c in range(columns):
                out[i, r, c] = _code(np.int64(ground[r, c]))
        out[i, goal // columns, goal % columns] = _GOAL
        cell = np.int64(states[i, 0])
        r, c = cell // columns, cell % columns
        code = _code(np.int64(ground[r, c]))
        if code >= _LABEL:
            out[i, r, c] = code + _LABELS
        else:
            out[i, r, c] = _BOTH if cell == goal else _MARKER
