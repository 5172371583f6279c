"""An answer played again: the states that it went through, and a few words for each action."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from protocols.answer_line import Answer
from protocols.protocol import Protocol
from protocols.stepwise import rejudged
from puzzles.answers import extract, read_step
from puzzles.family import Family
from puzzles.instance import Instance
from puzzles.lenient import objects_with
from puzzles.replay import initial
from puzzles.rooms import family
from puzzles.tags import tagged

_ANY_STEPWISE = Protocol("vcot", "oracle")
"""The rules for rounds of a protocol that is none of ours."""
MOST_ACTIONS, _LEAST_ACTIONS = 500, 20
"""Actions of one answer that are shown; models that repeat themselves write thousands."""
_MOST_CELLS = 200_000
"""Cells of all boards of one answer, so that large ones have fewer frames."""


class Played(NamedTuple):
    """What there is to show of an answer.

    states
        The initial one, and that after each legal action.
    actions
        All that the answer names, in words; what follows the first illegal one was never played.
    left_out
        How many more actions there were.
    """

    states: list[Any]
    actions: list[str]
    left_out: int = 0


def play(instance: Instance, answer: Answer, rounds: int | None) -> Played:
    """Play ``answer`` again, of a stepwise one as many ``rounds`` as were judged.

    Raises ValueError for a board that is none, and for a record that is malformed.
    """
    steps = answer.rounds
    if steps is not None:
        return _rounds(instance, answer.known or _ANY_STEPWISE, steps[:rounds], len(steps))
    return _answer(instance, answer.response or "")


def _most(instance: Instance) -> int:
    return max(_LEAST_ACTIONS, min(MOST_ACTIONS, _MOST_CELLS // max(1, len(instance.board))))


def _rounds(instance: Instance, protocol: Protocol, steps: Sequence[Any], total: int) -> Played:
    # Without +vgau no distance is searched for; the states are the same.
    walk = rejudged(instance, replace(protocol, vgau=False), steps[: _most(instance)])
    states = [walk.start, *_applied(walk.room, walk.start, walk.actions)]
    said = [_words(_action(walk.room, step)) for step in steps[: walk.rounds]]
    return Played(states, said, total - walk.rounds)


def _action(room: Family[Any, Any], step: Mapping[str, Any]) -> Any:
    """Return the action of a round as JSON: that of the record, or what its reply names."""
    if step.get("action") is not None:
        return step["action"]
    action = read_step(step.get("reply") or "", room).action
    return None if action is None else json.loads(_json(room, action))


def _answer(instance: Instance, response: str) -> Played:
    room, start = family(instance.family), initial(instance)
    answer = extract(response, room).answer or []
    shown = answer[: _most(instance)]
    legal = min(room.replay(start, answer).legal, len(shown))
    if room.counts_actions:
        states = [start, *_applied(room, start, shown[:legal])]
    else:
        # The whole answer may end where its beginnings don't: at the goal.
        states = [room.replay(start, shown[:k]).state for k in range(legal)]
        states.append(room.replay(start, answer).state)
    said = [in_words(room, action) for action in shown]
    return Played(states, said, len(answer) - len(shown))


def _applied(room: Family[Any, Any], state: Any, actions: Iterable[Any]) -> Iterable[Any]:
    for action in actions:
        state = room.apply(state, action)
        yield state


def in_words(room: Family[Any, Any], action: Any) -> str:
    """Return an action as a person would say it."""
    return _words(json.loads(_json(room, action)))


def _json(room: Family[Any, Any], action: Any) -> str:
    """Return an item of an answer as JSON: what its family writes around it is taken off."""
    if isinstance(action, str):
        return json.dumps(action)
    if room.step is not None:
        return room.step.format(action, [])
    written = room.format_answer([action])
    return written[written.index("[") + 1 : written.rindex("]")]


def _words(value: Any) -> str:
    """Return a JSON value as a person would say it: {"car": "A", "direction": "up"} is A up."""
    if value is None:
        return "no action"
    if isinstance(value, dict):
        return " ".join(map(_words, value.values()))
    if isinstance(value, list):
        if value and all(isinstance(item, int) for item in value):
            return f"({','.join(map(str, value))})"
        return " – ".join(map(_words, value))
    return str(value) if len(str(value)) <= 60 else f"{str(value)[:57]}..."


def marked(response: str, room: Family[Any, Any]) -> tuple[str, str, str]:
    """Return ``response`` in three parts: before the answer, the answer, after it.

    The answer is the last part of the text that reads alone as the whole does; where there is none,
    all is before.
    """
    read = extract(response, room)
    if read.answer is not None:
        found, _ = tagged(response, room.answer_format.tag)
        spans = [slice(one.start, one.end) for one in found]
        if room.answer_format.key is not None:
            spans += objects_with(room.answer_format.key, response)[0]
        for span in sorted(spans, key=lambda span: (span.stop, span.start), reverse=True)[:8]:
            if extract(response[span], room).answer == read.answer:
                return response[: span.start], response[span], response[span.stop :]
    return response, "", ""
