"""What the boards of all families have in common as text: rows, marks, places."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from json import JSONEncoder
from typing import Any

from puzzles.directions import quoted
from puzzles.family import Cell, IllegalAction, InvalidBoard, Size
from puzzles.verdict import Reason, Replay

_encode = JSONEncoder(separators=(",", ":")).encode


def compact(value: Any) -> str:
    """Return ``value`` as JSON without spaces: what answers are written in."""
    if isinstance(value, list) and {*map(type, value)} == {str}:
        letters = "".join(value)
        if letters.isascii() and letters.isalnum():  # nothing to escape, so quotes are all it takes
            return '["' + '","'.join(value) + '"]'
    return _encode(value)


def rows_of(board: str, marks: str, what: str) -> tuple[str, ...]:
    """Return the rows of ``board``.

    Raises InvalidBoard where it is empty, has rows of different lengths, or a mark not in
    ``marks`` (an empty ``marks`` allows all); ``what`` names the family's board in the message.
    """
    rows = tuple(board.replace("\r\n", "\n").strip("\n").split("\n"))
    width = len(rows[0])
    if not width:
        raise InvalidBoard(f"{what}: the board is empty")
    for at, row in enumerate(rows):
        if len(row) != width:
            raise InvalidBoard(f"{what}: row {at} has {len(row)} cells, row 0 has {width}")
        for column, mark in enumerate(row):
            if marks and mark not in marks:
                raise InvalidBoard(
                    f"{what}: {quoted(mark)} at ({at},{column}) is not one of {marks}"
                )
    return rows


def size_of(board: str) -> Size:
    """Return the rows and columns of a board as text; of a ragged one, those of its longest row."""
    rows = board.strip("\n").split("\n")
    return len(rows), max(map(len, rows))


def find(rows: Sequence[str], marks: str) -> list[Cell]:
    """Return the cells that hold one of ``marks``, row by row."""
    return [
        (r, c)
        for r, row in enumerate(rows)
        if any(mark in row for mark in marks)
        for c, mark in enumerate(row)
        if mark in marks
    ]


def only(rows: Sequence[str], marks: str, name: str, what: str) -> Cell:
    """Return the one cell that holds one of ``marks``; raise InvalidBoard unless there is one."""
    cells = find(rows, marks)
    if not cells:
        raise InvalidBoard(f"{what}: the board has no {name}")
    if len(cells) > 1:
        (r, c), (r2, c2) = cells[:2]
        raise InvalidBoard(f"{what}: a second {name} at ({r2},{c2}); the first is at ({r},{c})")
    return cells[0]


def marked(rows: Iterable[str], marks: Iterable[tuple[Cell, str]]) -> list[str]:
    """Return ``rows`` with ``marks`` written over them."""
    result = list(rows)
    for (r, c), mark in marks:
        result[r] = result[r][:c] + mark + result[r][c + 1 :]
    return result


def known_rules(rules: Mapping[str, Any], options: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Return ``options`` updated by ``rules``; raise InvalidBoard for a rule that is not known."""
    for name in rules:
        if name not in options:
            known = ", ".join(options) or "none"
            raise InvalidBoard(f"{what}: unknown rule {quoted(name)} (known: {known})")
    return {**options, **rules}


def stopped(apply: Callable[[Any, Any], Any], state: Any, at: int, action: Any) -> Replay:
    """Return the replay that ends at ``state`` because ``apply`` refuses ``action``.

    A fast replay loop calls this where its own test fails, so that the reason and its words come
    from ``apply``, the law.
    """
    try:
        apply(state, action)
    except IllegalAction as error:
        return Replay(state, at, at, error.reason, str(error))
    raise RuntimeError(f"replay refuses {action!r}, apply does not: {state!r}")


def taken(rows: Sequence[str], cell: Cell, ground: str) -> str:
    """Return the mark of the piece on ``cell``; raise IllegalAction for ``ground`` and outside."""
    (r, c) = cell
    if not (0 <= r < len(rows) and 0 <= c < len(rows[0])):
        raise IllegalAction(Reason.OUT_OF_BOUNDS, f"({r},{c}) is outside the board")
    if rows[r][c] in ground:
        raise IllegalAction(Reason.NO_SUCH_PIECE, f"there is no piece at ({r},{c})")
    return rows[r][c]
