"""What the cells of an Onet picture can look like."""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from puzzles import changes
from puzzles.onet.links import EMPTY
from puzzles.onet.rules import State
from puzzles.reading import Parts, board_of, parts_of


def specimens(rules: Mapping[str, Any]) -> Iterator[State]:
    """Yield a board that shows every kind of tile."""
    yield State((EMPTY * 26, ascii_uppercase, ascii_lowercase))


def parts(state: State) -> Parts:
    """Return the characters of the notation."""
    return parts_of(state.board)


assemble = board_of


def changed(before: State, after: State) -> str:
    """Name what is another in ``after`` though no move changes it; "" where nothing is."""
    other = changes.size(before.board, after.board)
    if other:
        return other
    for r, (old, new) in enumerate(zip(before.board, after.board, strict=True)):
        for c, (kind, now) in enumerate(zip(old, new, strict=True)):
            if kind == now or now == EMPTY:
                continue
            if kind == EMPTY:
                return f"a tile of kind {now} has appeared at {changes.at((r, c))}"
            return f"the tile at {changes.at((r, c))} is of kind {now}, not {kind}"
    return ""
