"""Breadth-first search, one layer at a time: kernels expand and deduplicate, Python drives.

The kernels of a family and those of ``hashset`` meet only here and in ``memory``, through arrays,
because a cached kernel that calls a kernel of another file keeps running that file's old code
after an edit.
"""

from typing import Any

import numpy as np

from solvers.memory import Memory, States
from solvers.system import DEFAULT, Limit, Path, System, Unsolvable

_COLUMNS = ("parent", "move")


class Explorer(Memory):
    """The states seen so far, layer by layer, each with its parent and the move that led to it."""

    def __init__(self, system: System, level: Any, starts: States, limit: Limit, *, ample: bool):
        super().__init__(system, level, starts.shape[1], _COLUMNS, limit)
        self.ample, self.first = ample, 0
        added = len(self.insert(starts, len(starts)))
        self.columns["parent"][:added] = -1

    def advance(self) -> bool:
        """Replace the current layer by its unseen successors; False when there are none."""
        first, last = self.first, self.count
        self.bound += 1
        self.widen(last - first)
        for at in range(first, last, self.chunk):
            n = self.expand(self.store[at : min(at + self.chunk, last)], ample=self.ample)
            count, kept = self.count, self.insert(self.succ, n)
            self.columns["parent"][count : self.count] = self.origin[kept] + at
            self.columns["move"][count : self.count] = self.moves[kept]
        self.first = last
        return self.count > last

    def layer(self) -> States:
        """Return the states of the current layer; not to be kept beyond the next step."""
        return self.store[self.first : self.count]


def shortest_path(system: System, level: Any, start: States, limit: Limit = DEFAULT) -> Path:
    """Return a shortest path from ``start``, shape (words,), to a goal state.

    Raises
    ------
    Unsolvable
        No goal state is reachable: all reachable states have been seen.
    SearchLimit
        More states or bytes than ``limit`` allows would have to be stored.
    """
    explorer = Explorer(system, level, start[None], limit, ample=True)
    with explorer.within_machine():
        while True:
            goal = np.zeros(explorer.count - explorer.first, np.bool_)
            system.is_goal(level, explorer.layer(), goal)
            if goal.any():
                return Path(explorer.path_to(explorer.first + int(goal.argmax())), explorer.first)
            if not explorer.advance():
                raise Unsolvable(explorer.count, system.ample is not None)


def layers(system: System, level: Any, starts: States, limit: Limit = DEFAULT) -> list[States]:
    """Return the states reachable from ``starts``, shape (n, words), one array a distance."""
    explorer = Explorer(system, level, starts, limit, ample=False)
    result = [explorer.layer().copy()]
    with explorer.within_machine():
        while explorer.advance():
            result.append(explorer.layer().copy())
    return result
