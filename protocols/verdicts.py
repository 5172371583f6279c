"""The file of verdicts: its fields, its place, and how it is replaced all at once."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import TextIO

from puzzles.lock import LOCKS, taken
from puzzles.verdict import Verdict

VERDICT_FIELDS = [field.name for field in fields(Verdict)]
FIELDS = [
    *("id", "line", "protocol", "model", "run", "family", "difficulty"),
    *VERDICT_FIELDS,
    *("drawn", "scores", "measured", "error"),
]
_ALWAYS = set(FIELDS) - {"family", "difficulty", "rounds", "stop", "drawn", "scores", "measured"}
"""Those that every version has written."""
_LEFT = re.compile(r"\.verdicts-[0-9a-f]{16}\.new")


class AnswersError(ValueError):
    """A file of answers or verdicts can't be used; the message names it."""


def verdicts_path(answers: Path) -> Path:
    """Return where the verdicts of ``answers`` go unless another place is named."""
    if answers.name == "answers.jsonl":
        return answers.with_name("verdicts.jsonl")
    return answers.with_name(f"{answers.name.removesuffix('.jsonl')}.verdicts.jsonl")


def resolved(out: Path) -> Path:
    """Return the file that ``out`` names, links followed; raise AnswersError for a ring of them."""
    try:
        place = out.resolve()
    except (OSError, RuntimeError):
        place = out
    if place.is_symlink():
        raise AnswersError(f"{out} can't take the verdicts: it is a link that leads nowhere")
    return place


@contextmanager
def replacing(out: Path) -> Iterator[TextIO]:
    """Open a new file beside ``out`` that takes its place when all is written.

    Its name is one that nothing has yet. Of two runs at once the one that ends last is kept, whole.
    What killed runs have left in the folder is removed.
    """
    _clear(out.parent)
    new, opened = _claimed(out)
    with opened as file:
        try:
            yield file
            file.flush()
            os.replace(new, out)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def _claimed(out: Path) -> tuple[Path, TextIO]:
    """Make a file beside ``out`` that is locked for as long as it is open."""
    while True:
        new = out.with_name(f".verdicts-{secrets.token_hex(8)}.new")
        # A lone surrogate can't be encoded; its escape is what JSON writes for it.
        file = new.open("x", encoding="utf-8", errors="backslashreplace")
        # Another run may have taken it for one that was left, before it was locked.
        if taken(file.fileno()) and new.exists():
            return new, file
        file.close()


def _clear(folder: Path) -> None:
    """Remove what killed runs have left: it is locked no more; without locks nobody knows."""
    for left in folder.glob(".verdicts-*.new") if LOCKS else ():
        if not _LEFT.fullmatch(left.name) or left.is_symlink() or not left.is_file():
            continue
        with suppress(OSError), left.open("rb") as file:
            if taken(file.fileno()):
                left.unlink()


def check_replaceable(answers: Path, out: Path) -> None:
    """Raise AnswersError unless ``out`` is free or holds verdicts."""
    if not out.parent.is_dir():
        raise AnswersError(f"there is no folder {out.parent}")
    if not out.exists():
        return
    if out.is_dir() or out.samefile(answers):
        raise AnswersError(f"{out} can't take the verdicts: it is {_kind(answers, out)}")
    if not out.is_file():
        raise AnswersError(f"{out} can't take the verdicts: it is no ordinary file")
    with out.open("rb") as file:
        first = file.readline()
    try:
        row = json.loads(first) if first else None
        old = not first or (isinstance(row, dict) and _ALWAYS <= set(row) <= set(FIELDS))
    except (ValueError, TypeError, RecursionError):
        old = False
    if not old:
        raise AnswersError(f"{out} holds something other than verdicts; name another with -o")


def _kind(answers: Path, out: Path) -> str:
    return "a folder" if out.is_dir() else "the file of answers"
