"""The states that a search has stored, in arrays that grow within the limit of the search."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.hashset import insert, rehash
from solvers.system import Limit, SearchLimit, System

States = NDArray[np.uint64]
"""Packed states, one a row: shape (n, words)."""

_FIRST, _MOST = 512, 1 << 30
"""States that there is room for at the beginning, and that an int32 can number."""
_CHUNK, _SHARE, _BUFFER = 8192, 8, 1 << 26
"""States that are expanded at a time; the part of the memory for them, and the bytes, at most."""
_NONE = np.empty(0, np.int32)


class Memory:
    """All states seen so far, each with further columns, and the buffers of the next successors.

    ``columns`` names arrays int32 with one entry a state; ``extra`` bytes a state are the search's
    own. ``bound``, which the search keeps up for ``SearchLimit``, is a number of actions that no
    solution falls short of.
    """

    def __init__(
        self,
        system: System,
        level: Any,
        words: int,
        columns: tuple[str, ...],
        limit: Limit,
        extra: int = 0,
    ):
        self.system, self.level = system, level
        self.limit, self.bound, self.count = limit, 0, 0
        self.branching = max(1, system.branching(level))
        buffers = min(_BUFFER, max(0, limit.memory) // _SHARE)
        self.most = max(1, min(_CHUNK, buffers // ((8 * words + 16) * self.branching)))
        # At most two and a half slots of four bytes a state, a row, and the columns.
        self.each = 10 + 8 * words + 4 * len(columns) + extra
        fits = max(0, limit.memory - self.most * self.branching * (8 * words + 16)) // self.each
        self.room = min(limit.states, fits, _MOST)
        self._what = limit.in_words(fits)
        self.store = np.empty((0, words), np.uint64)
        self.columns = {name: np.empty(0, np.int32) for name in columns}
        self.slots = _NONE
        self._buffers(min(64, self.most))

    def _buffers(self, states: int) -> None:
        room = states * self.branching
        self.chunk = states
        self.succ = np.empty((room, self.store.shape[1]), np.uint64)
        self.origin = np.empty(room, np.int64)
        self.moves = np.empty(room, np.int32)
        self.place = np.empty(room, np.int32)

    def over(self, *, memory: bool = False) -> SearchLimit:
        """Return what a search ends with that may store no more (or has no ``memory`` for it)."""
        return SearchLimit(self.limit.in_words(0) if memory else self._what, self.count, self.bound)

    @contextmanager
    def within_machine(self) -> Iterator[None]:
        """Turn a want of memory into SearchLimit."""
        try:
            yield
        except MemoryError:
            what = "the memory of this machine"
            raise SearchLimit(what, self.count, self.bound) from None

    def _reserve(self, extra: int) -> None:
        """Make room for ``extra`` more states, doubling as a list does; up to the limit."""
        wanted, capacity = self.count + extra, len(self.store)
        if wanted <= capacity:
            return
        capacity = max(_FIRST, 1 << (wanted - 1).bit_length())
        # The last successors may be known already, so a little more than the limit is needed.
        capacity = min(capacity, self.room + extra)
        slots = 1 << (capacity + capacity // 4).bit_length()
        self.slots = _NONE
        # In place: a copy would need the memory twice. No views of the arrays outlive a step.
        self.store.resize((capacity, self.store.shape[1]), refcheck=False)
        for column in self.columns.values():
            column.resize(capacity, refcheck=False)
        self.slots = np.full(slots, -1, np.int32)
        rehash(self.slots, self.store, self.count)

    def widen(self, states: int) -> None:
        """Let more states be expanded at a time, where so many are waiting."""
        if states > self.chunk < self.most:
            self._buffers(min(4 * states, self.most))

    def insert(self, rows: States, n: int, *, placed: bool = False) -> NDArray[np.int64]:
        """Add the first ``n`` of ``rows``; return the positions in ``rows`` of those not known.

        They now end the store. With ``placed``, ``place`` says where each row stands. Raises
        SearchLimit.
        """
        self._reserve(n)
        fresh = np.empty(n, np.int64)
        added = insert(
            *(self.slots, self.store, self.count, rows, n, fresh, self.place if placed else _NONE)
        )
        if self.count + added > self.room:
            raise self.over()
        self.count += added
        return fresh[:added]

    def expand(self, states: States, *, ample: bool) -> int:
        """Write the successors of ``states`` to the buffers; return how many."""
        kernel = (ample and self.system.ample) or self.system.expand
        return kernel(self.level, states, self.succ, self.origin, self.moves)

    def path_to(self, state: int) -> NDArray[np.int32]:
        """Return the moves that lead to ``state`` along the columns ``parent`` and ``move``."""
        parent, path = self.columns["parent"], [state]
        while parent[path[-1]] >= 0:
            path.append(int(parent[path[-1]]))
        return self.columns["move"][path[-2::-1]] if len(path) > 1 else np.empty(0, np.int32)
