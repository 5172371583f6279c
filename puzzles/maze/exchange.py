"""Mazes in the form of the published suite (VGAU), and what all readers of mazes need."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from puzzles.answers import extract
from puzzles.directions import quoted
from puzzles.exchange import BadRecord, Entry, NotWritable, Source, first_record, stated, suite
from puzzles.family import Cell
from puzzles.maze import FAMILY
from puzzles.maze.rules import State, parse
from puzzles.notation import find
from puzzles.walking import WALL

if TYPE_CHECKING:
    from puzzles.instance import Instance

_CELLS = 25_000_000
"""Cells of a board at most; a slip of the keyboard must not fill the memory."""


def placed(walls: tuple[str, ...], start: Cell, goal: Cell) -> State:
    """Return the maze; raise BadRecord where start or goal is not on its floor."""
    rows, columns = len(walls), len(walls[0])
    for name, (r, c) in (("start", start), ("goal", goal)):
        if not (0 <= r < rows and 0 <= c < columns):
            raise BadRecord(f"the {name} ({r},{c}) lies outside the board of {rows}x{columns}")
        if walls[r][c] == WALL:
            raise BadRecord(f"the {name} ({r},{c}) is a wall")
    return State(walls, start, goal)


def claims_vgau(text: str) -> bool:
    """Return whether the first record is one of a maze: no other family lists walkable cells."""
    return "walkable" in first_record(text)


def read_vgau(source: Source) -> Iterator[Entry]:
    """Return the mazes of a file of JSON lines, or of a JSON array."""
    return suite.entries(source, _state, _optimum)


def _state(record: Mapping[str, Any]) -> State:
    rows, columns = _size(suite.field_of(record, "grid_size"))
    cells = suite.field_of(record, "walkable")
    if not isinstance(cells, list):
        raise BadRecord(f"walkable is {quoted(cells)}, not a list of cells")
    floor = [[WALL] * columns for _ in range(rows)]
    for cell in cells:
        r, c = _cell(cell, "a walkable cell")
        if not (0 <= r < rows and 0 <= c < columns):
            raise BadRecord(f"the walkable cell ({r},{c}) lies outside the board")
        floor[r][c] = "."
    start, goal = (_cell(suite.field_of(record, key), key) for key in ("start", "goal"))
    return placed(tuple(map("".join, floor)), start, goal)


def _size(value: Any) -> tuple[int, int]:
    """Return rows and columns: the record holds a side, or both."""
    rows, columns = _cell(value if isinstance(value, list) else [value, value], "grid_size")
    if not (rows > 0 and columns > 0 and rows * columns <= _CELLS):
        raise BadRecord(f"grid_size is {quoted(value)}; a board has 1 to {_CELLS:,} cells")
    return rows, columns


def _cell(value: Any, name: str) -> Cell:
    if not (isinstance(value, list) and [type(number) for number in value] == [int, int]):
        raise BadRecord(f"{name} is {quoted(value)}, not a pair of whole numbers")
    return value[0], value[1]


def _optimum(record: Mapping[str, Any]) -> dict[str, int]:
    """Return the length of the stored solution: a list, or a JSON string that holds one."""
    value = record.get("steps")
    try:
        steps = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return {}
    return stated(len(steps)) if isinstance(steps, list) else {}


def write_vgau(instance: "Instance") -> str:
    """Return the record of ``instance`` in the published schema."""
    return suite.written(instance, _record)


def _record(instance: "Instance") -> dict[str, Any]:
    steps = extract(instance.answer or "", FAMILY).answer
    if steps is None:
        raise NotWritable("a record of the suite holds a solution, and the instance has none")
    state, length = parse(instance.board, instance.rules), instance.optimal_length
    rows, columns = len(state.walls), len(state.walls[0])
    bucket = FAMILY.buckets.get(instance.difficulty)
    return {
        "id": instance.id,
        "task_type": FAMILY.name,
        "grid_size": rows if rows == columns else [rows, columns],
        "difficulty": suite.level_of(instance.difficulty),
        "path_bucket": [bucket.low, bucket.high] if bucket else [length, length],
        "initial_image": suite.image_of(instance),
        "steps": json.dumps(steps),
        "start": state.agent,
        "goal": state.goal,
        "walkable": find(state.walls, "."),
    }
