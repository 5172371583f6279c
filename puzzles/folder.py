"""A dataset's folder: written line by line, safe to interrupt, never over something else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from puzzles.generate import Recipe
from puzzles.instance import Instance
from puzzles.summary import Summary
from puzzles.version import VERSION

try:
    import fcntl
except ImportError:  # Windows has no flock; two runs into one folder are then up to the user.
    fcntl = None  # type: ignore[assignment]

METADATA, HEADER = "metadata.jsonl", "dataset.json"
_NEW_HEADER = ".dataset.json.new"
_OURS = {METADATA, HEADER, _NEW_HEADER, "images", "aids"}


class DatasetError(ValueError):
    """A dataset can't be read or written; the message names the file and the line."""


@dataclass(frozen=True)
class Content:
    """What a dataset is to hold; ``cell`` is None where there are no pictures."""

    recipe: Recipe
    n: int
    cell: int | None
    exclude: tuple[str, ...] = ()

    def excluding(self, fingerprints: Sequence[str]) -> Content:
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
        names = {entry.name for entry in self.path.iterdir()}
        if HEADER in names or METADATA in names:
            header = self._header()
            if force:
                self._clear(str(header["content"].get("family")))
            elif not resume:
                raise DatasetError(
                    f"{self.path} already holds a dataset; "
                    "--resume completes it, --force replaces it"
                )
            else:
                self._check(header)
        elif names - _OURS:
            raise DatasetError(
                f"{self.path} holds something else ({sorted(names - _OURS)[0]}); "
                "give an empty or new folder"
            )
        for name in ("images", "aids") if self.content.cell else ():
            (self.path / name).mkdir(exist_ok=True)
        yield from self._kept()

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

    def _header(self) -> dict[str, Any]:
        try:
            header = json.loads((self.path / HEADER).read_text("utf-8"))
        except FileNotFoundError:
            raise DatasetError(
                f"{self.path} has a {METADATA} but no {HEADER}, so it was not made here; "
                "give an empty or new folder"
            ) from None
        except ValueError:
            raise DatasetError(f"{self.path / HEADER} is not JSON") from None
        if not isinstance(header, dict) or "content" not in header:
            raise DatasetError(f"{self.path / HEADER} does not describe a dataset")
        return header

    def _check(self, header: dict[str, Any]) -> None:
        ours = self.content.record()
        for name, value in ours.items():
            if header["content"].get(name) != value:
                raise DatasetError(
                    f"{self.path} was begun with {name} {json.dumps(header['content'].get(name))}, "
                    f"not {json.dumps(value)}; resume with the same options, or take another folder"
                )

    def _clear(self, family: str) -> None:
        """Remove what a dataset consists of, and nothing else that may lie beside it."""
        for name in (METADATA, HEADER, _NEW_HEADER):
            (self.path / name).unlink(missing_ok=True)
        for name in ("images", "aids"):
            for picture in (self.path / name).glob(f"{family}-*.png"):
                picture.unlink()

    def _kept(self) -> Iterator[Instance]:
        """Cut off a torn last line, yield what is complete, and write the header."""
        if not (self.path / HEADER).exists():
            self._write_header(complete=False)
        path = self.path / METADATA
        path.touch()
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(path, whole)
        for instance, line in read(self.path):
            if instance.index != self.summary.count:
                raise DatasetError(
                    f"{path} line {self.summary.count + 1}: index {instance.index} out of order"
                )
            self.summary.add(instance, line)
            yield instance
        if self.summary.count > self.content.n:
            raise DatasetError(
                f"{self.path} already holds {self.summary.count} instances, more than the "
                f"{self.content.n} asked for"
            )
        self._write_header(complete=False)
        self._file = path.open("ab")

    def append(self, instances: Sequence[Instance]) -> None:
        """Add instances whose pictures are on disk."""
        if self._file is None:
            raise RuntimeError("append to a folder that has not been opened")
        lines = [instance.line() for instance in instances]
        self._file.write("".join(lines).encode())
        self._file.flush()
        for instance, line in zip(instances, lines, strict=True):
            self.summary.add(instance, line)

    def _withdraw(self) -> None:
        """Leave no trace of a run that made nothing, so that another may take the folder."""
        self._clear(self.content.recipe.family)
        for folder in (self.path / "images", self.path / "aids", *self._new):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

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

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        if self._file is not None:
            self._file.close()
            if kind is not None and self.summary.count == 0:
                self._withdraw()
        if self._lock is not None:
            os.close(self._lock)


def read(folder: Path) -> Iterator[tuple[Instance, str]]:
    """Yield the instances of a dataset with their lines; raise DatasetError naming the line."""
    path = folder / METADATA
    try:
        file = path.open(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(f"{folder} holds no dataset: there is no {METADATA}") from None
    with file:
        try:
            for number, line in enumerate(file, 1):
                yield parse_line(line, f"{path} line {number}"), line
        except UnicodeDecodeError:
            raise DatasetError(f"{path} is not UTF-8 text") from None


def parse_line(line: str, place: str) -> Instance:
    """Return the instance that ``line`` holds; raise DatasetError naming ``place``."""
    if not line.endswith("\n"):
        raise DatasetError(f"{place} is cut off; `puzzles make --resume` completes the dataset")
    try:
        return Instance.model_validate_json(line)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "the line"
        raise DatasetError(f"{place}: {where}: {problem['msg']}") from None
