"""Sokoban in the schema of the published suite (github.com/zyb1029/VGAU-Diag)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from puzzles.directions import quoted
from puzzles.exchange import Entry, NotWritable, Source, first_record, suite
from puzzles.family import Cell, InvalidBoard
from puzzles.sokoban import FAMILY, rules
from puzzles.sokoban.rules import State

if TYPE_CHECKING:
    from puzzles.instance import Instance

CELLS = 1_000_000
"""Cells that a board may have: a record can name more than fit into memory."""
_FIELDS = ("grid_h", "grid_w", "walls", "player_start", "box_start", "target")


def claims_vgau(text: str) -> bool:
    """Return whether ``text`` holds records of the published suite's Sokoban."""
    return {"walls", "player_start", "box_start", "target"} <= first_record(text).keys()


def read_vgau(source: Source) -> Iterator[Entry]:
    """Return the records of the published suite, as JSON lines or as one array."""
    return suite.entries(source, _state)


def write_vgau(instance: Instance) -> str:
    """Return the record in the published schema; raise NotWritable for boards with more boxes.

    The prompt, the same in all its records, is not ours to give.
    """
    return suite.written(instance, _record)


def _record(instance: Instance) -> dict[str, Any]:
    state = rules.parse(instance.board, instance.rules)
    if len(state.boxes) != 1:
        raise NotWritable(f"the published schema has one box, the board has {len(state.boxes)}")
    length, bucket = instance.optimal_length, FAMILY.buckets.get(instance.difficulty)
    record: dict[str, Any] = {
        "task_id": instance.id,
        "image_path": suite.image_of(instance),
        "grid_h": len(state.walls),
        "grid_w": len(state.walls[0]),
        "difficulty": suite.level_of(instance.difficulty),
        "step_range": [bucket.low, bucket.high] if bucket else [length, length],
        "walls": [
            [r, c] for r, row in enumerate(state.walls) for c, mark in enumerate(row) if mark == "#"
        ],
        "player_start": list(state.player),
        "box_start": list(state.boxes[0]),
        "target": list(state.targets[0]),
    }
    if instance.answer is not None:
        record["solution"] = json.dumps(_actions(instance.answer))
    record["optimal_steps"] = length
    return record


def _actions(answer: str) -> list[Any]:
    from puzzles.answers import extract

    return list(extract(answer, FAMILY).answer or [])


def _state(record: dict[str, Any]) -> State:
    """Return the board of a record of the suite; raise InvalidBoard."""
    missing = [name for name in _FIELDS if name not in record]
    if missing:
        raise InvalidBoard(f"sokoban: the record has no {missing[0]!r}")
    rows, columns = _number(record, "grid_h"), _number(record, "grid_w")
    if not 0 < rows * columns <= CELLS:
        raise InvalidBoard(
            f"sokoban: a grid of {rows:,}x{columns:,} cells is none that can be read"
        )
    if not isinstance(record["walls"], list):
        raise InvalidBoard("sokoban: 'walls' is no list of cells")
    marks = [["-"] * columns for _ in range(rows)]
    for value in record["walls"]:
        r, c = _cell(value, "a wall", rows, columns)
        marks[r][c] = "#"
    places = []
    for name, what in (("player_start", "player"), ("box_start", "box"), ("target", "target")):
        r, c = _cell(record[name], f"the {what}", rows, columns)
        if marks[r][c] == "#":
            raise InvalidBoard(f"sokoban: the {what} at ({r},{c}) stands in a wall")
        places.append((r, c))
    player, box, target = places
    if player == box:
        raise InvalidBoard(f"sokoban: player and box both stand at ({box[0]},{box[1]})")
    return State(tuple(map("".join, marks)), player, (box,), (target,))


def _number(record: dict[str, Any], name: str) -> int:
    value = record[name]
    if type(value) is not int or value < 0:
        raise InvalidBoard(f"sokoban: {name!r} is {quoted(value)}, not a number from 0")
    return value


def _cell(value: Any, what: str, rows: int, columns: int) -> Cell:
    if not (isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)):
        raise InvalidBoard(f"sokoban: {what} is at {quoted(value)}, not at [row, column]")
    r, c = value
    if not (0 <= r < rows and 0 <= c < columns):
        raise InvalidBoard(f"sokoban: {what} at ({r},{c}) is outside the {rows}x{columns} grid")
    return r, c
