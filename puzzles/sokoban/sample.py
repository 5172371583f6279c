"""Sokoban boards of exact optimal length; with one box, one search backward labels every start."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from puzzles.directions import DIRECTIONS
from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample, Size
from puzzles.sokoban import FAMILY, layouts, several
from puzzles.sokoban.rules import State

INNER_WALLS = {"easy": (4, 10), "medium": (13, 17), "hard": (18, 20)}
"""Walls within the border on a 10x10 board, fewest and most: those of the published suite."""
SPREAD = 20_000
"""Pairs of box and player to label a board in any case: about ten layouts of 10x10."""
BUDGET = 3_000_000
"""Pairs that one call may label before it gives up: about 1,500 layouts of 10x10, 40 ms."""
CELLS = 4096
"""Floor cells whose pairs may have to be labelled at once: 128 MiB."""
AREA = 65_536
"""Cells within the border for which walls are drawn: up to about half a second a layout."""


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, str] | None]:
    """Return a board for each of ``lengths``, each on walls of its own; None where none was found.

    ``options["boxes"]`` says how many boxes. Raises GenerationError where no board of ``size``
    (rows, columns, border included) can have such a length, or where the search for it would not
    fit into memory.
    """
    boxes = options.get("boxes", 1)
    if boxes < 1:
        raise GenerationError(f"sokoban: a board has at least 1 box, not {boxes}")
    result: list[Sample[State, str] | None] = [None] * len(lengths)
    for tier in FAMILY.buckets:
        places = [at for at, length in enumerate(lengths) if FAMILY.tier(length) == tier]
        wanted = [lengths[at] for at in places]
        if wanted:
            walls = _inner_walls(size, tier)
            if boxes == 1:
                made = _boards(draws, wanted, size, walls)
            else:
                made = several.boards(draws, wanted, size, walls, boxes)
            for at, board in zip(places, made, strict=True):
                result[at] = board
    return result


def _inner_walls(size: Size, tier: str) -> tuple[int, int]:
    """Return the fewest and most walls within the border, or raise GenerationError."""
    rows, columns = size
    area = max(0, rows - 2) * max(0, columns - 2)
    if area == 0 or max(rows, columns) < 5:
        raise GenerationError(
            f"sokoban: a board of {rows}x{columns} has no room for player, box and target in a row"
        )
    if area > AREA:
        raise GenerationError(
            f"sokoban: a board of {rows}x{columns} has {area:,} cells within its border, "
            f"more than the {AREA:,} that the sampler takes on"
        )
    fewest, most = (min((walls * area + 32) // 64, area - 3) for walls in INNER_WALLS[tier])
    return fewest, most


def _boards(
    draws: Draws, lengths: list[int], size: Size, inner_walls: tuple[int, int]
) -> list[Sample[State, str] | None]:
    """Return boards of ``lengths`` with one box and so many walls."""
    rows, columns = size
    area, fewest = (rows - 2) * (columns - 2), inner_walls[0]
    floor = _floor(lengths, size, area - fewest, fewest)
    wall = np.ones((len(lengths) + 1, rows, columns), np.bool_)
    inner = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)[1:-1, 1:-1].ravel()
    pieces = np.zeros((len(lengths), 3), np.int32)
    actions = np.zeros((len(lengths), max(lengths)), np.int8)
    layouts.sample(
        draws.state,
        np.array(lengths, np.int64),
        columns,
        inner_walls,
        floor,
        (SPREAD * len(lengths), BUDGET),
        wall.reshape(len(lengths) + 1, -1),
        inner,
        pieces,
        actions,
    )
    marks = np.where(wall, b"#", b"-").tobytes().decode()
    cells = rows * columns
    return [
        _board(marks[at * cells : (at + 1) * cells], columns, places, actions[at, :length].tolist())
        for at, (length, places) in enumerate(zip(lengths, pieces.tolist(), strict=True))
    ]


def _floor(lengths: list[int], size: Size, most: int, fewest: int) -> int:
    """Return how many of ``most`` floor cells can matter, or raise GenerationError."""
    longest = max(lengths)
    for length in lengths:
        # Each pair of box and player occurs at most once, the box off the target.
        if not 1 <= length <= (most - 1) * (most - 1):
            raise GenerationError(
                f"sokoban: no board of {size[0]}x{size[1]} with {fewest} or more walls within its "
                f"border has the optimum {length}"
            )
    # A player who must push within so many steps is no farther from the target than this.
    floor = min(most, 2 * (longest + 1) * (longest + 2) + 1)
    if floor > CELLS:
        raise GenerationError(
            f"sokoban: a board of {size[0]}x{size[1]} of optimum {longest} has up to {floor:,} "
            f"floor cells to search, more than {CELLS:,}; ask for a smaller or shorter one"
        )
    return floor


def _board(
    marks: str, columns: int, places: list[int], actions: list[int]
) -> Sample[State, str] | None:
    player, box, target = places
    if player == 0:
        return None
    walls = tuple(marks[at : at + columns] for at in range(0, len(marks), columns))
    state = State(
        walls, divmod(player, columns), (divmod(box, columns),), (divmod(target, columns),)
    )
    return Sample(state, [DIRECTIONS[action] for action in actions])
