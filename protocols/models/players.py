"""The built-in players: who they are, and what they decide. How well they do is known.

They see the true state, which no model does, and run through the same episodes as models.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar

from protocols.episode import Play
from protocols.models.foresight import ahead, cap, distance, estimate, idle, nearest
from protocols.models.playing import Player, taken
from puzzles.draws import Draws
from puzzles.replay import initial

KNOWN = "solver, random, greedy, noisy:P with an error rate P from 0 to 1, such as noisy:0.1"
_PARTS = 1 << 32


class UnknownPlayer(ValueError):
    """There is no player of that name; the message lists those that there are."""


@dataclass(frozen=True)
class Planner(Player):
    """Follows a shortest solution, and errs in each decision with probability ``rate``.

    A decision is an action, an item of an answer that names no actions, or a count. A wrong action
    is a legal one that brings the goal no nearer; where there is none, an illegal one, or nothing.
    A wrong item is left out. Within a plan the player doesn't notice, and goes on as if it had been
    right; so where answers list actions, it succeeds in one with probability (1 - rate) to the
    power of the optimal length. In a stepwise episode it sees where it has got to, and plans anew.
    """

    rate: float = 0.0
    prose: ClassVar[str] = "I have searched for a shortest solution."

    def plan(self, play: Play) -> list[Any]:
        right = ahead(play.instance, ())
        if not self.rate:
            return list(right)
        room, state, chosen = play.room, play.state, []
        for at, action in enumerate(right):
            chosen.append(self._tried(play, state, action, self.draws(play, "action", at)))
            state = room.apply(state, action)
        return [action for action in chosen if action is not None]

    def answer(self, play: Play) -> list[Any]:
        if play.room.counts_actions:
            return self.plan(play)
        items = play.room.answer_of(play.state, ahead(play.instance, ()))
        return [
            item for at, item in enumerate(items) if not self._errs(self.draws(play, "item", at))
        ]

    def action(self, play: Play) -> Any | None:
        done = taken(play)
        plan = ahead(play.instance, done)
        right = plan[0] if plan else idle(play.instance, play.state)
        return self._tried(play, play.state, right, self.draws(play, "action", len(done)))

    def count(self, play: Play) -> int:
        done = taken(play)
        left = len(ahead(play.instance, done))
        if not left and not play.room.is_solved(play.state):
            left = cap(play.instance)  # the goal is out of reach
        draws = self.draws(play, "count", len(done))
        if self._errs(draws):
            left = draws.choice([n for n in range(left - 2, left + 3) if n >= 0 and n != left])
        return left

    def _errs(self, draws: Draws) -> bool:
        return self.rate > 0 and draws.below(_PARTS) < self.rate * _PARTS

    def _tried(self, play: Play, state: Any, right: Any, draws: Draws) -> Any | None:
        """Return ``right``, or what is done by mistake in its place."""
        if not self._errs(draws):
            return right
        room, instance = play.room, play.instance
        legal, here = room.legal_actions(state), distance(instance, state)
        for action in draws.shuffled([action for action in legal if action != right]):
            if distance(instance, room.apply(state, action)) >= here:
                return action
        after = [] if right is None else room.legal_actions(room.apply(state, right))
        illegal = [action for action in after if action not in legal]
        return draws.choice(illegal) if illegal else None


@dataclass(frozen=True)
class Walker(Player):
    """Goes from state to state without a plan, until the goal is reached, or the cap."""

    @abstractmethod
    def step(self, play: Play, state: Any, at: int, seen: set[Any]) -> Any | None:
        """Return action number ``at`` (from 0), taken in ``state``; None where there is none.

        seen
            The states so far, ``state`` included.
        """

    def plan(self, play: Play) -> list[Any]:
        room, state, most = play.room, play.state, cap(play.instance)
        walk: list[Any] = []
        seen = {state}
        while len(walk) < most and not room.is_solved(state):
            action = self.step(play, state, len(walk), seen)
            if action is None:
                break
            walk.append(action)
            state = room.apply(state, action)
            seen.add(state)
        return walk

    def action(self, play: Play) -> Any | None:
        state, done = initial(play.instance), taken(play)
        seen = {state}
        for action in done:
            state = play.room.apply(state, action)
            seen.add(state)
        return self.step(play, state, len(done), seen)


@dataclass(frozen=True)
class RandomWalker(Walker):
    """Takes any legal action, and counts at random, up to the cap."""

    prose: ClassVar[str] = "I have moved at random."

    def step(self, play: Play, state: Any, at: int, seen: set[Any]) -> Any | None:
        legal = play.room.legal_actions(state)
        return self.draws(play, "action", at).choice(legal) if legal else None

    def count(self, play: Play) -> int:
        draws = self.draws(play, "count", len(taken(play)))
        return draws.below(cap(play.instance) + 1)


@dataclass(frozen=True)
class Greedy(Walker):
    """Takes the action after which the family's heuristic is smallest; never back to a state.

    Of several it takes the first in the order of the family's legal actions. It gives up where no
    action leads to a new state.
    """

    prose: ClassVar[str] = "I have always taken the action that seemed to lead nearest to the goal."

    def step(self, play: Play, state: Any, at: int, seen: set[Any]) -> Any | None:
        return nearest(play.room, state, seen)

    def count(self, play: Play) -> int:
        if play.room.is_solved(play.state):
            return 0
        return min(max(1, estimate(play.room, play.state)), cap(play.instance))


_KINDS: dict[str, type[Player]] = {"solver": Planner, "random": RandomWalker, "greedy": Greedy}


def player(spec: str, run: int = 1) -> Player:
    """Return the player that ``spec`` names: solver, random, greedy, or noisy:P.

    run
        Which of several runs it plays: random and noisy play each in another way.

    Raises UnknownPlayer.
    """
    name, colon, rate = spec.partition(":")
    if name == "noisy":
        number = _rate(rate, spec)
        return Planner(f"noisy:{repr(number).removesuffix('.0')}", run, number)
    if colon or name not in _KINDS:
        raise UnknownPlayer(f"unknown player {spec!r} (known: {KNOWN})")
    return _KINDS[name](name, run)


def _rate(text: str, spec: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = nan
    if not 0 <= rate <= 1:
        raise UnknownPlayer(
            f"player {spec!r}: noisy needs an error rate from 0 to 1, such as noisy:0.1"
        )
    return rate
