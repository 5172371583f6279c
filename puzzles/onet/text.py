"""Onet in words."""

from collections.abc import Mapping
from typing import Any

from puzzles.family import AnswerFormat, Words
from puzzles.onet.rules import RULE_OPTIONS

_TURNS = ("no turn", "at most one turn", "at most two turns")


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
    return Words(
        title="Onet",
        legend=(
            "Each card with a picture of a fruit or vegetable is a tile. Tiles with the same "
            "picture on a card of the same colour are of one kind. "
            "Cells without a card are empty."
        ),
        rules=(
            "One action removes two tiles of the same kind and leaves their cells empty. "
            "It is allowed only while a link joins the two tiles: a line that runs from one to the "
            "other, from cell to cell, up, down, left or right, passes only through empty cells "
            f"and makes {turns}. Tiles side by side are joined. {edge}"
        ),
        goal="Remove all tiles, so that the board is empty.",
        answer=(
            "Write the removals in order, each as the cells of its two tiles, each cell as "
            "[row,column], counted from 0, with [0,0] at the top left: "
            "<answer_json>[[[0,0],[2,1]],[[3,4],[3,5]]]</answer_json>"
        ),
    )


ANSWER = AnswerFormat(tag="answer_json")
