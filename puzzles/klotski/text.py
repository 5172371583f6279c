"""Klotski in words, and the one slip of its answers that is known."""

import re
from collections.abc import Mapping
from typing import Any

from puzzles.family import AnswerFormat, Words

_WORDS = Words(
    title="Klotski",
    legend=(
        "A dark tray holds coloured blocks, one colour for each shape; the block marked T is the "
        "target, and green marks show its goal. Dark cells are empty. Cells are "
        "(row, column), counted from 0 at the top left."
    ),
    rules=(
        "One action slides one block, T or another, by one cell up, right, down or left. Every "
        "cell that it comes to cover must be empty or one of its own. Blocks can't turn, overlap "
        "or leave the tray."
    ),
    goal="Bring T to its goal with as few actions as possible.",
    answer=(
        "Write the actions in order as one JSON object. Each names a block by its top-left cell "
        "at the time of the move (the leftmost cell of its top row), and the direction in "
        "capitals: "
        '{"solution":[{"from":[3,0],"direction":"DOWN"},{"from":[3,2],"direction":"LEFT"}]}'
    ),
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


_FROM = r'["\']from["\']\s*+:\s*+\[\s*+-?\d{1,12}\s*+,\s*+-?\d{1,12}\s*+\]'
_DIRECTION = r'["\']direction["\']\s*+:\s*+["\'][^"\'\[\]{}]{0,40}["\']'
_ITEM = rf"(?:{_FROM}\s*+,\s*+{_DIRECTION}|{_DIRECTION}\s*+,\s*+{_FROM})"
_BARE_LIST = re.compile(rf"\[\s*+{_ITEM}(?:\s*+,\s*+{_ITEM})*+\s*+,?\s*+\]", re.IGNORECASE)
_BARE_ITEM = re.compile(_ITEM, re.IGNORECASE)


def repair(text: str) -> str:
    """Return ``text`` with braces round the items of lists that lack them.

    The published prompt shows ``{"solution":["from":[r,c],"direction":"UP",...]}``, and models
    write what they are shown. A list that begins with a key is never JSON, so correct text is
    left alone. Takes time in proportion to the length of ``text``.
    """
    return _BARE_LIST.sub(
        lambda found: _BARE_ITEM.sub(lambda item: f"{{{item[0]}}}", found[0]), text
    )


ANSWER = AnswerFormat(tag=None, key="solution", repair=repair)
