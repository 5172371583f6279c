"""Breadth-first search, one layer at a time: kernels expand and deduplicate, Python drives.

The kernels of a family and those of ``hashset`` meet only here, through arrays, because a cached
kernel that calls a kernel of another file keeps running that file's old code after an edit.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.hashset import insert_new
from solvers.system import SearchLimit, System, Unsolvable

States = NDArray[np.uint64]
LIMIT = 20_000_000
"""States that a search may store unless told otherwise: about 0.8 GB for states of one word."""
BYTES = 4 << 30
"""Memory that the states of a search may take: a lower limit for states of many words."""
_CHUNK, _BUFFER = 8192, 1 << 26
"""States that are expanded at a time, and bytes of their successors, at most."""


class Path(NamedTuple):
    """A shortest path: its move codes, and how many states were expanded to find it."""

    moves: NDArray[np.int32]
    expanded: int


class _Explorer:
    """The states seen so far, layer by layer, each with its parent and the move that led to it."""

    def __init__(self, system: System, level: Any, starts: States, limit: int):
        self.expand = system.ample or system.expand
        self.level, self.depth = level, 0
        words = starts.shape[1]
        self.limit = min(limit, BYTES // (8 * words + 32))
        self.branching = max(1, system.branching(level))
        self.most = max(1, min(_CHUNK, _BUFFER // (8 * words * self.branching)))
        self.first = self.count = 0
        self.slots = np.full(1024, -1, np.int32)
        self.store = np.empty((512, words), np.uint64)
        self.parent = np.empty(512, np.int32)
        self.move = np.empty(512, np.int32)
        self._buffers(min(64, self.most))
        self._insert(starts, len(starts), np.full(len(starts), -1), np.zeros(len(starts), np.int32))

    def _buffers(self, states: int) -> None:
        room = states * self.branching
        self.chunk = states
        self.succ = np.empty((room, self.store.shape[1]), np.uint64)
        self.origin = np.empty(room, np.int64)
        self.moves = np.empty(room, np.int32)

    def _reserve(self, extra: int) -> None:
        """Make room for ``extra`` more states, doubling as a list does."""
        if self.count + extra <= len(self.store):
            return
        room = 1 << (self.count + extra - 1).bit_length()
        store, self.store = self.store, np.empty((room, self.store.shape[1]), np.uint64)
        self.slots = np.full(2 * room, -1, np.int32)
        insert_new(self.slots, self.store, 0, store, self.count, np.empty(self.count, np.int64))
        self.parent, self.move = np.resize(self.parent, room), np.resize(self.move, room)

    def _insert(self, rows: States, n: int, parents: NDArray[Any], moves: NDArray[Any]) -> None:
        self._reserve(n)
        fresh = np.empty(n, np.int64)
        added = insert_new(self.slots, self.store, self.count, rows, n, fresh)
        if self.count + added > self.limit:
            raise SearchLimit(self.limit, self.depth)
        kept = fresh[:added]
        self.parent[self.count : self.count + added] = parents[kept]
        self.move[self.count : self.count + added] = moves[kept]
        self.count += added

    def advance(self) -> bool:
        """Replace the current layer by its unseen successors; False when there are none."""
        first, last = self.first, self.count
        self.depth += 1
        if last - first > self.chunk < self.most:
            self._buffers(min(4 * (last - first), max(self.chunk, self.most)))
        for at in range(first, last, self.chunk):
            states = self.store[at : min(at + self.chunk, last)]
            n = self.expand(self.level, states, self.succ, self.origin, self.moves)
            self._insert(self.succ, n, self.origin[:n] + at, self.moves)
        self.first = last
        return self.count > last

    def layer(self) -> States:
        return self.store[self.first : self.count]

    def path_to(self, state: int) -> NDArray[np.int32]:
        path = [state]
        while self.parent[path[-1]] >= 0:
            path.append(int(self.parent[path[-1]]))
        return self.move[path[-2::-1]] if len(path) > 1 else np.empty(0, np.int32)


def shortest_path(system: System, level: Any, start: States, limit: int = LIMIT) -> Path:
    """Return a shortest path from ``start``, shape (words,), to a goal state.

    Raises
    ------
    Unsolvable
        No goal state is reachable: all reachable states have been seen.
    SearchLimit
        More than ``limit`` states would have to be stored.
    """
    explorer = _Explorer(system, level, start[None], limit)
    while True:
        layer = explorer.layer()
        goal = np.zeros(len(layer), np.bool_)
        system.is_goal(level, layer, goal)
        if goal.any():
            return Path(explorer.path_to(explorer.first + int(goal.argmax())), explorer.first)
        if not explorer.advance():
            raise Unsolvable(explorer.count)


def layers(system: System, level: Any, starts: States, limit: int = LIMIT) -> list[States]:
    """Return the states reachable from ``starts``, shape (n, words), one array a distance."""
    explorer = _Explorer(system._replace(ample=None), level, starts, limit)
    result = [explorer.layer().copy()]
    while explorer.advance():
        result.append(explorer.layer().copy())
    return result
