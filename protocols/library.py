"""The instances that answers may refer to: found in folders, read from disk when asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from puzzles.instance import Instance
from puzzles.records import HEADER, METADATA, DatasetError, datasets, parse_line


class Library:
    """Where each instance stands; it keeps the places, not the instances."""

    def __init__(self) -> None:
        self.buckets: Counter[tuple[str, str]] = Counter()
        """How many instances there are, by family and difficulty."""
        self._files: list[Path] = []
        self._places: dict[str, tuple[int, int, int]] = {}
        self._inline: dict[str, int] = {}
        self.get = lru_cache(maxsize=1024)(self._get)

    @classmethod
    def beside(cls, answers: Path, data: Iterable[Path]) -> Library:
        """Return the instances beside ``answers`` and in the folders ``data`` and below them.

        Where that gives none, the datasets one folder below ``answers`` are taken. Raises
        DatasetError for a folder without a dataset and for a line that can't be read.
        """
        library = cls()
        library._add(data)
        here = answers.resolve().parent
        library._index_all([here])
        if not library._files:
            library._index_all(sorted(path.parent for path in here.glob(f"*/{HEADER}")))
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
            path = (folder / METADATA).resolve()
            if path.is_file() and path not in self._files:
                self._index(path)

    def _index(self, path: Path) -> None:
        self._files.append(path)
        offset = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                name, bucket = _key(line, f"{path} line {number}")
                if name not in self._places:
                    self._places[name] = len(self._places), len(self._files) - 1, offset
                    self.buckets[bucket] += 1
                else:
                    self._compare(name, line, f"{path} line {number}")
                offset += len(line)

    def _compare(self, name: str, line: bytes, place: str) -> None:
        """Raise DatasetError where a second instance of the same id is another one."""
        one, two = self._get(name), parse_line(_decoded(line), place)
        if one and one.essence != two.essence:
            raise DatasetError(f"{place}: another instance has the same id, {name}")

    def _get(self, name: str) -> Instance | None:
        """Return the instance called ``name``, or None; raise DatasetError where it is broken."""
        if name not in self._places:
            return None
        _, file, offset = self._places[name]
        with self._files[file].open("rb") as lines:
            lines.seek(offset)
            return parse_line(_decoded(lines.readline()), f"{self._files[file]} (id {name})")

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def ordinal(self, instance: Instance) -> int:
        """Return a small number that stands for the instance; inline ones get one when met."""
        if instance.id in self._places:
            return self._places[instance.id][0]
        return len(self._places) + self._inline.setdefault(instance.id, len(self._inline))


def _key(line: bytes, place: str) -> tuple[str, tuple[str, str]]:
    """Return the id and the bucket in a line of metadata, without reading the rest."""
    try:
        record = json.loads(_decoded(line))
        found = record["id"], record["family"], record["difficulty"]
    except (ValueError, KeyError, TypeError, RecursionError):
        found = (None,) * 3
    if not all(isinstance(value, str) for value in found):
        raise DatasetError(f"{place} is not an instance")
    return found[0], found[1:]


def _decoded(line: bytes) -> str:
    return line.decode("utf-8-sig", "replace")
