"""A whole state space: what can be reached, and how far every state is from a goal.

Exploring backward: the space is explored forward once, its edges are turned round, and one search
from all goals at once finds the exact distance of every state. No family has to say how a move is
taken back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.graph import distances, reverse
from solvers.memory import Memory, States
from solvers.system import DEFAULT, Limit, System

_EDGE, _NODE = 4, 24
"""Bytes of an edge, which is kept in both directions, and of what a state has besides."""


class Shortest(NamedTuple):
    """The shortest paths of a start: their length, how many there are, and first moves on one.

    ``first`` of the ``legal`` moves of the start begin a shortest path (0 and 0 at a goal).
    """

    length: int
    paths: int
    first: int
    legal: int


class Space(NamedTuple):
    """The states that can be reached from the first one, by their distance from it.

    states uint64 (n, words); depth int32 (n,), the distance from the start; goals bool (n,);
    the successors of state i are ``targets[starts[i]:starts[i + 1]]``, one for each legal action.
    Where the exploration ended at the nearest goals, the last layer has no successors.
    """

    states: States
    depth: NDArray[np.int32]
    goals: NDArray[np.bool_]
    starts: NDArray[np.int64]
    targets: NDArray[np.int32]

    def to_goal(self) -> NDArray[np.int32]:
        """Return the exact distance of every state to its nearest goal; -1 for dead ends."""
        n = len(self.states)
        back, sources = np.zeros(n + 1, np.int64), np.empty(len(self.targets), np.int32)
        reverse(self.starts, self.targets, back, sources)
        distance = np.empty(n, np.int32)
        distances(back, sources, self.goals, np.empty(n, np.int32), distance)
        return distance

    def shortest(self) -> Shortest | None:
        """Count the shortest paths from the start to a goal; None where there is no path.

        Paths are told apart by their actions.
        """
        goals = np.flatnonzero(self.goals)
        if not len(goals):
            return None
        length = int(self.depth[goals[0]])
        ways = {int(goal): 1 for goal in goals if self.depth[goal] == length}
        if length == 0:
            return Shortest(0, 1, 0, 0)
        legal = int(self.starts[1] - self.starts[0])
        first = 0
        bounds = np.searchsorted(self.depth, np.arange(length + 1))
        for depth in range(length - 1, -1, -1):
            ways, after = {}, ways
            for state in self._leading_to(after, bounds[depth], bounds[depth + 1]):
                edges = self.targets[self.starts[state] : self.starts[state + 1]].tolist()
                counts = [after[target] for target in edges if target in after]
                ways[state], first = sum(counts), len(counts)
        return Shortest(length, ways[0], first, legal)

    def _leading_to(self, states: dict[int, int], low: int, high: int) -> list[int]:
        """Return those of the states ``low`` to ``high`` that have an edge to one of ``states``."""
        wanted = np.zeros(len(self.states), np.bool_)
        wanted[list(states)] = True
        edges = np.flatnonzero(wanted[self.targets[self.starts[low] : self.starts[high]]])
        places = np.searchsorted(self.starts, edges + self.starts[low], side="right") - 1
        return [int(state) for state in np.unique(places)]


class _Survey(Memory):
    """An exploration that keeps every edge."""

    def __init__(self, system: System, level: Any, start: States, limit: Limit):
        super().__init__(system, level, len(start), ("depth",), limit, _NODE)
        self.insert(start[None], 1)
        self.columns["depth"][0] = 0
        self.edges: list[NDArray[np.int32]] = []
        self.degrees: list[NDArray[np.int64]] = []
        self.first = self.depth = self.kept = 0
        self.goals = [self._goals()]

    @property
    def found(self) -> bool:
        """Whether there are goals in the current layer."""
        return bool(self.goals[-1].any())

    def _goals(self) -> NDArray[np.bool_]:
        goal = np.zeros(self.count - self.first, np.bool_)
        self.system.is_goal(self.level, self.store[self.first : self.count], goal)
        return goal

    def advance(self) -> bool:
        """Expand the current layer; False where that leads to nothing new."""
        first, last = self.first, self.count
        self.depth += 1
        if not any(goal.any() for goal in self.goals):
            self.bound = self.depth
        self.widen(last - first)
        for at in range(first, last, self.chunk):
            self._expand(at, min(at + self.chunk, last))
        self.first = last
        self.goals.append(self._goals())
        return self.count > last

    def _expand(self, at: int, end: int) -> None:
        n, count = self.expand(self.store[at:end], ample=False), self.count
        self.kept += n
        if self.count * self.each + 2 * _EDGE * self.kept > self.limit.memory:
            raise self.over(memory=True)
        self.insert(self.succ, n, placed=True)
        self.columns["depth"][count : self.count] = self.depth
        self.edges.append(self.place[:n].copy())
        self.degrees.append(np.bincount(self.origin[:n], minlength=end - at))

    def space(self) -> Space:
        """Return what has been explored; the arrays are the survey's own."""
        # States of the last layer that were not expanded have no successors.
        degrees = np.zeros(self.count + 1, np.int64)
        expanded = np.concatenate([degrees[:0], *self.degrees])
        degrees[1 : len(expanded) + 1] = expanded
        return Space(
            self.store[: self.count],
            self.columns["depth"][: self.count],
            np.concatenate(self.goals),
            np.cumsum(degrees),
            np.concatenate([np.zeros(0, np.int32), *self.edges]),
        )


def explore(
    system: System, level: Any, start: States, limit: Limit = DEFAULT, *, nearest: bool = False
) -> Space:
    """Explore all that can be reached from ``start``, shape (words,).

    With ``nearest`` it ends at the layer of the nearest goals: enough to count shortest paths.
    Raises SearchLimit.
    """
    survey = _Survey(system, level, start, limit)
    with survey.within_machine():
        while not (nearest and survey.found) and survey.advance():
            pass
        return survey.space()
