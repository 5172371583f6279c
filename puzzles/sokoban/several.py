"""Sokoban boards of exact optimal length with several boxes: a search backward from all goals."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import DIRECTIONS
from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample, Size
from puzzles.sokoban import explore, layouts
from puzzles.sokoban.rules import State
from puzzles.sokoban.stats import MOST, digits, shortest, structure

TRIES = 64
"""Layouts that are looked at for a start with every box off the targets, the best one kept."""
LAYOUT = 2_000
"""What a layout costs, in states."""
BUDGET = 2_000_000
"""States that are looked at in vain, up to half a second, before a call gives up."""


class _Start(NamedTuple):
    """A start on a layout: how many boxes are off targets, and the board with its solution."""

    off: int
    wall: NDArray[np.bool_]
    targets: NDArray[np.int32]
    pieces: NDArray[np.int32]
    actions: NDArray[np.int8]
    solutions: NDArray[np.uint64]
    first: int


def boards(
    draws: Draws, lengths: list[int], size: Size, inner_walls: tuple[int, int], boxes: int
) -> list[Sample[State, str] | None]:
    """Return a board for each of ``lengths``, each on walls of its own.

    They are None from the first one on for which none was found.
    Raises GenerationError where the states that have to be looked at are more than ``MOST``.
    """
    area = (size[0] - 2) * (size[1] - 2)
    if boxes > area - inner_walls[0] - 1:
        raise GenerationError(
            f"sokoban: a board of {size[0]}x{size[1]} with {inner_walls[0]} or more walls within "
            f"its border has no room for {boxes} boxes"
        )
    for length in lengths:
        if length < 1:
            raise GenerationError(f"sokoban: no board to be solved has the optimum {length}")
    found: list[Sample[State, str] | None] = []
    for length in lengths:
        best = _draw(draws, length, size, inner_walls, boxes)
        if best is None:  # who asks again gets new draws; the others need not wait for that
            break
        found.append(_board(best, size[1]))
    return found + [None] * (len(lengths) - len(found))


def _draw(
    draws: Draws, length: int, size: Size, inner_walls: tuple[int, int], boxes: int
) -> _Start | None:
    """Return the best start among those of many layouts.

    All starts of this length on one layout with as many boxes off targets are equally likely.
    """
    best: _Start | None = None
    looked_at = beyond = 0
    for tried in range(BUDGET):
        if looked_at > BUDGET or (best and tried >= TRIES) or beyond == 2:
            break
        wall = np.ones(size, np.bool_).ravel()
        inner = np.arange(len(wall), dtype=np.int32).reshape(size)[1:-1, 1:-1].ravel()
        looked_at += LAYOUT + len(wall)
        if not layouts.draw_walls(draws.state, size[1], inner_walls, wall, inner):
            continue
        targets = _targets(draws, wall, inner, size[1], boxes, max(2, length // (boxes - 1)))
        if len(targets) < boxes:
            continue
        pieces, actions = np.zeros(boxes + 1, np.int32), np.zeros(length, np.int8)
        solutions = digits(length)
        off, first, states = explore.draw_start(
            *(draws.state, wall, size[1], targets, length, MOST, pieces, actions, solutions)
        )
        looked_at += states
        beyond += off < 0
        if off > (best.off if best else 0):
            best = _Start(off, wall, targets, pieces, actions, solutions, first)
        if best and best.off == min(boxes, length):
            break
    if beyond and not best:
        raise GenerationError(
            f"sokoban: more than {MOST:,} states of a {size[0]}x{size[1]} board with {boxes} boxes "
            f"are within {length} moves of a goal; ask for a shorter length or fewer boxes"
        )
    return best


def _targets(
    draws: Draws,
    wall: NDArray[np.bool_],
    inner: NDArray[np.int32],
    columns: int,
    boxes: int,
    far: int,
) -> NDArray[np.int32]:
    """Draw targets of which none is more than ``far`` steps from the first, so that all are used.

    Fewer than ``boxes`` where there is no room.
    """
    free = inner[~wall[inner]]
    if len(free) == 0:
        return free
    first = free[draws.below(len(free)) :][:1]
    near, _, _ = explore.number_floor(wall, columns, first, far)
    others = draws.shuffled(near[1:].tolist())[: boxes - 1]
    return np.array([near[0], *others], np.int32)


def _board(start: _Start, columns: int) -> Sample[State, str]:
    marks = np.where(start.wall, b"#", b"-").tobytes().decode()
    walls = tuple(marks[at : at + columns] for at in range(0, len(marks), columns))
    player, *boxes = (divmod(cell, columns) for cell in start.pieces.tolist())
    targets = sorted(divmod(cell, columns) for cell in start.targets.tolist())
    state = State(walls, player, tuple(sorted(boxes)), tuple(targets))
    actions = [DIRECTIONS[action] for action in start.actions.tolist()]
    stats = structure(state, actions) | shortest(state, start.solutions, start.first)
    return Sample(state, actions, stats)
