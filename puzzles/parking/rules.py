"""Parking: its state, its actions and their notation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters
from typing import Any, NamedTuple

from puzzles.directions import STEPS, parse_direction, quoted
from puzzles.family import Cell, IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.notation import compact, find, known_rules, marked, rows_of, stopped
from puzzles.symmetry import relabelled, upside_down
from puzzles.verdict import Reason, Replay

RULE_OPTIONS: dict[str, Any] = {}
RED = "R"
WAYS = {True: ("right", "left"), False: ("up", "down")}
"""The directions of a vehicle, by whether it is horizontal."""
MOST_ACTIONS = 100_000
_FEW_CELLS = 400
"""Up to this board size ``replay`` remembers how a board is laid out."""
_IMPORTED = str.maketrans("ARox", "RA.#")
"""Imported strings call the red car A, so that a car they call R can have the name A."""


class Slide(NamedTuple):
    """Move the vehicle named ``car`` by one cell up, right, down or left."""

    car: str
    direction: str


class Vehicle(NamedTuple):
    """A vehicle by its top or left end; ``name`` is one letter."""

    name: str
    row: int
    col: int
    length: int
    horizontal: bool

    def cells(self) -> list[Cell]:
        span = range(self.length)
        if self.horizontal:
            return [(self.row, self.col + k) for k in span]
        return [(self.row + k, self.col) for k in span]

    def covers(self, row: int, col: int) -> bool:
        if self.horizontal:
            return row == self.row and self.col <= col < self.col + self.length
        return col == self.col and self.row <= row < self.row + self.length

    def front(self, direction: str) -> Cell:
        """Return the cell that the vehicle enters when it moves by one cell."""
        row, col = STEPS[direction]
        reach = self.length if row + col > 0 else 1
        return self.row + row * reach, self.col + col * reach

    def moved(self, direction: str) -> "Vehicle":
        row, col = STEPS[direction]
        return Vehicle(self.name, self.row + row, self.col + col, self.length, self.horizontal)


@dataclass(frozen=True, slots=True)
class State:
    """Walls row by row; the vehicles: the red car first, the others by name."""

    rows: int
    cols: int
    walls: tuple[Cell, ...]
    vehicles: tuple[Vehicle, ...]


def parse(board: str, rules: Mapping[str, Any]) -> State:
    """Return the state that ``board`` shows; raise InvalidBoard where it is not a parking lot.

    A line of 36 characters is read as an imported 6x6 board (``A`` red, ``o`` empty, ``x`` wall)
    unless it is a board of one row in our own notation.
    """
    known_rules(rules, RULE_OPTIONS, "parking")
    rows = rows_of(board, "", "parking")
    if len(rows) > 1 or len(rows[0]) != 36:
        return _read(rows)
    try:
        return _read(rows)
    except InvalidBoard:
        line = rows[0].translate(_IMPORTED)
        return _read(tuple(line[at : at + 6] for at in range(0, 36, 6)))


def _read(rows: tuple[str, ...]) -> State:
    cells: dict[str, list[Cell]] = {}
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark in ascii_letters:
                cells.setdefault(mark, []).append((r, c))
            elif mark not in ".#":
                raise InvalidBoard(
                    f"parking: {quoted(mark)} at ({r},{c}) is not a letter, '.' or '#'"
                )
    vehicles = [_vehicle(name, cells[name]) for name in sorted(cells)]
    red = [vehicle for vehicle in vehicles if vehicle.name == RED]
    if not red:
        raise InvalidBoard("parking: the board has no red car R")
    if not red[0].horizontal:
        raise InvalidBoard(f"parking: the red car R at ({red[0].row},{red[0].col}) is vertical")
    others = [vehicle for vehicle in vehicles if vehicle.name != RED]
    return State(len(rows), len(rows[0]), tuple(find(rows, "#")), (*red, *others))


def _vehicle(name: str, cells: list[Cell]) -> Vehicle:
    """Return the vehicle on ``cells``, which are in row order."""
    row, col = cells[0]
    if len(cells) == 1:
        raise InvalidBoard(f"parking: vehicle {name} at ({row},{col}) is a single cell")
    vehicle = Vehicle(name, row, col, len(cells), horizontal=cells[1] == (row, col + 1))
    for (r, c), expected in zip(cells, vehicle.cells(), strict=True):
        if (r, c) != expected:
            kind = "bent" if _joined(cells) else "torn"
            raise InvalidBoard(f"parking: vehicle {name} at ({r},{c}) is {kind}")
    return vehicle


def _joined(cells: list[Cell]) -> bool:
    """Say whether one can walk over ``cells`` from each to each."""
    left, queue = set(cells[1:]), cells[:1]
    for r, c in queue:
        near = left.intersection(((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))
        left -= near
        queue += near
    return not left


def notation(state: State) -> tuple[str, ...]:
    """Return the board as rows of text."""
    marks = [(cell, "#") for cell in state.walls]
    marks += [(cell, vehicle.name) for vehicle in state.vehicles for cell in vehicle.cells()]
    return tuple(marked(["." * state.cols] * state.rows, marks))


def format(state: State) -> str:
    """Return the board as ``parse`` reads it."""
    return "\n".join(notation(state))


def canonical(state: State) -> bytes:
    """Return the smaller notation of the board and its up-down mirror image.

    Vehicles are named in the order in which they first appear; R keeps its name.
    """
    rows = notation(state)
    boards = ("\n".join(rows), "\n".join(upside_down(rows)))
    return min(relabelled(board, RED + ".#") for board in boards).encode()


def legal_actions(state: State) -> list[Slide]:
    filled = _filled(state)
    result = []
    for vehicle in state.vehicles:
        for direction in WAYS[vehicle.horizontal]:
            r, c = vehicle.front(direction)
            if 0 <= r < state.rows and 0 <= c < state.cols and (r, c) not in filled:
                result.append(Slide(vehicle.name, direction))
    return result


def _filled(state: State) -> set[Cell]:
    """Return the cells that are not empty."""
    filled = set(state.walls)
    for vehicle in state.vehicles:
        filled.update(vehicle.cells())
    return filled


def _index(state: State, name: str) -> int | None:
    """Return the index of the vehicle called ``name``, or None."""
    names = [vehicle.name for vehicle in state.vehicles]
    return names.index(name) if name in names else None


def apply(state: State, action: Slide) -> State:
    """Return the state after ``action``; raise IllegalAction where it can't be taken."""
    name, direction = action
    if direction not in STEPS:
        raise IllegalAction(Reason.UNKNOWN_ACTION, f"{quoted(direction)} is not a direction")
    at = _index(state, name)
    if at is None:
        raise IllegalAction(Reason.NO_SUCH_PIECE, f"no vehicle {quoted(name)} is on the board")
    vehicle = state.vehicles[at]
    r, c = vehicle.front(direction)
    what = f"{direction} of vehicle {vehicle.name} from ({vehicle.row},{vehicle.col})"
    if direction not in WAYS[vehicle.horizontal]:
        axis = "horizontal" if vehicle.horizontal else "vertical"
        raise IllegalAction(Reason.WRONG_AXIS, f"{what} is not along its axis: it is {axis}")
    if not (0 <= r < state.rows and 0 <= c < state.cols):
        raise IllegalAction(Reason.OUT_OF_BOUNDS, f"{what} leaves the board at ({r},{c})")
    if (r, c) in state.walls:
        raise IllegalAction(Reason.HITS_WALL, f"{what} runs into the wall at ({r},{c})")
    for other in state.vehicles:
        if other.covers(r, c):
            there = f"vehicle {other.name} at ({r},{c})"
            raise IllegalAction(Reason.BLOCKED, f"{what} is blocked by {there}")
    vehicles = (*state.vehicles[:at], vehicle.moved(direction), *state.vehicles[at + 1 :])
    return State(state.rows, state.cols, state.walls, vehicles)


def joins(one: Slide, other: Slide) -> bool:
    """Return whether both move the same vehicle, so that a run of such actions is one slide."""
    return one.car == other.car


def is_solved(state: State) -> bool:
    """Return whether the goal holds."""
    red = state.vehicles[0]
    return red.col + red.length == state.cols


def replay(state: State, answer: Sequence[Slide]) -> Replay:
    """Play ``answer`` as ``apply`` would, faster: on one array of cells, with walls all around."""
    few = state.rows * state.cols <= _FEW_CELLS
    laid, places = (_remembered if few else _laid)(state)
    cells, ends = bytearray(laid), {name: [first, last] for name, first, last, _ in places}
    ways = {name: way for name, _, _, way in places}
    for at, (name, direction) in enumerate(answer):
        step = ways[name].get(direction) if name in ways else None
        if step is not None:
            car = ends[name]
            ahead = step > 0
            enters = car[ahead] + step
            if not cells[enters]:
                cells[enters], cells[car[not ahead]] = 1, 0
                car[0] += step
                car[1] += step
                continue
        return stopped(apply, _moved(state, ends), at, answer[at])
    return Replay(_moved(state, ends), len(answer))


_Place = tuple[str, int, int, Mapping[str, int]]
"""A vehicle, its first and its last cell, and the steps of its ways."""


def _laid(state: State) -> tuple[bytes, tuple[_Place, ...]]:
    """Return which cells are filled, row by row between walls, and where the vehicles stand."""
    wide = state.cols + 1
    cells = bytearray(b"\1" * (wide + 1) + (b"\0" * state.cols + b"\1") * state.rows + b"\1" * wide)
    for r, c in _filled(state):
        cells[(r + 1) * wide + c + 1] = 1
    steps = {True: {"right": 1, "left": -1}, False: {"up": -wide, "down": wide}}
    places = []
    for name, row, col, length, horizontal in state.vehicles:
        first = (row + 1) * wide + col + 1
        last = first + (length - 1) * (1 if horizontal else wide)
        places.append((name, first, last, steps[horizontal]))
    return bytes(cells), tuple(places)


_remembered = lru_cache(maxsize=1024)(_laid)


def _moved(state: State, ends: Mapping[str, Sequence[int]]) -> State:
    """Return ``state`` with the vehicles where their first cells are, as ``_laid`` counts."""
    vehicles = []
    for car in state.vehicles:
        row, col = divmod(ends[car.name][0] - 1, state.cols + 1)
        same = (row - 1, col) == (car.row, car.col)
        vehicles.append(
            car if same else Vehicle(car.name, row - 1, col, car.length, car.horizontal)
        )
    return State(state.rows, state.cols, state.walls, tuple(vehicles))


def parse_answer(value: Any) -> list[Slide]:
    """Return the slides in ``value``: a list of ``{"car": ..., "direction": ...}``.

    The list may be the value of the key ``solution``. ``steps`` or ``distance`` in an item stand
    for so many slides of one cell. A word that is no direction stays as it is. Raises
    MalformedAnswer, naming the item, where the shape differs.
    """
    if isinstance(value, dict) and "solution" in value:
        value = value["solution"]
    if not isinstance(value, list):
        raise MalformedAnswer(f"expected a list of slides, not {quoted(value)}")
    slides: list[Slide] = []
    for at, item in enumerate(value):
        if type(item) is dict and len(item) == 2:  # what is asked for, told at a glance
            car, direction = item.get("car"), item.get("direction")
            if type(car) is str is type(direction) and len(slides) < MOST_ACTIONS:
                slides.append(Slide(car.strip(), parse_direction(direction)))
                continue
        slide, times = _slide(at, item), _times(at, item)
        if len(slides) + times > MOST_ACTIONS:
            raise MalformedAnswer(f"item {at} makes the answer longer than {MOST_ACTIONS} actions")
        slides += [slide] * times
    return slides


def _slide(at: int, item: Any) -> Slide:
    if not isinstance(item, dict):
        raise MalformedAnswer(f"item {at} is {quoted(item)}, not an object with car and direction")
    for key in Slide._fields:
        if not isinstance(item.get(key), str):
            found = quoted(item[key]) if key in item else "missing"
            raise MalformedAnswer(f"{key} of item {at} is {found}, not a string")
    return Slide(item["car"].strip(), parse_direction(item["direction"]))


def _times(at: int, item: dict[str, Any]) -> int:
    """Return how many cells the slide goes, cut off where that makes any answer too long."""
    counts = [item[key] for key in ("steps", "distance") if key in item]
    others = [key for key in item if key not in (*Slide._fields, "steps", "distance")]
    for key in others:
        if isinstance(item[key], int | float):
            raise MalformedAnswer(f"item {at} has a number {quoted(key)} that means nothing here")
    for count in counts:
        if type(count) is not int or count < 1 or count != counts[0]:
            raise MalformedAnswer(f"item {at} slides by {quoted(count)}, not a number of cells")
    return min(counts[0], MOST_ACTIONS + 1) if counts else 1


def format_answer(answer: Sequence[Slide]) -> str:
    """Return the answer that names these slides, in wire format."""
    letters = "".join([car + direction for car, direction in answer])
    if letters.isascii() and letters.isalnum():  # nothing to escape
        items = ",".join([f'{{"car":"{car}","direction":"{way}"}}' for car, way in answer])
        return f"<ANSWER_JSON>[{items}]</ANSWER_JSON>"
    return f"<ANSWER_JSON>{compact([slide._asdict() for slide in answer])}</ANSWER_JSON>"


def format_step(action: Slide, items: Sequence[Any] | None) -> str:
    """Return the JSON of one slide; it has no items."""
    return compact(action._asdict())
