"""The path puzzle in words."""

from collections.abc import Mapping
from typing import Any

from puzzles.controls import Direction
from puzzles.family import AnswerFormat, Words
from puzzles.path.rules import format_answer
from puzzles.phrases import grid, way

_WORDS = Words(
    title="Path",
    legend=(
        "Black cells are walls, light grey cells are floor. The orange triangle is the marker, and "
        "the cell where it stands at first is the start; the blue triangle is the goal. A white "
        "cell is floor too, and its letter is a label. On the goal, the marker stands inside the "
        "blue triangle."
    ),
    rules=(
        "A route leads from cell to cell, up, right, down or left. It can't enter a wall, leave "
        "the board or come back to a cell. Exactly one route joins the start to the goal. "
        "It passes a label if it enters the label's cell; labels on side branches are not passed. "
        "One action moves the marker by one cell."
    ),
    goal="Name all labels that the route from the start to the goal passes, in their order.",
    answer="Write the letters in order, separated by commas, in the tag answer.",
    examples=tuple(
        format_answer(labels) for labels in ("ACE", "BA", "DA", "EBC", "CD", "AE", "DBEA", "BD")
    ),
    step=(
        'Write the action as <STEP_JSON>{"move":"DIRECTION","hit_labels":["LABEL"]}</STEP_JSON>, '
        "where DIRECTION is up, right, down or left and LABEL is the letter of the cell that the "
        "marker enters; "
        'write "hit_labels":[] where that cell has no letter, or one that you have named before.'
    ),
    keep="the walls, the floor, the letters with their white cells, the marker and the goal",
    change=(
        "Only the marker moves, by one cell in that direction; the cell that it leaves shows "
        "floor, or its letter."
    ),
    aid=grid(),
    drawing=way(
        "from the orange triangle's cell to the blue triangle's, on floor only and through no cell "
        "more than once"
    ),
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


ANSWER = AnswerFormat(tag="answer", text=True)


def move(direction: Direction, hit_labels: list[str]) -> dict[str, Any]:
    """Move the marker one cell.

    Args:
        direction: Where to move: up, right, down or left.
        hit_labels: The label in the cell that the marker comes to, as a list; empty without one.
    """
    return {"move": direction, "hit_labels": hit_labels}
