"""Parking lots as strings of 36 characters, one a line, as programs for Rush Hour write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, ascii_uppercase
from typing import TYPE_CHECKING

from puzzles.directions import quoted
from puzzles.exchange import Entry, NotWritable, Source, kept_record, lines_of
from puzzles.family import InvalidBoard
from puzzles.parking.rules import RED, State, notation, parse

if TYPE_CHECKING:
    from puzzles.instance import Instance

SIDE = 6
_CELLS = SIDE * SIDE
_TRANSLATED = str.maketrans("ARox", "RA.#")
_HEADINGS = {"board", "moves", "states"}
_LETTER = re.compile(r"\b[AR]\b")


def claims_rush(text: str) -> bool:
    """Say whether the first line that is no comment and no heading holds a board."""
    for line in lines_of(text[:10_000]):
        fields = _fields(line)
        if fields:
            return any(_is_board(field) for field in fields)
    return False


def read_rush(source: Source) -> Iterator[Entry]:
    """Yield the boards of a file with one a line: ``A`` red, ``o`` or ``.`` empty, ``x`` wall.

    Fields stand apart by commas, tabs or spaces. A number before the board is the optimum in
    slides, as in Fogleman's database. Comments (``#``, ``;``), the heading ``moves board states``
    and blank lines belong to the record that follows, or to the last.
    """
    before, waiting = "", None
    for number, line in enumerate(lines_of(source.text), 1):
        fields = _fields(line)
        if not fields:
            before += line
            continue
        if waiting:
            yield waiting
        waiting, before = _rush_entry(number, before + line, fields), ""
    if waiting:
        yield waiting._replace(record=waiting.record + before)


def _fields(line: str) -> list[str]:
    """Return the fields of a line; none where it is blank, a comment or a heading."""
    line = line.strip("\ufeff \t\r\n")
    if not line or line[0] in "#;":
        return []
    mark = next((mark for mark in ",\t" if mark in line), None)
    fields = [field.strip(' "') for field in line.split(mark)]
    return fields if _HEADINGS.isdisjoint(map(str.casefold, fields)) else []


def _is_board(field: str) -> bool:
    return len(field) == _CELLS and "A" in field and not set(field) - {*ascii_letters, "."}


def _rush_entry(number: int, text: str, fields: list[str]) -> Entry:
    at = next((k for k, field in enumerate(fields) if len(field) == _CELLS), None)
    if at is None:
        longest = max(fields, key=len)
        problem = f"no board of {_CELLS} characters: {quoted(longest)} has {len(longest)}"
        return Entry(number, text, problem=problem)
    optimum = {"slide": int(fields[at - 1])} if at and _is_number(fields[at - 1]) else {}
    state, problem = _rush_state(fields[at])
    return Entry(number, text, state, problem, optimum)


def _is_number(field: str) -> bool:
    return field.isascii() and field.isdecimal() and len(field) < 10


def _rush_state(board: str) -> tuple[State | None, str]:
    """Return the state that 36 characters show, or None and what is wrong with them."""
    for at, mark in enumerate(board):
        if mark not in ascii_letters and mark != ".":
            return None, f"{quoted(mark)} at ({at // SIDE},{at % SIDE}) is not a letter or '.'"
    board = board.translate(_TRANSLATED)
    try:
        return parse("\n".join(board[at : at + SIDE] for at in range(0, _CELLS, SIDE)), {}), ""
    except InvalidBoard as error:
        # Its red car is called R, and an R of the file A.
        swapped = {"A": RED, RED: "A"}
        said = str(error).removeprefix("parking: ")
        return None, _LETTER.sub(lambda found: swapped[found[0]], said)


def write_rush(instance: Instance) -> str:
    """Return the board as 36 characters, vehicles named in reading order; see exchange.Format.

    An optimum in slides stands before it, as in Fogleman's database.
    """
    kept = kept_record(instance, "rush")
    if kept is not None:
        return kept
    state = parse(instance.board, instance.rules)
    if (state.rows, state.cols) != (SIDE, SIDE):
        raise NotWritable(
            f"rush holds boards of {SIDE}x{SIDE}, and this one is {state.rows}x{state.cols}"
        )
    names = {"#": "x", ".": ".", RED: "A"}
    board = "".join(notation(state))
    for mark in board:
        if mark not in names:
            names[mark] = ascii_uppercase[len(names) - 2]
    slides = f"{instance.optimal_length} " if instance.metric == "slide" else ""
    return slides + "".join(names[mark] for mark in board) + "\n"
