"""The rules of a stepwise episode: which replies are taken, what ends it, and its verdict.

They know texts, not prompts, so that an episode that is played and a record that is judged later
run through the same lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from protocols.protocol import Protocol
from puzzles.answers import Reading, read_step, unwrapped, visible
from puzzles.family import IllegalAction
from puzzles.instance import Instance
from puzzles.replay import initial, judged, optimal_actions
from puzzles.rooms import family
from puzzles.solve import solve
from puzzles.verdict import Reason, Replay, Stop, Verdict
from solvers import SearchLimit, Unsolvable

_COUNT = re.compile(r"<\s{0,8}answer\s{0,8}>([^<>]*)<\s{0,8}/\s{0,8}answer\s{0,8}>", re.IGNORECASE)
_NUMBER = re.compile(r"\s*([0-9]{1,6})\s*(?:steps?|actions?|moves?)?\s*\.?\s*", re.IGNORECASE)


class End(NamedTuple):
    """What ended an episode, and why that is a failure unless the goal holds."""

    stop: Stop
    reason: Reason
    detail: str
    at: int | None = None


_BROKEN_OFF = End(Stop.BREAK, Reason.UNSOLVED, Reason.UNSOLVED.sentence)


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
        self._optimum = instance.optimal_length
        """In actions; the protocols that depend on it say so."""
        if protocol.leaks and instance.metric != "cell":
            self._optimum = len(optimal_actions(instance))
        self.cap = self._cap()

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
        if self.protocol.vgau:
            self._check_detour()
        return reading.action

    def _check_detour(self) -> None:
        """End the episode where the published rules do: off every shortest path."""
        try:
            left = solve(self.room, self.state).length
        except Unsolvable:
            left = -1
        except SearchLimit as error:
            raise ValueError(f"{self.instance.id}: +vgau needs exact distances: {error}") from None
        if left != self._optimum - len(self.actions):
            detail = f"action {len(self.actions)} leaves every shortest path"
            self.end = End(Stop.DETOUR, Reason.UNSOLVED, detail)

    def lost(self, detail: str) -> None:
        """End the episode because the picture of the next state did not come."""
        self.end = End(Stop.IMAGE, Reason.NO_IMAGE, detail)

    def claim(self, reply: str | None) -> int | None:
        """Take the reply that names the number of remaining steps; return it, or None.

        ``reply`` is None where nothing was asked, as under ``budget``.
        """
        remaining = None if reply is None else read_count(reply)
        if reply is not None and remaining is None:
            detail = f"round {self.rounds}: {Reason.PROBE_UNREADABLE.sentence}"
            self.end = End(Stop.PROBE, Reason.PROBE_UNREADABLE, detail)
        elif remaining == 0:
            detail = f"after {self.rounds} rounds: {Reason.CLAIM_TOO_EARLY.sentence}"
            self.end = End(Stop.CLAIM, Reason.CLAIM_TOO_EARLY, detail)
        elif self.rounds >= self.cap:
            detail = f"after {self.rounds} rounds: {Reason.ROUND_CAP.sentence}"
            self.end = End(Stop.CAP, Reason.ROUND_CAP, detail)
        return remaining

    def _fail(self, reason: Reason, detail: str) -> None:
        self.end = End(Stop.ACTION, reason, f"round {self.rounds}: {detail}", len(self.actions))

    @property
    def answer(self) -> list[Any]:
        """The final answer: the actions taken, or for path the labels named on the way."""
        return self.items if self.room.step and self.room.step.items else self.actions

    def verdict(self, *, distance: bool = False) -> Verdict:
        """Return the verdict: an episode that was ended, not broken off, is judged by its state."""
        stop, reason, detail, at = self.end or _BROKEN_OFF
        holds = bool(self.room.is_solved(self.state))
        if self._ended_in_order(stop) and holds:
            said = self.room.replay(self.start, self.answer)
            played = Replay(self.state, len(self.actions), *said[2:])
        else:
            if self._passed_goal or holds:
                detail = f"{Reason.CLAIM_TOO_LATE.sentence} {detail}"
                reason = Reason.CLAIM_TOO_LATE
            played = Replay(self.state, len(self.actions), at, reason, detail)
        verdict = judged(self.instance, Reading(self.answer, self.format_ok), played, distance)
        return replace(verdict, rounds=self.rounds, stop=stop)

    def _ended_in_order(self, stop: Stop) -> bool:
        """Whether the state counts that ``stop`` has left behind."""
        if self.protocol.vgau:
            return stop is Stop.CLAIM and len(self.actions) == self._optimum
        return stop in (Stop.CLAIM, Stop.CAP, Stop.BREAK)


def rejudged(instance: Instance, protocol: Protocol, steps: Sequence[Mapping[str, Any]]) -> Walk:
    """Play the recorded ``steps`` of an episode again; return the walk, whose verdict is wanted.

    Of each step the model's words count (``reply``, ``probe``), and ``action`` and ``remaining``
    only where these are missing; what a record says of legality is not read. Steps after the end of
    the episode are left out.
    """
    walk = Walk(instance, protocol)
    for step in steps:
        reply, action, probe = step.get("reply"), step.get("action"), step.get("probe")
        if reply is None and action is not None:
            reply = f"<STEP_JSON>{json.dumps(action)}</STEP_JSON>"
        walk.act(reply or "")
        if walk.end is None and protocol.draws and not step.get("image"):
            walk.lost(Reason.NO_IMAGE.sentence)
        if walk.end is None:
            if probe is None and step.get("remaining") is not None:
                probe = str(step["remaining"])
            walk.claim(probe)
        if walk.end is not None:
            break
    return walk


def read_count(reply: str) -> int | None:
    """Return the number of remaining steps that ``reply`` names, or None.

    It is what the last answer tag holds, or the whole reply.
    """
    said, _ = visible(unwrapped(reply))
    tagged = _COUNT.findall(said)
    number = _NUMBER.fullmatch(tagged[-1] if tagged else said)
    return int(number[1]) if number else None
