"""Parking in other people's formats: 36-character strings, and records of the published suite."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

from puzzles.directions import quoted
from puzzles.exchange import (
    Entry,
    NotWritable,
    Source,
    first_record,
    json_records,
    kept_record,
    lines_of,
    stated,
)
from puzzles.family import Cell, InvalidBoard
from puzzles.parking.rules import RED, State, Vehicle, format, notation, parse

if TYPE_CHECKING:
    from puzzles.instance import Instance

SIDE = 6
_CELLS = SIDE * SIDE
_TRANSLATED = str.maketrans("ARox", "RA.#")
_HEADINGS = {"board", "moves", "states"}
_LETTER = re.compile(r"\b[AR]\b")


def claims_rush(text: str) -> bool:
    """Say whether the first line that is no comment and no heading holds a board."""
    for line in lines_of(text[:10_000]):
        fields = _fields(line)
        if fields:
            return any(_is_board(field) for field in fields)
    return False


def read_rush(source: Source) -> Iterator[Entry]:
    """Yield the boards of a file with one a line: ``A`` red, ``o`` or ``.`` empty, ``x`` wall.

    Fields stand apart by commas, tabs or spaces. A number before the board is the optimum in
    slides, as in Fogleman's database. Comments (``#``, ``;``), the heading ``moves board states``
    and blank lines belong to the record that follows, or to the last.
    """
    before, waiting = "", None
    for number, line in enumerate(lines_of(source.text), 1):
        fields = _fields(line)
        if not fields:
            before += line
            continue
        if waiting:
            yield waiting
        waiting, before = _rush_entry(number, before + line, fields), ""
    if waiting:
        yield waiting._replace(record=waiting.record + before)


def _fields(line: str) -> list[str]:
    """Return the fields of a line; none where it is blank, a comment or a heading."""
    line = line.strip("\ufeff \t\r\n")
    if not line or line[0] in "#;":
        return []
    mark = next((mark for mark in ",\t" if mark in line), None)
    fields = [field.strip(' "') for field in line.split(mark)]
    return fields if _HEADINGS.isdisjoint(map(str.casefold, fields)) else []


def _is_board(field: str) -> bool:
    return len(field) == _CELLS and "A" in field and not set(field) - {*ascii_letters, "."}


def _rush_entry(number: int, text: str, fields: list[str]) -> Entry:
    at = next((k for k, field in enumerate(fields) if len(field) == _CELLS), None)
    if at is None:
        longest = max(fields, key=len)
        problem = f"no board of {_CELLS} characters: {quoted(longest)} has {len(longest)}"
        return Entry(number, text, problem=problem)
    optimum = {"slide": int(fields[at - 1])} if at and _is_number(fields[at - 1]) else {}
    state, problem = _rush_state(fields[at])
    return Entry(number, text, state, problem, optimum)


def _is_number(field: str) -> bool:
    return field.isascii() and field.isdecimal() and len(field) < 10


def _rush_state(board: str) -> tuple[State | None, str]:
    """Return the state that 36 characters show, or None and what is wrong with them."""
    for at, mark in enumerate(board):
        if mark not in ascii_letters and mark != ".":
            return None, f"{quoted(mark)} at ({at // SIDE},{at % SIDE}) is not a letter or '.'"
    board = board.translate(_TRANSLATED)
    try:
        return parse("\n".join(board[at : at + SIDE] for at in range(0, _CELLS, SIDE)), {}), ""
    except InvalidBoard as error:
        # Its red car is called R, and an R of the file A.
        swapped = {"A": RED, RED: "A"}
        said = str(error).removeprefix("parking: ")
        return None, _LETTER.sub(lambda found: swapped[found[0]], said)


def write_rush(instance: Instance) -> str:
    """Return the board as 36 characters, vehicles named in reading order; see exchange.Format.

    An optimum in slides stands before it, as in Fogleman's database.
    """
    kept = kept_record(instance, "rush")
    if kept is not None:
        return kept
    state = parse(instance.board, instance.rules)
    if (state.rows, state.cols) != (SIDE, SIDE):
        raise NotWritable(
            f"rush holds boards of {SIDE}x{SIDE}, and this one is {state.rows}x{state.cols}"
        )
    names = {"#": "x", ".": ".", RED: "A"}
    board = "".join(notation(state))
    for mark in board:
        if mark not in names:
            names[mark] = ascii_uppercase[len(names) - 2]
    slides = f"{instance.optimal_length} " if instance.metric == "slide" else ""
    return slides + "".join(names[mark] for mark in board) + "\n"


def claims_vgau(text: str) -> bool:
    """Say whether the first record has the keys of the published suite's parking."""
    return {"cars", "exit_row"} <= first_record(text).keys()


def read_vgau(source: Source) -> Iterator[Entry]:
    """Yield the boards of the published suite's parking: JSON lines, or an array."""
    for line, record, text in json_records(source.text):
        if isinstance(record, ValueError):
            yield Entry(line, text, problem=str(record))
            continue
        try:
            state = _vgau_state(record)
        except InvalidBoard as error:
            yield Entry(line, text, problem=str(error).removeprefix("parking: "))
            continue
        yield Entry(line, text, state, optimum=stated(record.get("optimal_steps")))


def _vgau_state(record: Any) -> State:
    """Return the state of one record; raise InvalidBoard."""
    if not isinstance(record, dict) or not isinstance(record.get("cars"), list):
        raise InvalidBoard("the record is not an object with a list of cars")
    side, exit_row = (_whole(record, key, "the record") for key in ("grid_size", "exit_row"))
    if not 0 < side <= 1000:
        raise InvalidBoard(f"grid_size is {side}, not 1 to 1000")
    cars = [_vgau_car(at, car) for at, car in enumerate(record["cars"])]
    _check_cells(cars, side)
    cars = [car._replace(name=name) for car, name in zip(cars, _names(cars), strict=True)]
    cars.sort(key=lambda car: (car.name != RED, car.name))
    state = State(side, side, (), tuple(cars))
    parse(format(state), {})
    if cars[0].row != exit_row - 1:
        raise InvalidBoard(
            f"the exit is in row {exit_row} (from 1), but R is in row {cars[0].row + 1}"
        )
    return state


def _vgau_car(at: int, car: Any) -> Vehicle:
    if not isinstance(car, dict) or not isinstance(car.get("id"), str):
        raise InvalidBoard(f"car {at} of the list is not an object with an id")
    name = f"car {_shown(car['id'])}"
    row, col, length = (_whole(car, key, name) for key in ("row", "col", "length"))
    if car.get("orientation") not in ("H", "V"):
        raise InvalidBoard(
            f"the orientation of {name} is {quoted(car.get('orientation'))}, not H or V"
        )
    if not 0 < length <= 1000:
        raise InvalidBoard(f"the length of {name} is {length}")
    return Vehicle(car["id"], row, col, length, car["orientation"] == "H")


def _check_cells(cars: list[Vehicle], side: int) -> None:
    taken: dict[Cell, str] = {}
    for car in cars:
        name = _shown(car.name)
        for row, col in car.cells():
            if not (0 <= row < side and 0 <= col < side):
                raise InvalidBoard(f"car {name} at ({car.row},{car.col}) leaves the board")
            if (row, col) in taken:
                raise InvalidBoard(f"cars {taken[row, col]} and {name} overlap at ({row},{col})")
            taken[row, col] = name


def _whole(record: dict[str, Any], key: str, name: str) -> int:
    value = record.get(key)
    if type(value) is not int:
        found = quoted(value) if key in record else "missing"
        raise InvalidBoard(f"{key} of {name} is {found}, not a whole number")
    return value


def _names(cars: list[Vehicle]) -> list[str]:
    """Return a letter for each car: its own where that is one, else one that is left."""
    names = [car.name for car in cars]
    if len(names) > len(ascii_letters):
        raise InvalidBoard(f"{len(names)} cars are more than there are letters")
    for at, name in enumerate(names):
        if name in names[:at]:
            raise InvalidBoard(f"two cars have the id {_shown(name)}")
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
    kept = kept_record(instance, "vgau")
    if kept is not None:
        return kept
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
        "image_path": instance.file_name or f"images/{instance.id}.png",
        "grid_size": state.rows,
        "exit_row": state.vehicles[0].row + 1,
        "difficulty": "middle" if instance.difficulty == "medium" else instance.difficulty,
        "cars": [_car_record(car) for car in state.vehicles],
        "optimal_steps": instance.optimal_length,
    }
    if instance.answer:
        start, end = instance.answer.index("["), instance.answer.rindex("]")
        record["solution"] = json.loads(instance.answer[start : end + 1])
    return json.dumps(record, ensure_ascii=False) + "\n"


def _car_record(car: Vehicle) -> dict[str, Any]:
    return {
        "id": car.name,
        "orientation": "H" if car.horizontal else "V",
        "length": car.length,
        "row": car.row,
        "col": car.col,
    }
