"""From a Sokoban board to what its kernels work on, and back.

The level is (neighbours, live, targets, shift, cells, walls, pushes); kernels.py says what they
hold. Only cells that the player, a box or a target is connected with are numbered, so the world
outside the walls of a level takes no room.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import DIRECTIONS, moved
from puzzles.family import Cell
from puzzles.sokoban.kernels import push_distances
from puzzles.sokoban.rules import State
from puzzles.walking import legal_steps
from solvers import NEVER


def pack(state: State) -> tuple[Any, NDArray[np.uint64]]:
    """Return the level of ``state`` and its words, shape (words,)."""
    number = {cell: at for at, cell in enumerate(_connected(state))}
    neighbours = np.full((len(number), 4), -1, np.int32)
    for cell, at in number.items():
        for direction in legal_steps(state.walls, cell):
            neighbours[at, DIRECTIONS.index(direction)] = number[moved(cell, direction)]
    shift = (len(number) - 1).bit_length()
    bits = shift + len(number)
    targets = _words((shift + number[cell] for cell in state.targets), bits)
    cells = np.array(list(number), np.int32)
    walls = np.array([[mark == "#" for mark in row] for row in state.walls])
    pushes = push_distances(neighbours, np.array([number[cell] for cell in state.targets]))
    live = pushes.min(axis=0) < NEVER
    level = neighbours, live, targets[None], shift, cells, walls, pushes
    return level, repack(level, state)


def repack(level: Any, state: State) -> NDArray[np.uint64]:
    """Return the words of ``state`` in the level of another state of its board."""
    shift, cells = level[3], level[4]
    number = {(r, c): at for at, (r, c) in enumerate(cells.tolist())}
    words = _words((shift + number[box] for box in state.boxes), shift + len(number))
    words[0] |= np.uint64(number[state.player])
    return words


def _connected(state: State) -> list[Cell]:
    """Return the floor cells that anything on the board is connected with, row by row."""
    queue = deque([state.player, *state.boxes, *state.targets])
    seen = set(queue)
    while queue:
        cell = queue.popleft()
        for direction in legal_steps(state.walls, cell):
            if moved(cell, direction) not in seen:
                seen.add(moved(cell, direction))
                queue.append(moved(cell, direction))
    return sorted(seen)


def _words(bits: Iterable[int], count: int) -> NDArray[np.uint64]:
    """Return ``count`` bits in words of 64, lowest first, with ``bits`` set."""
    whole = sum(1 << bit for bit in bits)
    return np.frombuffer(whole.to_bytes(-(-count // 64) * 8, "little"), np.uint64).copy()


def unpack(level: Any, words: NDArray[np.uint64]) -> State:
    """Return the state that ``words`` stand for in ``level``."""
    _, _, targets, shift, cells, walls, _ = level
    rows = tuple("".join("#" if wall else "-" for wall in row) for row in walls)
    player = int(words[0]) & ((1 << shift) - 1)
    r, c = cells[player].tolist()
    return State(rows, (r, c), _cells(words, shift, cells), _cells(targets[0], shift, cells))


def _cells(words: NDArray[np.uint64], shift: int, cells: NDArray[np.int32]) -> tuple[Cell, ...]:
    whole = int.from_bytes(words.astype("<u8").tobytes(), "little") >> shift
    return tuple((r, c) for at, (r, c) in enumerate(cells.tolist()) if whole >> at & 1)


def decode(level: Any, code: int) -> str:
    """Return the action that ``code`` stands for."""
    return DIRECTIONS[code]
