"""A shortest solution of any board, by search over the family's kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

from puzzles.family import Family


class Solution(NamedTuple):
    """Actions of a shortest solution, and how many states the search expanded."""

    actions: list[Any]
    expanded: int


def solve(room: Family[Any, Any], state: Any, limit: int | None = None) -> Solution:
    """Return a shortest solution of ``state``.

    Raises Unsolvable where all reachable states have been seen and none is a goal, and
    SearchLimit where more than ``limit`` states would have to be stored.
    """
    from solvers.breadth_first import LIMIT, shortest_path

    level, start = room.pack(state)
    path = shortest_path(room.systems["cell"], level, start, limit or LIMIT)
    return Solution([room.decode(level, int(code)) for code in path.moves], path.expanded)
