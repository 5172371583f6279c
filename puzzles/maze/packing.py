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
    index = state.agent[0] * columns + state.agent[1]
    goal = state.goal[0] * columns + state.goal[1]
    return (ground, goal), np.array([index], np.uint64)


def unpack(level: Any, words: NDArray[np.uint64]) -> State:
    """Return the state that ``words`` stand for in ``level``."""
    ground, goal = level
    columns = ground.shape[1]
    rows = tuple(row.tobytes().decode() for row in ground)
    return State(rows, divmod(int(words[0]), columns), divmod(int(goal), columns))


def decode(level: Any, code: int) -> str:
    """Return the action that ``code`` stands for."""
    return DIRECTIONS[code]
