"""What is told at the end of an episode is what `puzzles verify` says of its answer, always."""

import json
import random
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

import puzzles
from oracle.admission import plain
from oracle.errors import Refused
from oracle.limits import Limits
from oracle.messages import Step
from oracle.server import strict
from oracle.session import Opening, Session
from tests.oracle.serving import judged
from tests.oracle.solving import CELL, SERVED, SOLVER, STEPWISE, aids, boards, corridor, session

VARIANTS = [f"{name}{more}" for name in STEPWISE for more in ("+budget", "+last", "+budget+last")]
EPISODES = 90
"""Of each family; 20,000 have been played so, without a difference."""
PICTURE = b64encode(session(corridor()).pictures[0].png).decode()
DRAWINGS = [*[PICTURE] * 8, f"data:image/png;base64,{PICTURE}", "AAAA", "", PICTURE[:40]]
UP = '<STEP_JSON>{"move":"up"}</STEP_JSON>'
TEXTS = [
    *("", "{}", "{}{}", "<think>{}</think>", "<think>{}", "{}</think>", "```json\n{}\n```"),
    *("</STEP_JSON>{}", "{}<STEP_JSON>", "{}\n{}", "<answer>0</answer>{}", "{}<answer>0</answer>"),
    *("\x00{}", "<tool_call>{}", f"{{}} or {UP}", f"<think>{UP}</think>{{}}", "up", "I go left."),
    *("<STEP_JSON>[1e999]</STEP_JSON>", "<STEP_JSON>NaN</STEP_JSON>", "[" * 3_000, "9" * 5_000),
    *('<ANSWER_JSON>["up"]</ANSWER_JSON>', "<answer>A,B</answer>", "<answer_json>[]</answer_json>"),
]
ACTIONS = [
    *(0, True, "up", ["up"], ["up", "up"], {"move": "u</STEP_JSON>"}, "<think>", "</think>up"),
    *({"move": "up", "hit_labels": ["A"]}, {"car": "R", "direction": "right"}, {"text": "up"}),
    *({"car": "R", "direction": "right", "steps": 2}, {"from": [0, True], "direction": "UP"}),
    *([[0, 0], [0, 1]], [[[0, 0], [0, 1]]], [[True, 0.0], [1e22, 0]], {"solution": []}, 10**400),
]
COUNTS = [
    *(0, 1, 2, 3, 999_999, 1_000_000, 10**18, "0", "3 steps", "<answer>3</answer>", "٣", "-1", ""),
    *("<ANSWER> 3 </ANSWER>", "<answer>0</answer><answer>1</answer>", "three", "0.0", "1" * 99),
]


class Player:
    """Sends what is due, in one piece or several, rightly more often than not."""

    def __init__(self, played: Session, seed: str):
        self.played, self.rng = played, random.Random(seed)

    def mostly(self, good: Any, others: list[Any]) -> Any:
        return good if self.rng.random() < 0.85 else self.rng.choice(others)

    def said(self) -> dict[str, Any]:
        play = self.played.episode.play
        good = UP
        if self.played.due != "remaining" and self.played.due != "drawing":
            good = SOLVER.reply(self.played.episode).text
        if self.played.protocol.stepwise and self.rng.random() < 0.4:
            actions = [*play.room.legal_actions(play.state)]
            if actions:
                wire = play.room.step.format(self.rng.choice(actions), None)
                good = f"<STEP_JSON>{wire}</STEP_JSON>"
        if self.rng.random() < 0.2:
            return {"action": self.rng.choice(ACTIONS)}
        return {"reply": self.mostly(good, [text.replace("{}", good) for text in TEXTS])}

    def step(self) -> dict[str, Any]:
        played, rng = self.played, self.rng
        request, protocol = played.episode.request, played.protocol
        assert request is not None
        brought: dict[str, Any] = {"round": max(1, request.round)}
        if played.due == "remaining" and rng.random() < 0.5:
            return {**brought, "remaining": self.mostly(rng.randint(0, 9), COUNTS)}
        if played.due == "drawing" and rng.random() < 0.6:
            return {**brought, "drawing": rng.choice(DRAWINGS)}
        brought["round"] += played.due == "remaining"
        brought |= self.said()
        if protocol.draws and rng.random() < 0.5:
            brought["drawing"] = rng.choice(DRAWINGS)
        if protocol.stepwise and not protocol.budget and rng.random() < 0.5:
            brought["remaining"] = self.mostly(rng.randint(1, 9), COUNTS)
        return brought


def ended(begun: Opening, seed: str) -> Session:
    """Return an episode that is over, whatever has been refused on the way."""
    played = session(begun)
    player = Player(played, seed)
    while not played.done:
        body = json.dumps(player.step()).encode()
        try:
            played.take(plain(Step.model_validate(strict.loads(body)), Limits())[0])
        except Refused:
            continue
    return played


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_any_episode_is_judged_as_its_answer_is(family: str, tmp_path: Path) -> None:
    names = [*SERVED, *VARIANTS]
    lines, verdicts = [], []
    for number in range(EPISODES):
        one, other = boards(family)[number % 3 :][:2]
        begun = Opening(one, names[number % len(names)], donor=other, cell=CELL)
        played = ended(begun, f"{family} {number}")
        again = Session(Opening.of(json.loads(json.dumps(begun.record()))), aids(begun))
        for taken in played.taken:
            again.take(Step.model_validate_json(taken.step.model_dump_json()))
        assert (again.answer("/e"), again.verdict()) == (played.answer("/e"), played.verdict())
        lines.append({**(played.answer("/e") or {}), "run": number + 1})
        verdicts.append(json.loads(json.dumps(played.verdict())))
    assert judged(lines, tmp_path) == verdicts
    assert len({verdict["reason"] for verdict in verdicts}) > 5
