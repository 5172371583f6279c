"""Exact distances to the goal, searched for once a board and remembered within bounds."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Hashable
from math import inf
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

from puzzles.solve import solve
from solvers import Limit, SearchLimit, Unsolvable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from puzzles.family import Family
    from solvers.space import Space

    Words = NDArray[np.uint64]
    """A packed state, shape (1, words)."""

SEARCH = Limit(states=500_000, memory=256 << 20)
"""What one search may store."""
SURE = 4
"""The states along a way are remembered where this many times as many could have been expanded.

From one of them a search may store more than from the beginning, by some percent, and so find
nothing: what is told of a state must not depend on whether it was asked about before or after.
"""
PATIENCE = 8
"""Searches on a board before it pays to explore its state space as a whole."""
SPACE = Limit(states=50_000, memory=64 << 20)
"""State spaces up to this size are explored as a whole, once a board."""
KEPT = 2_000_000
"""States whose distances are remembered, of all boards together; the least used go first."""


class Origin(Hashable, Protocol):
    """A board whose states are asked for: the same one where it is equal.

    packed, start
        What ``pack`` of its family returns for the first state; start has the shape (1, words).
    """

    @property
    def room(self) -> Family[Any, Any]: ...
    @property
    def packed(self) -> Any: ...
    @property
    def start(self) -> Words: ...


class Distances:
    """The distances of the states of many boards.

    A shortest solution is searched for from each state that is asked for, and gives the distances
    of all states along it, unless the search was near its limit (``SURE``). A board that is asked
    about more often, and whose state space is small, is explored as a whole.

    Threads may share it: they wait for one another. So may processes that are forked from this one,
    each with what it finds by itself.
    """

    def __init__(self) -> None:
        self.restart()
        _ALL.add(self)

    def restart(self) -> None:
        """Start with nothing, and with a lock that nobody holds."""
        self._lock = RLock()
        self._tables: OrderedDict[Origin, _Whole | _Parts] = OrderedDict()
        self._kept = 0

    def of(self, board: Origin, here: Words) -> float | None:
        """Return the exact number of actions from a state of ``board`` to the nearest goal.

        ``math.inf`` where there is no way, None where the search for one would be too large.
        """
        with self._lock:
            table = self._tables.get(board) or _Parts(board)
            before = len(table)
            if isinstance(table, _Parts) and table.searches == PATIENCE:
                table = _explored(board, table)
            self._tables[board] = table
            self._tables.move_to_end(board)
            distance = table.of(here)
            self._kept += len(table) - before
            while len(self._tables) > 1 and self._kept > KEPT:
                self._kept -= len(self._tables.popitem(last=False)[1])
            return distance

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._tables.clear()
            self._kept = 0


_ALL: WeakSet[Distances] = WeakSet()


def _restart() -> None:
    """In a process that was forked: a thread that isn't there may have held a lock."""
    for one in _ALL:
        one.restart()


os.register_at_fork(after_in_child=_restart)


def _explored(board: Origin, parts: _Parts) -> _Whole | _Parts:
    """Return the distances of all states of a board; ``parts`` where they are too many."""
    from solvers.space import explore

    try:
        space = explore(board.room.systems["cell"], tuple(board.packed), board.start[0], SPACE)
    except SearchLimit:
        parts.searches += 1  # it isn't tried again
        return parts
    return _Whole(space)


class _Whole:
    """The distances of all states of a board, by binary search."""

    def __init__(self, space: Space):
        keys = _keys(space.states)
        order = keys.argsort()
        self.keys, self.left = keys[order], space.to_goal()[order]

    def __len__(self) -> int:
        return len(self.keys)

    def of(self, here: Words) -> float:
        left = int(self.left[self.keys.searchsorted(_keys(here))[0]])
        return left if left >= 0 else inf


def _keys(states: Words) -> NDArray[np.bytes_]:
    """Return each state as bytes, which numpy can sort."""
    import numpy as np

    rows = np.ascontiguousarray(states)
    return rows.view(f"S{8 * rows.shape[1]}").ravel()


class _Parts:
    """The distances of the states of a board that were asked for, and of those on their way."""

    def __init__(self, board: Origin):
        self.room, self.level = board.room, board.packed
        self.known: dict[bytes, float | None] = {}
        self.searches = 0

    def __len__(self) -> int:
        return len(self.known)

    def of(self, here: Words) -> float | None:
        key = here.tobytes()
        if key not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()  # a board alone may have more states than that
            self._search(here)
        return self.known[key]

    def _search(self, here: Words) -> None:
        self.searches += 1
        room, state = self.room, self.room.unpack(self.level, here[0])
        try:
            found = solve(room, state, SEARCH)
        except (SearchLimit, Unsolvable) as error:
            self.known[here.tobytes()] = inf if isinstance(error, Unsolvable) else None
            return
        self.known[here.tobytes()] = found.length
        if SURE * found.expanded > SEARCH.states:
            return
        for done, action in enumerate(found.actions, 1):
            state = room.apply(state, action)
            self.known[room.repack(self.level, state).tobytes()] = found.length - done
