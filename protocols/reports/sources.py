"""Where the answers behind verdicts stand: their lines, their instances, what was drawn."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from protocols.answer_line import translated
from protocols.library import Library
from protocols.verdicts import verdicts_path
from puzzles.instance import Instance
from puzzles.records import DatasetError
from render.decode import MOST_BYTES, UnusablePicture


class Sources:
    """The answers and the data behind files of verdicts; it keeps places, not what is there.

    Files and lines count as the columns ``file`` and ``answer_line`` of ``rows.load`` do.

    answers
        The file of answers of each file of verdicts; None where there is none.
    libraries
        Where their instances are: one for all files, or one for each.
    """

    def __init__(self, answers: Sequence[Path | None], *libraries: Library):
        self.answers = list(answers)
        self._libraries = libraries if len(libraries) > 1 else libraries * len(self.answers)
        self._starts: dict[int, array[int]] = {}
        self._record = lru_cache(maxsize=64)(self._read)

    @classmethod
    def beside(cls, verdicts: Sequence[Path], data: Sequence[Path] = ()) -> Sources:
        """Return the answers beside files of verdicts, and the instances beside these and in
        ``data``.

        Raises DatasetError as ``Library.beside`` does.
        """
        answers = [answers_path(path) for path in verdicts]
        folders: dict[Path, Library] = {}
        for path in verdicts:
            here = path.resolve().parent
            if here not in folders:
                folders[here] = Library.beside(path, data)
        libraries = [folders[path.resolve().parent] for path in verdicts]
        return cls(answers, *libraries)

    def record(self, file: int, line: int, name: str) -> dict[str, Any] | None:
        """Return the answer in a line, as answers.jsonl has it; None unless it answers ``name``.

        ``name`` is the id in the verdict: a file of answers may have changed since it was judged.
        """
        record = self._record(file, line)
        if record is None:
            return None
        inline = record.get("instance")
        own = record.get("id") or (inline.get("id") if isinstance(inline, dict) else None)
        return record if own in (name, None, "") else None

    def instance(self, file: int, name: str, record: dict[str, Any]) -> Instance | None:
        """Return the instance called ``name``, which may stand in its answer; None without one."""
        try:
            known = self._libraries[file].get(name)
            inline = record.get("instance")
            if known is None and inline is not None:
                known = Instance.model_validate(inline).model_copy(update={"id": name})
        except (DatasetError, ValidationError):
            return None
        return known

    def folder(self, file: int) -> Path | None:
        """Return where the pictures that answers name are looked for."""
        answers = self.answers[file]
        return answers.parent if answers else None

    def picture(self, file: int, name: str) -> bytes:
        """Return the bytes of a picture that an answer names; raise as ``read_picture`` does."""
        folder = self.folder(file)
        if folder is None:
            raise FileNotFoundError(name)
        return read_picture(folder, name)

    def _read(self, file: int, line: int) -> dict[str, Any] | None:
        path = self.answers[file]
        if path is None:
            return None
        if file not in self._starts:
            self._starts[file] = _starts(path)
        starts = self._starts[file]
        if not 1 <= line <= len(starts):
            return None
        with path.open("rb") as lines:
            lines.seek(starts[line - 1])
            try:
                record = json.loads(lines.readline().decode("utf-8-sig"))
            except (ValueError, RecursionError):
                return None
        return translated(record) if isinstance(record, dict) else None


def answers_path(verdicts: Path) -> Path | None:
    """Return the file of answers that ``verdicts`` was made of, by its name; None without one."""
    stem = verdicts.name.removesuffix(".verdicts.jsonl")
    for name in ("answers.jsonl", f"{stem}.jsonl", stem):
        answers = verdicts.with_name(name)
        if answers != verdicts and verdicts_path(answers) == verdicts and answers.is_file():
            return answers
    return None


def read_picture(folder: Path, name: str) -> bytes:
    """Return the bytes of a picture that an answer names.

    Raises FileNotFoundError where it isn't there, UnusablePicture where it can't be one.
    """
    place = folder / name
    if "\0" in name or not place.is_file():
        raise FileNotFoundError(name)
    if place.stat().st_size > MOST_BYTES:
        raise UnusablePicture(f"the picture has more than {MOST_BYTES:,} bytes")
    return place.read_bytes()


def _starts(path: Path) -> array[int]:
    """Return where the lines of a file begin."""
    starts, at = array("Q"), 0
    with path.open("rb") as lines:
        for line in lines:
            starts.append(at)
            at += len(line)
    return starts
