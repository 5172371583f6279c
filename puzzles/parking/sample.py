"""Parking lots of exact lengths, taken from searches that begin at all solved boards."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.draws import Draws
from puzzles.family import Cell, GenerationError, Sample, Size
from puzzles.parking import FAMILY
from puzzles.parking.explore import explore, pick, tabulate
from puzzles.parking.layouts import propose
from puzzles.parking.lines import Catalog, Lines, catalog, slides, vehicles
from puzzles.parking.rules import RED, Slide, State, Vehicle

LIMIT = 1 << 17
"""States that one search may hold."""
RATIO = 80
"""A search is given up at so many states for each solved one: such lots are too loose."""
DRAWS = 60
"""How often vehicles are drawn before the plan is drawn anew."""
YARD = 12
"""Larger lots are not searched: their vehicles stand in a walled yard of this size at the exit."""

Span = tuple[int, int]


class Tier(NamedTuple):
    """The structure of one difficulty on 8x8, as in the published suite.

    vehicles
        How many, R included.
    blockers, movers
        Vehicles between R and the exit; vehicles but R that the solution moves.
    columns, rows
        How many columns, and rows but R's, hold vehicles.
    tall, threes
        Percent of the vehicles beyond the first of each line that stand in columns; percent of
        vehicles that have length 3.
    solved
        From how many solved boards a search may begin. (Lots with few are tight: they are small
        to search and need long solutions more often.)
    share
        How many boards are taken from one search. They have the same vehicles in the same lines,
        but two thirds of these stand elsewhere.
    """

    vehicles: Span
    blockers: Span
    movers: Span
    columns: Span
    rows: Span
    tall: int
    threes: int
    solved: int
    share: int


TIERS = {
    "easy": Tier((5, 7), (0, 1), (0, 1), (2, 3), (1, 3), 40, 15, 8000, 1),
    "medium": Tier((10, 10), (2, 4), (4, 6), (3, 5), (2, 4), 50, 33, 1500, 1),
    "hard": Tier((12, 14), (4, 6), (6, 9), (4, 5), (2, 4), 62, 45, 600, 2),
}


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, Slide] | None]:
    """Return for each of ``lengths`` a board of that optimal length, None where none was found.

    R leaves in row (rows - 1) // 2. Raises GenerationError where no board can have the length.
    """
    yard = (min(size[0], YARD), min(size[1], YARD))
    _check(lengths, size, yard)
    found: list[Sample[State, Slide] | None] = [None] * len(lengths)
    tiers = [FAMILY.tier(length) for length in lengths]
    for name in dict.fromkeys(tiers):
        wanted = [k for k in range(len(lengths)) if tiers[k] == name]
        for k, one in _search(draws, [lengths[k] for k in wanted], yard, TIERS[name]):
            found[wanted[k]] = _walled(one, size, yard)
    return found


def _check(lengths: Sequence[int], size: Size, yard: Size) -> None:
    rows, cols = yard
    where = f"parking: a board of {size[0]} rows and {size[1]} columns"
    if rows < 1 or cols < 3:
        raise GenerationError(f"{where} has no room for R to move; it takes 3 columns")
    for length in lengths:
        if length < 1:
            raise GenerationError(f"parking: an optimal length of {length} is not possible")
        if rows < 4 and length > cols - 2:
            raise GenerationError(
                f"{where} is solved in {cols - 2} actions at most, not {length}: "
                "it takes 4 rows for a vehicle to give way to R"
            )


class _Plan(NamedTuple):
    """What a search looks for: the arguments of ``propose``, and R's place in its row."""

    book: Catalog
    draw: tuple[int, ...]
    at_exit: np.uint64
    needed: np.uint64
    red: int


def _plan(draws: Draws, tier: Tier, size: Size) -> _Plan:
    rows, cols = size
    book = catalog(rows, cols)
    count = (_between(draws, tier.vehicles) * (rows + cols) + 8) // 16 - 1
    behind: tuple[int, ...] = ()
    if tier.blockers[0] == 0 and (cols, (3, 2)) in book.number and draws.below(2):
        behind = (2 + draws.below(2),)
    count -= len(behind)
    columns = min(_between(draws, tier.columns), cols - 2, count) if rows > 3 else 0
    more_rows = min(_between(draws, tier.rows), rows - 1, count - columns)
    count = count if columns + more_rows else 0
    group = book.number[cols, (*behind, 2)]
    at_exit = sum(1 << c for c, way in enumerate(book.ways[group]) if way[-1] == cols - 2)
    every = (1 << len(book.ways[group])) - 1
    return _Plan(
        book,
        (rows, cols, _exit(size), group, count, columns, more_rows, tier.tall, tier.threes),
        np.uint64(at_exit),
        np.uint64(at_exit if behind else every),
        len(behind),
    )


def _between(draws: Draws, span: Span) -> int:
    return span[0] + draws.below(span[1] - span[0] + 1)


def _exit(size: Size) -> int:
    return (size[0] - 1) // 2


def _least(count: int, size: Size) -> int:
    """Return how many of an 8x8 board's blockers or movers are asked of a board of ``size``."""
    return min(count, count * (size[1] - 2) // 6) if size[0] > 3 else 0


def _wanted(draws: Draws, tier: Tier, length: int, size: Size, plan: _Plan) -> tuple[int, ...]:
    """Return what ``pick`` goes by for a board of ``length``.

    R starts in the first column, or as far from the exit as leaves an action or two for others.
    Where these are too few for the tier's movers, each of them may be another vehicle's.
    """
    spare = draws.choice((0, 1, 1, 2)) if tier.blockers[0] == 0 else 2
    far = min(max(1, length - spare), size[1] - 2) if size[0] > 3 else length
    return (
        *(plan.red, size[1] - 2 - far, _exit(size)),
        *(_least(tier.blockers[0], size), tier.blockers[1]),
        *(min(_least(tier.movers[0], size), length - far), tier.movers[1]),
        2 * (plan.draw[4] + 1) // 3,
    )


class _Found(NamedTuple):
    """What a search leaves: all boards of some lines, layer by layer, each with a parent."""

    book: Catalog
    lines: Lines
    queue: NDArray[np.uint64]
    parents: NDArray[np.int32]
    red: int


def _search(
    draws: Draws, lengths: list[int], size: Size, tier: Tier
) -> list[tuple[int, Sample[State, Slide]]]:
    """Return boards, each with its index in ``lengths``; the longest are looked for first."""
    queue, parents = np.empty(LIMIT, np.uint64), np.empty(LIMIT, np.int32)
    slots, layers = np.zeros(2 * LIMIT, np.uint64), np.empty(min(max(lengths), LIMIT) + 2, np.int64)
    missing = sorted(range(len(lengths)), key=lambda k: -lengths[k])
    result: list[tuple[int, Sample[State, Slide]]] = []
    for _ in range(64 + 16 * len(lengths)):
        if not missing:
            break
        plan = _plan(draws, tier, size)
        *parts, n = propose(
            *(draws.state, plan.book.tables, plan.draw, plan.at_exit, plan.needed),
            *(_least(tier.blockers[0], size), DRAWS, queue[: tier.solved]),
        )
        if not n:
            continue
        found = _Found(plan.book, Lines(*parts), queue, parents, plan.red)
        lots = tabulate(plan.book.tables, *found.lines)
        room = min(LIMIT, 1 << (RATIO * n - 1).bit_length())
        deepest = min(lengths[missing[0]], LIMIT)
        depth = explore(lots, queue[:room], parents, n, slots[: 2 * room], layers[: deepest + 2])
        taken: list[int] = []
        for k in [k for k in missing if lengths[k] < depth]:
            layer = layers[lengths[k] : lengths[k] + 2]
            place = pick(
                *(plan.book.tables, lots, found.lines[:3], queue, parents),
                *(layer, draws.below(int(layer[1] - layer[0]))),
                *(_wanted(draws, tier, lengths[k], size, plan), np.array(taken, np.uint64)),
            )
            if place >= 0:
                taken.append(int(queue[place]))
                missing.remove(k)
                result.append((k, _board(found, place, size)))
            if len(taken) == tier.share:
                break
    return result


def _board(found: _Found, place: int, size: Size) -> Sample[State, Slide]:
    """Return the board at ``place`` of the queue and the way to the solved one it came from."""
    path = [place]
    while found.parents[path[-1]] >= 0:
        path.append(int(found.parents[path[-1]]))
    states = [vehicles(found.book, found.lines, int(found.queue[at])) for at in path]
    names = [RED] * len(states[0])
    others = [v for v in range(len(names)) if v != found.red]
    letters = (ascii_uppercase + ascii_lowercase).replace(RED, "")
    for v, name in zip(sorted(others, key=lambda v: states[0][v][:2]), letters, strict=False):
        names[v] = name
    cars = [Vehicle(name, *car) for name, car in zip(names, states[0], strict=True)]
    cars.sort(key=lambda car: (car.name != RED, car.name))
    actions: list[Slide] = []
    for before, after in pairwise(states):
        actions += slides(before, after, names)
    return Sample(State(*size, (), tuple(cars)), actions)


def _walled(one: Sample[State, Slide], size: Size, yard: Size) -> Sample[State, Slide]:
    """Return the board within a larger one: its right side at the exit, walls all round."""
    if size == yard:
        return one
    top, left = _exit(size) - _exit(yard), size[1] - yard[1]
    inside = range(top, top + yard[0]), range(left, left + yard[1])
    walls: list[Cell] = [
        (r, c)
        for r in range(size[0])
        for c in range(size[1])
        if r not in inside[0] or c not in inside[1]
    ]
    cars = [car._replace(row=car.row + top, col=car.col + left) for car in one.state.vehicles]
    return Sample(State(*size, tuple(walls), tuple(cars)), one.actions)


def stats(state: State, actions: Sequence[Slide]) -> dict[str, Any]:
    """Return counts of a board's structure.

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
