"""The maze in words."""

from collections.abc import Mapping
from typing import Any

from puzzles.family import AnswerFormat, Words

_WORDS = Words(
    title="Maze",
    legend=(
        "Dark cells are walls, light cells are floor. The solid blue disc is the agent, "
        "the hollow green ring is the goal."
    ),
    rules=(
        "One action moves the agent by one cell up, right, down or left. "
        "It can't enter a wall or leave the board."
    ),
    goal="Bring the agent to the goal with as few actions as possible.",
    answer=(
        "Write the directions in order, in lower case: "
        '<ANSWER_JSON>["up","right","right"]</ANSWER_JSON>'
    ),
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


ANSWER = AnswerFormat(tag="ANSWER_JSON")
