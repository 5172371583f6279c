"""The map of a board: all states that it leads to, and how far each is from the goal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.family import Family
from puzzles.solve import system_of
from solvers import Limit
from solvers.space import Space
from solvers.space import explore as reach

GRAPH_STATES = 400
"""So many states are still drawn as a graph; more as a histogram."""


@dataclass(frozen=True)
class Hardest:
    """The state that is farthest from a goal: its distance, how many are as far, and the first.

    ``board`` and ``rules`` are as ``parse`` of the family reads them. (It may refuse a state that
    is no puzzle of its own: a place with two routes, where there must be one.)
    """

    length: int
    states: int
    board: str
    rules: dict[str, Any]


@dataclass(frozen=True)
class Map:
    """What can be reached from a board, in numbers. Distances count actions of the metric.

    states, goals, dead_ends
        How many states can be reached, the board's own included; how many of them are goals; and
        from how many no goal can be reached any more.
    actions
        Legal actions of all these states together.
    from_start, to_goal
        How many states are 0, 1, 2, ... from the board, and from their nearest goal. Dead ends
        are in the first only.
    optimal_length, optimal_solutions
        The board's own: the length of its shortest solutions and their number, told apart by their
        actions. None and 0 where it is unsolvable.
    legal_first_moves, shortest_first_moves
        The board's legal actions, and how many of them lie on a shortest solution.
    hardest
        None where there is no goal.
    space, distance
        The states themselves, and int32 (states,) the distance of each to a goal, -1 for dead ends.
    """

    family: str
    metric: str
    states: int
    goals: int
    dead_ends: int
    actions: int
    from_start: tuple[int, ...]
    to_goal: tuple[int, ...]
    optimal_length: int | None
    optimal_solutions: int
    legal_first_moves: int
    shortest_first_moves: int
    hardest: Hardest | None
    space: Space = field(repr=False, compare=False)
    distance: NDArray[np.int32] = field(repr=False, compare=False)

    @property
    def dead_end_share(self) -> float:
        """The part of the states that are dead ends."""
        return self.dead_ends / self.states

    @property
    def mean_branching(self) -> float:
        """Legal actions a state, over all states."""
        return self.actions / self.states

    @property
    def good_first_moves(self) -> float | None:
        """The part of the legal first moves that lie on a shortest solution.

        None where no move is wanted: in a goal, or without a solution.
        """
        if not self.optimal_length:
            return None
        return self.shortest_first_moves / self.legal_first_moves

    def record(self) -> dict[str, Any]:
        """Return the numbers for machines; the histograms are lists, by distance."""
        good, hardest = self.good_first_moves, self.hardest
        return {
            "family": self.family,
            "metric": self.metric,
            "states": self.states,
            "goals": self.goals,
            "dead_ends": self.dead_ends,
            "dead_end_share": round(self.dead_end_share, 4),
            "actions": self.actions,
            "mean_branching": round(self.mean_branching, 4),
            "optimal_length": self.optimal_length,
            "optimal_solutions": self.optimal_solutions,
            "legal_first_moves": self.legal_first_moves,
            "shortest_first_moves": self.shortest_first_moves,
            "good_first_moves": None if good is None else round(good, 4),
            "hardest": None if hardest is None else dict(vars(hardest)),
            "from_start": list(self.from_start),
            "to_goal": list(self.to_goal),
        }

    def picture(self, kind: str = "png") -> bytes:
        """Draw the map, as ``png`` or ``svg``: a graph, or a histogram of more than 400 states.

        The same map gives the same bytes with the same versions of the packages. Raises
        ModuleNotFoundError where matplotlib or networkx isn't installed (``puzzles[plots]``).
        """
        from render import plots

        solved = "unsolvable" if self.optimal_length is None else f"optimum {self.optimal_length}"
        states = f"{self.states:,} state{'' if self.states == 1 else 's'}"
        title = f"{self.family}: {states}, {solved} ({self.metric} metric)"
        unit = "slides" if self.metric == "slide" else "actions"
        if self.states > GRAPH_STATES:
            counts, here = self.to_goal, self.optimal_length
            return plots.histogram(counts, self.dead_ends, here, title, unit, kind)
        where = self.space
        ways = plots.Ways(where.starts, where.targets, where.depth, self.distance)
        return plots.graph(ways, title, unit, kind)


def explore(
    room: Family[Any, Any], state: Any, limit: Limit | None = None, *, metric: str = "cell"
) -> Map:
    """Explore all states that ``state`` leads to, goals and what lies beyond them included.

    limit
        States and bytes that may be stored; ``Limit()`` unless given.
    metric
        cell: every action counts as one. slide: a run of actions that move one piece.

    A board without a solution has a map too: all its states are dead ends. Raises SearchLimit where
    there are more states than ``limit`` allows, and ValueError for an unknown metric.
    """
    system = system_of(room, metric)
    level, start = room.pack(state)
    found = reach(system, level, start, limit or Limit())
    distance, shortest = found.to_goal(), found.shortest()
    to_goal = np.bincount(distance[distance >= 0])
    return Map(
        family=room.name,
        metric=metric,
        states=len(found.states),
        goals=int(found.goals.sum()),
        dead_ends=int((distance < 0).sum()),
        actions=len(found.targets),
        from_start=tuple(np.bincount(found.depth).tolist()),
        to_goal=tuple(to_goal.tolist()),
        optimal_length=shortest.length if shortest else None,
        optimal_solutions=shortest.paths if shortest else 0,
        legal_first_moves=int(found.starts[1]),
        shortest_first_moves=shortest.first if shortest else 0,
        hardest=_hardest(room, level, found, distance),
        space=found,
        distance=distance,
    )


def _hardest(
    room: Family[Any, Any], level: Any, found: Space, distance: NDArray[np.int32]
) -> Hardest | None:
    """Return the farthest state; of several the one that is found first from the start."""
    length = int(distance.max())
    if length < 0:
        return None
    farthest = np.flatnonzero(distance == length)
    state = room.unpack(level, found.states[farthest[0]])
    return Hardest(length, len(farthest), room.format(state), room.rules_of(state))
