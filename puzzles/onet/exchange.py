"""Onet boards in the form of the published suite (VGAU): a grid of letters, null where empty."""

import json
from collections.abc import Iterator
from string import ascii_letters, ascii_uppercase
from typing import TYPE_CHECKING, Any

from puzzles.answers import extract
from puzzles.directions import quoted
from puzzles.exchange import BadRecord, Entry, NotWritable, Source, first_record, stated, suite
from puzzles.onet.links import EMPTY
from puzzles.onet.rules import RULE_OPTIONS, parse, rules_of, tiles

if TYPE_CHECKING:
    from puzzles.instance import Instance

ICONS = dict(
    zip(
        ascii_uppercase,
        (
            *("apple", "blueberries", "pear", "orange", "lemon", "banana", "watermelon", "grapes"),
            *("strawberry", "melon", "cherries", "peach", "pineapple", "carrot", "coconut"),
            *("kiwi", "avocado", "eggplant", "mushroom", "radish", "onion", "broccoli"),
            *("pepper", "corn", "pumpkin", "peas"),
        ),
        strict=True,
    )
)
"""What our pictures show for each letter; small letters show the same on a blue card."""
_LETTERS = frozenset(ascii_letters)


def claims_vgau(text: str) -> bool:
    """Return whether the first record is one of Onet: no other family has these keys."""
    record = first_record(text)
    return isinstance(record.get("board"), list) or not record.keys().isdisjoint(
        ("tile_legend", "one_solution_steps")
    )


def read_vgau(source: Source) -> Iterator[Entry]:
    """Return the boards of a file of JSON lines, or of a JSON array."""
    return suite.entries(source, lambda record: parse("\n".join(_rows(record)), {}), _optimum)


def _rows(record: dict[str, Any]) -> list[str]:
    """Return the rows of the board in our notation; raise BadRecord where they are none."""
    board = suite.field_of(record, "board")
    if not isinstance(board, list) or not all(isinstance(row, list) for row in board):
        raise BadRecord(f"board is {quoted(board)}, not a list of rows")
    for r, row in enumerate(board):
        if len(row) != len(board[0]):
            raise BadRecord(f"row {r} has {len(row)} cells, row 0 has {len(board[0])}")
        for c, kind in enumerate(row):
            if kind is not None and not (isinstance(kind, str) and kind in _LETTERS):
                raise BadRecord(f"{quoted(kind)} at ({r},{c}) is neither a letter nor null")
    size, sides = record.get("grid_size"), [len(board), len(board[0]) if board else 0]
    if size is not None and sides != (size if isinstance(size, list) else [size, size]):
        raise BadRecord(f"grid_size is {quoted(size)}, but the board is {sides[0]}x{sides[1]}")
    return ["".join(kind or EMPTY for kind in row) for row in board]


def _optimum(record: dict[str, Any]) -> dict[str, int]:
    """Return the length of the solution; every one of a board is as long."""
    steps = record.get("one_solution_steps")
    return stated(len(steps)) if isinstance(steps, list) else {}


def write_vgau(instance: "Instance") -> str:
    """Return a line of JSON; see Format.

    ``grid_size`` of boards that aren't square is a list, rows and columns. Raises NotWritable for
    rules other than the default, which the form has no field for, and where there is no answer.
    """
    return suite.written(instance, _record)


def _record(instance: "Instance") -> dict[str, Any]:
    from puzzles.onet import FAMILY  # which refers to this file

    state = parse(instance.board, instance.rules)
    for name, value in rules_of(state).items():
        if value != RULE_OPTIONS[name]:
            usual = json.dumps(RULE_OPTIONS[name])
            raise NotWritable(f"vgau holds boards with {name} {usual}, not {json.dumps(value)}")
    solution = extract(instance.answer or "", FAMILY).answer
    if solution is None:
        raise NotWritable("a record of the suite holds a solution, and the instance has none")
    rows, columns = len(state.board), len(state.board[0])
    return {
        "task_id": instance.id,
        "image_path": suite.image_of(instance),
        "grid_size": rows if rows == columns else [rows, columns],
        "difficulty": suite.level_of(instance.difficulty),
        "theme": "fruits",
        "style": "image_only_no_grid_sparse",
        "board": [[None if kind == EMPTY else kind for kind in row] for row in state.board],
        "tile_legend": {kind: _icon(kind) for kind in tiles(state)},
        "one_solution_steps": [[list(cell) for cell in pair] for pair in solution],
        "asset_source": "drawn by puzzles",
    }


def _icon(kind: str) -> str:
    return ICONS[kind] if kind in ICONS else f"{ICONS[kind.upper()]}_on_blue"
