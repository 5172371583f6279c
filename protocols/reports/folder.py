"""The folder of a report: written beside its place, then put there all at once."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from puzzles.version import VERSION

HEADER = "report.json"
"""Says that a folder holds a report, and which files are its own."""
_MARK = "puzzles_report"


class FolderError(ValueError):
    """A folder can't take a report; the message names it, and what is in the way."""


def check(folder: Path) -> None:
    """Raise FolderError unless ``folder`` is free, empty or holds a report and nothing else."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise FolderError(f"{folder} can't take the report: it is no folder")
    own = _own(folder)
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            name = path.relative_to(folder).as_posix()
            if name not in own:
                raise FolderError(
                    f"{folder} holds something other than a report ({name}); name another with -o"
                )


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

    Raises FolderError where something else is there by then.
    """
    place = folder.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(8)
    new, old = (place.with_name(f".report-{token}.{state}") for state in ("new", "old"))
    try:
        new.mkdir()
        yield new
        _write_header(new)
        check(place)
        _swap(place, new, old)
    finally:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


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
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    header = {_MARK: VERSION, "files": sorted(files)}
    write_text(folder / HEADER, json.dumps(header, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write ``text``; half a surrogate pair, which is no text, as its escape."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)
