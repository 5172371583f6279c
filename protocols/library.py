"""The instances that answers may refer to: found in folders, read from disk when asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from puzzles.instance import Instance
from puzzles.records import (
    HEADER,
    DatasetError,
    Line,
    datasets,
    files,
    holds_dataset,
    line,
    lines,
    parse_line,
)


class Library:
    """Where each instance stands; it keeps the places, not the instances."""

    def __init__(self) -> None:
        self.buckets: Counter[tuple[str, str]] = Counter()
        """How many instances there are, by family and difficulty."""
        self._files: list[Path] = []
        self._places: dict[str, tuple[int, int, int]] = {}
        self._inline: dict[str, int] = {}
        self.get = lru_cache(maxsize=1024)(self._get)
        self.record = lru_cache(maxsize=1024)(self._record)

    @classmethod
    def beside(cls, answers: Path, data: Iterable[Path]) -> Library:
        """Return the instances beside ``answers`` and in the folders ``data`` and below them.

        Where that gives none, the datasets one folder below ``answers`` are taken. Raises
        DatasetError for a folder without a dataset and for a line that can't be read.
        """
        library = cls()
        library._add(data)
        here = answers.resolve().parent
        library._index_all([here] if holds_dataset(here) else [])
        if not library._files:
            folders = sorted(path.parent for path in here.glob(f"*/{HEADER}"))
            library._index_all(filter(holds_dataset, folders))
        return library

    @classmethod
    def below(cls, folders: Iterable[Path]) -> Library:
        """Return the instances in ``folders`` and below them; raise DatasetError as above."""
        library = cls()
        library._add(folders)
        return library

    def _add(self, folders: Iterable[Path]) -> None:
        for folder in folders:
            self._index_all(datasets(folder))

    def _index_all(self, folders: Iterable[Path]) -> None:
        for folder in folders:
            for path in files(folder):
                if path.resolve() not in self._files:
                    self._index(path.resolve())

    def _index(self, path: Path) -> None:
        self._files.append(path)
        for one in lines(path):
            name, bucket = _key(one)
            if name not in self._places:
                self._places[name] = len(self._places), len(self._files) - 1, one.at
                self.buckets[bucket] += 1
            else:
                self._compare(name, one)

    def _compare(self, name: str, line: Line) -> None:
        """Raise DatasetError where a second instance of the same id is another one."""
        one, two = self._get(name), parse_line(line.text, line.said)
        if one and one.essence != two.essence:
            raise DatasetError(f"{line.said}: another instance has the same id, {name}")

    def _get(self, name: str) -> Instance | None:
        """Return the instance called ``name``, or None; raise DatasetError where it is broken."""
        found = self._record(name)
        return found and parse_line(*found)

    def _record(self, name: str) -> tuple[str, str] | None:
        """Return the record of an instance, and its place in words; None, DatasetError as above."""
        if name not in self._places:
            return None
        _, file, at = self._places[name]
        path = self._files[file]
        return line(path, at), f"{path} (id {name})"

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def ordinal(self, name: str) -> int:
        """Return a small number that stands for an instance; inline ones get one when met."""
        if name in self._places:
            return self._places[name][0]
        return len(self._places) + self._inline.setdefault(name, len(self._inline))


def _key(line: Line) -> tuple[str, tuple[str, str]]:
    """Return the id and the bucket in a line of metadata, without reading the rest."""
    try:
        record = json.loads(line.text)
        found = record["id"], record["family"], record["difficulty"]
    except (ValueError, KeyError, TypeError, RecursionError):
        found = (None,) * 3
    if not all(isinstance(value, str) for value in found):
        raise DatasetError(f"{line.said} is not an instance")
    return found[0], found[1:]
