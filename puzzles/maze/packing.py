"""From a maze to what the kernels of puzzles/corridors.py work on, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import DIRECTIONS
from puzzles.maze.rules import State


def pack(state: State) -> tuple[Any, NDArray[np.uint64]]:
    """Return the level of ``state`` and its word, shape (1,)."""
    columns = len(state.walls[0])
    ground = np.frombuffer("".join(state.walls).encode(), np.uint8).reshape(-1, columns)
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
    return State(rows, divmod(int(words[0]), columns), divmod(int(goal), columns))


def decode(level: Any, code: int) -> str:
    """Return the action that ``code`` stands for."""
    return DIRECTIONS[code]
