"""Onet in words."""

from collections.abc import Mapping
from math import comb, isqrt
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from puzzles.controls import Controls, Gesture, Numbering, Size
from puzzles.family import AnswerFormat, Late, Words
from puzzles.onet.links import EMPTY
from puzzles.onet.rules import RULE_OPTIONS, Pair, State, format_answer
from puzzles.phrases import grid

_TURNS = ("no turn", "at most one turn", "at most two turns")

_EXAMPLES = tuple(
    format_answer([Pair((r, c), (r2, c2)) for r, c, r2, c2 in (map(int, p) for p in pairs.split())])
    for pairs in (
        "0021 3435",
        "1112 0343 4041",
        "2022 1454 3033",
        "0105 3132 2344 5051",
        "0004 4252 1024 3545",
        "1315 4054 2122 3455 0203",
        "3041 0011 2425 5253 1444 0515",
        "0212 3343 4555 1031 2034 0424 5154",
    )
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words for boards whose rules are ``rules``."""
    rules = {**RULE_OPTIONS, **rules}
    most = rules["max_turns"]
    turns = _TURNS[most] if most < len(_TURNS) else f"at most {most} turns"
    edge = (
        "The link may also leave the board and run around it, by one cell at most."
        if rules["outside"]
        else "The link can't leave the board."
    )
    outside = (
        " (a link outside the board runs along the edge of the picture)" if rules["outside"] else ""
    )
    return Words(
        title="Onet",
        legend=(
            "Each card with a picture of a fruit or vegetable is a tile. Tiles with the same "
            "picture on a card of the same colour are of one kind. "
            "Cells without a card are empty. A cell is [row,column], counted from 0, with [0,0] at "
            "the top left."
        ),
        rules=(
            "One action removes two tiles of the same kind and leaves their cells empty. "
            "It is allowed only while a link joins the two tiles: a line that runs from one to the "
            "other, from cell to cell, up, down, left or right, passes only through empty cells "
            f"and makes {turns}. Tiles side by side are joined. {edge}"
        ),
        goal="Remove all tiles, so that the board is empty.",
        answer=(
            "Write the removals in order, each as the pair of its tiles' cells, as a JSON list in "
            "the tag answer_json."
        ),
        examples=_EXAMPLES,
        step=(
            "Write the action as <STEP_JSON>[[R1,C1],[R2,C2]]</STEP_JSON>, where [R1,C1] and "
            "[R2,C2] are the cells of the two tiles."
        ),
        keep="the tiles, their pictures, their cards and the empty cells",
        change="Only the two tiles that are removed disappear, with their cards; no other moves.",
        aid=grid(),
        drawing=(
            "one line for each pair of tiles, from one to the other, about an eighth of a cell "
            "wide and edged in dark, each in a bright colour of its own, with a dot on both tiles; "
            "the line is their link: it runs from cell centre to cell centre, straight up, right, "
            f"down or left, makes {turns}, and passes only through cells that are empty once the "
            f"pairs before are removed{outside}; where lines would cover each other, they lie side "
            "by side"
        ),
    )


ANSWER = AnswerFormat(tag="answer_json", joint="]],[[")


def remove(row: int, column: int, other_row: int, other_column: int) -> list[list[int]]:
    """Remove a pair of equal tiles that a free link joins.

    Args:
        row: The row of one tile, counted from 0 at the top.
        column: Its column, counted from 0 at the left.
        other_row: The row of the other tile.
        other_column: Its column.
    """
    return [[row, column], [other_row, other_column]]


def _gesture(state: State, action: Pair) -> Gesture:
    return Gesture(action.a, other=action.b)


def _action(state: State, gesture: Gesture) -> Pair:
    return Pair(*sorted((gesture.cell, gesture.other or gesture.cell)))


def _pair(size: Size, number: int) -> Pair:
    b = (1 + isqrt(1 + 8 * number)) // 2
    return Pair(divmod(number - b * (b - 1) // 2, size[1]), divmod(b, size[1]))


def _number(size: Size, action: Pair) -> int:
    a, b = sorted(r * size[1] + c for r, c in action)
    return b * (b - 1) // 2 + a


NUMBERING: Numbering[Pair] = Numbering(
    count=lambda size: comb(size[0] * size[1], 2),
    action=_pair,
    number=_number,
    codes=Late("puzzles.onet").observe.numbers,
)
"""b * (b - 1) / 2 + a, a < b being the indices of the two cells, row by row."""
CONTROLS: Controls[State, Pair] = Controls(
    *("pair", _gesture, _action, remove),
    *(NUMBERING, EMPTY + ascii_uppercase + ascii_lowercase, Late("puzzles.onet").observe.observe),
)
