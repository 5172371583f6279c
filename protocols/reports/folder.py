"""The folder of a report: written beside its place, then put there all at once."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from puzzles.lock import LOCKS, taken
from puzzles.version import VERSION

HEADER = "report.json"
"""Says that a folder holds a report, and which files are its own."""
_MARK = "puzzles_report"
_LEFT = re.compile(r"\.report-[0-9a-f]{16}\.(new|old)")


class FolderError(ValueError):
    """A folder can't take a report; the message names it, and what is in the way."""


def check(folder: Path) -> None:
    """Raise FolderError unless ``folder`` is free, empty or holds a report and nothing else."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise FolderError(f"{folder} can't take the report: it is no folder")
    own = _own(folder)
    for name in _files(folder):
        if name not in own:
            raise FolderError(
                f"{folder} holds something other than a report ({name}); name another with -o"
            )


def _files(folder: Path) -> list[str]:
    """Return what ``folder`` holds besides folders, as paths from it."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _own(folder: Path) -> set[str]:
    """Return the files of the report in ``folder``; none where there is no report."""
    try:
        header = json.loads((folder / HEADER).read_text("utf-8"))
        return {HEADER, *header["files"]} if _MARK in header else set()
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return set()


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Give a new folder that takes the place of ``folder`` when all is written.

    Raises FolderError where something else is there by then. What runs that were killed have left
    beside the place is removed.
    """
    place = folder.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    _clear(place.parent)
    with _claimed(place) as new:
        old = new.with_suffix(".old")
        try:
            yield new
            _write_header(new)
            check(place)
            _swap(place, new, old)
        finally:
            for left in (new, old):
                shutil.rmtree(left, ignore_errors=True)


@contextmanager
def _claimed(place: Path) -> Iterator[Path]:
    """Make a folder beside ``place`` that is locked for as long as it is written."""
    while True:
        new = place.with_name(f".report-{secrets.token_hex(8)}.new")
        new.mkdir()
        with _locked(new) as held:
            # Another run may have taken it for one that was left, before it was locked.
            if held and new.exists():
                yield new
                return


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Tell whether ``folder`` could be locked; a run that was killed holds no lock any more."""
    if not LOCKS:
        yield True
        return
    try:
        lock = os.open(folder, os.O_RDONLY)
    except OSError:
        yield False
        return
    try:
        yield taken(lock)
    finally:
        os.close(lock)


def _clear(parent: Path) -> None:
    """Remove what killed runs have left in ``parent``; without locks nobody knows, so nothing."""
    for left in parent.glob(".report-*") if LOCKS else ():
        if not _LEFT.fullmatch(left.name) or left.is_symlink() or not left.is_dir():
            continue
        # Of a kill between the two renames both are there, and the old one is the only report.
        both = all(left.with_suffix(suffix).exists() for suffix in (".new", ".old"))
        if both or not all(map(_is_ours, _files(left))):
            continue
        with _locked(left) as held:
            if held:
                shutil.rmtree(left, ignore_errors=True)


def _is_ours(name: str) -> bool:
    """Whether a report may hold a file of that name."""
    folder, _, file = name.rpartition("/")
    if folder == "tables":
        return file.endswith((".csv", ".tex"))
    return not folder and file.startswith(("report.", ".report."))


def _swap(place: Path, new: Path, old: Path) -> None:
    """Put ``new`` in ``place``, and what was there to ``old``; or leave all as it was."""
    if place.exists():
        place.rename(old)
    try:
        new.rename(place)
    except BaseException:
        if old.exists():
            old.rename(place)
        raise


def _write_header(folder: Path) -> None:
    header = {_MARK: VERSION, "files": _files(folder)}
    write_text(folder / HEADER, json.dumps(header, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write ``text``; half a surrogate pair, which is no text, as its escape."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)
