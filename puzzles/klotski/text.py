"""Klotski in words, and the one slip of its answers that is known."""

import re
from collections.abc import Mapping
from typing import Any

from puzzles.controls import Controls, Direction, Gesture, Numbering
from puzzles.directions import DIRECTIONS, parse_direction
from puzzles.family import AnswerFormat, Late, Words
from puzzles.klotski.rules import EMPTY, NAMES, TARGET, Slide, State, blocks_of, format_answer
from puzzles.notation import taken
from puzzles.phrases import grid, markers

_EXAMPLES = tuple(
    format_answer([Slide((int(s[0]), int(s[1])), parse_direction(s[2])) for s in slides.split()])
    for slides in (
        "30d 32l",
        "11r 12r",
        "41l 50r 51r",
        "02l 03l 13u",
        "33r 34u 24u 25l",
        "43u 44l 45l 55u",
        "04r 05d 15d 14r 23d 22r",
        "52r 53u 54l 35d 42d 31r",
    )
)
"""No two name the same cell, so that at most one moves the target."""

_WORDS = Words(
    title="Klotski",
    legend=(
        "A dark tray holds coloured blocks, one colour for each shape; the block marked T is the "
        "target, and four green corners mark its goal. On its goal, T has a green rim instead. "
        "Dark cells are empty. A cell is [row,column], counted from 0, with [0,0] at the top left."
    ),
    rules=(
        "One action slides one block, T or another, by one cell up, right, down or left. Every "
        "cell that it comes to cover must be empty or one of its own. Blocks can't turn, overlap "
        "or leave the tray. A block is named by its top-left cell at the time of the move (the "
        "leftmost cell of its top row)."
    ),
    goal="Bring T to its goal with as few actions as possible.",
    answer=(
        'Write the actions in order, as the list "solution" of one JSON object; each names the '
        "block by the cell that it moves from, and its direction in capitals."
    ),
    examples=_EXAMPLES,
    step=(
        'Write the action as <STEP_JSON>{"from":[ROW,COLUMN],"direction":"DIRECTION"}</STEP_JSON>, '
        "where [ROW,COLUMN] is the block's top-left cell and DIRECTION is UP, RIGHT, DOWN or LEFT."
    ),
    keep="the blocks, the letter T, the empty cells and the marks of the goal",
    change=(
        "Only the block that is named moves, by one cell; the cells that it leaves are empty. "
        "Where T comes to its goal, its green rim takes the place of the four corners; where it "
        "leaves the goal, the corners take the place of the rim."
    ),
    aid=grid("thin dashed red lines"),
    drawing=markers("block"),
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


ANSWER = AnswerFormat(tag=None, key="solution", repair=repair, joint="},{")


def slide(row: int, column: int, direction: Direction) -> dict[str, Any]:
    """Slide a block by one cell.

    Args:
        row: The row of the block's top left cell, counted from 0 at the top.
        column: The column of that cell, counted from 0 at the left.
        direction: Where the block goes: up, right, down or left.
    """
    return {"from": [row, column], "direction": str(direction).upper()}  # a model may send anything


def _gesture(state: State, action: Slide) -> Gesture:
    return Gesture(action.at, action.direction)


def _action(state: State, gesture: Gesture) -> Slide:
    cells = blocks_of(state.board).get(taken(state.board, gesture.cell, EMPTY), [])
    return Slide(cells[0], gesture.direction or "")


NUMBERING: Numbering[Slide] = Numbering(
    count=lambda size: 4 * size[0] * size[1],
    action=lambda size, number: Slide(divmod(number // 4, size[1]), DIRECTIONS[number % 4]),
    number=lambda size, action: (
        4 * (action.at[0] * size[1] + action.at[1]) + DIRECTIONS.index(action.direction)
    ),
    codes=Late("puzzles.klotski").observe.numbers,
)
"""4 * cell + direction: the cell is the block's top left one, counted row by row."""
CONTROLS: Controls[State, Slide] = Controls(
    *("slide", _gesture, _action, slide),
    *(NUMBERING, EMPTY + TARGET + NAMES, Late("puzzles.klotski").observe.observe),
)
