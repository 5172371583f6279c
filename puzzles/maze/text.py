"""The maze in words."""

from collections.abc import Mapping
from typing import Any

from puzzles.family import AnswerFormat, Words
from puzzles.phrases import WALKER_EXAMPLES, WALKER_STEP, grid, way

_WORDS = Words(
    title="Maze",
    legend=(
        "Dark cells are walls, light cells are floor. The solid blue disc is the agent, "
        "the hollow green ring is the goal. On the goal, the disc stands inside the ring."
    ),
    rules=(
        "One action moves the agent by one cell up, right, down or left. "
        "It can't enter a wall or leave the board."
    ),
    goal="Bring the agent to the goal with as few actions as possible.",
    answer="Write the directions in order, in lower case, as a JSON list in the tag ANSWER_JSON.",
    examples=WALKER_EXAMPLES,
    step=WALKER_STEP,
    keep="the walls, the floor, the agent and the goal",
    change=(
        "Only the agent moves, by one cell in that direction; the cell that it leaves shows floor."
    ),
    aid=grid(),
    drawing=way(
        "from the agent's cell to the goal's, on floor only and through no cell more than once"
    ),
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


ANSWER = AnswerFormat(tag="ANSWER_JSON", joint='","')
