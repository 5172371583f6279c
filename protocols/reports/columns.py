"""The columns of verdicts while they grow, each in an array of small numbers."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd

from protocols.protocol import PROTOCOLS
from puzzles.rooms import NAMES, family

WORDS = (
    *("id", "protocol", "model", "run", "family", "difficulty", "reason", "detail", "stop"),
    "error",
)
FLAGS = ("format_ok", "feasible", "optimal", "dead", "drawn")
NUMBERS = ("moves", "optimal_length", "legal_moves", "at", "distance", "rounds")
COLUMNS = (
    *("file", "line", "answer_line", "id", "protocol", "model", "run", "family", "difficulty"),
    *("format_ok", "feasible", "optimal", "moves", "optimal_length", "legal_moves", "at"),
    *("reason", "detail", "distance", "dead", "rounds", "stop", "drawn"),
    *("scores", "measured", "error"),
)
OBJECTS = ("scores", "measured")
"""What people or programs have said of drawings, and what the engine has measured; this, which has
something to say of every frame, is kept packed."""
PLACES = ("file", "line", "answer_line")
LARGEST = 2**31 - 1
"""The largest number that a column takes."""


class _Column(Protocol):
    def add(self, value: Any) -> None: ...

    def array(self, name: str) -> Any: ...


class _Words:
    """Texts, each kept once."""

    def __init__(self) -> None:
        self._codes = array("i")
        self._index: dict[str, int] = {}

    def add(self, value: str | None) -> None:
        if value is None:
            self._codes.append(-1)
            return
        if not value.isascii():  # half a surrogate pair is no text, and no column holds it
            value = value.encode("utf-8", "backslashreplace").decode()
        self._codes.append(self._index.setdefault(value, len(self._index)))

    def array(self, name: str) -> Any:
        words = pd.Categorical.from_codes(
            np.frombuffer(self._codes, np.int32), pd.Index(list(self._index), dtype=object)
        )
        order = _order(name, self._index)
        return words if order is None else words.reorder_categories(order, ordered=True)


class _Numbers:
    """Whole numbers from 0, or flags, with missing ones."""

    def __init__(self, kind: str) -> None:
        self._values = array(kind)

    def add(self, value: int | None) -> None:
        self._values.append(-1 if value is None else value)

    def array(self, name: str) -> Any:
        values = np.array(self._values)
        missing = values < 0
        values[missing] = 0
        if self._values.typecode == "b":
            return pd.arrays.BooleanArray(values.astype(bool), missing)
        return pd.arrays.IntegerArray(values, missing)


class Columns:
    """The table while it grows."""

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {name: _Words() for name in WORDS}
        self._columns |= {name: _Numbers("b") for name in FLAGS}
        self._columns |= {name: _Numbers("i") for name in NUMBERS}
        self._places = {name: array("i") for name in PLACES}
        self._objects: dict[str, dict[int, Any]] = {name: {} for name in OBJECTS}

    def add(self, file: int, line: int, row: dict[str, Any]) -> None:
        """Add a line of verdicts; the line of its answer is the same unless it names another."""
        for name, objects in self._objects.items():
            if row.get(name):
                kept = row[name] if name == "scores" else _packed(row[name])
                objects[len(self._places["line"])] = kept
        place = file, line, _line_of_answer(row.get("line")) or line
        for name, number in zip(PLACES, place, strict=True):
            self._places[name].append(number)
        for name, column in self._columns.items():
            column.add(row.get(name))

    def frame(self) -> Any:
        arrays = {name: column.array(name) for name, column in self._columns.items()}
        arrays |= {name: np.array(places) for name, places in self._places.items()}
        for name, objects in self._objects.items():
            arrays[name] = np.full(len(self._places["line"]), None, object)
            for at, value in objects.items():
                arrays[name][at] = value
        return pd.DataFrame({name: arrays[name] for name in COLUMNS}, copy=False)


def _packed(value: dict[str, Any]) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def unpacked(value: bytes | None) -> dict[str, Any]:
    """Return what a cell of ``measured`` holds; nothing where nothing was measured."""
    found: dict[str, Any] = {} if value is None else json.loads(zlib.decompress(value))
    return found


def _line_of_answer(value: Any) -> int | None:
    return value if type(value) is int and 1 <= value <= LARGEST else None


def _order(name: str, words: Iterable[str]) -> list[str] | None:
    """Return ``words`` in the order of a table; None for a column that has none."""
    if name in ("model", "run"):
        return sorted(words, key=lambda word: (len(word) if word.isdigit() else 0, word))
    if name == "protocol":
        known = list(PROTOCOLS)
        return sorted(words, key=lambda word: (_place(word.split("+")[0], known), word))
    if name == "family":
        return sorted(words, key=lambda word: (_place(word, NAMES), word))
    if name == "difficulty":
        buckets = list(dict.fromkeys(b for room in NAMES for b in family(room).buckets))
        return sorted(words, key=lambda word: (_place(word, buckets), word))
    return None


def _place(word: str, known: Sequence[str]) -> int:
    return known.index(word) if word in known else len(known)
