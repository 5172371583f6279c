"""What a run writes a dataset to: safe to interrupt, resumed, never over something else."""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from puzzles.content import Contents
from puzzles.instance import ID, Instance
from puzzles.lock import LOCKS, taken
from puzzles.log import Log, naming
from puzzles.pictures import FOLDERS, Pictured, Row
from puzzles.records import FORM, HEADER, METADATA, SHARD, DatasetError, parse_line
from puzzles.shards.cut import NAME
from puzzles.summary import Summary

LEFT_OUT = "left_out.jsonl"
"""The log of the records that an import has left out."""
ROWS = "data.jsonl"
"""Rows for a trainer that reads lines of JSON, beside the records in a folder."""
_NEW_HEADER = ".dataset.json.new"
_PICTURE = re.compile(rf"(?:{ID.pattern}|[0-9]{{8,}})(?:-[0-9]+)?")
NEW_SHARD = re.compile(rf"\.(?:{SHARD.pattern})\.new")
"""A shard that is being written; a kill leaves it behind."""


class Store(AbstractContextManager["Store"], ABC):
    """The folder that one run writes to; a second run into it is refused while this one lasts.

    What is written is a function of what is appended, not of when or by whom. Each format of
    storage says how its rows are begun, appended, ended and read back.
    """

    def __init__(self, path: Path, content: Contents):
        self.path, self.content, self.summary = path, content, Summary()
        self.left_out = Log(path / LEFT_OUT)
        self.is_open = False
        self._lock: int | None = None
        self._new: list[Path] = []

    @abstractmethod
    def form(self) -> dict[str, Any]:
        """Return what dataset.json says of the format, ``format`` first; {} for a plain folder."""

    @abstractmethod
    def begin(self) -> None:
        """Make ready to append, behind the whole rows that there are."""

    @abstractmethod
    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the rows that there are: the place in words, and the record as a line of JSON."""

    @abstractmethod
    def put(self, chunk: Sequence[Pictured], lines: Sequence[str]) -> None:
        """Write instances, of which ``lines`` are the records."""

    @abstractmethod
    def end(self) -> None:
        """Write what is left to write, when all has been appended."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the files, whatever has happened."""

    @property
    def row(self) -> Row | None:
        """What makes the rows, where that is worth a task; None where the store does it itself."""
        return None

    def placed(self, pictured: Pictured, number: int) -> Pictured:
        """Return what is row ``number``, from 0, with names for its pictures if it needs them."""
        return pictured

    def lacks(self, instance: Instance) -> bool:
        """Whether the pictures of an instance that is kept are not there."""
        return False

    def restore(self, pictured: Pictured) -> None:
        """Write pictures that were lacking; where none ever are, there is nothing to do."""

    def open(self, *, resume: bool, force: bool) -> Iterator[Instance]:
        """Make the folder ready; yield the instances that an interrupted run has left in it."""
        self._claim()
        names = {entry.name for entry in self.path.iterdir()}
        names = {name for name in names if name != _NEW_HEADER and not NEW_SHARD.fullmatch(name)}
        header: dict[str, Any] = {}
        if names & {HEADER, METADATA} or any(map(SHARD.fullmatch, names)):
            header = self._header()
            self._check_others(names)
            if force or not (header.get("complete") or self._has_any()):
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
            self._compare(header)
        else:
            self._write_header(complete=False)
        self.begin()
        self.is_open = True
        yield from self._kept(header)

    def _check_others(self, names: set[str]) -> None:
        """Raise DatasetError for shards beside ours that no run of ours has written."""
        found = filter(None, map(SHARD.fullmatch, sorted(names)))
        others = [shard[0] for shard in found if shard[1] != NAME]
        if others:
            raise DatasetError(
                f"{self.path} holds something else ({others[0]}); take it away first"
            )

    def _claim(self) -> None:
        self._new = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise DatasetError(f"{self.path} is a file, not a folder") from None
        if not LOCKS:
            return
        self._lock = os.open(self.path, os.O_RDONLY)
        if not taken(self._lock):
            raise DatasetError(f"{self.path}: another run is writing to this folder")

    def _has_any(self) -> bool:
        """Whether anything has been written that is worth keeping, in whatever format."""
        return Log(self.path / METADATA).has_lines or self.left_out.has_lines or self.has_shards()

    def has_shards(self) -> bool:
        """Whether there is any shard that is whole."""
        return any(SHARD.fullmatch(entry.name) for entry in self.path.iterdir())

    def _header(self) -> dict[str, Any]:
        """Return what dataset.json says; raise DatasetError unless it is one of ours."""
        try:
            header = json.loads((self.path / HEADER).read_text("utf-8"))
            if {"cell", "engine_version"} <= set(header["content"]):
                return dict(header)
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, KeyError, RecursionError):
            raise DatasetError(f"{self.path / HEADER} does not describe a dataset") from None
        raise DatasetError(
            f"{self.path} holds a dataset that was not made here; give an empty or new folder"
        )

    def _compare(self, header: dict[str, Any]) -> None:
        content, record = header["content"], self.content.record()
        if content.keys() != record.keys():
            raise DatasetError(
                f"{self.path} was begun by another command; resume with that one, or take another "
                "folder"
            )
        begun = {"format": "folder"} | form_of(header) | content
        ours = {"format": "folder"} | self.form() | record
        for name in ours | begun:  # a layout may be in either alone
            value = ours.get(name)
            if begun.get(name) != value:
                raise DatasetError(
                    f"{self.path} was begun with {name} {json.dumps(begun.get(name))}, "
                    f"not {json.dumps(value)}; resume with the same options, or take another folder"
                )

    def _clear(self) -> None:
        """Remove what a dataset of any format consists of, and nothing else beside it."""
        for name in (METADATA, ROWS, LEFT_OUT, HEADER, _NEW_HEADER):
            (self.path / name).unlink(missing_ok=True)
        for entry in list(self.path.iterdir()):
            if SHARD.fullmatch(entry.name) or NEW_SHARD.fullmatch(entry.name):
                entry.unlink()
        for name in FOLDERS:
            for picture in (self.path / name).glob("*.png"):
                if _PICTURE.fullmatch(picture.stem):
                    picture.unlink()

    def _kept(self, header: dict[str, Any]) -> Iterator[Instance]:
        """Yield the instances of the rows that there are, checked."""
        n = self.content.n
        for place, line in self.rows():
            instance = parse_line(line, place)
            self.content.check(instance, self.summary.count, place)
            self.summary.add(instance, line)
            if header.get("count") == self.summary.count != n:
                self._check_fingerprint(header)
            yield instance
        if n is not None and self.summary.count > n:
            raise DatasetError(
                f"{self.path} already holds {self.summary.count} instances, more than the "
                f"{n} asked for"
            )
        if header.get("count") == self.summary.count:
            self._check_fingerprint(header)
        else:
            self._write_header(complete=False)

    def _check_fingerprint(self, header: dict[str, Any]) -> None:
        if header.get("fingerprint") != self.summary.fingerprint:
            raise DatasetError(
                f"{self.path} has been changed since it was completed: its fingerprint "
                f"is {self.summary.fingerprint}, not {header.get('fingerprint')}"
            )

    def append(self, chunk: Sequence[Pictured]) -> None:
        """Add instances with their pictures."""
        lines = [one.instance.line() for one in chunk]
        self.put(chunk, lines)
        for one, line in zip(chunk, lines, strict=True):
            self.summary.add(one.instance, line)

    def complete(self, more: Mapping[str, Any] | None = None) -> None:
        """Write the final dataset.json, with what ``more`` has to say."""
        self.end()
        self._write_header(complete=True, more=more)

    def _write_header(self, *, complete: bool, more: Mapping[str, Any] | None = None) -> None:
        header: dict[str, Any] = {"complete": complete, **self.form()}
        header["content"] = self.content.record()
        if complete:
            header |= {**self.summary.record(), **(more or {})}
        new = self.path / _NEW_HEADER
        with naming(self.path / HEADER):
            new.write_text(json.dumps(header, indent=2) + "\n", "utf-8")
        os.replace(new, self.path / HEADER)

    def withdraw(self) -> None:
        """Leave no trace of a run that made nothing, so that another may take the folder."""
        self._close()
        if not self.is_open:
            return
        self._clear()
        for folder in (*(self.path / name for name in FOLDERS), *self._new):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _close(self) -> None:
        self.close()
        self.left_out.close()

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        self._close()
        if kind is not None and self.is_open and not self._has_any():
            self.withdraw()
        if self._lock is not None:
            os.close(self._lock)


Storage = Callable[[Path, Contents], Store]
"""Makes the store of a format for a folder and what it is to hold; ``Folder`` is one."""


def form_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a dataset.json says of the format; {} for a plain folder."""
    return {name: header[name] for name in FORM if name in header}
