"""Klotski boards in the form of the published suite (VGAU): the cells of the blocks of a kind."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from puzzles.answers import extract
from puzzles.directions import quoted
from puzzles.exchange import BadRecord, Entry, NotWritable, Source, first_record, suite
from puzzles.family import Cell
from puzzles.klotski.rules import EMPTY, NAMES, TARGET, State, blocks_of, parse

if TYPE_CHECKING:
    from puzzles.instance import Instance

_KINDS = {"Vs": (2, 1), "Hs": (1, 2), "Ss": (1, 1)}
_CELLS = 10_000
"""Cells of a board at most; a slip of the keyboard must not fill the memory."""


def claims_vgau(text: str) -> bool:
    """Return whether the first record is one of Klotski: no other family has these keys."""
    record = first_record(text)
    start = record.get("initial_state")
    return "goal_t_pos" in record or (
        isinstance(start, dict) and not start.keys().isdisjoint(_KINDS)
    )


def read_vgau(source: Source) -> Iterator[Entry]:
    """Return the boards of a file of JSON lines, or of a JSON array."""
    return suite.entries(source, _state)


def _state(record: dict[str, Any]) -> State:
    rows, columns = _number(record, "grid_h", 1), _number(record, "grid_w", 1)
    if rows * columns > _CELLS:
        raise BadRecord(f"grid_h times grid_w is more than {_CELLS:,} cells")
    start, goal = suite.field_of(record, "initial_state"), _cell(record, "goal_t_pos")
    if not isinstance(start, dict):
        raise BadRecord(f"initial_state is {quoted(start)}, not an object")
    blocks = [("T", (2, 2), _cell(start, "T"))]
    for key, shape in _KINDS.items():
        places = suite.field_of(start, key)
        if not isinstance(places, list):
            raise BadRecord(f"{key} is {quoted(places)}, not a list of cells")
        blocks += [(key[0], shape, _cell({key: place}, key)) for place in places]
    if len(blocks) > 1 + len(NAMES):
        raise BadRecord(f"{len(blocks) - 1} blocks besides T; there are names for {len(NAMES)}")
    board = _laid(rows, columns, blocks)
    return parse("\n".join(map("".join, board)), {"goal": list(goal)})


def _laid(
    rows: int, columns: int, blocks: Sequence[tuple[str, tuple[int, int], Cell]]
) -> list[list[str]]:
    board = [[EMPTY] * columns for _ in range(rows)]
    owners: dict[Cell, str] = {}
    for name, (kind, (height, width), (r, c)) in zip(TARGET + NAMES, blocks, strict=False):
        what = f"block {kind} at ({r},{c})"
        if not (0 <= r <= rows - height and 0 <= c <= columns - width):
            raise BadRecord(f"{what} leaves the board")
        for cell in ((r + down, c + across) for down in range(height) for across in range(width)):
            if cell in owners:
                raise BadRecord(f"{what} overlaps {owners[cell]}")
            owners[cell] = what
            board[cell[0]][cell[1]] = name
    return board


def _number(record: dict[str, Any], key: str, least: int) -> int:
    value = suite.field_of(record, key)
    if type(value) is not int or value < least:
        raise BadRecord(f"{key} is {quoted(value)}, not a whole number from {least}")
    return value


def _cell(record: dict[str, Any], key: str) -> Cell:
    value = suite.field_of(record, key)
    if not isinstance(value, list) or [type(n) for n in value] != [int, int]:
        raise BadRecord(f"{key}: {quoted(value)} is not a cell [row, column]")
    return value[0], value[1]


def write_vgau(instance: "Instance") -> str:
    """Return a line of JSON; see Format.

    Raises NotWritable for blocks other than a 2x2 target and 2x1, 1x2 and 1x1 blocks, and for an
    optimum in slides.
    """
    return suite.written(instance, _record)


def _record(instance: "Instance") -> dict[str, Any]:
    from puzzles.klotski import FAMILY  # which refers to this file

    if instance.metric != "cell":
        raise NotWritable("vgau counts moves of one cell, and this optimum counts slides")
    state = parse(instance.board, instance.rules)
    record = {
        "task_id": instance.id,
        "level": suite.level_of(FAMILY.tier(instance.optimal_length)),
        "grid_w": len(state.board[0]),
        "grid_h": len(state.board),
        "goal_t_pos": list(state.goal),
        "optimal_steps": instance.optimal_length,
        "image_path": suite.image_of(instance),
        "initial_state": _places(state),
    }
    if instance.answer is not None:
        solution = extract(instance.answer, FAMILY).answer
        if solution is None:
            raise NotWritable("its answer is none of Klotski")
        record["solution"] = json.loads(FAMILY.format_answer(solution))["solution"]
    return record


def _places(state: State) -> dict[str, Any]:
    """Return the cells of T, and of the others by kind, column by column as is usual there."""
    kinds = {shape: key for key, shape in _KINDS.items()}
    places: dict[str, Any] = {"T": [], **{key: [] for key in _KINDS}}
    for name, cells in blocks_of(state.board).items():
        (top, left), (bottom, right) = cells[0], cells[-1]
        shape = bottom - top + 1, right - left + 1
        whole = len(cells) == shape[0] * shape[1]
        if not whole or (shape != (2, 2) if name == TARGET else shape not in kinds):
            size = f"{shape[0]}x{shape[1]}" if whole else "no rectangle"
            raise NotWritable(
                f"klotski: block {name} at ({top},{left}) is {size}; the format vgau has a 2x2 "
                "block T, and blocks of 2x1, 1x2 and 1x1 cells"
            )
        if name == TARGET:
            places["T"] = [top, left]
        else:
            places[kinds[shape]].append([top, left])
    for key in _KINDS:
        places[key].sort(key=lambda cell: (cell[1], cell[0]))
    return places
