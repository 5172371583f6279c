"""A shortest solution of any board, by search over the family's kernels."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from puzzles.family import Family
from solvers import Limit, Path, SearchLimit, System, Unsolvable

ALGORITHMS = ("auto", "bfs", "astar")
METRICS = ("cell", "slide")
CHOICES = ("optimal_solutions", "good_first_moves")
"""Statistics of a board's shortest solutions; see ``choices``."""
_SMALL = 1 << 15
"""States up to which a breadth-first search is done before A* has paid for its heuristic."""


class Solution(NamedTuple):
    """Actions of a shortest solution, its length in the metric, and what the search took.

    ``expanded`` counts states; ``algorithm`` is the one that ran: bfs, astar or, where the family
    has a search of its own, direct.
    """

    actions: list[Any]
    length: int
    expanded: int
    algorithm: str


def system_of(room: Family[Any, Any], metric: str) -> System:
    """Return the kernels for ``metric``; raise ValueError where the family has none."""
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r} (known: {', '.join(METRICS)})")
    if metric not in room.systems:
        raise ValueError(f"{room.name}: there is no metric {metric!r}, only cell: no piece slides")
    return room.systems[metric]


def measure(room: Family[Any, Any], actions: Sequence[Any], metric: str = "cell") -> int:
    """Return the length of ``actions``: their number, or that of their slides."""
    system_of(room, metric)
    joins = room.joins
    if metric == "cell" or joins is None:
        return len(actions)
    return sum(at == 0 or not joins(actions[at - 1], actions[at]) for at in range(len(actions)))


def solve(
    room: Family[Any, Any],
    state: Any,
    limit: Limit | None = None,
    *,
    algorithm: str = "auto",
    metric: str = "cell",
) -> Solution:
    """Return a shortest solution of ``state``.

    limit
        States and bytes that the search may store; ``Limit()`` unless given.
    algorithm
        bfs, astar, or auto: the family's own search where it has one, else bfs while the states
        are few and then astar. All are exact.
    metric
        cell: every action counts as one. slide: a run of actions that move one piece counts as
        one; the actions returned are moves by one cell all the same.

    Raises Unsolvable where all reachable states have been seen and none is a goal, SearchLimit
    where more would have to be stored than ``limit`` allows, and ValueError for unknown names.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"unknown algorithm {algorithm!r} (known: {', '.join(ALGORITHMS)})")
    system = system_of(room, metric)
    level, start = room.pack(state)
    path, algorithm = _found(system, level, start, limit or Limit(), algorithm)
    codes = path.moves.tolist()
    if metric == "cell":
        actions = {code: room.decode(level, code) for code in set(codes)}
        return Solution([actions[code] for code in codes], len(codes), path.expanded, algorithm)
    steps = _unfolded(room, state, level, codes)
    return Solution(steps, len(codes), path.expanded, algorithm)


def distance(
    room: Family[Any, Any], state: Any, limit: Limit | None = None, *, metric: str = "cell"
) -> float | None:
    """Return the exact distance of ``state`` to the nearest goal, as ``solve`` measures it.

    ``math.inf`` where there is no way to a goal, None where the search would be too large.
    """
    try:
        return solve(room, state, limit, metric=metric).length
    except Unsolvable:
        return inf
    except SearchLimit:
        return None


def choices(
    room: Family[Any, Any], state: Any, limit: Limit | None = None, *, metric: str = "cell"
) -> dict[str, Any]:
    """Return ``CHOICES``: how many shortest solutions there are, and how good a first guess is.

    optimal_solutions
        Told apart by their moves; 0 where there is none.
    good_first_moves
        The share of the legal first moves that begin one; None where none does.

    Raises SearchLimit where the states up to the nearest goals are too many.
    """
    from solvers.space import explore

    level, start = room.pack(state)
    space = explore(system_of(room, metric), level, start, limit or Limit(), nearest=True)
    found = space.shortest()
    share = round(found.first / found.legal, 4) if found and found.first else None
    return dict(zip(CHOICES, (found.paths if found else 0, share), strict=True))


def _found(
    system: System, level: Any, start: Any, limit: Limit, algorithm: str
) -> tuple[Path, str]:
    """Return a shortest path, and the algorithm that has found it."""
    from solvers import astar, breadth_first

    if algorithm == "auto" and system.direct:
        return system.direct(level, start, limit), "direct"
    if algorithm == "auto":
        small = limit._replace(states=min(limit.states, _SMALL))
        try:
            return breadth_first.shortest_path(system, level, start, small), "bfs"
        except SearchLimit:
            algorithm = "astar"
    search = astar if algorithm == "astar" else breadth_first
    return search.shortest_path(system, level, start, limit), algorithm


def _unfolded(room: Family[Any, Any], state: Any, level: Any, codes: list[int]) -> list[Any]:
    """Return the moves by one cell that slides consist of."""
    actions: list[Any] = []
    if room.unfold is None:
        raise RuntimeError(f"{room.name} has slides, but doesn't say what they consist of")
    for code in codes:
        steps = room.unfold(state, level, code)
        state = room.replay(state, steps).state
        actions += steps
    return actions
