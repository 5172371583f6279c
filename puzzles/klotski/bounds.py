"""Lower bounds from a pattern database: T and the empty cells alone, all other blocks left blank.

Forget which block lies where, and remember where T and the empty cells are: then any block that the
board holds may be thought to lie on the cells that are neither, and move. Every real move is one of
these, so exact distances in that small space never say too much, differ by at most one move between
neighbours, and a goal that is out of reach there is out of reach (Culberson and Schaeffer 1998).
One search backward from all goals, as moves can be taken back, fills the table of a kind of board;
it stays for the next board.
"""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.klotski.kernels import look_up
from puzzles.klotski.patterns import fill

_MOST = 1 << 18
"""Entries of a table at most; beyond, the bound is what T alone needs."""
_KEPT = 32
"""Tables that are kept."""
_NONE = np.empty(0, np.int16)
_tables: dict[Any, tuple[NDArray[np.int16], NDArray[np.int64]]] = {}


def cell_bound(level: Any, states: NDArray[np.uint64], out: NDArray[np.int32]) -> None:
    """Write the heuristic of moves by one cell; see solvers.System."""
    look_up(level, *_table(level, False), False, states, out)


def slide_bound(level: Any, states: NDArray[np.uint64], out: NDArray[np.int32]) -> None:
    """Write the heuristic of moves by any distance; see solvers.System."""
    look_up(level, *_table(level, True), True, states, out)


def _table(level: Any, far: bool) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    rows, columns, _, _, holes, goal, sizes, parts, *_ = level
    shapes = [tuple(parts[code, : sizes[code]].tolist()) for code in range(1, len(sizes))]
    key = rows, columns, holes, goal, shapes[0], frozenset(shapes[1:]), far
    table = _tables.get(key)
    if table is None:  # another thread may do the same at the same time: twice the work, no harm
        table = _tables[key] = _distances(level, far)
        if len(_tables) > _KEPT:
            _tables.pop(next(iter(_tables)), None)
    return table


def _distances(level: Any, far: bool) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return a table of distances, and what to add up for a place in it.

    The place of (T's cell, empty cells in reading order) is ranks[0, T] + ranks[1, first empty
    cell] + ranks[2, second] + ...: the combinatorial number system. -1 is out of reach.
    """
    rows, columns, _, _, holes, goal, sizes, parts, *_ = level
    width, cells = columns + 1, rows * columns
    # With any hole there are as many sets of holes as cells, or more: those need not be counted.
    sets = comb(cells, holes) if cells * cells <= _MOST or not holes else _MOST + 1
    if cells * sets > _MOST:
        return _NONE, np.zeros((0, 0), np.int64)
    positions = [(cell // columns + 1) * width + cell % columns for cell in range(cells)]
    ranks = np.zeros((holes + 1, width * (rows + 2)), np.int64)
    ranks[0, positions] = np.arange(cells) * sets
    for k in range(1, holes + 1):
        ranks[k, positions] = [comb(cell, k) for cell in range(cells)]
    table = np.full(cells * sets, -1, np.int16)
    target = positions[goal] + parts[1, : sizes[1]]
    others = sorted(set(positions) - set(target.tolist()))
    first = [(positions[goal], *empty) for empty in combinations(others, holes)]
    queue = np.empty((cells * sets + 1, holes + 1), np.int32)
    queue[: len(first)] = first
    fill(level, far, ranks, table, queue, len(first))
    return table, ranks
