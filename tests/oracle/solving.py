"""Openings of every family, and the steps by which a solver plays them."""

import json
import re
from base64 import b64encode
from functools import lru_cache
from typing import Any

import puzzles
from oracle.messages import Step
from oracle.session import Opening, Session
from protocols.aids import Aids
from protocols.messages import Reply
from protocols.models.players import player
from protocols.protocol import PROTOCOLS
from puzzles import Instance

CELL = 16
SOLVER = player("solver")
SERVED = [name for name, p in PROTOCOLS.items() if p.paradigm != "draw" and p.source != "files"]
STEPWISE = [name for name in SERVED if PROTOCOLS[name].stepwise]
CORRIDOR = "######\n#S.G.#\n######"
"""Two steps to the right, and a cell beyond the goal; a board of no usual size."""


@lru_cache(maxsize=64)
def boards(family: str, difficulty: str = "easy") -> tuple[Instance, ...]:
    return tuple(puzzles.make(family, difficulty, 4, seed=5))


def opening(family: str, protocol: str, at: int = 2) -> Opening:
    """Return an opening of a board; the one after it is the donor."""
    one, other = boards(family)[at : at + 2]
    return Opening(one, protocol, donor=other, cell=CELL)


def corridor(protocol: str = "oracle-vcot", **changed: Any) -> Opening:
    fields = {"family": "maze", "board": CORRIDOR, "optimal_length": 2, "difficulty": "easy"}
    return Opening(Instance(**{**fields, **changed}), protocol, cell=CELL)


def aids(opening: Opening) -> Aids:
    return Aids(opening.cell, donor=lambda _: opening.donor or opening.instance)


def session(opening: Opening) -> Session:
    return Session(opening, aids(opening))


def solved(opening: Opening, *, together: bool = False, in_json: bool = False) -> list[Step]:
    """Return the steps of a solver, one for each thing that is due.

    together
        What a round takes comes in one step.
    in_json
        Actions come as JSON rather than in a reply.
    """
    played, steps = session(opening), []
    while not played.done:
        steps.append(_next(played, in_json=in_json))
        played.take(steps[-1])
    return _joined(steps) if together else steps


def _next(played: Session, *, in_json: bool) -> Step:
    reply = SOLVER.reply(played.episode)
    number = max(1, played.episode.request.round if played.episode.request else 0)
    if reply.images:
        return Step(round=number, drawing=b64encode(reply.images[0]).decode())
    if played.due == "remaining":
        return Step(round=number, remaining=int(re.findall(r"\d+", reply.text)[0]))
    if in_json and played.due == "action":
        return Step(round=number, action=action_in(reply))
    return Step(round=number, reply=reply.text)


def action_in(reply: Reply) -> Any:
    return json.loads(re.findall(r"<STEP_JSON>(.*)</STEP_JSON>", reply.text)[0])


def _joined(steps: list[Step]) -> list[Step]:
    rounds: dict[int, dict[str, Any]] = {}
    for step in steps:
        rounds.setdefault(step.round, {}).update(step.model_dump(exclude_none=True))
    return [Step(**fields) for fields in rounds.values()]


def right(number: int, **more: Any) -> Step:
    return Step(round=number, action={"move": "right"}, **more)


def left(number: int, **more: Any) -> Step:
    return Step(round=number, action={"move": "left"}, **more)
