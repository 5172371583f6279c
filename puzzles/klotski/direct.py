"""Klotski's own search: breadth-first in one kernel; A* where there are too many states for that.

From boards like the classic one some ten thousand states can be reached: all are seen before a
heuristic would have told them apart. Where there are more, A* takes over with its pattern database.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.klotski import FAMILY
from puzzles.klotski.kernels import search
from solvers import Limit, Path, Unsolvable
from solvers.astar import shortest_path

_MOST, _FEW, _CELLS = 1 << 17, 1 << 13, 1 << 26
"""States that are stored before A* takes over, where one word holds a state and where not; cells.

Boards of one word have all been seen in some 50 ms; on larger ones A* soon stores a hundredth. So
many cells take a second, in which the kernel can't be interrupted.
"""


def cell(level: Any, start: NDArray[np.uint64], limit: Limit) -> Path:
    """Return a shortest path of moves by one cell; see solvers.System."""
    return _shortest(level, start, limit, "cell")


def slide(level: Any, start: NDArray[np.uint64], limit: Limit) -> Path:
    """Return a shortest path of moves by any distance; see solvers.System."""
    return _shortest(level, start, limit, "slide")


def _shortest(level: Any, start: NDArray[np.uint64], limit: Limit, metric: str) -> Path:
    system, words = FAMILY.systems[metric], len(start)
    branching = max(1, system.branching(level))
    # A row, a parent and a move, and at most two and a half slots of four bytes.
    fits = max(0, limit.memory) // (8 * words + 18)
    most = _MOST if words == 1 else min(_FEW, _CELLS // (level[0] * level[1]))
    room = min(most, limit.states, fits - branching)
    if room > 0:
        store = np.empty((room + branching, words), np.uint64)
        store[0] = start
        slots = np.zeros(1 << (len(store) * 5 // 4).bit_length(), np.int32)
        parents, moves = np.empty(len(store), np.int32), np.empty(len(store), np.int32)
        far = metric == "slide"
        count, done, goal = search(level, far, branching, store, slots, parents, moves)
        if goal >= 0:
            path = []
            while goal:
                path.append(moves[goal])
                goal = parents[goal]
            return Path(np.array(path[::-1], np.int32), done)
        if done == count:
            raise Unsolvable(count)
        del store, slots, parents, moves
    return shortest_path(system, level, start, limit)
