"""What the text of an answer says: its actions, and the states that they truly lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from protocols.answer_line import Answer, Unjudged
from protocols.stepwise import Walk, rejudged
from puzzles.answers import extract
from puzzles.family import Family
from puzzles.instance import Instance
from puzzles.replay import initial, optimal_actions
from puzzles.rooms import family


class Truth(NamedTuple):
    """What the text of an answer says.

    answer
        As the family's replay takes it; None where there is none.
    states
        After each of its legal actions; None where there is no answer.
    images
        Of an answer in rounds, the file drawn in each that is legal, up to the last that has one;
        None where no round has a file.
    """

    answer: Sequence[Any] | None
    states: list[Any] | None
    images: Sequence[str | None] | None = None


def truth_of(instance: Instance, answer: Answer) -> Truth:
    """Return what the text says; raise MalformedSteps, InvalidBoard or SearchLimit."""
    room, start = family(instance.family), initial(instance)
    walk = _walk(instance, answer)
    if walk is not None:
        steps = (step if isinstance(step, Mapping) else {} for step in answer.steps)
        drawn = [step.get("image") or None for step in steps]
        images = None if not any(drawn) else drawn[: len(walk.actions)]
        while images and images[-1] is None:
            images.pop()
        return Truth(walk.answer, states_after(room, start, walk.actions), images)
    said = extract(answer.response or "", room).answer
    if said is None:
        return Truth(None, None)
    return Truth(said, states_after(room, start, _legal(instance, room, start, said)))


def _walk(instance: Instance, answer: Answer) -> Walk | None:
    """Return the rounds of an answer, played again; None where it has none."""
    try:
        rounds = answer.rounds
    except Unjudged:
        return None
    if rounds is None:
        return None
    # The published rules only end an episode sooner, and ask the solver where.
    protocol = replace(answer.rules, vgau=False)
    return rejudged(instance, protocol, rounds, answer.trouble)


def _legal(
    instance: Instance, room: Family[Any, Any], start: Any, said: Sequence[Any]
) -> Sequence[Any]:
    """Return the legal actions at the beginning of an answer."""
    played = room.replay(start, said)
    if room.counts_actions:
        return said[: played.legal]
    # The answer names what the actions pass: they go on for as long as that is right.
    actions = optimal_actions(instance)
    if played.reason is None:
        return actions
    passed = (len(room.answer_of(start, actions[:k])) for k in range(len(actions) + 1))
    count = next(k for k, labels in enumerate(passed) if labels == played.legal)
    return actions[:count]


def states_after(room: Family[Any, Any], state: Any, actions: Sequence[Any]) -> list[Any]:
    """Return the states after each of the legal ``actions``."""
    states = []
    for action in actions:
        state = room.apply(state, action)
        states.append(state)
    return states
