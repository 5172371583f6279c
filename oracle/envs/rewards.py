"""Rewards for training; none of them is ever sent during an evaluation.

A reward is called with the ``Play`` after each action. One that has a method ``start`` is told the
``Play`` at the start of each episode.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import isfinite

from oracle.envs.play import Play
from protocols.reward import potential
from puzzles.directions import quoted

Reward = Callable[[Play], float]


def sparse(play: Play) -> float:
    """1 when the goal is reached, else 0."""
    return float(play.solved)


def optimal(play: Play) -> float:
    """1 when the goal is reached in as few actions as can be, else 0."""
    return float(play.solved and play.moves <= play.board.optimum)


def efficiency(play: Play) -> float:
    """When the goal is reached, the optimum over the number of actions that it took; else 0."""
    return play.board.optimum / play.moves if play.solved else 0.0


class Progress:
    """What an action adds to ``protocols.reward.potential``: 1 in all for a solved board.

    What has been gained is lost on the way back. Where the distance can't be found it stays the
    last one known, until one is known again.
    """

    def start(self, play: Play) -> None:
        self._worth = 0.0

    def __call__(self, play: Play) -> float:
        left = play.distance() if play.legal else None
        if left is None:
            return 0.0
        before, self._worth = self._worth, potential(left, play.board.optimum)
        return self._worth - before


REWARDS: dict[str, Callable[[], Reward]] = {
    "sparse": lambda: sparse,
    "optimal": lambda: optimal,
    "efficiency": lambda: efficiency,
    "progress": Progress,
}
"""What makes each reward, by name."""
STAY_COST = 0.1
"""What an illegal action costs, unless said otherwise, where it doesn't end the episode."""


@dataclass(frozen=True)
class Terms:
    """The options of an environment that say how an episode goes on, and what it is worth.

    reward
        A name of ``REWARDS``, or a function of the ``Play``.
    step_cost, illegal_cost
        Taken off the reward of every action, and of an illegal one besides. Unless given, the
        latter is ``STAY_COST``, or where it ends the episode the step costs of all actions that
        were left up to the cap: to break the rules never comes cheaper than to go on.
    illegal
        end: an illegal action ends the episode, as in an evaluation. stay: nothing moves.
    max_steps
        Actions after which the episode is cut off; the cap of an evaluation unless given.

    Raises ValueError.
    """

    reward: str | Reward = "sparse"
    step_cost: float = 0.0
    illegal: str = "end"
    illegal_cost: float | None = None
    max_steps: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.reward, type):
            name = self.reward.__name__
            raise ValueError(f"reward is the class {name}; give an object of it, such as {name}()")
        if not callable(self.reward):
            check_known("reward", self.reward, REWARDS)
        check_known("illegal", self.illegal, ("end", "stay"))
        for name in ("step_cost", "illegal_cost"):
            cost = getattr(self, name)
            if cost is not None and not (type(cost) in (int, float) and isfinite(cost)):
                raise ValueError(f"{name} is a number, not {quoted(cost)}")
        if self.max_steps is not None and (type(self.max_steps) is not int or self.max_steps < 1):
            raise ValueError(f"max_steps is a whole number from 1, not {quoted(self.max_steps)}")

    def new_reward(self) -> Reward:
        """Return the reward of an environment of its own."""
        return self.reward if callable(self.reward) else REWARDS[self.reward]()

    @property
    def ends(self) -> bool:
        """Whether an illegal action ends the episode."""
        return self.illegal == "end"

    def penalty(self, play: Play) -> float:
        """Return what the last action costs beside its step, which was illegal."""
        if self.illegal_cost is not None:
            return self.illegal_cost
        return max(self.step_cost, 0.0) * (play.cap - play.steps) if self.ends else STAY_COST


def check_known(name: str, value: object, known: Collection[str]) -> None:
    """Raise ValueError unless ``value`` is one of the words that the option ``name`` takes."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"unknown {name} {quoted(value)} (known: {', '.join(known)})")
