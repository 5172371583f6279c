"""The folder that a run writes to: safe to interrupt, resumed, never over something else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from puzzles.generate import Recipe
from puzzles.instance import ID, Instance, identity
from puzzles.pictures import FOLDERS
from puzzles.records import HEADER, METADATA, DatasetError, read
from puzzles.summary import Summary
from puzzles.version import VERSION

try:
    import fcntl
except ImportError:  # Windows has no flock; two runs into one folder are then up to the user.
    fcntl = None  # type: ignore[assignment]

_NEW_HEADER = ".dataset.json.new"


@dataclass(frozen=True)
class Content:
    """What a dataset is to hold; ``cell`` is None where there are no pictures."""

    recipe: Recipe
    n: int
    cell: int | None
    exclude: tuple[str, ...] = ()

    def excluding(self, fingerprints: Sequence[str]) -> Content:
        """Return the same without the boards of other datasets, named by their fingerprints."""
        return replace(self, exclude=tuple(fingerprints))

    def record(self) -> dict[str, Any]:
        """Return the content options as dataset.json holds them, all but the number."""
        recipe = self.recipe
        return {
            "family": recipe.family,
            "difficulty": recipe.difficulty,
            "length_range": list(recipe.bucket[:2]),
            "size": list(recipe.board_size),
            "rules": recipe.merged_rules,
            "options": recipe.merged_options,
            "split": recipe.split,
            "exclude": list(self.exclude),
            "seed": recipe.seed,
            "cell": self.cell,
            "generator": recipe.room.generator,
            "engine_version": VERSION,
        }

    def check(self, instance: Instance, place: str) -> None:
        """Raise DatasetError unless ``instance`` is of the kind that this content consists of."""
        recipe, index = self.recipe, instance.index
        name = identity(recipe.family, instance.difficulty, instance.board, instance.rules)
        expected = {
            "family": recipe.family,
            "seed": recipe.seed,
            "generator": recipe.room.generator,
            "id": name,
            "optimal_length": None if index is None else recipe.length(index),
        }
        for field, value in expected.items():
            if getattr(instance, field) != value:
                raise DatasetError(
                    f"{place}: {field} is {getattr(instance, field)!r}, not {value!r}: it is not "
                    "what this run wrote"
                )


class Folder(AbstractContextManager["Folder"]):
    """The folder that one run writes to; a second run into it is refused while this one lasts."""

    def __init__(self, path: Path, content: Content):
        self.path, self.content, self.summary = path, content, Summary()
        self._file: BinaryIO | None = None
        self._lock: int | None = None
        self._new: list[Path] = []

    def open(self, *, resume: bool, force: bool) -> Iterator[Instance]:
        """Make the folder ready; yield the instances that an interrupted run has left in it."""
        self._claim()
        names = {entry.name for entry in self.path.iterdir()} - {_NEW_HEADER}
        header: dict[str, Any] = {}
        if HEADER in names or METADATA in names:
            header = self._header()
            if force or not (header.get("complete") or self._has_lines()):
                self._clear()
                header = {}
            elif not resume:
                raise DatasetError(
                    f"{self.path} already holds a dataset; "
                    "--resume completes it, --force replaces it"
                )
        elif names:
            raise DatasetError(
                f"{self.path} holds something else ({min(names)}); give an empty or new folder"
            )
        if header:
            self._compare(header["content"])
        else:
            self._write_header(complete=False)
        for name in FOLDERS if self.content.cell else ():
            (self.path / name).mkdir(exist_ok=True)
        yield from self._kept(header)

    def _claim(self) -> None:
        self._new = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise DatasetError(f"{self.path} is a file, not a folder") from None
        if fcntl is None:
            return
        self._lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DatasetError(f"{self.path}: another run is writing to this folder") from None

    def _has_lines(self) -> bool:
        path = self.path / METADATA
        return path.exists() and path.stat().st_size > 0

    def _header(self) -> dict[str, Any]:
        """Return what dataset.json says; raise DatasetError unless it is one of ours."""
        try:
            header = json.loads((self.path / HEADER).read_text("utf-8"))
            if {"family", "seed", "generator"} <= set(header["content"]):
                return dict(header)
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, KeyError, RecursionError):
            raise DatasetError(f"{self.path / HEADER} does not describe a dataset") from None
        raise DatasetError(
            f"{self.path} holds a dataset that was not made here; give an empty or new folder"
        )

    def _compare(self, content: dict[str, Any]) -> None:
        for name, value in self.content.record().items():
            if content.get(name) != value:
                raise DatasetError(
                    f"{self.path} was begun with {name} {json.dumps(content.get(name))}, "
                    f"not {json.dumps(value)}; resume with the same options, or take another folder"
                )

    def _clear(self) -> None:
        """Remove what a dataset consists of, and nothing else that may lie beside it."""
        for name in (METADATA, HEADER, _NEW_HEADER):
            (self.path / name).unlink(missing_ok=True)
        for name in FOLDERS:
            for picture in (self.path / name).glob("*.png"):
                if ID.fullmatch(picture.stem):
                    picture.unlink()

    def _kept(self, header: dict[str, Any]) -> Iterator[Instance]:
        """Cut off a torn last line, and yield what is complete."""
        path = self.path / METADATA
        self._file = path.open("ab+")
        _cut_torn_line(self._file)
        for instance, line in read(self.path):
            place = f"{path} line {self.summary.count + 1}"
            if instance.index != self.summary.count:
                raise DatasetError(f"{place}: index {instance.index} is out of order")
            self.content.check(instance, place)
            self.summary.add(instance, line)
            if header.get("count") == self.summary.count != self.content.n:
                self._check_fingerprint(header)
            yield instance
        if self.summary.count > self.content.n:
            raise DatasetError(
                f"{self.path} already holds {self.summary.count} instances, more than the "
                f"{self.content.n} asked for"
            )
        if header.get("count") == self.summary.count:
            self._check_fingerprint(header)
        else:
            self._write_header(complete=False)

    def _check_fingerprint(self, header: dict[str, Any]) -> None:
        if header.get("fingerprint") != self.summary.fingerprint:
            raise DatasetError(
                f"{self.path / METADATA} has been changed since it was completed: its fingerprint "
                f"is {self.summary.fingerprint}, not {header.get('fingerprint')}"
            )

    def append(self, instances: Sequence[Instance]) -> None:
        """Add instances whose pictures are on disk."""
        if self._file is None:
            raise RuntimeError("append to a folder that has not been opened")
        lines = [instance.line() for instance in instances]
        try:
            self._file.write("".join(lines).encode())
            self._file.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path / METADATA)) from None
        for instance, line in zip(instances, lines, strict=True):
            self.summary.add(instance, line)

    def complete(self) -> None:
        """Write the final dataset.json."""
        self._write_header(complete=True)

    def _write_header(self, *, complete: bool) -> None:
        header: dict[str, Any] = {"complete": complete, "content": self.content.record()}
        if complete:
            header |= self.summary.record()
        new = self.path / _NEW_HEADER
        new.write_text(json.dumps(header, indent=2) + "\n", "utf-8")
        os.replace(new, self.path / HEADER)

    def _withdraw(self) -> None:
        """Leave no trace of a run that made nothing, so that another may take the folder."""
        self._clear()
        for folder in (*(self.path / name for name in FOLDERS), *self._new):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        if self._file is not None:
            with suppress(OSError):  # a full disk, which the failed write has already reported
                self._file.close()
            if kind is not None and self.summary.count == 0 and not self._has_lines():
                self._withdraw()
        if self._lock is not None:
            os.close(self._lock)


def _cut_torn_line(file: BinaryIO) -> None:
    """Shorten ``file`` to its last line break: what follows was being written at a kill."""
    end = file.seek(0, os.SEEK_END)
    at = end
    while at > 0:
        start = max(0, at - (1 << 20))
        file.seek(start)
        found = file.read(at - start).rfind(b"\n")
        if found >= 0:
            at = start + found + 1
            break
        at = start
    if at < end:
        file.truncate(at)
    file.seek(at)
