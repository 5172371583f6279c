"""The file of verdicts: its fields, its place, and how it is replaced all at once."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TextIO

from puzzles.verdict import Verdict

VERDICT_FIELDS = [field.name for field in fields(Verdict)]
FIELDS = [
    *("id", "line", "protocol", "model", "run", "family", "difficulty"),
    *VERDICT_FIELDS,
    *("drawn", "scores", "measured", "error"),
]
_ALWAYS = set(FIELDS) - {"family", "difficulty", "rounds", "stop", "drawn", "scores", "measured"}
"""Those that every version has written."""


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
    """
    new = out.with_name(f".verdicts-{secrets.token_hex(8)}.new")
    # A lone surrogate can't be encoded; its escape is what JSON writes for it.
    with new.open("x", encoding="utf-8", errors="backslashreplace") as file:
        try:
            yield file
            file.flush()
            os.replace(new, out)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


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
