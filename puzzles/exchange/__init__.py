"""Other people's formats: what a room says of one, and what the rooms' readers have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from puzzles.instance import Instance


class NotWritable(ValueError):
    """The board can't be said in the format; the message says why."""


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
        What stood there, so that it can be written back: text with its line breaks (the records
        of a file together are the whole file), or a JSON object.
    state, problem
        The board; or None and one sentence that says what is wrong with the record.
    optimum
        The optimal length that the record states, by metric (cell, slide).
    """

    line: int
    record: Any
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
    """

    claims: Callable[[str], bool]
    read: Callable[[Source], Iterator[Entry]]
    write: Callable[[Instance], str] | None = None


def json_records(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the objects of a JSON array or of JSON lines, each with its line, from 1.

    What is not JSON is yielded as the ValueError that says so.
    """
    decoder, at, end = json.JSONDecoder(), 0, len(text)
    line, counted = 1, 0
    inside = text.lstrip("\ufeff \t\r\n").startswith("[")
    while True:
        while at < end and (text[at].isspace() or text[at] in "\ufeff" + ",[]" * inside):
            at += 1
        if at == end:
            return
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, at = decoder.raw_decode(text, at)
            yield line, value
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            yield line, ValueError(f"not JSON: {reason}")
            following = text.find("\n", at)
            at = end if inside or following < 0 else following


def first_record(text: str) -> dict[str, Any]:
    """Return the first object of a JSON array or of JSON lines; {} where the text is no such."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("[", "{"):
        return {}
    value = next(json_records(text), (0, None))[1]
    return value if isinstance(value, dict) else {}


def kept_record(instance: Instance, name: str) -> Any:
    """Return the record that ``instance`` came from where it came in the format ``name``."""
    source = instance.source or {}
    return source.get("record") if source.get("format") == name else None
