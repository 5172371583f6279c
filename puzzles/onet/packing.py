"""From a board of Onet to what its kernels work on, and back."""

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.family import Cell
from puzzles.onet.links import EMPTY
from puzzles.onet.rules import Pair, State


class Ground(NamedTuple):
    """A board without tiles, with borders: see the kernels."""

    base: NDArray[np.uint8]
    pitch: int
    rim: int

    def place(self, cell: Cell) -> int:
        """Return where ``cell`` of the board stands in ``base``."""
        return (cell[0] + self.rim) * self.pitch + cell[1] + self.rim

    def places(self) -> NDArray[np.int64]:
        """Return where all cells of the board stand in ``base``, row by row."""
        inside = np.zeros((len(self.base) // self.pitch, self.pitch), np.bool_)
        inside[self.rim : -self.rim, self.rim : -self.rim] = True
        return np.flatnonzero(inside)

    def cell(self, place: int) -> Cell:
        r, c = divmod(int(place), self.pitch)
        return r - self.rim, c - self.rim


class Level(NamedTuple):
    """What stays the same throughout a search: see the kernels."""

    base: NDArray[np.uint8]
    pitch: int
    rim: int
    cells: NDArray[np.int64]
    kinds: NDArray[np.int64]
    pairs: NDArray[np.int64]
    max_turns: int


@lru_cache(maxsize=64)
def ground(rows: int, columns: int, outside: bool) -> Ground:
    """Return the board without tiles; its array is shared, so nobody may write into it."""
    rim = 1 + outside
    base = np.zeros((rows + 2 * rim, columns + 2 * rim), np.uint8)
    base[0] = base[-1] = 1
    base[:, 0] = base[:, -1] = 1
    return Ground(base.ravel(), columns + 2 * rim, rim)


def pack(state: State) -> tuple[Level, NDArray[np.uint64]]:
    """Return the level of ``state`` and its words, shape (words,): all tiles are there."""
    empty = ground(len(state.board), len(state.board[0]), state.outside)
    marks = np.frombuffer("".join(state.board).encode(), np.uint8)
    full = marks != ord(EMPTY)
    cells, kinds = empty.places()[full], marks[full].astype(np.int64)
    members: dict[int, list[int]] = {}
    for tile, kind in enumerate(kinds.tolist()):
        members.setdefault(kind, []).append(tile)
    pairs = [pair for same in members.values() for pair in combinations(same, 2)]
    level = Level(*empty, cells, kinds, np.array(pairs, np.int64).reshape(-1, 2), state.max_turns)
    return level, repack(level, state)


def repack(level: Level, state: State) -> NDArray[np.uint64]:
    """Return the words of ``state`` in the level of another state of its board."""
    empty = Ground(*level[:3])
    board = np.frombuffer("".join(state.board).encode(), np.uint8).reshape(len(state.board), -1)
    rows, columns = np.divmod(level.cells, empty.pitch)
    there = board[rows - empty.rim, columns - empty.rim] != ord(EMPTY)
    bits = np.zeros(64 * max(1, -(-len(there) // 64)), np.bool_)
    bits[: len(there)] = there
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


def unpack(level: Level, words: NDArray[np.uint64]) -> State:
    """Return the state that ``words`` stand for in ``level``."""
    empty = Ground(*level[:3])
    rows, columns = len(empty.base) // empty.pitch - 2 * empty.rim, empty.pitch - 2 * empty.rim
    board = [[EMPTY] * columns for _ in range(rows)]
    for tile, (place, kind) in enumerate(zip(level.cells, level.kinds, strict=True)):
        if int(words[tile >> 6]) >> (tile & 63) & 1:
            r, c = empty.cell(place)
            board[r][c] = chr(kind)
    return State(tuple(map("".join, board)), level.max_turns, empty.rim == 2)


def decode(level: Level, code: int) -> Pair:
    """Return the action that ``code`` stands for."""
    empty = Ground(*level[:3])
    first, second = level.pairs[code]
    return Pair(empty.cell(level.cells[first]), empty.cell(level.cells[second]))
