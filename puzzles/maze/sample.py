"""Mazes of an exact length, with the structure of the published suite."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from puzzles import routes
from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample, Size
from puzzles.maze import FAMILY, kernels
from puzzles.maze.rules import State

# Fitted to the means over the suite's mazes: cells by number of neighbours, on the path and off it.
TEXTURES = {
    "easy": routes.Texture(18, 23, (35, 34, 20, 57)),
    "medium": routes.Texture(27, 33, (35, 34, 61, 45)),
    "hard": routes.Texture(36, 43, (18, 21, 25, 64)),
}
_BOARDS, _EFFORT = 40, 2_000_000
"""Boards, and their cells, tried before we say that none has room for so many cycles."""


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, str] | None]:
    """Return a maze and its solution for each of ``lengths``; None where the effort was in vain.

    With the option ``border`` the cells along the sides are walls. Floor cells form a tree, so
    that the one simple path to the goal is the optimum; the option ``cycles`` opens as many walls
    of it, each of which adds an independent cycle and none a shorter way. Raises GenerationError
    where a length or the cycles can't fit.
    """
    margin, cycles = (1 if options["border"] else 0), options["cycles"]
    if not 0 <= cycles <= size[0] * size[1]:
        raise GenerationError(
            f"maze: a board of {size[0]}x{size[1]} can't have {cycles} cycles: ask for 0 or more, "
            "and fewer than it has cells"
        )
    for length in (min(lengths), max(lengths)):
        routes.check_room("maze", length, size, margin)
    if not cycles:
        boards = routes.grow(draws, lengths, size, margin, _texture)
        return [board and _maze(board) for board in boards]
    return [_with_cycles(draws, length, size, margin, cycles) for length in lengths]


def _texture(length: int) -> routes.Texture:
    return TEXTURES[FAMILY.tier(length)]


def _maze(board: routes.Board) -> Sample[State, str]:
    """Return a board as it was grown, its stats too: of a tree we know them without a search."""
    state = State(board.walls, board.start, board.goal)
    ways = {"optimal_solutions": 1, "good_first_moves": round(1 / board.first_steps, 4)}
    return Sample(state, board.actions, board.structure._asdict() | ways)


def _with_cycles(
    draws: Draws, length: int, size: Size, margin: int, cycles: int
) -> Sample[State, str] | None:
    most, stride = 0, size[1] + 1
    for _ in range(max(1, min(_BOARDS, _EFFORT // (size[0] * size[1])))):
        (tree,) = routes.grow(draws, [length], size, margin, _texture)
        if tree is None:
            return None
        text = np.frombuffer(bytearray("\n".join(tree.walls).encode()), np.uint8)
        start, end = tree.cells[0], tree.cells[length]
        opened = kernels.open_walls(draws.state, text, stride, margin, start, end, cycles)
        if opened == cycles:
            walls = tuple(text.tobytes().decode().split("\n"))
            return Sample(State(walls, tree.start, tree.goal), tree.actions)
        most = max(most, opened)
    raise GenerationError(
        f"maze: no {size[0]}x{size[1]} board of length {length} was found with room for {cycles} "
        f"cycles that leave its length as it is, only for {most}; ask for fewer"
    )


def stats(state: State, actions: Sequence[str]) -> dict[str, Any]:
    """Return the structure of the floor, and how many ways there are to solve the maze.

    These are how many cells are floor, and how many of them have 3 or more, 2 or 1 neighbours; the
    number of shortest solutions, and the share of first actions that begin one.
    """
    found = routes.structure(state.walls, state.agent, actions)
    return found._asdict() | routes.choices(state.walls, state.agent, state.goal)._asdict()
