"""The path puzzle in words."""

from collections.abc import Mapping
from typing import Any

from puzzles.family import AnswerFormat, Words

_WORDS = Words(
    title="Path",
    legend=(
        "Black cells are walls, light grey cells are floor. The orange triangle is the start, "
        "the blue triangle is the goal. A white cell is floor too, and its letter is a label."
    ),
    rules=(
        "A route leads from cell to cell, up, right, down or left. It can't enter a wall, leave "
        "the board or come back to a cell. Exactly one route joins the start to the goal. "
        "It passes a label if it enters the label's cell; labels on side branches are not passed."
    ),
    goal="Name all labels that the route from the start to the goal passes, in their order.",
    answer="Write the letters in order, separated by commas: <answer>A,C,E</answer>",
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


ANSWER = AnswerFormat(tag="answer", text=True)
