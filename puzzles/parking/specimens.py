"""Car parks that show all that the cells of a picture can look like."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from string import ascii_letters
from typing import Any

from puzzles.parking.rules import RED, State, Vehicle

Placed = tuple[str, int, int]  # a vehicle in a lane: its name, its length, and where it begins

_LANES = (((2, 0), (4, 3), (2, 8)), ((4, 0), (2, 4), (4, 6)))
"""Vehicles, by length and place, in lanes of ten cells: each at either end, and between."""


def specimens(rules: Mapping[str, Any]) -> Iterator[State]:
    """Yield lots in which every part stands at every edge, at none, and under the exit."""
    yield from _grounds()
    for name, across in product(ascii_letters, (True, False)):
        if name == RED and not across:  # red cars are horizontal
            continue
        for lane in _LANES:
            cars = [(name, length, at) for length, at in lane]
            yield _lot([cars] * 3, 10, across)
            yield _lot([cars], 10, across)
            if not across:
                yield _beneath_exits(cars)
            elif name != RED:
                length = lane[-1][0]
                yield _lot([[(RED, 2, 0), (name, length, 2)]] * 3, 2 + length, across)


def _grounds() -> Iterator[State]:
    """Lots with nothing but tarmac or walls, and such with exits."""
    for rows, cols in product((1, 3), repeat=2):
        everywhere = tuple(product(range(rows), range(cols)))
        yield State(rows, cols, (), ())
        yield State(rows, cols, everywhere, ())
    for rows in (1, 3):
        red = tuple(Vehicle(RED, row, 0, 2, True) for row in range(rows))
        yield State(rows, 3, (), red)
        yield State(rows, 3, tuple((row, 2) for row in range(rows)), red)


def _beneath_exits(cars: Sequence[Placed]) -> State:
    """A lot whose last column is a lane of vehicles under the exits of red cars."""
    red = [Vehicle(RED, row, 0, 2, True) for row in range(10)]
    lane = [Vehicle(name, at, 2, length, False) for name, length, at in cars]
    return State(10, 3, (), (*red, *lane))


def _lot(lanes: Sequence[Sequence[Placed]], long: int, across: bool) -> State:
    """Lanes beside each other, rows or columns, of vehicles by name, length and place."""
    cars = []
    for lane, row in enumerate(lanes):
        for name, length, at in row:
            r, c = (lane, at) if across else (at, lane)
            cars.append(Vehicle(name, r, c, length, across))
    rows, cols = (len(lanes), long) if across else (long, len(lanes))
    return State(rows, cols, (), tuple(cars))
