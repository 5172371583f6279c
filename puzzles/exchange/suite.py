"""The published suite's records (VGAU): what the rooms' readers and writers have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from puzzles.directions import quoted
from puzzles.exchange import BadRecord, Entry, Source, json_records, kept_record, stated

if TYPE_CHECKING:
    from puzzles.instance import Instance

NAME = "vgau"


def entries(
    source: Source,
    state_of: Callable[[dict[str, Any]], Any],
    optimum_of: Callable[[dict[str, Any]], dict[str, int]] = (
        lambda record: stated(record.get("optimal_steps"))
    ),
) -> Iterator[Entry]:
    """Yield the boards of a file of JSON lines, or of a JSON array.

    A ValueError of ``state_of`` says what is wrong with a record.
    """
    for line, record, text in json_records(source.text):
        try:
            if isinstance(record, ValueError):
                raise record
            if not isinstance(record, dict):
                raise BadRecord(f"the record is {quoted(record)}, not an object")
            entry = Entry(line, text, state_of(record), optimum=optimum_of(record))
        except ValueError as error:
            entry = Entry(line, text, problem=str(error))
        yield entry


def field_of(record: Mapping[str, Any], key: str) -> Any:
    """Return the value of ``key``; raise BadRecord where there is none."""
    if key not in record:
        raise BadRecord(f"the record has no {key}")
    return record[key]


def written(instance: Instance, record_of: Callable[[Instance], dict[str, Any]]) -> str:
    """Return a line of JSON: the record that came in, or else that of ``record_of``."""
    kept = kept_record(instance, NAME)
    return kept if kept is not None else json.dumps(record_of(instance), ensure_ascii=False) + "\n"


def level_of(difficulty: str) -> str:
    """Return the suite's word for a difficulty."""
    return "middle" if difficulty == "medium" else difficulty


def image_of(instance: Instance) -> str:
    """Return where the picture of ``instance`` lies, or would lie."""
    return instance.file_name or f"images/{instance.id}.png"
