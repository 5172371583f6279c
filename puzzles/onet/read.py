"""What the cells of an Onet picture can look like."""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase, ascii_uppercase
from typing import Any

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
