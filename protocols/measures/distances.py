"""Exact distances of states to the goal, found by the family's solver, as far as that is quick."""

from __future__ import annotations

from math import inf
from typing import Any

from puzzles.family import Family
from puzzles.instance import Instance
from puzzles.solve import distance
from solvers import Limit

LIMIT = Limit(states=300_000, memory=256 << 20)
"""Boards of the default sizes stay below; of larger ones a distance may remain unknown, so that a
picture doesn't take minutes."""


class Distances:
    """From the states of one instance; in actions, also where its optimum counts slides."""

    def __init__(self, room: Family[Any, Any], instance: Instance, start: Any):
        self._room, self._start = room, start
        self._known: dict[Any, float | None] = {}
        if instance.metric == "cell":
            self._known[start] = instance.optimal_length

    def of(self, state: Any) -> float | None:
        """Return the number of actions to the goal, inf where no way leads there; None: unknown."""
        if state not in self._known:
            self._known[state] = self._found(state)
        return self._known[state]

    def _found(self, state: Any) -> float | None:
        return 0 if self._room.is_solved(state) else distance(self._room, state, LIMIT)

    def closer(self, before: Any, after: Any) -> bool | None:
        """Return whether a state is closer to the goal than another."""
        one, other = self.of(before), self.of(after)
        return None if one is None or other is None else other < one

    def way(self, state: Any) -> float | None:
        """Return which share of the way from the start to the goal ``state`` has behind it."""
        whole, left = self.of(self._start), self.of(state)
        if whole is None or left is None:
            return None
        return max(0.0, 1 - left / whole) if 0 < whole < inf else 0.0
