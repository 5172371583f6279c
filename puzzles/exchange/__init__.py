"""Other people's formats: what a room says of one, and what the rooms' readers have in common."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from puzzles.instance import Instance


class NotWritable(ValueError):
    """The board can't be said in the format; the message says why."""


class BadRecord(ValueError):
    """The record is no board; the message says why."""


class Source(NamedTuple):
    """A file to import: where it lies, its text, and what the user says besides.

    ``options`` may hold ``start`` and ``goal``, cells (row, column) for maps without them.
    """

    path: Path
    text: str
    options: Mapping[str, Any] = {}


class Entry(NamedTuple):
    """One board of a file, or why there is none.

    line
        Where it begins in the file, from 1.
    record
        The text that stood there with its line breaks, so that it can be written back: the
        records of a file together are the whole file.
    state, problem
        The board; or None and one sentence that says what is wrong with the record.
    optimum
        The optimal length that the record states, by metric (cell, slide).
    """

    line: int
    record: str
    state: Any = None
    problem: str = ""
    optimum: Mapping[str, int] = {}


class Format(NamedTuple):
    """A format of one family.

    claims(text)
        Whether the text is of this format and no other, at first sight.
    read(source)
        Yield every board of the file in order; nothing in a file raises an error.
    write(instance)
        Return the record of one instance with its line breaks (for a JSON format: one line); an
        instance that came in this format gives back its record. Raises NotWritable. None where
        the format is only read.
    beside(source)
        The files that reading the text takes besides, whether they are there or not.
    """

    claims: Callable[[str], bool]
    read: Callable[[Source], Iterator[Entry]]
    write: Callable[[Instance], str] | None = None
    beside: Callable[[Source], list[Path]] = lambda source: []


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BLANK = re.compile("[\ufeff \\t\\r\\n]*")
_DIGITS = 18
"""Digits of a number that is taken for a length."""


def lines_of(text: str) -> list[str]:
    """Return the lines of ``text`` with their ends, which are ``\\n``, ``\\r\\n`` or ``\\r``."""
    return _LINE.findall(text)


def stated(value: Any) -> dict[str, int]:
    """Return the optimum in cells that a record states; {} for what is no length."""
    return {"cell": value} if type(value) is int and 0 <= value < 10**_DIGITS else {}


class JsonRecord(NamedTuple):
    """A value of a file, or the ValueError that says what is wrong with what stands there.

    line
        Where it begins, from 1.
    text
        What stands there, to the beginning of the next one: together they are the whole file.
    """

    line: int
    value: Any
    text: str


def json_records(text: str) -> Iterator[JsonRecord]:
    """Yield the values of a JSON array or of JSON lines.

    What is no JSON is one record: of JSON lines that line, of an array all that follows.
    """
    values = _elements(text) if text[_end_of_blank(text, 0) :][:1] == "[" else _values(text)
    start, line, counted = 0, 1, 0
    for (at, value), (end, _) in pairwise(chain(values, [(len(text), None)])):
        line, counted = line + _line_ends(text, counted, at), at
        yield JsonRecord(line, value, text[start:end])
        start = end


def _values(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the values that stand one after another, each with its place."""
    at = _end_of_blank(text, 0)
    while at < len(text):
        value, end = _value(text, at)
        yield at, value
        if isinstance(value, ValueError):
            found = re.compile("[\r\n]").search(text, at)
            end = found.start() if found else len(text)
        at = _end_of_blank(text, end)


def _elements(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the elements of an array; after an error, nothing."""
    at = _end_of_blank(text, _end_of_blank(text, 0) + 1)
    mark = "," if text[at : at + 1] != "]" else "]"
    while mark == ",":
        value, end = _value(text, at)
        if isinstance(value, ValueError):
            yield at, ValueError(f"{value}; the rest of the file is not read")
            return
        yield at, value
        at = _end_of_blank(text, end)
        mark = text[at : at + 1]
        if mark == ",":
            at = _end_of_blank(text, at + 1)
    rest = _end_of_blank(text, at + 1)
    if mark != "]":
        what = "',' or ']' is missing after an element"
        yield at, ValueError(f"not JSON: {what}; the rest of the file is not read")
    elif rest < len(text):
        yield rest, ValueError("not JSON: something follows the end of the array; it is not read")


def _value(text: str, at: int) -> tuple[Any, int]:
    """Return the value at ``at`` or the ValueError that says why there is none, and its end."""
    try:
        return json.JSONDecoder().raw_decode(text, at)
    except RecursionError:
        return ValueError("not JSON: nested too deep"), at
    except ValueError as error:
        return ValueError(f"not JSON: {getattr(error, 'msg', error)}"), at


def _end_of_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _line_ends(text: str, start: int, end: int) -> int:
    marks = (text.count(mark, start, end) for mark in ("\n", "\r"))
    return sum(marks) - text.count("\r\n", start, end)


def first_record(text: str) -> dict[str, Any]:
    """Return the first object of a JSON array or of JSON lines; {} where the text is no such."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("[", "{"):
        return {}
    value = next((record.value for record in json_records(text)), None)
    return value if isinstance(value, dict) else {}


def kept_record(instance: Instance, name: str) -> str | None:
    """Return the record that ``instance`` came from where it came in the format ``name``."""
    source = instance.source or {}
    record = source.get("record")
    return record if source.get("format") == name and isinstance(record, str) else None
