"""Records that hold a board as text: its family, its rules, the optimum that is stated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from puzzles.exchange import Entry, Source, stated
from puzzles.rooms import NAMES, UnknownFamily
from puzzles.rooms import family as room_of

_LINE_END = re.compile("\r\n?")
_TRIED = 20
"""Boards that are read to find out which family they are of."""
_STATED = {"cells": "cell", "slides": "slide", "moves": "", "optimal_length": ""}
"""Columns that state an optimum, with the metric; "" where the family or another field says it."""


class UnknownFormat(ValueError):
    """Nobody can say what a file holds; the message says what to add."""


class UnknownBoards(UnknownFormat):
    """No family reads the boards."""


class Record(NamedTuple):
    """What a record says; ``problem`` where it says nothing."""

    line: int
    text: str
    board: str = ""
    fields: Mapping[str, Any] = {}
    problem: str = ""


def entries_of(source: Source, records: Iterable[Record]) -> Iterator[tuple[str, Entry]]:
    """Yield the boards of ``records``, whose family may have to be told from the boards."""
    rest = iter(records)
    first = list(islice(rest, _TRIED))
    default = source.options.get("family") or _family_of(first, source.options.get("rules", {}))
    for part in (first, rest):
        for record in part:
            name = record.fields.get("family") or default
            yield str(name or ""), _entry(record, name, source.options.get("rules", {}))


def _family_of(records: list[Record], rules: Mapping[str, Any]) -> str | None:
    """Return the family that reads most of the boards; None where they say it themselves."""
    boards = [r for r in records if not r.problem and not r.fields.get("family")]
    if not boards:
        return None
    read = {name: sum(_reads(name, record, rules) for record in boards) for name in NAMES}
    most = max(read.values())
    best = [name for name, count in read.items() if count == most]
    if most == 0:
        raise UnknownBoards(
            f"no family reads the board in line {boards[0].line}; --family says why not"
        )
    if len(best) > 1:
        raise UnknownFormat(
            f"the boards can be read as {' and as '.join(best)}; say which with --family"
        )
    return best[0]


def _reads(name: str, record: Record, rules: Mapping[str, Any]) -> bool:
    try:
        room_of(name).parse(record.board, _rules(record, rules))
    except ValueError:
        return False
    return True


def _rules(record: Record, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules of the record, with those given for all, which go before them."""
    own = record.fields.get("rules") or {}
    if isinstance(own, str):
        try:
            own = json.loads(own)
        except (ValueError, RecursionError):
            own = None
    if not isinstance(own, dict):
        raise ValueError(f"the rules are no JSON object: {record.fields['rules']!r}")
    return {**own, **rules}


def _entry(record: Record, name: Any, rules: Mapping[str, Any]) -> Entry:
    if record.problem:
        return Entry(record.line, record.text, problem=record.problem)
    try:
        if not isinstance(name, str):
            raise UnknownFamily(f"the record names no family (known: {', '.join(NAMES)})")
        room = room_of(name)
        state = room.parse(record.board, _rules(record, rules))
    except ValueError as error:
        return Entry(record.line, record.text, problem=str(error))
    return Entry(record.line, record.text, state, "", _stated(record.fields, room.joins is None))


def _stated(fields: Mapping[str, Any], only_cells: bool) -> dict[str, int]:
    """Return the optima that a record states, by metric.

    Where pieces slide, "moves" may mean either metric, so it says nothing.
    """
    found: dict[str, int] = {}
    for name, metric in _STATED.items():
        if name == "optimal_length":
            metric = str(fields.get("metric") or "cell")
        value = fields.get(name)
        if metric in ("cell", "slide") or (only_cells and not metric):
            optimum = stated(_number(value)).get("cell")
            if optimum is not None:
                found[metric or "cell"] = optimum
    return found


def _number(value: Any) -> Any:
    """Return the number that a text of digits stands for."""
    digits = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 20
    return int(value) if digits else value


def rows_of_line(board: str) -> str:
    """Return the rows of a board that may stand in one line, joined by ``/``."""
    board = _LINE_END.sub("\n", board).strip("\n")
    return board if "\n" in board else board.replace("\\n", "\n").replace("/", "\n")
