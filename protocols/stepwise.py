"""The rules of a stepwise episode: which replies are taken, what ends it, and its verdict.

They know texts, not prompts, so that an episode that is played and a record that is judged later
run through the same lines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from protocols.protocol import Protocol
from puzzles.answers import Reading, read_count, read_step
from puzzles.family import IllegalAction
from puzzles.instance import Instance
from puzzles.replay import initial, judged, optimal_actions
from puzzles.rooms import family
from puzzles.solve import solve
from puzzles.verdict import Reason, Replay, Stop, Verdict
from solvers import SearchLimit, Unsolvable


class MalformedSteps(ValueError):
    """The record of a round is not one; the message names the round and the field."""


class NoDistance(ValueError):
    """The rules need an exact distance, and the search for it was too large."""


class End(NamedTuple):
    """What ended an episode, and why that is a failure.

    counts
        The state that it ended in is judged: where the goal holds there, it is no failure.
    """

    stop: Stop
    reason: Reason
    detail: str
    at: int | None = None
    counts: bool = False


class Walk:
    """An episode as the rules see it.

    Each round is ``act``, then, unless that has ended the episode, ``claim``. ``end`` is None for
    as long as it goes on.

    The true state moves by legal actions alone, whatever a model has drawn.
    """

    def __init__(self, instance: Instance, protocol: Protocol):
        self.instance, self.protocol = instance, protocol
        self.room = family(instance.family)
        self.state = self.start = initial(instance)
        self.actions: list[Any] = []
        self.items: list[Any] = []
        """What the model has said of the answer beside its actions (path: the labels passed)."""
        self.rounds = 0
        self.format_ok = True
        self.end: End | None = None
        self._passed_goal = False
        self._optimum = self._optimal_actions()
        self.cap = self._cap()

    def _optimal_actions(self) -> int:
        """Return the optimum in actions; it is only asked for where the protocol depends on it."""
        if self.instance.metric == "cell" or not self.protocol.leaks:
            return self.instance.optimal_length
        if self.protocol.vgau:
            return self._left() or 0
        return len(optimal_actions(self.instance))

    def _cap(self) -> int:
        """Return the largest number of rounds.

        Unless the protocol leaks the optimum by its nature, it depends on family and difficulty
        alone: twice the top of the bucket, or the number of cells for custom lengths.
        """
        optimum = self._optimum
        if self.protocol.vgau:
            return max(2 * optimum, optimum + 1)
        if self.protocol.budget:
            return max(1, optimum)
        bucket = self.room.buckets.get(self.instance.difficulty)
        if bucket is not None:
            return 2 * bucket.high
        return max(1, len(self.instance.board.replace("\n", "")))

    def act(self, reply: str) -> Any | None:
        """Take the reply that names an action; return the action, or None where it names none.

        An action that can't be taken ends the episode.
        """
        self.rounds += 1
        reading = read_step(reply, self.room)
        self.format_ok = self.format_ok and reading.format_ok
        if self.actions and self.room.is_solved(self.state):
            self._passed_goal = True
        if reading.action is None:
            self._fail(reading.reason or Reason.NO_ANSWER, reading.detail)
            return None
        self.items += reading.items
        try:
            self.state = self.room.apply(self.state, reading.action)
        except IllegalAction as error:
            self._fail(error.reason, str(error))
            return reading.action
        self.actions.append(reading.action)
        if self.protocol.vgau and self._left() != self._optimum - len(self.actions):
            detail = f"action {len(self.actions)} leaves every shortest path"
            self.end = End(Stop.DETOUR, Reason.UNSOLVED, detail)
        return reading.action

    def _left(self) -> int | None:
        """Return the exact number of actions from here to the goal, None where there is no way."""
        try:
            return solve(self.room, self.state).length
        except Unsolvable:
            return None
        except SearchLimit as error:
            raise NoDistance(f"the published rules need exact distances: {error}") from None

    def lost(self, detail: str) -> None:
        """End the episode because the picture of the next state did not come."""
        self.end = End(Stop.IMAGE, Reason.NO_IMAGE, detail)

    def claim(self, reply: str | None) -> int | None:
        """Take the reply that names the number of remaining steps; return it, or None.

        ``reply`` is None where nothing was asked, as under ``budget``.
        """
        remaining, exact = (None, True) if reply is None else read_count(reply)
        self.format_ok = self.format_ok and exact
        vgau = self.protocol.vgau
        if reply is not None and remaining is None:
            self._stop(Stop.PROBE, Reason.PROBE_UNREADABLE)
        elif remaining == 0:
            self._stop(Stop.CLAIM, Reason.CLAIM_TOO_EARLY, counts=True)
        elif vgau and remaining is not None and len(self.actions) >= self._optimum:
            self._stop(Stop.CLAIM, Reason.CLAIM_TOO_LATE)
        elif self.rounds >= self.cap:
            self._stop(Stop.CAP, Reason.ROUND_CAP, counts=not vgau)
        return remaining

    def _fail(self, reason: Reason, detail: str) -> None:
        self.end = End(Stop.ACTION, reason, f"round {self.rounds}: {detail}", len(self.actions))

    def _stop(self, stop: Stop, reason: Reason, *, counts: bool = False) -> None:
        detail = f"after round {self.rounds}: {reason.sentence}"
        self.end = End(stop, reason, detail, counts=counts)

    @property
    def answer(self) -> list[Any]:
        """The final answer: the actions taken, or for path the labels named on the way."""
        return self.items if self.room.step.items else self.actions

    def verdict(self, *, strict: bool = False, distance: bool = False) -> Verdict:
        """Return the verdict; one of an episode that goes on is that of a record broken off.

        Where the goal has been left again, or its end has been missed, the reason says so whatever
        happened afterwards; ``detail`` and ``stop`` then say what did.
        """
        reason: Reason | None
        holds = bool(self.room.is_solved(self.state))
        stop, reason, detail, at, counts = self.end or self._broken_off(holds)
        if strict and not self.format_ok:
            at, reason, detail = None, Reason.BAD_FORMAT, "a reply misses the strict format"
        elif counts and holds:
            at, reason, detail = self._said()
        elif self._passed_goal:
            reason, detail = Reason.CLAIM_TOO_LATE, f"{Reason.CLAIM_TOO_LATE.sentence} {detail}"
        played = Replay(self.state, len(self.actions), at, reason, detail)
        verdict = judged(self.instance, Reading(self.answer, self.format_ok), played, distance)
        return replace(verdict, rounds=self.rounds, stop=stop)

    def _broken_off(self, holds: bool) -> End:
        """Return the end of a record that stops short: what would have followed isn't known."""
        reason = Reason.CLAIM_TOO_LATE if holds else Reason.UNSOLVED
        detail = f"the record ends after round {self.rounds}, before the episode does"
        return End(Stop.BREAK, reason, detail)

    def _said(self) -> tuple[int | None, Reason | None, str]:
        """Return what is wrong with the answer of an episode that has reached the goal, if any."""
        played = self.room.replay(self.start, self.answer)
        return played.at, played.reason, played.detail


def rejudged(
    instance: Instance, protocol: Protocol, steps: Sequence[Any], problem: str | None = None
) -> Walk:
    """Play the recorded ``steps`` of an episode again; return the walk, whose verdict is wanted.

    Of each step the model's words count (``reply``, ``probe``), and ``action`` and ``remaining``
    only where these are missing; what a record says of legality is not read. Steps after the end of
    the episode are left out, unread.

    problem
        Why a picture that was due can't be used, as the record says.

    Raises MalformedSteps, InvalidBoard, and NoDistance where the published rules can't be followed.
    """
    walk = Walk(instance, protocol)
    for number, step in enumerate(steps, 1):
        reply, probe, has_image = _recorded(step, number)
        walk.act(reply)
        if walk.end is None and protocol.draws and not has_image:
            walk.lost(problem or Reason.NO_IMAGE.sentence)
        if walk.end is None:
            walk.claim(None if protocol.budget else probe)
        if walk.end is not None:
            break
    return walk


def _recorded(step: Any, number: int) -> tuple[str, str | None, bool]:
    """Return what was said in a round, its probe, and whether there is a picture of its state."""
    if not isinstance(step, Mapping):
        raise MalformedSteps(f"steps: round {number} is not an object")
    reply, probe, image = (step.get(name) for name in ("reply", "probe", "image"))
    for name in ("reply", "probe", "image"):
        if not isinstance(step.get(name), str | None):
            raise MalformedSteps(f"steps: {name} of round {number} is not text")
    remaining = step.get("remaining")
    if remaining is not None and (type(remaining) is not int or remaining < 0):
        raise MalformedSteps(f"steps: remaining of round {number} is not a number from 0")
    if reply is None and step.get("action") is not None:
        action = json.dumps(step["action"]).replace("<", "\\u003c")  # no tag within
        reply = f"<STEP_JSON>{action}</STEP_JSON>"
    if probe is None and remaining is not None:
        probe = f"<answer>{remaining}</answer>"
    return reply or "", probe, bool(image)
