"""Sokoban levels as XSB text.

Collections in the wild hold titles and comments before, between and after the levels, rows of
different lengths, spaces for floor, and rows in run-length code with ``|`` between them. Boxoban's
files number their levels (``; 0``).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from puzzles.directions import STEPS
from puzzles.exchange import Entry, Source, kept_record, lines_of
from puzzles.family import Cell, InvalidBoard
from puzzles.sokoban import rules
from puzzles.sokoban.rules import State

if TYPE_CHECKING:
    from puzzles.instance import Instance

CELLS = 1_000_000
"""Cells that a level may have: a run-length code can name more than fit into memory."""
_CODED = re.compile(r"(?:\d{0,9}[#@+$*.\-_ ]|\|)+")
_RUN = re.compile(r"(\d{1,9})(.)")
_TABLE = str.maketrans("", "", '",')
_PIECES, _BLANK = frozenset("#@+$*."), "\ufeff \t\r\n"


class _Level(NamedTuple):
    """The lines of a file that belong to one level, as indices: [start, end), rows from ``top``."""

    start: int
    top: int
    bottom: int
    end: int


def claims(text: str) -> bool:
    """Return whether ``text`` holds levels: rows with a box and a player or a wall."""
    lines = lines_of(text)
    for level in _levels(lines):
        marks = set("".join(lines[level.top : level.bottom]))
        if "$" in marks or ("*" in marks and marks & set("@+")):
            return True
    return False


def read(source: Source) -> Iterator[Entry]:
    """Yield the levels of a file; their records together are the whole file.

    Floor that nothing on the board is connected with lies outside and becomes wall.
    """
    lines = lines_of(source.text)
    for level in _levels(lines):
        record = "".join(lines[level.start : level.end])
        try:
            state = _parse(lines[level.top : level.bottom])
            yield Entry(level.top + 1, record, state)
        except InvalidBoard as error:
            yield Entry(level.top + 1, record, problem=str(error))


def write(instance: Instance) -> str:
    """Return the record that the instance came from, or its board below a line with its id."""
    kept = kept_record(instance, "xsb")
    if kept is not None:
        return kept
    title = f"; {instance.id}\n" if instance.id else ""
    return f"{title}{instance.board}\n\n"


def _is_row(line: str) -> bool:
    line = line.strip(_BLANK).replace("\t", " ")
    if _PIECES.issuperset(line) or not line.strip("#@+$*.-_ "):
        return line != ""
    return "#" in line and bool(_CODED.fullmatch(line))


def _levels(lines: Sequence[str]) -> list[_Level]:
    """Find the levels: runs of rows that hold more than an ornament.

    What comes between two levels belongs to the later one, but for what follows the rows of the
    earlier one without a blank line.
    """
    blocks = [(top, bottom) for top, bottom in _blocks(lines) if _is_level(lines[top:bottom])]
    result: list[_Level] = []
    for at, (top, bottom) in enumerate(blocks):
        end = len(lines)
        if at + 1 < len(blocks):
            end = bottom
            while end < blocks[at + 1][0] and lines[end].strip():
                end += 1
            if end == blocks[at + 1][0]:
                end = bottom
        result.append(_Level(result[-1].end if result else 0, top, bottom, end))
    return result


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the runs of rows, [top, bottom); long comments that are marked as such hold none."""
    words = [line.strip(_BLANK).lower() for line in lines]
    ends = [at for at, word in enumerate(words) if word == "comment-end:"]
    ends.append(-1)  # a comment that never ends is one line
    top, until = -1, -1
    for at in range(len(lines) + 1):
        row = until < at < len(lines) and (
            _is_row(lines[at])
            or _is_cell_of_a_table(lines[at])
            or (top >= 0 and _is_walled(words[at]) and _is_row("".join(lines[at + 1 : at + 2])))
        )
        if row and top < 0:
            top = at
        elif not row and top >= 0:
            yield top, at
            top = -1
        if at < len(lines) and words[at] == "comment:" and until < at:
            until = ends[bisect(ends, at, 0, len(ends) - 1)]


def _is_cell_of_a_table(line: str) -> bool:
    """A row with the quotes and commas of a table is no comment: the level is said to be broken."""
    bare = line.translate(_TABLE)
    return bare != line and "#" in bare and _is_row(bare)


def _is_walled(line: str) -> bool:
    """Within a level, a line from wall to wall is a row, even with a mark that means nothing."""
    return len(line) > 1 and line[0] == line[-1] == "#"


def _is_level(rows: Sequence[str]) -> bool:
    marks = set("".join(rows))
    if "#" in marks:
        return len(rows) > 2 or bool(marks & set("@+$*."))
    return bool(marks & set("@+") and marks & set("$*"))


def _parse(lines: Sequence[str]) -> State:
    """Return the level that these rows show, without what lies outside; raise InvalidBoard."""
    rows = [part for line in lines for part in line.strip("\ufeff\r\n").expandtabs().split("|")]
    widths = [len(row) + sum(int(count) for count, _ in _RUN.findall(row)) for row in rows]
    if max(widths) * len(rows) > CELLS:
        raise InvalidBoard(
            f"sokoban: {len(rows):,} rows of up to {max(widths):,} cells are more than "
            f"the {CELLS:,} that a level may have"
        )
    rows = [_RUN.sub(lambda run: int(run[1]) * run[2], row) for row in rows]
    return _inside(rules.parse("\n".join(rows), {}))


def _inside(state: State) -> State:
    """Return ``state`` with wall for floor that nothing is joined to, margins of it cut off."""
    outside = {(r, c) for r, row in enumerate(state.walls) for c, m in enumerate(row) if m != "#"}
    queue: deque[Cell] = deque((state.player, *state.boxes, *state.targets))
    outside.difference_update(queue)
    while queue:
        r, c = queue.popleft()
        for down, right in STEPS.values():
            if (r + down, c + right) in outside:
                outside.remove((r + down, c + right))
                queue.append((r + down, c + right))
    rows = [
        "".join("#" if (r, c) in outside else mark for c, mark in enumerate(row))
        for r, row in enumerate(state.walls)
    ]
    width, height = len(rows[0]), len(rows)
    high = [r for r in range(height) if any((r, c) not in outside for c in range(width))]
    wide = [c for c in range(width) if any((r, c) not in outside for r in range(height))]
    top, left = high[0], wide[0]

    def shifted(cells: Sequence[Cell]) -> tuple[Cell, ...]:
        return tuple((r - top, c - left) for r, c in cells)

    return State(
        tuple(row[left : wide[-1] + 1] for row in rows[top : high[-1] + 1]),
        *(shifted([state.player])[0], shifted(state.boxes), shifted(state.targets)),
    )
