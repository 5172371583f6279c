"""The folder that a run writes to: safe to interrupt, resumed, never over something else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from puzzles.content import Contents
from puzzles.instance import ID, Instance
from puzzles.lock import LOCKS, taken
from puzzles.log import Log
from puzzles.pictures import FOLDERS
from puzzles.records import HEADER, METADATA, DatasetError, read
from puzzles.summary import Summary

LEFT_OUT = "left_out.jsonl"
"""The log of the records that an import has left out."""
_NEW_HEADER = ".dataset.json.new"


class Folder(AbstractContextManager["Folder"]):
    """The folder that one run writes to; a second run into it is refused while this one lasts."""

    def __init__(self, path: Path, content: Contents):
        self.path, self.content, self.summary = path, content, Summary()
        self.left_out = Log(path / LEFT_OUT)
        self._log = Log(path / METADATA)
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
        if not LOCKS:
            return
        self._lock = os.open(self.path, os.O_RDONLY)
        if not taken(self._lock):
            raise DatasetError(f"{self.path}: another run is writing to this folder")

    def _has_lines(self) -> bool:
        return self._log.has_lines or self.left_out.has_lines

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

    def _compare(self, content: dict[str, Any]) -> None:
        record = self.content.record()
        if content.keys() != record.keys():
            raise DatasetError(
                f"{self.path} was begun by another command; resume with that one, or take another "
                "folder"
            )
        for name, value in record.items():
            if content.get(name) != value:
                raise DatasetError(
                    f"{self.path} was begun with {name} {json.dumps(content.get(name))}, "
                    f"not {json.dumps(value)}; resume with the same options, or take another folder"
                )

    def _clear(self) -> None:
        """Remove what a dataset consists of, and nothing else that may lie beside it."""
        for name in (METADATA, LEFT_OUT, HEADER, _NEW_HEADER):
            (self.path / name).unlink(missing_ok=True)
        for name in FOLDERS:
            for picture in (self.path / name).glob("*.png"):
                if ID.fullmatch(picture.stem):
                    picture.unlink()

    def _kept(self, header: dict[str, Any]) -> Iterator[Instance]:
        """Cut off a torn last line, and yield what is complete."""
        self._log.open()
        n = self.content.n
        for instance, line in read(self.path):
            place = f"{self._log.path} line {self.summary.count + 1}"
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
                f"{self.path / METADATA} has been changed since it was completed: its fingerprint "
                f"is {self.summary.fingerprint}, not {header.get('fingerprint')}"
            )

    def append(self, instances: Sequence[Instance]) -> None:
        """Add instances whose pictures are on disk."""
        lines = [instance.line() for instance in instances]
        self._log.append(lines)
        for instance, line in zip(instances, lines, strict=True):
            self.summary.add(instance, line)

    def complete(self, more: Mapping[str, Any] | None = None) -> None:
        """Write the final dataset.json, with what ``more`` has to say."""
        self._write_header(complete=True, more=more)

    def _write_header(self, *, complete: bool, more: Mapping[str, Any] | None = None) -> None:
        header: dict[str, Any] = {"complete": complete, "content": self.content.record()}
        if complete:
            header |= {**self.summary.record(), **(more or {})}
        new = self.path / _NEW_HEADER
        new.write_text(json.dumps(header, indent=2) + "\n", "utf-8")
        os.replace(new, self.path / HEADER)

    @property
    def is_open(self) -> bool:
        return self._log.is_open

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
        self._log.close()
        self.left_out.close()

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        self._close()
        if kind is not None and self.is_open and not self._has_lines():
            self.withdraw()
        if self._lock is not None:
            os.close(self._lock)
