"""Parking lots of exact lengths, taken from searches that begin at all solved boards."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import quoted
from puzzles.draws import Draws
from puzzles.family import Cell, GenerationError, Sample, Size
from puzzles.parking import FAMILY
from puzzles.parking.explore import clear, explore, pick, tabulate
from puzzles.parking.layouts import propose
from puzzles.parking.lines import Lines, slides, vehicles
from puzzles.parking.plans import TIERS, Plan, Tier, exit_row, least, plan_of, wanted
from puzzles.parking.rules import RED, Slide, State, Vehicle
from puzzles.parking.stats import Arrays, arrays, shares, solutions, structure

LIMIT = 1 << 17
"""States that one search may hold."""
RATIO = 80
"""A search is given up at so many states for each solved one: such lots are too loose."""
DRAWS = 60
"""How often vehicles are drawn before the plan is drawn anew."""
YARD = 12
"""Larger lots are not searched: their vehicles stand in a walled yard of this size at the exit."""


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, Slide] | None]:
    """Return for each of ``lengths`` a board of that optimal length, None where none was found.

    R leaves in row (rows - 1) // 2. The option ``walls`` says how many fixed walls stand on the
    board, outside R's row. Raises GenerationError where no board can have the length.
    """
    yard = (min(size[0], YARD), min(size[1], YARD))
    walls = options.get("walls", 0)
    _check(lengths, size, yard)
    _check_walls(walls, size, yard)
    found: list[Sample[State, Slide] | None] = [None] * len(lengths)
    tiers = [FAMILY.tier(length) for length in lengths]
    for name in dict.fromkeys(tiers):
        asked = [k for k in range(len(lengths)) if tiers[k] == name]
        for k, one in _search(draws, [lengths[k] for k in asked], yard, TIERS[name], walls):
            state = _walled(one.state, size, yard)
            stats = {**structure(state, one.actions), **(one.stats or {})}
            found[asked[k]] = Sample(state, one.actions, stats)
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


def _check_walls(walls: Any, size: Size, yard: Size) -> None:
    free = (yard[0] - 1) * yard[1]
    if type(walls) is not int or walls < 0:
        raise GenerationError(f"parking: walls is a number of walls, not {quoted(walls)}")
    if walls > free:
        raise GenerationError(
            f"parking: a board of {size[0]} rows and {size[1]} columns has room for {free} walls "
            f"beside R's row, not {walls}"
        )


class _Found(NamedTuple):
    """What a search leaves: all boards of some lines, layer by layer, each with a parent."""

    plan: Plan
    lines: Lines
    lots: tuple[NDArray[np.uint64], ...]
    walls: NDArray[np.int64]
    arrays: Arrays
    layers: NDArray[np.int64]


def _search(
    draws: Draws, lengths: list[int], size: Size, tier: Tier, walls: int
) -> list[tuple[int, Sample[State, Slide]]]:
    """Return boards, each with its index in ``lengths``; the longest are looked for first."""
    whole, layers = arrays(LIMIT), np.empty(min(max(lengths), LIMIT) + 2, np.int64)
    missing = sorted(range(len(lengths)), key=lambda k: -lengths[k])
    result: list[tuple[int, Sample[State, Slide]]] = []
    cells = np.empty((walls, 2), np.int64)
    for _ in range(64 + 16 * len(lengths)):
        if not missing:
            break
        plan = plan_of(draws, tier, size)
        *parts, n = propose(
            *(draws.state, plan.book.tables, plan.draw, cells, plan.at_exit, plan.needed),
            *(least(tier.blockers[0], size), DRAWS, whole.queue[: tier.solved]),
        )
        if not n:
            continue
        lines, deepest = Lines(*parts), min(lengths[missing[0]], LIMIT)
        found = _Found(
            *(plan, lines, tabulate(plan.book.tables, *lines), cells),
            *(whole.part(min(LIMIT, 1 << (RATIO * n - 1).bit_length())), layers[: deepest + 2]),
        )
        queue, parents, slots, where, _, _ = found.arrays
        depth, entered = explore(found.lots, queue, parents, n, slots, where, found.layers)
        reached = [k for k in missing if lengths[k] < depth]
        for k, one in _picked(draws, found, [(k, lengths[k]) for k in reached], size, tier):
            missing.remove(k)
            result.append((k, one))
        clear(queue, entered, slots)
    return result


def _picked(
    draws: Draws, found: _Found, lengths: list[tuple[int, int]], size: Size, tier: Tier
) -> Iterator[tuple[int, Sample[State, Slide]]]:
    """Yield boards of the (index, length) asked for, as many as one search may give."""
    plan, (queue, parents, *_) = found.plan, found.arrays
    taken: list[int] = []
    for k, length in lengths:
        layer = found.layers[length : length + 2]
        place = pick(
            *(plan.book.tables, found.lots, found.lines[:3], queue, parents),
            *(layer, draws.below(int(layer[1] - layer[0]))),
            *(wanted(draws, tier, length, size, plan), np.array(taken, np.uint64)),
        )
        if place >= 0:
            taken.append(int(queue[place]))
            yield k, _board(found, place, length, size)
        if len(taken) == tier.share:
            return


def _board(found: _Found, place: int, length: int, size: Size) -> Sample[State, Slide]:
    """Return the board at ``place`` of the queue and the way to the solved one it came from."""
    queue, parents = found.arrays.queue, found.arrays.parents
    path = [place]
    while parents[path[-1]] >= 0:
        path.append(int(parents[path[-1]]))
    book, red = found.plan.book, found.plan.red
    states = [vehicles(book, found.lines, int(queue[at])) for at in path]
    names = [RED] * len(states[0])
    others = [v for v in range(len(names)) if v != red]
    letters = (ascii_uppercase + ascii_lowercase).replace(RED, "")
    for v, name in zip(sorted(others, key=lambda v: states[0][v][:2]), letters, strict=False):
        names[v] = name
    cars = [Vehicle(name, *car) for name, car in zip(names, states[0], strict=True)]
    cars.sort(key=lambda car: (car.name != RED, car.name))
    actions: list[Slide] = []
    for before, after in pairwise(states):
        actions += slides(before, after, names)
    walls = sorted((row, col) for row, col in found.walls.tolist())
    state = State(*size, tuple(walls), tuple(cars))
    ways, good, _ = solutions(found.lots, found.arrays, found.layers, np.array([place]), length)
    return Sample(state, actions, shares(state, ways, good))


def _walled(state: State, size: Size, yard: Size) -> State:
    """Return the board within a larger one: its right side at the exit, walls all round."""
    if size == yard:
        return state
    top, left = exit_row(size) - exit_row(yard), size[1] - yard[1]
    inside = range(top, top + yard[0]), range(left, left + yard[1])
    walls: list[Cell] = [
        (r, c)
        for r in range(size[0])
        for c in range(size[1])
        if r not in inside[0] or c not in inside[1]
    ]
    walls += [(r + top, c + left) for r, c in state.walls]
    cars = [car._replace(row=car.row + top, col=car.col + left) for car in state.vehicles]
    return State(*size, tuple(sorted(walls)), tuple(cars))
