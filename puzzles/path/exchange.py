"""Path boards in the form of the published suite (VGAU), whose records lack the walkable cells."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from puzzles.directions import quoted
from puzzles.exchange import Entry, NotWritable, Source, first_record, json_records, kept_record
from puzzles.path.route import route_of
from puzzles.path.rules import parse

if TYPE_CHECKING:
    from puzzles.instance import Instance

_INCOMPLETE = (
    "the record holds no walkable cells, so there is no board in it: only its picture shows them"
)


def claims_vgau(text: str) -> bool:
    """Return whether the first record is one of path: no other family labels points."""
    return "labeled_points" in first_record(text)


def read_vgau(source: Source) -> Iterator[Entry]:
    """Yield the records of a file of JSON lines, or of a JSON array; none of them holds a board."""
    for line, record, text in json_records(source.text):
        if isinstance(record, ValueError):
            yield Entry(line, text, problem=str(record))
        elif isinstance(record, dict):
            yield Entry(line, text, problem=_INCOMPLETE)
        else:
            yield Entry(line, text, problem=f"the record is {quoted(record)}, not an object")


def write_vgau(instance: "Instance") -> str:
    """Return the record of ``instance`` in the published schema; the board is not part of it."""
    kept = kept_record(instance, "vgau")
    return kept if kept is not None else json.dumps(_record(instance), ensure_ascii=False) + "\n"


def _record(instance: "Instance") -> dict[str, Any]:
    state = parse(instance.board, instance.rules)
    rows, columns = len(state.walls), len(state.walls[0])
    route = route_of(state.walls, state.agent, state.goal)
    if not route:
        raise NotWritable("no route joins the marker and the goal")
    letters = {cell: letter for letter, cell in state.labels}
    passed = [letters[cell] for cell in route[1:] if cell in letters]
    return {
        "task_id": instance.id,
        "image_path": instance.file_name or f"images/{instance.id}.png",
        "difficulty": "middle" if instance.difficulty == "medium" else instance.difficulty,
        "distance": len(route) - 1,
        "grid_size": rows if rows == columns else [rows, columns],
        "start": state.agent,
        "goal": state.goal,
        "labeled_points": dict(state.labels),
        "on_path_labels": passed,
        "answer_path": route,
        "answer": ",".join(passed),
    }
