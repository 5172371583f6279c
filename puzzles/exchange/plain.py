"""Formats of no family: boards in our notation, tables with a column of boards, instances."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzles.exchange import Entry, NotWritable, Source, first_record, json_records, kept_record
from puzzles.exchange.listing import Record, entries_of, rows_of_line
from puzzles.rooms import family as room_of

if TYPE_CHECKING:
    from puzzles.instance import Instance

_HEADER = ("id", "family", "board", "rules", "cells", "slides")


class Plain(NamedTuple):
    """A format of no family: as ``exchange.Format``, but each board comes with its family.

    ``read`` takes ``family`` and ``rules`` from the options where the record has none, and raises
    UnknownFormat before the first board where the family can't be told. ``head`` is what stands
    above the records.
    """

    claims: Callable[[str], bool]
    read: Callable[[Source], Iterator[tuple[str, Entry]]]
    write: Callable[[Instance], str]
    head: Callable[[Instance], str] = lambda instance: ""


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; blank ones belong to the line before or the first."""
    start, piece = 0, ""
    for number, line in enumerate(StringIO(text, newline=""), 1):
        if not line.strip():
            piece += line
        elif start:
            yield start, piece
            start, piece = number, line
        else:
            start, piece = number, piece + line
    if start:
        yield start, piece


# Boards in our notation, one a line or with blank lines between them.


def _read_notation(source: Source) -> Iterator[tuple[str, Entry]]:
    return entries_of(source, _blocks(source.text))


def _blocks(text: str) -> Iterator[Record]:
    start, piece, open_block = 0, "", False
    for number, line in enumerate(StringIO(text, newline=""), 1):
        blank = not line.strip()
        if start and not blank and not open_block:
            yield Record(start, piece, rows_of_line(piece))
            start, piece = 0, ""
        if not blank:
            start, open_block = start or number, "/" not in line and "\\n" not in line
        else:
            open_block = False
        piece += line
    if start:
        yield Record(start, piece, rows_of_line(piece))


def _write_notation(instance: Instance) -> str:
    kept = kept_record(instance, "notation")
    if kept is not None:
        return str(kept)
    room = room_of(instance.family)
    if instance.rules and instance.rules != room.rules_of(room.parse(instance.board, {})):
        raise NotWritable(f"a board alone can't say the rules {json.dumps(instance.rules)}")
    return instance.board + "\n\n"


# Tables.


def _claims_table(text: str) -> bool:
    return "board" in _header(text[: text.find("\n") + 1 or None])


def _header(line: str) -> list[str]:
    if len(line) > 10_000:
        return []
    return [name.strip().lower() for name in next(csv.reader([line]), [])]


def _read_table(source: Source) -> Iterator[tuple[str, Entry]]:
    return entries_of(source, _table(source.text))


def _table(text: str) -> Iterator[Record]:
    csv.field_size_limit(sys.maxsize >> 32)  # a maze of 1000x1000 cells is a field like any other
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in StringIO(text, newline=""):
            taken.append(line)
            yield line

    reader = csv.reader(lines())
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        header, line = "".join(taken), reader.line_num + 1
        taken.clear()
        for values in reader:
            if values:  # blank lines belong to the row that follows
                yield _row(line, {"header": header, "row": "".join(taken)}, names, values)
                taken.clear()
            line = reader.line_num + 1
    except csv.Error as error:
        yield Record(line, {"header": header, "row": "".join(taken)}, problem=f"not CSV: {error}")


def _row(line: int, record: Any, names: list[str], values: list[str]) -> Record:
    if len(values) > len(names):
        return Record(
            line, record, problem=f"the row has {len(values)} values for {len(names)} columns"
        )
    fields = dict(zip(names, values, strict=False))
    if not fields.get("board"):
        return Record(line, record, problem="the row has no board")
    return Record(line, record, rows_of_line(fields["board"]), fields)


def _write_table(instance: Instance) -> str:
    kept = kept_record(instance, "csv")
    if kept is not None:
        return str(kept["row"])
    optimum = {instance.metric: instance.optimal_length}
    board, rules = instance.board.replace("\n", "/"), json.dumps(instance.rules)
    values = (instance.id, instance.family, board, rules, optimum.get("cell"), optimum.get("slide"))
    row = StringIO()
    csv.writer(row, lineterminator="\n").writerow(values)
    return row.getvalue()


def _table_head(instance: Instance) -> str:
    kept = kept_record(instance, "csv")
    return ",".join(_HEADER) + "\n" if kept is None else str(kept["header"])


# Instances, one JSON object a line (such as our own metadata.jsonl) or in an array.


def _claims_instances(text: str) -> bool:
    return isinstance(first_record(text).get("board"), str)


def _read_instances(source: Source) -> Iterator[tuple[str, Entry]]:
    return entries_of(source, _objects(source.text))


def _objects(text: str) -> Iterator[Record]:
    if text.lstrip()[:1] == "[":
        for line, value in json_records(text):
            yield _object(line, json.dumps(value, ensure_ascii=False) + "\n", value)
        return
    for line, piece in _lines(text):
        try:
            value = json.loads(piece)
        except (ValueError, RecursionError) as error:
            value = ValueError(f"not JSON: {getattr(error, 'msg', error)}")
        yield _object(line, piece, value)


def _object(line: int, text: str, value: Any) -> Record:
    if isinstance(value, ValueError):
        return Record(line, text, problem=str(value))
    if not isinstance(value, dict):
        return Record(line, text, problem="not a JSON object")
    if not isinstance(value.get("board"), str):
        return Record(line, text, problem="the object has no text called board")
    return Record(line, text, rows_of_line(value["board"]), value)


def _write_instances(instance: Instance) -> str:
    kept = kept_record(instance, "jsonl")
    if kept is not None:
        return str(kept)
    return instance.model_copy(update={"file_name": None, "aid_file_name": None}).line()


PLAIN: Mapping[str, Plain] = {
    "csv": Plain(_claims_table, _read_table, _write_table, _table_head),
    "jsonl": Plain(_claims_instances, _read_instances, _write_instances),
    "notation": Plain(lambda text: False, _read_notation, _write_notation),
}
"""Our own formats by name. Notation claims nothing: it is what remains."""
