"""A* search (Hart, Nilsson, Raphael 1968): the states that look nearest to a goal come first."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.buckets import pop, relax
from solvers.memory import Memory, States
from solvers.system import DEFAULT, NEVER, Limit, Path, System, Unsolvable

_COLUMNS = ("parent", "move", "cost", "heuristic")
_FAR = np.iinfo(np.int32).max
_ENTRY = 12
"""Bytes of an entry of the pool."""
_PART = 16
"""One state for so many expanded so far is taken off a stack at a time."""


class _Frontier(Memory):
    """The states seen so far, and the open ones in stacks by their estimate of the whole length.

    The last come first, so that a good heuristic leads straight on. A state to which a cheaper way
    is found is opened again, and no estimate falls below that of the state before (pathmax), so the
    heuristic need not be consistent.
    """

    def __init__(self, system: System, level: Any, start: States, limit: Limit):
        super().__init__(system, level, len(start), _COLUMNS, limit, 2 * _ENTRY)
        self.heads = np.full(64, -1, np.int32)
        self.pool, self.size = np.empty((64, 3), np.int32), 0
        self.expanded = self.highest = 0
        self._store(start[None], 1)
        estimate = int(self.columns["heuristic"][0])
        if estimate < NEVER:
            self._make_room(1, estimate)
            self.columns["parent"][0], self.columns["cost"][0] = -1, 0
            self.pool[0], self.heads[estimate], self.size = (0, 0, -1), 0, 1

    def _store(self, rows: States, n: int) -> None:
        """Add those of the first ``n`` of ``rows`` that are new, with their heuristics."""
        first = self.count
        self.insert(rows, n, placed=True)
        heuristic = np.zeros(self.count - first, np.int32)
        if self.system.heuristic:
            self.system.heuristic(self.level, self.store[first : self.count], heuristic)
        self.columns["heuristic"][first : self.count] = heuristic
        self.columns["cost"][first : self.count] = _FAR
        self.highest = max(self.highest, int(heuristic[heuristic < NEVER].max(initial=0)))

    def _make_room(self, entries: int, estimate: int) -> None:
        """Make room for so many more entries, and for estimates up to ``estimate``."""
        if self.size + entries > len(self.pool):
            if self.size > 2 * self.room:
                raise self.over()
            room = min(2 * (self.size + entries), 2 * self.room + entries)
            self.pool.resize((room, 3), refcheck=False)
        if estimate >= len(self.heads):
            more = np.full(estimate + 1, -1, np.int32)
            self.heads = np.concatenate([self.heads, more])

    def nearest(self) -> NDArray[np.int32]:
        """Return the numbers of some of the states with the lowest estimate; none at the end."""
        chunk = np.empty(max(1, min(self.expanded // _PART, self.most)), np.int32)
        while self.bound < len(self.heads):
            n = pop(self.heads, self.pool, self.bound, self.columns["cost"], chunk)
            if n:
                return chunk[:n]
            self.bound += 1
        return chunk[:0]

    def open_successors(self, states: NDArray[np.int32]) -> None:
        """Expand the states of these numbers."""
        self.widen(len(states))
        for at in range(0, len(states), self.chunk):
            part = states[at : at + self.chunk]
            n = self.expand(self.store[part], ample=True)
            self._store(self.succ, n)
            cost = self.columns["cost"]
            self._make_room(n, int(cost[part].max()) + 1 + self.highest)
            columns = (self.columns["parent"], self.columns["move"], cost)
            self.size = relax(
                *(self.place, n, part[self.origin[:n]], self.moves),
                *((*columns, self.columns["heuristic"]), NEVER, self.bound),
                *(self.heads, self.pool, self.size),
            )
        self.expanded += len(states)


def shortest_path(system: System, level: Any, start: States, limit: Limit = DEFAULT) -> Path:
    """Return a shortest path from ``start``, shape (words,), to a goal state.

    The estimate of a state is the number of moves that led to it and ``system.heuristic``, which
    never says too much; so the first goal state to have the lowest estimate is a nearest one.

    Raises
    ------
    Unsolvable
        No goal state is reachable: all reachable states that might lead to one have been seen.
    SearchLimit
        More states or bytes than ``limit`` allows would have to be stored.
    """
    frontier = _Frontier(system, level, start, limit)
    with frontier.within_machine():
        while len(states := frontier.nearest()):
            goal = np.zeros(len(states), np.bool_)
            system.is_goal(level, frontier.store[states], goal)
            if goal.any():
                return Path(frontier.path_to(int(states[goal.argmax()])), frontier.expanded)
            frontier.open_successors(states)
    raise Unsolvable(frontier.count, pruned=True)
