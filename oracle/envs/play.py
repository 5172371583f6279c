"""One episode of an environment, on the arrays that a family's kernels work on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracle.envs.kernels import index_by_number
from puzzles.controls import Size
from puzzles.family import Family
from puzzles.instance import Instance


@dataclass(frozen=True, eq=False)
class Board:
    """An instance as an environment plays it.

    optimum, cap
        Actions of a shortest solution; actions after which an episode is cut off.
    packed, level
        What ``pack`` of the family returns; the same as a plain tuple, since kernels take half a
        microsecond longer to take a named one apart.
    start
        The packed first state, uint64 (1, words).
    codes
        The numbers of the move codes, int32.
    """

    room: Family[Any, Any]
    instance: Instance
    size: Size
    optimum: int
    cap: int
    packed: Any
    level: tuple[Any, ...]
    start: NDArray[np.uint64]
    codes: NDArray[np.int32]


Distance = Callable[[Board, NDArray[np.uint64]], float | None]
"""How ``Play.distance`` finds what it returns, for a packed state (1, words) of a board."""


class Play:
    """An episode: the board, the state that it is in, and how it got on.

    moves, steps
        Legal actions taken; actions taken.
    cap
        So many steps there may be.
    legal
        Whether the last action was.
    solved, stuck
        Whether the goal holds; whether it doesn't and no action is legal.
    """

    def __init__(self, room: Family[Any, Any], distance: Distance, cap: int | None = None):
        self.room, self.system = room, room.systems["cell"]
        self._observe, self._distance, self._cap = room.controls.observe, distance, cap
        self._goal = np.empty(1, np.bool_)

    def begin(self, board: Board, here: NDArray[np.uint64] | None = None) -> None:
        """Start at the first state of ``board``, or at another, uint64 (1, words)."""
        self.board = board
        self.here = board.start if here is None else here
        self.cap = self._cap or board.cap
        self.moves = self.steps = 0
        self.legal = True
        most, words = max(1, self.system.branching(board.level)), board.start.shape[1]
        self._after = np.empty((most, words), np.uint64)
        self._origin, self._codes = np.empty(most, np.int64), np.empty(most, np.int32)
        self._rows = np.empty(self.room.controls.numbering.count(board.size), np.int32)
        self._arrive()

    def _arrive(self) -> None:
        board, system = self.board, self.system
        n = system.expand(board.level, self.here, self._after, self._origin, self._codes)
        index_by_number(self._codes, n, board.codes, self._rows)
        system.is_goal(board.level, self.here, self._goal)
        self.solved = bool(self._goal[0])
        self.stuck = n == 0 and not self.solved

    def take(self, number: int) -> None:
        """Take the action with this number, from 0; an illegal one leaves the state as it is."""
        self.steps += 1
        row = self._rows[number]
        self.legal = bool(row >= 0)
        if self.legal:
            self.here = self._after[row : row + 1].copy()
            self.moves += 1
            self._arrive()

    @property
    def mask(self) -> NDArray[np.int8]:
        """A new array int8 (actions,): 1 where an action is legal."""
        return (self._rows >= 0).view(np.int8)

    @property
    def state(self) -> Any:
        """The family's State."""
        return self.room.unpack(self.board.packed, self.here[0])

    def codes(self) -> NDArray[np.uint8]:
        """Return a new array uint8 (rows, columns): each cell's index in the family's legend."""
        out: NDArray[np.uint8] = np.empty(self.board.size, np.uint8)
        self._observe(self.board.level, self.here, out[None])
        return out

    def distance(self) -> float | None:
        """Return the exact number of actions to the nearest goal.

        ``math.inf`` where there is no way, None where the search for one would be too large.
        """
        return self._distance(self.board, self.here)
