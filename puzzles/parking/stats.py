"""What can be said of a board beyond its optimal length: its structure, and its solutions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.parking.direct import starting
from puzzles.parking.explore import explore, tally
from puzzles.parking.rules import RED, Slide, State, legal_actions

MOST = 1 << 20
"""States that a search for all solutions may hold, at 60 bytes each."""


def stats(state: State, actions: Sequence[Slide]) -> dict[str, Any]:
    """Return ``structure`` and ``shares`` of a board that ``actions`` solve."""
    return {**structure(state, actions), **shares(state, *_counted(state, len(actions)))}


def structure(state: State, actions: Sequence[Slide]) -> dict[str, Any]:
    """Return counts of what a board holds and of what its solution ``actions`` moves.

    blockers
        Vehicles that stand between R and the exit.
    movers, red_moves
        How many vehicles but R ``actions`` move, and how many of them move R.
    """
    red = state.vehicles[0]
    way = {(red.row, col) for col in range(red.col + red.length, state.cols)}
    filled = len(state.walls) + sum(car.length for car in state.vehicles)
    return {
        "vehicles": len(state.vehicles),
        "long_vehicles": sum(car.length > 2 for car in state.vehicles),
        "walls": len(state.walls),
        "empty_cells": state.rows * state.cols - filled,
        "red_column": red.col,
        "blockers": sum(not way.isdisjoint(car.cells()) for car in state.vehicles[1:]),
        "movers": len({action.car for action in actions} - {RED}),
        "red_moves": sum(action.car == RED for action in actions),
    }


def shares(state: State, ways: int | None, good: int) -> dict[str, Any]:
    """Return what there is to say of a board with so many solutions and good first moves.

    optimal_solutions
        How many sequences of actions solve the board in the fewest moves.
    good_first_moves
        The share of the legal first actions that begin one of them.

    Both are None where ``ways`` is: there are too many states or solutions to count.
    """
    share = None if ways is None else round(good / max(1, len(legal_actions(state))), 4)
    return {"optimal_solutions": ways, "good_first_moves": share}


class Arrays(NamedTuple):
    """What ``explore`` and ``tally`` work on, for so many states; see there."""

    queue: NDArray[np.uint64]
    parents: NDArray[np.int32]
    slots: NDArray[np.uint64]
    where: NDArray[np.int32]
    counts: NDArray[np.int64]
    nodes: NDArray[np.int32]

    def part(self, room: int) -> "Arrays":
        """Return the beginning of the arrays, enough for ``room`` states."""
        queue, parents, slots, where, counts, nodes = self
        table = slots[: 2 * room], where[: 2 * room]
        return Arrays(queue[:room], parents[:room], *table, counts[:room], nodes[:room])


def arrays(room: int) -> Arrays:
    """Return arrays for ``room`` states, a power of two."""
    return Arrays(
        *(np.empty(room, np.uint64), np.empty(room, np.int32)),
        *(np.zeros(2 * room, np.uint64), np.empty(2 * room, np.int32)),
        *(np.zeros((room, 2), np.int64), np.empty(room, np.int32)),
    )


def solutions(
    lots: tuple[NDArray[Any], ...],
    held: Arrays,
    layers: NDArray[np.int64],
    places: NDArray[np.int64],
    deep: int,
) -> tuple[int | None, int, int]:
    """Return how many shortest ways lead from states of layer ``deep`` to layer 0.

    And how many states of the layer below, and of layer 1, lie on them; None for more ways than
    can be counted (2**124).
    """
    low, high, below, first = tally(
        *(lots, held.queue, held.slots, held.where, layers, places, deep, held.counts, held.nodes)
    )
    return None if high < 0 else int(low) + (int(high) << 62), int(below), int(first)


def _counted(state: State, length: int) -> tuple[int | None, int]:
    """Return how many optimal solutions there are, and how many first moves begin one.

    ``length`` is that of some solution, in single actions: the optimum or more.
    """
    word, solved, lots = starting(state)
    room = 1 << 12
    while len(lots[0]) and room < MOST:
        room *= 4
        held, layers = arrays(room), np.empty(length + 2, np.int64)
        held.queue[0] = word
        depth, entered = explore(lots, held.queue, held.parents, 1, held.slots, held.where, layers)
        seen = held.queue[: layers[depth]]
        goals = np.flatnonzero(np.uint64(solved) >> (seen & lots[1][0]) & np.uint64(1))
        if len(goals):
            deep = int(np.searchsorted(layers[: depth + 1], goals[0], "right")) - 1
            if deep == 0:
                return 1, 0
            nearest = goals[goals < layers[deep + 1]]
            ways, _, good = solutions(lots, held, layers, nearest, deep)
            return ways, good
        if entered < room // 2:  # all that can be reached, and nothing is solved
            break
    return None, 0
