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

_LETTERS, _MOST_ON_ROUTE = "ABCDE", 3
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
    shortest, longest = min(lengths), max(lengths)
    if shortest < 2:
        raise GenerationError(
            f"path: a route of length {shortest} has no cell for a label; ask for 2"
        )
    routes.check_room("path", longest, size, margin, leaves=1)
    boards = routes.grow(draws, lengths, size, margin, _texture)
    return [board and _path(draws, board) for board in boards]


def _texture(length: int) -> routes.Texture:
    return _TEXTURES[FAMILY.tier(length)]


def _path(draws: Draws, board: routes.Board) -> Sample[State, str] | None:
    """Return the board with labels; None where no cell lies off the route."""
    length = len(board.actions)
    if len(board.cells) == length + 1:
        return None
    on = min(_MOST_ON_ROUTE, length - 1)
    state = State(board.walls, board.start, board.goal, _labels(draws, board, length, on))
    stats = _stats(board.structure, on, board.actions, board.first_steps)
    return Sample(state, board.actions, stats)


def _labels(
    draws: Draws, board: routes.Board, length: int, on: int
) -> tuple[tuple[str, Cell], ...]:
    """Label a cell in each of ``on`` stretches of the route, and some off the route."""
    ends = [1 + (length - 1) * part // on for part in range(on + 1)]
    cells = [board.cells[low + draws.below(high - low)] for low, high in pairwise(ends)]
    side = list(board.cells[length + 1 :])
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
    return _stats(found, len(answer_of(state, actions)), actions, len(legal_actions(state)))


def _stats(
    found: routes.Structure, labels: int, actions: Sequence[str], first_steps: int
) -> dict[str, Any]:
    return {
        "walkable": found.walkable,
        "branches": found.branches,
        "corridors": found.corridors,
        "dead_ends": found.dead_ends,
        "labels_on_path": labels,
        "turns": sum(map(ne, actions, actions[1:])),
        "optimal_solutions": 1,
        "good_first_moves": round(1 / first_steps, 4) if actions else 0.0,
    }
