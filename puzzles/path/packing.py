"""From a path board to what the kernels of puzzles/corridors.py work on, and back."""

from string import ascii_uppercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import DIRECTIONS
from puzzles.notation import find, marked
from puzzles.path.rules import State

_NO_LABELS = str.maketrans(dict.fromkeys(ascii_uppercase, "."))


def pack(state: State) -> tuple[Any, NDArray[np.uint64]]:
    """Return the level of ``state``, its ground with the labels on it, and its word, shape (1,)."""
    columns = len(state.walls[0])
    rows = marked(state.walls, [(cell, letter) for letter, cell in state.labels])
    ground = np.frombuffer("".join(rows).encode(), np.uint8).reshape(-1, columns)
    level = ground, state.goal[0] * columns + state.goal[1]
    return level, repack(level, state)


def repack(level: Any, state: State) -> NDArray[np.uint64]:
    """Return the words of ``state`` in the level of another state of its board."""
    return np.array([state.agent[0] * level[0].shape[1] + state.agent[1]], np.uint64)


def unpack(level: Any, words: NDArray[np.uint64]) -> State:
    """Return the state that ``words`` stand for in ``level``."""
    ground, goal = level
    columns = ground.shape[1]
    rows = tuple(row.tobytes().decode() for row in ground)
    labels = tuple(sorted((rows[r][c], (r, c)) for r, c in find(rows, ascii_uppercase)))
    walls = tuple(row.translate(_NO_LABELS) for row in rows)
    return State(walls, divmod(int(words[0]), columns), divmod(int(goal), columns), labels)


def decode(level: Any, code: int) -> str:
    """Return the action that ``code`` stands for."""
    return DIRECTIONS[code]
