"""Path boards whose one route has an exact length, with labels on the route and beside it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations
from operator import ne
from typing import Any

from puzzles import routes
from puzzles.draws import Draws
from puzzles.family import Cell, GenerationError, Sample, Size
from puzzles.path import FAMILY
from puzzles.path.rules import State, answer_of, legal_actions

_LETTERS = "ABCDE"
_ORDERS = [tuple(permutations(_LETTERS[:count])) for count in range(len(_LETTERS) + 1)]
_ANYWHERE = (64, 64, 64, 64)
_TEXTURES = {
    "easy": routes.Texture(14, 17, _ANYWHERE),
    "medium": routes.Texture(21, 25, _ANYWHERE),
    "hard": routes.Texture(28, 33, _ANYWHERE),
}


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, str] | None]:
    """Return a board and the steps of its route for each of ``lengths``.

    None stands where the effort was in vain. With the option ``border`` the cells along the sides
    are walls. Floor cells form a tree, so that there is one simple route. Five cells have labels,
    up to three of them on the route; fewer where no more fit, but one on it and one off it at
    least. Raises GenerationError where a length can't fit.
    """
    margin = 1 if options["border"] else 0
    return [_board(draws, length, size, margin) for length in lengths]


def _board(draws: Draws, length: int, size: Size, margin: int) -> Sample[State, str] | None:
    if length < 2:
        raise GenerationError(
            f"path: a route of length {length} has no cell for a label; ask for 2"
        )
    routes.check_room("path", length, size, margin, leaves=1)
    board = routes.grow(draws, length, size, margin, _TEXTURES[FAMILY.tier(length)])
    if board is None or len(board.cells) == length + 1:
        return None
    labels = _labels(draws, board, length)
    return Sample(State(board.walls, board.start, board.goal, labels), board.actions)


def _labels(draws: Draws, board: routes.Board, length: int) -> tuple[tuple[str, Cell], ...]:
    """Label one cell in each of up to three stretches of the route, and some off the route."""
    between, side = board.cells[1:length], board.cells[length + 1 :]
    on = min(3, len(between))
    ends = [len(between) * part // on for part in range(on + 1)]
    cells = [between[low + draws.below(high - low)] for low, high in pairwise(ends)]
    for _ in range(min(len(_LETTERS) - on, len(side))):
        at = draws.below(len(side))
        cells.append(side[at])
        side[at] = side[-1]
        side.pop()
    letters = draws.choice(_ORDERS[len(cells)])
    return tuple(sorted(zip(letters, map(board.cell, cells), strict=True)))


def stats(state: State, actions: Sequence[str]) -> dict[str, Any]:
    """Return how many cells are floor, and how many have 3 or more, 2 or 1 neighbours.

    Also how many labels the route passes, how often it turns, and what share of the first steps
    lies on it: of the shortest solutions, too, there is one only.
    """
    found = routes.structure(state.walls, state.agent, actions)
    first_moves = len(legal_actions(state))
    return {
        "walkable": found.walkable,
        "branches": found.branches,
        "corridors": found.corridors,
        "dead_ends": found.dead_ends,
        "labels_on_path": len(answer_of(state, actions)),
        "turns": sum(map(ne, actions, actions[1:])),
        "optimal_solutions": 1,
        "good_first_moves": round(1 / first_moves, 4) if actions else 0.0,
    }
