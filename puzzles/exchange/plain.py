"""Formats of no family: boards in our notation, tables with a column of boards, instances."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzles.exchange import (
    Entry,
    NotWritable,
    Source,
    first_record,
    json_records,
    kept_record,
    lines_of,
)
from puzzles.exchange.listing import Record, UnknownFormat, entries_of, rows_of_line
from puzzles.rooms import family as room_of

if TYPE_CHECKING:
    from puzzles.instance import Instance

_BOARD = "board"
_HEADER = ("id", "family", _BOARD, "rules", "cells", "slides")
_LONGEST = 10_000
"""Characters of a line that may name columns."""


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


# Boards in our notation, one a line or with blank lines between them.


def _read_notation(source: Source) -> Iterator[tuple[str, Entry]]:
    return entries_of(source, _blocks(source.text))


def _blocks(text: str) -> Iterator[Record]:
    start, piece, open_block = 0, "", False
    for number, line in enumerate(lines_of(text), 1):
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
        return kept
    room = room_of(instance.family)
    if instance.rules and instance.rules != room.rules_of(room.parse(instance.board, {})):
        raise NotWritable(f"a board alone can't say the rules {json.dumps(instance.rules)}")
    return instance.board + "\n\n"


# Tables.


def _claims_table(text: str) -> bool:
    return _BOARD in columns(text)


def columns(text: str) -> list[str]:
    """Return the names of the columns, in lower case, where the first line may be a heading."""
    head = next(iter(lines_of(text[:_LONGEST])), "")
    return _heading(head, _separator(head)) if len(head) < _LONGEST else []


def _heading(line: str, separator: str) -> list[str]:
    try:
        values = next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []
    return [name.strip().lower() for name in values]


def _separator(line: str) -> str:
    """Return what stands between the columns: that of ``,;`` and tab which finds a board."""
    return next((mark for mark in ",;\t" if _BOARD in _heading(line, mark)), ",")


def _read_table(source: Source) -> Iterator[tuple[str, Entry]]:
    return entries_of(source, _table(source.text))


def _table(text: str) -> Iterator[Record]:
    """Yield the rows; blank lines belong to the row that follows, or to the last."""
    csv.field_size_limit(sys.maxsize >> 32)  # a maze of 1000x1000 cells is a field like any other
    header, *lines = lines_of(text)
    names = _heading(header, _separator(header))
    if _BOARD not in names:
        raise UnknownFormat(f"a table without a column board (columns: {', '.join(names)})")
    taken: list[str] = []

    def following() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    def text_of_row() -> str:
        row = "".join(taken)
        taken.clear()
        return row

    reader = csv.reader(following(), delimiter=_separator(header))
    row: _Row | None = None
    line = 2
    try:
        for values in reader:
            if values:
                if row:
                    yield row.record(header, names)
                row = _Row(line, text_of_row(), values)
            line = reader.line_num + 2
    except csv.Error as error:
        if row:
            yield row.record(header, names)
        row = None
        rest = "".join([*taken, *lines[reader.line_num :]])
        problem = f"not CSV: {error}; the rest of the file is not read"
        yield Record(line, _kept_row(header, rest), problem=problem)
    if row:
        yield row._replace(text=row.text + text_of_row()).record(header, names)


class _Row(NamedTuple):
    line: int
    text: str
    values: list[str]

    def record(self, header: str, names: list[str]) -> Record:
        return _row(self.line, _kept_row(header, self.text), names, self.values)


def _kept_row(header: str, row: str) -> str:
    """Return what a row keeps of its file: its columns are named above it."""
    return json.dumps({"header": header, "row": row}, ensure_ascii=False)


def _row(line: int, record: str, names: list[str], values: list[str]) -> Record:
    if len(values) > len(names):
        return Record(
            line, record, problem=f"the row has {len(values)} values for {len(names)} columns"
        )
    fields = dict(zip(names, values, strict=False))
    if not fields.get("board"):
        return Record(line, record, problem="the row has no board")
    return Record(line, record, rows_of_line(fields["board"]), fields)


def _write_table(instance: Instance) -> str:
    kept = _row_of(instance)
    if kept is not None:
        return kept["row"]
    optimum = {instance.metric: instance.optimal_length}
    board, rules = instance.board.replace("\n", "/"), json.dumps(instance.rules)
    values = (instance.id, instance.family, board, rules, optimum.get("cell"), optimum.get("slide"))
    row = StringIO()
    csv.writer(row, lineterminator="\n").writerow(values)
    return row.getvalue()


def _table_head(instance: Instance) -> str:
    kept = _row_of(instance)
    return ",".join(_HEADER) + "\n" if kept is None else kept["header"]


def _row_of(instance: Instance) -> dict[str, str] | None:
    """Return what the instance has kept of its table; raise NotWritable where it is broken."""
    kept = kept_record(instance, "csv")
    if kept is None:
        return None
    try:
        found = json.loads(kept)
        return {name: found[name] + "" for name in ("header", "row")}
    except (ValueError, TypeError, KeyError, RecursionError):
        raise NotWritable("its source holds no row of a table") from None


# Instances, one JSON object a line (such as our own metadata.jsonl) or in an array.


def _claims_instances(text: str) -> bool:
    return isinstance(first_record(text).get("board"), str)


def _read_instances(source: Source) -> Iterator[tuple[str, Entry]]:
    return entries_of(source, _objects(source.text))


def _objects(text: str) -> Iterator[Record]:
    for line, value, piece in json_records(text):
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
        return kept
    return instance.model_copy(update={"file_name": None, "aid_file_name": None}).line()


PLAIN: Mapping[str, Plain] = {
    "csv": Plain(_claims_table, _read_table, _write_table, _table_head),
    "jsonl": Plain(_claims_instances, _read_instances, _write_instances),
    "notation": Plain(lambda text: False, _read_notation, _write_notation),
}
"""Our own formats by name. Notation claims nothing: it is what remains."""
