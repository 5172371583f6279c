"""Mazes as text: a character a cell, or walls drawn as lines between the cells.

#######        +--+--+
#S..#.#        |S    |
#.#...#        +--+  +
#.#.#G#        |    G|
#######        +--+--+
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Any

from puzzles.exchange import BadRecord, Entry, Source, kept_record, lines_of
from puzzles.family import Cell, InvalidBoard
from puzzles.maze.rules import State, parse
from puzzles.notation import marked

if TYPE_CHECKING:
    from puzzles.instance import Instance

_WALLS, _FLOORS, _STARTS, _GOALS = "#█X1", " .0", "SA@", "GEF"
_PLAIN = str.maketrans(
    dict.fromkeys(_WALLS, "#")
    | dict.fromkeys(_FLOORS, ".")
    | dict.fromkeys(_STARTS, "S")
    | dict.fromkeys(_GOALS, "G")
)
_MARKS = {*_WALLS, *_FLOORS, *_STARTS, *_GOALS, "*"}
_LINE, _POST = "-|_=", "+"
_OPTIONS = {"S": "start", "G": "goal"}


def claims(text: str) -> bool:
    """Return whether the first maze of the text has only marks of mazes, and at most one of each.

    Our own notation is such a text. Level files of Sokoban have boxes, and boards of other families
    other letters, or letters twice.
    """
    block = next((rows for _, _, rows in _blocks(text) if rows), [])
    found = Counter("".join(block))
    if _is_drawn(block):
        ends = (row.strip() for row in (block[0], block[-1]))
        framed = all(row[0] == row[-1] == _POST for row in ends)
        return framed and found.keys() <= {*_LINE, _POST, *_MARKS} - {"#"}
    starts, goals = (sum(found[mark] for mark in marks) for marks in (_STARTS, _GOALS))
    set_out = (starts, goals, found["*"])
    walled = len(block) > 2 and any(found[mark] for mark in _WALLS)
    return found.keys() <= _MARKS and (
        set_out in ((1, 1, 0), (0, 0, 1)) or (walled and max(set_out) <= 1 and not found["*"])
    )


def read(source: Source) -> Iterator[Entry]:
    """Yield the mazes of a text, between which there are blank lines.

    Where a maze has no mark of its start or its goal, ``source.options`` say where they are, or
    else the openings in its outer wall, the first from the top and the left being the start.
    """
    for line, record, rows in _blocks(source.text):
        try:
            yield Entry(line, record, _state(rows, source.options))
        except (BadRecord, InvalidBoard) as error:
            yield Entry(line, record, problem=str(error).removeprefix("maze: "))


def write(instance: Instance) -> str:
    """Return the board in our notation, and a blank line, as other mazes may follow."""
    return kept_record(instance, "text") or instance.board + "\n\n"


def _blocks(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each maze's first line, from 1, its text with the blank lines about it, its rows.

    A line of spaces alone is a row where it is as wide as the row above: such rows are all floor.
    """
    first, record, rows, ended = 1, "", list[str](), False
    for number, line in enumerate(lines_of(text), 1):
        row = line.rstrip("\r\n").lstrip("\ufeff") if number == 1 else line.rstrip("\r\n")
        if row.strip() or (row and rows and not ended and len(row) == len(rows[-1])):
            if ended:
                yield first, record, rows
                record, rows, ended = "", [], False
            if not rows:
                first = number
            rows.append(row)
        else:
            ended = bool(rows)
        record += line
    yield first, record, rows


def _is_drawn(rows: Sequence[str]) -> bool:
    return any(_POST in row for row in rows)


def _state(rows: list[str], options: Mapping[str, Any]) -> State:
    if not rows:
        raise BadRecord("the file has no maze")
    cells = _cells(rows) if _is_drawn(rows) else rows
    if any(" " in row for row in cells):
        # Editors cut spaces off at the ends of lines.
        width = max(map(len, cells))
        cells = [row.ljust(width) for row in cells]
    board = [row.translate(_PLAIN) for row in cells]
    missing = [mark for mark in "SG" if not any(mark in row or "*" in row for row in board)]
    if missing and len({*map(len, board)}) == 1:
        board = _set_out(board, missing, options)
    return parse("\n".join(board), {})


def _set_out(board: list[str], missing: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """Return the board with the ``missing`` marks of start and goal."""
    names = [_OPTIONS[mark] for mark in missing]
    if options.keys() >= set(names):
        places = [tuple(options[name]) for name in names]
    else:
        places = _openings(board)
    if len(places) != len(missing):
        raise BadRecord(
            f"the maze has no {' and no '.join(names)}, and its outer wall has "
            f"{len(places)} openings: mark S and G, or give --start and --goal"
        )
    for name, mark, (r, c) in zip(names, missing, places, strict=True):
        if not (0 <= r < len(board) and 0 <= c < len(board[0])):
            raise BadRecord(f"the {name} ({r},{c}) lies outside the board")
        if board[r][c] == "#":
            raise BadRecord(f"the {name} ({r},{c}) is a wall")
        if board[r][c] in ".SG":
            board = marked(board, [((r, c), mark if board[r][c] == "." else "*")])
    return board


def _openings(board: Sequence[str]) -> list[Cell]:
    """Return the floor cells along the sides of the board."""
    last, right = len(board) - 1, len(board[0]) - 1
    return [
        (r, c)
        for r, row in enumerate(board)
        for c in (range(right + 1) if r in (0, last) else sorted({0, right}))
        if row[c] == "."
    ]


def _cells(rows: Sequence[str]) -> list[str]:
    """Return a maze drawn in lines with a character for each cell, wall and post.

    Posts stand at the crossings of the lines: at all of them or only where walls meet.
    """
    width = max(map(len, rows))
    rows = [row.ljust(width) for row in rows]
    across = _crossings({c for row in rows for c, mark in enumerate(row) if mark == _POST})
    down = _crossings({r for r, row in enumerate(rows) if _POST in row})
    outside = [row[: across[0]] + row[across[-1] + 1 :] for row in rows]
    if "".join([*rows[: down[0]], *rows[down[-1] + 1 :], *outside]).strip():
        raise BadRecord("there is something outside the outer wall of the maze")
    cells = []
    for at, top in enumerate(down):
        cells.append(_between(rows[top : top + 1], across, post="#"))
        if top != down[-1]:
            cells.append(_between(rows[top + 1 : down[at + 1]], across))
    return cells


def _crossings(posts: set[int]) -> range:
    """Return where lines may cross, one way: in steps that are even."""
    found = sorted(posts)
    steps = {after - before for before, after in pairwise(found)}
    step = gcd(*steps)
    if not steps or step < 2 or step not in steps:
        raise BadRecord("the posts + of the maze don't stand in even rows and columns")
    return range(found[0], found[-1] + 1, step)


def _between(lines: Sequence[str], across: range, post: str = "") -> str:
    """Return a line of walls, where ``post`` is given, or the cells of a row and their walls."""
    result = ""
    for left in across:
        result += post or _content([line[left] for line in lines])
        if left != across[-1]:
            result += _content([line[left + 1 : left + across.step] for line in lines])
    return result


def _content(texts: Sequence[str]) -> str:
    """Return a wall where there is any, else the first mark, else floor."""
    text = "".join(texts)
    return "#" if any(mark in text for mark in _LINE + _POST) else text.strip()[:1] or " "
