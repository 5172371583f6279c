"""Exact distances to the goal, searched for once and remembered within bounds."""

from __future__ import annotations

from collections import OrderedDict
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracle.envs.play import Board, Play
from puzzles.family import Family
from puzzles.solve import solve
from solvers import Limit, SearchLimit, Unsolvable
from solvers.space import Space, explore

SPACE = Limit(states=50_000, memory=64 << 20)
"""State spaces up to this size are explored as a whole, once a board."""
SEARCH = Limit(states=500_000, memory=256 << 20)
"""What one search may store where the state space is larger."""
KEPT = 2_000_000
"""States whose distances are remembered, of all boards together; the least used go first."""
_Here = NDArray[np.uint64]


class Distances:
    """The distances of the states of boards of one family.

    A board whose state space is small is explored as a whole. For others a shortest solution is
    searched for from each state that is asked for, and gives the distances of all states along it.
    """

    def __init__(self, room: Family[Any, Any]):
        self.room = room
        self._tables: OrderedDict[Board, _Whole | _Parts] = OrderedDict()
        self._kept = 0

    def of(self, board: Board, here: _Here) -> float | None:
        """Return the distance of a packed state, (1, words); see ``Play.distance``."""
        table = self._tables.get(board)
        before = len(table) if table else 0
        if table is None:
            table = self._tables[board] = self._new(board)
        self._tables.move_to_end(board)
        distance = table.of(here)
        self._kept += len(table) - before
        self._forget()
        return distance

    def clear(self) -> None:
        """Forget all of them."""
        self._tables.clear()
        self._kept = 0

    def _new(self, board: Board) -> _Whole | _Parts:
        try:
            space = explore(self.room.systems["cell"], board.level, board.start[0], SPACE)
        except SearchLimit:
            return _Parts(self.room, board)
        return _Whole(space)

    def _forget(self) -> None:
        while len(self._tables) > 1 and self._kept > KEPT:
            self._kept -= len(self._tables.popitem(last=False)[1])


class _Whole:
    """The distances of all states of a board, by binary search."""

    def __init__(self, space: Space):
        keys = _keys(space.states)
        order = np.argsort(keys)
        self.keys, self.left = keys[order], space.to_goal()[order]

    def __len__(self) -> int:
        return len(self.keys)

    def of(self, here: _Here) -> float:
        left = int(self.left[np.searchsorted(self.keys, _keys(here))[0]])
        return left if left >= 0 else inf


def _keys(states: _Here) -> NDArray[np.bytes_]:
    """Return each state as bytes, which numpy can sort."""
    rows = np.ascontiguousarray(states)
    return rows.view(f"S{8 * rows.shape[1]}").ravel()


class _Parts:
    """The distances of the states of a board that were asked for, and of those on their way."""

    def __init__(self, room: Family[Any, Any], board: Board):
        self.room, self.board = room, board
        self.known: dict[bytes, float | None] = {}

    def __len__(self) -> int:
        return len(self.known)

    def of(self, here: _Here) -> float | None:
        key = here.tobytes()
        if key not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()  # a board alone may have more states than that
            self._search(here)
        return self.known[key]

    def _search(self, here: _Here) -> None:
        room, play = self.room, Play(self.room, lambda board, here: None)
        play.begin(self.board, here)
        try:
            actions = solve(room, play.state, SEARCH).actions
        except SearchLimit:
            self.known[here.tobytes()] = None
            return
        except Unsolvable:
            self.known[here.tobytes()] = inf
            return
        number = room.controls.numbering.number
        for left, action in zip(range(len(actions), 0, -1), actions, strict=True):
            self.known[play.here.tobytes()] = left
            play.take(number(self.board.size, action))
        self.known[play.here.tobytes()] = 0
