"""TRL: reward functions for ``GRPOTrainer(reward_funcs=...)``; it needs no TRL itself.

A row of the dataset has the column ``record``, the instance as a line of metadata.jsonl. Where that
is None, as in rows of other tasks, a reward function doesn't apply and returns None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from protocols.adapters.scoring import Scoring, paired
from protocols.reward import Mix, Score

LOGGED = "puzzles"
"""What the names of logged metrics begin with."""


class RewardFunction:
    """One reward as TRL calls it: with all completions of a batch, and the columns by name.

    Besides the reward it logs the mean of every part of the scores that it knows, where the trainer
    takes metrics.
    """

    def __init__(self, scoring: Scoring, column: str = "record", *, logs: bool = False):
        self._scoring, self._column, self._logs = scoring, column, logs
        self.__name__ = f"{LOGGED}_{scoring.name}"

    def __call__(
        self,
        prompts: Sequence[Any] | None = None,
        completions: Sequence[Any] = (),
        completion_ids: Sequence[Any] | None = None,
        *,
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of each completion, None where the row holds no instance.

        Raises ValueError where the column is missing or of another length, and what ``score``
        raises.
        """
        pairs = paired(completions, columns, self._column)
        if not self._logs:
            return [None if given is None else self._scoring(said, given) for said, given in pairs]
        score = self._scoring.score
        scores = [None if given is None else score(said, given) for said, given in pairs]
        if log_metric is not None:
            _log([one for one in scores if one is not None], log_metric)
        return [None if one is None else self._scoring.of(one) for one in scores]


def _log(scores: Sequence[Score], log_metric: Callable[[str, float], None]) -> None:
    told = [one.numbers() for one in scores]
    for name in told[0] if told else ():
        log_metric(f"{LOGGED}/{name}", sum(one[name] for one in told) / len(told))


def reward(
    reward: str | Mix | Mapping[str, float] = "mix",
    *,
    column: str = "record",
    strict: bool = False,
    thinking: bool = False,
) -> RewardFunction:
    """Return a reward function with options of its own; see ``Scoring``.

    column
        The column that holds the instances.
    """
    scoring = Scoring(reward, strict, thinking)
    return RewardFunction(scoring, column, logs=scoring.name == "mix")


mix = reward("mix")
feasible = reward("feasible")
optimal = reward("optimal")
efficiency = reward("efficiency")
progress = reward("progress")
answer_format = reward("format")
