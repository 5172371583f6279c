"""Parking in the form of the published suite (VGAU): a list of cars, and the row of the exit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

from puzzles.directions import quoted
from puzzles.exchange import BadRecord, Entry, NotWritable, Source, first_record, suite
from puzzles.family import Cell, InvalidBoard
from puzzles.parking.rules import RED, State, Vehicle, format, parse

if TYPE_CHECKING:
    from puzzles.instance import Instance


def claims_vgau(text: str) -> bool:
    """Say whether the first record has the keys of the published suite's parking."""
    return {"cars", "exit_row"} <= first_record(text).keys()


def read_vgau(source: Source) -> Iterator[Entry]:
    """Return the boards of the published suite's parking: JSON lines, or an array."""
    return suite.entries(source, _state)


def _state(record: dict[str, Any]) -> State:
    """Return the state of one record; raise BadRecord."""
    if not isinstance(record.get("cars"), list):
        raise BadRecord("the record has no list of cars")
    side, exit_row = (_whole(record, key, "the record") for key in ("grid_size", "exit_row"))
    if not 0 < side <= 1000:
        raise BadRecord(f"grid_size is {side}, not 1 to 1000")
    cars = [_car(at, car) for at, car in enumerate(record["cars"])]
    _check_cells(cars, side)
    cars = [car._replace(name=name) for car, name in zip(cars, _names(cars), strict=True)]
    cars.sort(key=lambda car: (car.name != RED, car.name))
    state = State(side, side, (), tuple(cars))
    try:
        parse(format(state), {})
    except InvalidBoard as error:
        raise BadRecord(str(error).removeprefix("parking: ")) from None
    if cars[0].row != exit_row - 1:
        raise BadRecord(
            f"the exit is in row {exit_row} (from 1), but R is in row {cars[0].row + 1}"
        )
    return state


def _car(at: int, car: Any) -> Vehicle:
    if not isinstance(car, dict) or not isinstance(car.get("id"), str):
        raise BadRecord(f"car {at} of the list is not an object with an id")
    name = f"car {_shown(car['id'])}"
    row, col, length = (_whole(car, key, name) for key in ("row", "col", "length"))
    if car.get("orientation") not in ("H", "V"):
        raise BadRecord(
            f"the orientation of {name} is {quoted(car.get('orientation'))}, not H or V"
        )
    if not 0 < length <= 1000:
        raise BadRecord(f"the length of {name} is {length}")
    return Vehicle(car["id"], row, col, length, car["orientation"] == "H")


def _check_cells(cars: list[Vehicle], side: int) -> None:
    taken: dict[Cell, str] = {}
    for car in cars:
        name = _shown(car.name)
        for row, col in car.cells():
            if not (0 <= row < side and 0 <= col < side):
                raise BadRecord(f"car {name} at ({car.row},{car.col}) leaves the board")
            if (row, col) in taken:
                raise BadRecord(f"cars {taken[row, col]} and {name} overlap at ({row},{col})")
            taken[row, col] = name


def _whole(record: dict[str, Any], key: str, name: str) -> int:
    value = record.get(key)
    if type(value) is not int:
        found = quoted(value) if key in record else "missing"
        raise BadRecord(f"{key} of {name} is {found}, not a whole number")
    return value


def _names(cars: list[Vehicle]) -> list[str]:
    """Return a letter for each car: its own where that is one, else one that is left."""
    names = [car.name for car in cars]
    if len(names) > len(ascii_letters):
        raise BadRecord(f"{len(names)} cars are more than there are letters")
    for at, name in enumerate(names):
        if name in names[:at]:
            raise BadRecord(f"two cars have the id {_shown(name)}")
    if RED not in names:
        names = [RED if name.casefold() == "red" else name for name in names]
    left = (name for name in ascii_uppercase + ascii_lowercase if name not in {RED, *names})
    return [name if _is_letter(name) else next(left) for name in names]


def _is_letter(name: str) -> bool:
    return len(name) == 1 and name in ascii_letters


def _shown(name: str) -> str:
    return name if _is_letter(name) else quoted(name)


def write_vgau(instance: Instance) -> str:
    """Return the instance as a record of the published suite; see exchange.Format."""
    return suite.written(instance, _record)


def _record(instance: Instance) -> dict[str, Any]:
    state = parse(instance.board, instance.rules)
    if state.rows != state.cols:
        raise NotWritable(f"vgau holds square boards, and this one is {state.rows}x{state.cols}")
    if state.walls:
        row, col = state.walls[0]
        raise NotWritable(f"vgau has no walls, and this board has one at ({row},{col})")
    if instance.metric != "cell":
        raise NotWritable("vgau counts moves of one cell, and this optimum counts slides")
    record: dict[str, Any] = {
        "task_id": instance.id,
        "image_path": suite.image_of(instance),
        "grid_size": state.rows,
        "exit_row": state.vehicles[0].row + 1,
        "difficulty": suite.level_of(instance.difficulty),
        "cars": [_car_record(car) for car in state.vehicles],
        "optimal_steps": instance.optimal_length,
    }
    if instance.answer:
        start, end = instance.answer.index("["), instance.answer.rindex("]")
        record["solution"] = json.loads(instance.answer[start : end + 1])
    return record


def _car_record(car: Vehicle) -> dict[str, Any]:
    return {
        "id": car.name,
        "orientation": "H" if car.horizontal else "V",
        "length": car.length,
        "row": car.row,
        "col": car.col,
    }
