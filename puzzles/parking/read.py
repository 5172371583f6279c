"""Which parts of vehicles stand in the cells of a car park, and the board that such parts make."""

from collections.abc import Mapping, Sequence
from itertools import product
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import changes
from puzzles.directions import DIRECTIONS
from puzzles.family import Cell, InvalidBoard
from puzzles.parking.rules import RED, State, Vehicle
from puzzles.parking.view import body_of

Parts = NDArray[np.int16]

_at = changes.at

EMPTY, WALL = "an empty cell", "a wall"
SINGLE = "a car of one cell"
CAR_BACK, CAR_FRONT = "the back of a car", "the front of a car"
TRUCK_BACK, TRUCK_SECOND = "the back of a truck", "the second cell of a truck"
TRUCK_MIDDLE, TRUCK_FRONT = "the middle of a truck", "the front of a truck"
BACKS = (SINGLE, CAR_BACK, TRUCK_BACK)
NEXT = {
    CAR_BACK: (CAR_FRONT,),
    TRUCK_BACK: (TRUCK_SECOND,),
    TRUCK_SECOND: (TRUCK_MIDDLE, TRUCK_FRONT),
    TRUCK_MIDDLE: (TRUCK_MIDDLE, TRUCK_FRONT),
}
"""What follows a cell of a vehicle, towards its front."""
LETTERED = (SINGLE, CAR_BACK, CAR_FRONT, TRUCK_BACK, TRUCK_SECOND)
"""Cells that hold the letter or a half of it; the others show the colour alone."""
_COLOURED = (TRUCK_MIDDLE, TRUCK_FRONT)
_LETTERS = ascii_uppercase + ascii_lowercase
_ALIKE = {name: next(n for n in _LETTERS if body_of(n) == body_of(name)) for name in _LETTERS}
"""The first letter of the colour that a letter has."""


class Part(NamedTuple):
    """What stands in a cell.

    name
        The letter of the vehicle; where the cell doesn't show it, the first of its colour.
    across
        Whether the vehicle is horizontal.
    exit
        Whether the mark of the exit lies on the cell.
    """

    kind: str
    name: str = ""
    across: bool = False
    exit: bool = False


_VEHICLES = [
    *product(LETTERED, _LETTERS, (False, True)),
    *product(_COLOURED, dict.fromkeys(_ALIKE.values()), (False, True)),
]
PARTS = [
    Part(kind, name, across, way_out)
    for way_out in (False, True)
    for kind, name, across in ((EMPTY, "", False), (WALL, "", False), *_VEHICLES)
]
NUMBERS = {part: number for number, part in enumerate(PARTS)}


def parts(state: State) -> Parts:
    """Return what stands in every cell, int16 (rows, columns): indices of PARTS."""
    shown = dict.fromkeys(product(range(state.rows), range(state.cols)), Part(EMPTY))
    shown |= dict.fromkeys(state.walls, Part(WALL))
    for car in state.vehicles:
        for cell, kind in zip(car.cells(), _kinds(car.length), strict=True):
            name = car.name if kind in LETTERED else _ALIKE[car.name]
            shown[cell] = Part(kind, name, car.horizontal)
    for row in {car.row for car in state.vehicles if car.name == RED}:
        way_out = row, state.cols - 1
        shown[way_out] = shown[way_out]._replace(exit=True)
    numbers = [NUMBERS[part] for part in shown.values()]
    return np.array(numbers, np.int16).reshape(state.rows, state.cols)


def _kinds(length: int) -> list[str]:
    """Return what the cells of a vehicle are, from its back to its front."""
    if length <= 2:
        return [[SINGLE], [CAR_BACK, CAR_FRONT]][length - 1]
    return [TRUCK_BACK, TRUCK_SECOND, *[TRUCK_MIDDLE] * (length - 3), TRUCK_FRONT]


def assemble(seen: Parts) -> str:
    """Return the board that the parts make, the inverse of ``parts``.

    Raises InvalidBoard, naming the cell, where a vehicle lacks a part, is called like another one,
    or has a letter of which one half is not the other's; for a cell that can't be told; and where
    the exit is not in the row of the red car.
    """
    shown = {at: _part(int(number), at) for at, number in np.ndenumerate(seen)}
    board = np.full(seen.shape, ".")
    named: dict[str, Cell] = {}
    taken: set[Cell] = set()
    for at, part in shown.items():
        board[at] = "#" if part.kind == WALL else board[at]
        if part.kind not in BACKS:
            continue
        if part.name in named:
            first = _at(named[part.name])
            raise InvalidBoard(f"parking: {_called(part, at)} is called like the one at {first}")
        named[part.name] = at
        for cell in _cells(shown, at):
            board[cell] = part.name
            taken.add(cell)
    for at, part in shown.items():
        if part.name and at not in taken:
            raise InvalidBoard(f"parking: {_what(part)} at {_at(at)} lacks the cell behind it")
    _check_exit(shown, named.get(RED))
    return "\n".join("".join(row) for row in board)


def changed(before: State, after: State) -> str:
    """Name what is another in ``after`` though no move changes it; "" where nothing is."""
    if (before.rows, before.cols) != (after.rows, after.cols):
        return f"{before.rows}x{before.cols} cells have become {after.rows}x{after.cols}"
    other = changes.cells("wall", before.walls, after.walls)
    if other:
        return other
    old, new = ({car.name: car for car in state.vehicles} for state in (before, after))
    for name in sorted({*old} ^ {*new}):
        return f"vehicle {name} is {'gone' if name in old else 'new'}"
    for name, car in old.items():
        now = new[name]
        if (now.length, now.horizontal) != (car.length, car.horizontal):
            return f"vehicle {name} is no longer {_build(car)} but {_build(now)}"
        if (now.row if car.horizontal else now.col) != (car.row if car.horizontal else car.col):
            return f"vehicle {name} has left its {'row' if car.horizontal else 'column'}"
    return ""


def goes_on(number: int) -> list[bool]:
    """Return over which sides, in the order of DIRECTIONS, a vehicle goes on."""
    part = PARTS[number]
    ahead = part.kind in NEXT
    behind = any(part.kind in kinds for kinds in NEXT.values())
    sides = {"right": ahead, "left": behind} if part.across else {"down": ahead, "up": behind}
    return [sides.get(way, False) for way in DIRECTIONS]


def _build(car: Vehicle) -> str:
    return f"{'horizontal' if car.horizontal else 'vertical'} and {car.length} cells long"


def _part(number: int, at: tuple[int, ...]) -> Part:
    if not 0 <= number < len(PARTS):
        raise InvalidBoard(f"parking: what stands at {_at(at)} can't be told")
    return PARTS[number]


def _cells(shown: Mapping[Any, Part], start: Cell) -> list[Cell]:
    """Return the cells of the vehicle whose back is at ``start``; raise where it is not whole."""
    cells, part = [start], shown[start]
    name, down, along = part.name, int(not part.across), int(part.across)
    while part.kind in NEXT:
        at = cells[-1][0] + down, cells[-1][1] + along
        follows = shown.get(at, Part("the edge of the board"))
        if not goes_before(part, follows):
            whole = _called(shown[start], start)
            raise InvalidBoard(f"parking: {whole} is cut off at {_at(at)} by {_what(follows)}")
        if follows.kind in LETTERED and follows.name != name:
            raise InvalidBoard(
                f"parking: the letter of the vehicle at {_at(start)} can't be told: "
                f"one half is of {name}, the other of {follows.name}"
            )
        cells.append(at)
        part = follows
    return cells


def goes_before(part: Part, follows: Part) -> bool:
    """Say whether the cell ahead of a vehicle's part may be of it, by all but its letter."""
    return (
        follows.kind in NEXT[part.kind]
        and follows.across == part.across
        and body_of(follows.name) == body_of(part.name)
    )


def _check_exit(shown: Mapping[Any, Part], red: Cell | None) -> None:
    if red is None:
        raise InvalidBoard("parking: the board has no red car R")
    exits = [at for at, part in shown.items() if part.exit]
    edge = max(shown)[1]
    if exits != [(red[0], edge)]:
        where = " and ".join(map(_at, exits))
        due = f"{_at((red[0], edge))} in the row of the red car"
        raise InvalidBoard(
            f"parking: the exit is at {where}, not at {due}"
            if exits
            else f"parking: there is no exit at {due}"
        )


def _called(part: Part, at: Sequence[int]) -> str:
    return f"vehicle {part.name} at {_at(at)}"


def _what(part: Part) -> str:
    """Say what stands in a cell."""
    if part.kind in _COLOURED:
        return f"{part.kind} coloured like {part.name}"
    return f"{part.kind}, {part.name}" if part.name else part.kind
