"""What no move changes, and yet is another in the state that a picture shows after one."""

from collections.abc import Iterable, Sequence

from puzzles.family import Cell
from puzzles.walking import WALL


def at(cell: Sequence[int]) -> str:
    """Return a cell as messages name it."""
    return f"({cell[0]},{cell[1]})"


def size(before: Sequence[Sequence[object]], after: Sequence[Sequence[object]]) -> str:
    """Say where two boards, row by row, are not of one size; "" where they are."""
    old, new = (f"{len(rows)}x{len(rows[0])}" for rows in (before, after))
    return "" if old == new else f"{old} cells have become {new}"


def cells(what: str, before: Iterable[Cell], after: Iterable[Cell]) -> str:
    """Name the first of many alike, walls or targets, that has gone or come; "" for none."""
    old, new = {*before}, {*after}
    for cell in sorted(old ^ new):
        return f"the {what} at {at(cell)} is {'gone' if cell in old else 'new'}"
    return ""


def place(what: str, before: Cell, after: Cell) -> str:
    """Say where one thing that stays where it is has moved; "" where it hasn't."""
    return "" if before == after else f"{what} is at {at(after)}, not at {at(before)}"


def walls(before: Sequence[str], after: Sequence[str]) -> str:
    """Name what is another of two boards of walls and floor: their size, else a wall."""
    old, new = (
        [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == WALL]
        for rows in (before, after)
    )
    return size(before, after) or cells("wall", old, new)
