"""Path boards in the form of the published suite (VGAU), whose records lack the walkable cells."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from puzzles.exchange import BadRecord, Entry, NotWritable, Source, first_record, suite
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
    """Return the records of JSON lines, or of a JSON array; none of them holds a board."""
    return suite.entries(source, _no_state)


def _no_state(record: dict[str, Any]) -> NoReturn:
    raise BadRecord(_INCOMPLETE)


def write_vgau(instance: "Instance") -> str:
    """Return the record of ``instance`` in the published schema; the board is not part of it."""
    return suite.written(instance, _record)


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
        "image_path": suite.image_of(instance),
        "difficulty": suite.level_of(instance.difficulty),
        "distance": len(route) - 1,
        "grid_size": rows if rows == columns else [rows, columns],
        "start": state.agent,
        "goal": state.goal,
        "labeled_points": dict(state.labels),
        "on_path_labels": passed,
        "answer_path": route,
        "answer": ",".join(passed),
    }
