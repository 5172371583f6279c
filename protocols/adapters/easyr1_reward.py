"""EasyR1: ``compute_score`` of a batch, for ``worker.reward.reward_function``.

Its file is what EasyR1 is given; ``python -m protocols.adapters.easyr1_reward`` prints where it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protocols.adapters.scoring import Scoring
from protocols.reward import Mix

REWARD_NAME, REWARD_TYPE = "puzzles", "batch"
"""What EasyR1 reads of the module."""


def compute_score(
    reward_inputs: Sequence[Mapping[str, Any]] | Mapping[str, Any],
    *,
    reward: str | Mix | Mapping[str, float] = "mix",
    strict: bool = False,
    thinking: bool = False,
) -> list[dict[str, float]] | dict[str, float]:
    """Return for each completion ``overall``, the reward; ``accuracy``; and the parts of its score.

    reward_inputs
        Each with ``response`` and ``ground_truth``, the instance as a line of metadata.jsonl. One
        alone, as a reward of type ``sequential`` is given it, has its scores returned alone.
    reward, strict, thinking
        See ``Scoring``; they come from ``worker.reward.reward_function_kwargs``.

    Raises ValueError for an input without these, and what ``protocols.reward.score`` raises.
    """
    scoring = Scoring(reward, strict, thinking)
    if isinstance(reward_inputs, Mapping):
        return _scored(reward_inputs, scoring)
    return [_scored(one, scoring) for one in reward_inputs]


def _scored(one: Mapping[str, Any], scoring: Scoring) -> dict[str, float]:
    missing = [name for name in ("response", "ground_truth") if name not in one]
    if missing:
        raise ValueError(f"an input of the reward has no {missing[0]}")
    scored = scoring.score(one["response"], one["ground_truth"])
    return {
        "overall": scoring.of(scored),
        "accuracy": float(scored.optimal),
        **scored.numbers(),
    }


if __name__ == "__main__":
    print(__file__)
