"""The instances that answers may refer to: found in folders, read from disk when asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from puzzles.folder import METADATA, DatasetError, parse_line
from puzzles.instance import Instance


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

        Where that gives none, the folders beside ``answers`` are looked through as well.
        Raises DatasetError for a folder without a dataset and for a line that can't be read.
        """
        library = cls()
        library._add(data)
        here = answers.resolve().parent
        library._index_all([here / METADATA])
        if not library._files:
            library._index_all(sorted(here.glob(f"*/{METADATA}")))
        return library

    @classmethod
    def below(cls, folders: Iterable[Path]) -> Library:
        """Return the instances in ``folders`` and below them; raise DatasetError as above."""
        library = cls()
        library._add(folders)
        return library

    def _add(self, folders: Iterable[Path]) -> None:
        for folder in folders:
            found = sorted(folder.rglob(METADATA))
            if not found:
                raise DatasetError(f"{folder} holds no dataset: there is no {METADATA} in or below")
            self._index_all(found)

    def _index_all(self, paths: Iterable[Path]) -> None:
        for path in paths:
            if path.is_file() and path.resolve() not in self._files:
                self._index(path.resolve())

    def _index(self, path: Path) -> None:
        self._files.append(path)
        offset = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = json.loads(line)
                    name = record["id"]
                    bucket = record["family"], record["difficulty"]
                except (ValueError, KeyError, TypeError):
                    raise DatasetError(f"{path} line {number} is not an instance") from None
                if name not in self._places:
                    self._places[name] = len(self._places), len(self._files) - 1, offset
                    self.buckets[bucket] += 1
                offset += len(line)

    def _get(self, name: str) -> Instance | None:
        """Return the instance called ``name``, or None; raise DatasetError where it is broken."""
        if name not in self._places:
            return None
        _, file, offset = self._places[name]
        with self._files[file].open("rb") as lines:
            lines.seek(offset)
            return parse_line(lines.readline().decode(), f"{self._files[file]} (id {name})")

    def ordinal(self, instance: Instance) -> int:
        """Return a small number that stands for the instance; inline ones get one when met."""
        if instance.id in self._places:
            return self._places[instance.id][0]
        return len(self._places) + self._inline.setdefault(instance.id, len(self._inline))
