"""What can be said of a Sokoban board beside its optimal length."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import STEPS
from puzzles.family import Cell
from puzzles.sokoban import explore
from puzzles.sokoban.rules import State, legal_actions

MOST = 4_000_000
"""States that are looked at to count shortest solutions: up to a second and 100 MB."""
_BASE = 62


def stats(state: State, actions: Sequence[str]) -> dict[str, Any]:
    """Return what can be said of a board's structure and of its solution ``actions``.

    ``actions`` is a shortest solution. box_lines counts the straight runs of one box without a
    step in between, box_changes how often another box is taken up, retreats the pushes that take a
    box farther from its nearest target. optimal_solutions and good_first_moves, see ``shortest``,
    are left out where more than ``MOST`` states would have to be looked at.
    """
    return structure(state, actions) | _shortest(state, len(actions))


def structure(state: State, actions: Sequence[str]) -> dict[str, Any]:
    """Return the part of the stats that takes no search."""
    player, boxes, targets = state.player, set(state.boxes), state.targets
    pushes = lines = changes = retreats = 0
    last = running = None
    for action in actions:
        down, right = STEPS[action]
        player = player[0] + down, player[1] + right
        if player not in boxes:
            running = None
            continue
        box = player[0] + down, player[1] + right
        boxes.remove(player)
        boxes.add(box)
        pushes += 1
        lines += running != player
        changes += last not in (None, player)
        retreats += _nearest(targets, box) > _nearest(targets, player)
        last = running = box
    inner = sum(row[1:-1].count("#") for row in state.walls[1:-1])
    return {
        "boxes": len(state.boxes),
        "floor": sum(row.count("-") for row in state.walls),
        "inner_walls": inner,
        "pushes": pushes,
        "box_lines": lines,
        "box_changes": changes,
        "retreats": retreats,
    }


def _nearest(targets: Sequence[Cell], cell: Cell) -> int:
    return min(abs(cell[0] - r) + abs(cell[1] - c) for r, c in targets)


def digits(length: int) -> NDArray[np.uint64]:
    """Return zeros for the number of solutions of ``length``, as the kernels count them."""
    return np.zeros((1, 2 * length // _BASE + 1), np.uint64)


def shortest(state: State, solutions: NDArray[np.uint64], first: int) -> dict[str, Any]:
    """Return what the kernels have counted, as stats.

    optimal_solutions is the number of shortest solutions, told apart by their actions;
    good_first_moves the share of the legal first actions that begin one.
    """
    count = sum(int(digit) << _BASE * at for at, digit in enumerate(solutions[0]))
    legal = len(legal_actions(state))
    share = round(first / legal, 4) if legal else 0.0
    return {"optimal_solutions": count, "good_first_moves": share}


def _shortest(state: State, length: int) -> dict[str, Any]:
    """Count the shortest solutions, at most ``length`` long; nothing where that would take long."""
    rows, columns = len(state.walls) + 2, len(state.walls[0]) + 2
    wall = np.ones((rows, columns), np.bool_)
    marks = np.frombuffer("".join(state.walls).encode(), np.uint8)
    wall[1:-1, 1:-1] = (marks == ord("#")).reshape(rows - 2, columns - 2)
    places = [(r + 1) * columns + c + 1 for r, c in (*state.boxes, *state.targets)]
    player = (state.player[0] + 1) * columns + state.player[1] + 1
    pieces, solutions = np.array(places, np.int32).reshape(2, -1), digits(length)
    first = explore.measure(
        wall.ravel(), columns, player, pieces[0], pieces[1], length, MOST, solutions
    )
    return shortest(state, solutions, first) if first >= 0 else {}
