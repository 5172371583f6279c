"""Sokoban in words."""

from collections.abc import Mapping
from typing import Any

from puzzles.family import AnswerFormat, Words
from puzzles.phrases import WALKER_EXAMPLES, WALKER_STEP, grid, way

_WORDS = Words(
    title="Sokoban",
    legend=(
        "Bricks are walls, sand is floor. The small person is the player, a wooden crate with an "
        "X is a box, a green X on the floor is a target. A crate that stands on a target is "
        "green; behind a player who stands on a target, the green X can still be seen."
    ),
    rules=(
        "One action moves the player by one cell up, right, down or left. "
        "Where a box stands in that cell, the player pushes it one cell further in the same "
        "direction; this needs a free cell behind it, neither a wall nor another box. "
        "Boxes can't be pulled, and the player can't enter a wall or leave the board."
    ),
    goal=(
        "Bring every box onto a target with as few actions as possible; "
        "steps without a push count too."
    ),
    answer=(
        "Write the directions of the player's moves in order, in lower case, as a JSON list in "
        "the tag ANSWER_JSON."
    ),
    examples=WALKER_EXAMPLES,
    step=WALKER_STEP,
    keep="the walls, the floor, the player, the boxes and the targets",
    change=(
        "Only the player moves, by one cell in that direction, and the box that it pushes, if any; "
        "a cell that is left shows floor, or the target there, and a box is green only while it "
        "stands on a target."
    ),
    aid=grid(cells="every cell that is no wall"),
    drawing=way(
        "along the player's walk, from the player's cell to the cell from which the player makes "
        "the last push; the ways of the boxes are not drawn"
    ),
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


ANSWER = AnswerFormat(tag="ANSWER_JSON", joint='","')
