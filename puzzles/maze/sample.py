"""Mazes of an exact length, with the structure of the published suite."""

from collections.abc import Mapping, Sequence
from typing import Any

from puzzles import routes
from puzzles.draws import Draws
from puzzles.family import Sample, Size
from puzzles.maze import FAMILY
from puzzles.maze.rules import State

# Fitted to the means over the suite's mazes: cells by number of neighbours, on the path and off it.
_TEXTURES = {
    "easy": routes.Texture(18, 23, (35, 34, 20, 57)),
    "medium": routes.Texture(27, 33, (35, 34, 61, 45)),
    "hard": routes.Texture(36, 43, (18, 21, 25, 64)),
}


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, str] | None]:
    """Return a maze and its solution for each of ``lengths``; None where the effort was in vain.

    With the option ``border`` the cells along the sides are walls. Floor cells form a tree, so
    that the one simple path to the goal is the optimum. Raises GenerationError where a length
    can't fit.
    """
    margin = 1 if options["border"] else 0
    return [_maze(draws, length, size, margin) for length in lengths]


def _maze(draws: Draws, length: int, size: Size, margin: int) -> Sample[State, str] | None:
    routes.check_room("maze", length, size, margin)
    board = routes.grow(draws, length, size, margin, _TEXTURES[FAMILY.tier(length)])
    if board is None:
        return None
    return Sample(State(board.walls, board.start, board.goal), board.actions)


def stats(state: State, actions: Sequence[str]) -> dict[str, int]:
    """Return how many cells are floor, and how many of them have 3 or more, 2 or 1 neighbours."""
    return routes.structure(state.walls, state.agent, actions)._asdict()
