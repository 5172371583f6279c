"""Klotski in words, and the one slip of its answers that is known."""

import re

from puzzles.family import AnswerFormat, Words

WORDS = Words(
    title="Klotski",
    legend=(
        "The coloured rectangles are blocks that fill the tray, one colour for each shape; "
        "the block marked T is the target. Cells without a block are empty. Cells are named "
        "(row, column), counted from 0 at the top left; a block is named by its top-left cell."
    ),
    rules=(
        "One action slides one block by one cell up, right, down or left. Every cell that it "
        "enters must be empty or its own: blocks can't overlap, leave the tray or turn."
    ),
    goal=(
        "Bring T to its goal with as few actions as possible: the middle of the bottom edge, "
        "unless another place is given."
    ),
    answer=(
        "Write the actions in order as one JSON object. Each names the block by the top-left cell "
        "that it has at the time of the move, and the direction in capitals: "
        '{"solution":[{"from":[3,0],"direction":"DOWN"},{"from":[3,2],"direction":"LEFT"}]}'
    ),
)

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
