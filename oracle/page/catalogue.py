"""Catalogue: where the instances of a data folder stand, and what they are searched by."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from oracle.errors import Refused, Unknown
from oracle.page.facets import Column, Facets
from puzzles.instance import Instance
from puzzles.records import DatasetError, Line, line, lines, parse_line
from puzzles.rooms import NAMES, family

FILTERS = ("family", "difficulty", "split")


class Catalogue:
    """The instances of a dataset by where they stand; they themselves stay on disk.

    Of several of one id the first counts. Raises DatasetError for a line that is no instance.
    """

    def __init__(self, files: Sequence[Path], told: Callable[[int], None]):
        self._files = list(files)
        self._places: dict[str, int] = {}
        self._file, self._at = array("i"), array("q")
        self._codes: dict[str, array[int]] = {name: array("i") for name in FILTERS}
        self._words: dict[str, dict[str, int]] = {name: {} for name in FILTERS}
        read = 0
        for number, path in enumerate(self._files):
            read = self._read(number, path, read, told)
        self.names = list(self._places)
        self._columns = {name: self._column(name) for name in FILTERS}
        names = Column(np.arange(len(self.names)), self.names)
        self.find = Facets(self._columns, names).find

    def _read(self, number: int, path: Path, before: int, told: Callable[[int], None]) -> int:
        """Read a file; return the bytes that have been read by then, ``before`` included."""
        size = path.stat().st_size
        for at, one in enumerate(lines(path), 1):
            self._add(number, one)
            if at % 1024 == 0:
                told(before + min(one.at, size))
        return before + size

    def _add(self, file: int, line: Line) -> None:
        try:
            record = json.loads(line.text)
            name, words = record["id"], [record[one] or "-" for one in FILTERS[:2]]
            words.append(record.get("split") or "-")
            whole = all(isinstance(word, str) for word in (name, *words))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            whole = False
        if not whole:
            raise DatasetError(f"{line.said} is not an instance")
        if name in self._places:
            return
        self._places[name] = len(self._places)
        self._file.append(file)
        self._at.append(line.at)
        for one, word in zip(FILTERS, words, strict=True):
            known = self._words[one]
            self._codes[one].append(known.setdefault(word, len(known)))

    def _column(self, name: str) -> Column:
        """Return a column, its words in the order in which people count them."""
        levels = [level for one in NAMES for level in family(one).buckets]
        order = {word: at for at, word in enumerate(dict.fromkeys([*NAMES, *levels]))}
        words = sorted(self._words[name], key=lambda word: (order.get(word, len(order)), word))
        place = np.array([words.index(word) for word in self._words[name]], np.int32)
        return Column(place[np.array(self._codes[name], np.intp)], words)

    def row(self, at: int) -> dict[str, Any]:
        """Return what a list shows of an instance."""
        words = {name: column.words[column.codes[at]] for name, column in self._columns.items()}
        return {"id": self.names[at], **words}

    def get(self, name: str) -> Instance:
        """Return the instance called ``name``; raise Unknown, or Refused for a broken one."""
        at = self._places.get(name)
        if at is None:
            raise Unknown(f"the data hold no instance {name!r}")
        path = self._files[self._file[at]]
        try:
            return parse_line(line(path, self._at[at]), f"{path} (id {name})")
        except DatasetError as error:
            raise Refused(str(error)) from None
