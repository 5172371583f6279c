"""A case of every family, and what the judge says of answers to it."""

import json
from dataclasses import dataclass
from typing import Any

from puzzles import Instance, Reason, verify


@dataclass(frozen=True)
class Case:
    """A small board, its optimum, and answers that a reader can check by eye."""

    board: str
    rules: dict[str, Any]
    optimum: int
    right: str
    longer: str | None
    illegal: str
    illegal_at: int
    illegal_reason: Reason
    beyond: str | None
    unsolved: str
    shape: str


def slides(*moves: str) -> str:
    named = [dict(zip(("car", "direction"), move.split(), strict=True)) for move in moves]
    return f"<ANSWER_JSON>{json.dumps(named, separators=(',', ':'))}</ANSWER_JSON>"


CASES = {
    # The goal is two steps to the right.
    "maze": Case(
        board="#####\n#S.G#\n#...#\n#####",
        rules={},
        optimum=2,
        right='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
        longer='<ANSWER_JSON>["down","right","right","up"]</ANSWER_JSON>',
        illegal='<ANSWER_JSON>["right","up","right"]</ANSWER_JSON>',
        illegal_at=1,
        illegal_reason=Reason.HITS_WALL,
        beyond='<ANSWER_JSON>["right","right","left"]</ANSWER_JSON>',
        unsolved='<ANSWER_JSON>["right"]</ANSWER_JSON>',
        shape='<ANSWER_JSON>[["right"],["right"]]</ANSWER_JSON>',
    ),
    # One push to the right.
    "sokoban": Case(
        board="######\n#@$.-#\n#----#\n######",
        rules={},
        optimum=1,
        right='<ANSWER_JSON>["right"]</ANSWER_JSON>',
        longer='<ANSWER_JSON>["down","up","right"]</ANSWER_JSON>',
        illegal='<ANSWER_JSON>["right","right","right"]</ANSWER_JSON>',
        illegal_at=2,
        illegal_reason=Reason.BLOCKED,
        beyond='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
        unsolved='<ANSWER_JSON>["down"]</ANSWER_JSON>',
        shape='<ANSWER_JSON>{"moves":["right"]}</ANSWER_JSON>',
    ),
    # The route passes B, then A; C lies on a side branch.
    "path": Case(
        board="SBAG\n.###\nC###",
        rules={},
        optimum=3,
        right="<answer>B,A</answer>",
        longer=None,
        illegal="<answer>B,C</answer>",
        illegal_at=1,
        illegal_reason=Reason.WRONG_LABELS,
        beyond=None,
        unsolved="<answer>B</answer>",
        shape="<answer>first B then A</answer>",
    ),
    # The two b lie side by side, the a behind them.
    "onet": Case(
        board="abba",
        rules={"max_turns": 0},
        optimum=2,
        right="<answer_json>[[[0,1],[0,2]],[[0,0],[0,3]]]</answer_json>",
        longer=None,
        illegal="<answer_json>[[[0,0],[0,3]],[[0,1],[0,2]]]</answer_json>",
        illegal_at=0,
        illegal_reason=Reason.NO_LINK,
        beyond=None,
        unsolved="<answer_json>[[[0,1],[0,2]]]</answer_json>",
        shape="<answer_json>[[0,1],[0,2]]</answer_json>",
    ),
    # B goes down twice, out of the row, then R has two cells to go.
    "parking": Case(
        board="...B\nRR.B\n....\n....",
        rules={},
        optimum=4,
        right=slides("B down", "B down", "R right", "R right"),
        longer=slides("R right", "R left", "B down", "B down", "R right", "R right"),
        illegal=slides("R right", "R right"),
        illegal_at=1,
        illegal_reason=Reason.BLOCKED,
        beyond=slides("B down", "B down", "R right", "R right", "R left"),
        unsolved=slides("B down"),
        shape='<ANSWER_JSON>["R right"]</ANSWER_JSON>',
    ),
    # T goes down twice.
    "klotski": Case(
        board="TTA\nTTA\n..B\n..B",
        rules={"goal": [2, 0]},
        optimum=2,
        right=(
            '{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"DOWN"}]}'
        ),
        longer=(
            '{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"UP"},'
            '{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"DOWN"}]}'
        ),
        illegal='{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[0,2],"direction":"DOWN"}]}',
        illegal_at=1,
        illegal_reason=Reason.BLOCKED,
        beyond=(
            '{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"DOWN"},'
            '{"from":[2,0],"direction":"UP"}]}'
        ),
        unsolved='{"solution":[{"from":[0,0],"direction":"DOWN"}]}',
        shape='{"solution":["down","down"]}',
    ),
}


NAMES = list(CASES)


def judged(name: str, text: str, **options: bool) -> Any:
    case = CASES[name]
    instance = Instance(
        family=name, board=case.board, rules=case.rules, optimal_length=case.optimum
    )
    return verify(instance, text, **options)


def outcome(name: str, text: str, **options: bool) -> tuple[bool, bool, Reason]:
    verdict = judged(name, text, **options)
    return verdict.feasible, verdict.optimal, verdict.reason


SOLVED = (True, True, Reason.SOLVED)
UNSOLVED = (False, False, Reason.UNSOLVED)
NO_ANSWER = (False, False, Reason.NO_ANSWER)
BAD_FORMAT = (False, False, Reason.BAD_FORMAT)
