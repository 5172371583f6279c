"""Parking in words."""

from collections.abc import Mapping
from typing import Any

from puzzles.family import AnswerFormat, Words

_WORDS = Words(
    title="Parking",
    legend=(
        "The board is a parking lot seen from above. Each vehicle is a coloured bar over two or "
        "more cells of one row or column with its letter on it; the red one is the car R. Upper "
        "and lower case are different vehicles. Dark cells are empty; light solid blocks, if any, "
        "are walls. The exit is the green mark on the right edge of the board, in the row of R."
    ),
    rules=(
        "One action moves one vehicle by one cell: a vehicle that lies in a row moves left or "
        "right, a vehicle that stands in a column moves up or down. The cell that it enters must "
        "be empty and on the board. No vehicle turns, leaves its row or column, or passes another."
    ),
    goal=(
        "Bring R to the exit, so that its right end is in the last column, with as few actions as "
        "possible."
    ),
    answer=(
        "Write the actions in order, one object a cell moved, directions in lower case: "
        '<ANSWER_JSON>[{"car":"A","direction":"up"},{"car":"A","direction":"up"},'
        '{"car":"R","direction":"right"}]</ANSWER_JSON>'
    ),
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


ANSWER = AnswerFormat(tag="ANSWER_JSON", key="solution")
