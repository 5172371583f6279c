"""The board that a command is given: as text, in a file, on standard input, or by an id."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from cli.arguments import parse_rules

_FILE_NAME = re.compile(r"\.[a-z]{2,5}\Z")


class Given(NamedTuple):
    """The family and the state that are meant, and the metric of the instance ("cell" if none)."""

    room: Any
    state: Any
    metric: str = "cell"


def given(board: str, family: str | None, rules: str | None, data: Path) -> Given:
    """Return what the arguments of a command mean; raise ValueError in one sentence."""
    from puzzles.instance import ID

    if ID.fullmatch(board):
        return _instance(board, data)
    text, where = _text(board)
    if "\n" not in text.strip("\n"):
        text = text.replace("\\n", "\n").replace("/", "\n")
    text = text.rstrip("\n")
    options = parse_rules(rules, "--rules")
    try:
        if family is None:
            return _told(text, options)
        return _parsed(family, text, options)
    except ValueError as error:
        raise ValueError(f"{error}{where}") from None


def _text(board: str) -> tuple[str, str]:
    """Return the text, and what to add where it is no board."""
    if board == "-":
        if sys.stdin.isatty():
            print("the board, then Ctrl-D:", file=sys.stderr)
        return sys.stdin.read(), ""
    if "\n" in board or len(os.fsencode(board)) >= 250 or not Path(board).exists():
        return board, f" (and there is no file {board})" if _FILE_NAME.search(board) else ""
    if Path(board).is_dir():
        raise ValueError(f"{board} is a folder; give a board, a file that holds one, or an id")
    hint = f" (in {board}, which has to hold one board; `puzzles import` reads files of many)"
    return Path(board).read_text("utf-8"), hint


def _parsed(family: str, text: str, rules: dict[str, Any]) -> Given:
    from puzzles import family as room_of

    room = room_of(family)
    return Given(room, room.parse(text, rules))


def _told(text: str, rules: dict[str, Any]) -> Given:
    """Return the board of the one family that reads it."""
    from puzzles import NAMES

    read = {}
    for name in NAMES:
        try:
            read[name] = _parsed(name, text, rules)
        except ValueError:
            continue
    if len(read) == 1:
        return next(iter(read.values()))
    if read:
        raise ValueError(f"the board can be read as {' and as '.join(read)}: say its --family")
    raise ValueError("no family reads that as a board; --family says why, an id needs its --data")


def _instance(name: str, data: Path) -> Given:
    from puzzles import family as room_of
    from puzzles.replay import initial

    instance = instance_of(name, data)
    return Given(room_of(instance.family), initial(instance), instance.metric)


def instance_of(name: str, data: Path) -> Any:
    """Return the instance of that id in the folder ``data`` or below; raise ValueError."""
    from protocols.library import Library

    instance = Library.below([data]).get(name) if data.is_dir() else None
    if instance is None:
        raise ValueError(f"no instance has the id {name!r} in {data}; --data says where to look")
    return instance
