"""verl: ``compute_score``, for ``reward.custom_reward_function``; it needs no verl itself.

reward.custom_reward_function.path=pkg://protocols.adapters.verl_reward
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protocols.adapters.scoring import Scoring
from protocols.reward import Mix


def compute_score(
    data_source: str | None,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    reward: str | Mix | Mapping[str, float] = "mix",
    strict: bool = False,
    thinking: bool = False,
    **_: Any,
) -> dict[str, float]:
    """Return ``score``, the reward; ``acc``, 1 for a shortest solution; and the parts of the score.

    ground_truth
        The instance as a line of metadata.jsonl.
    reward, strict, thinking
        See ``Scoring``; they come from ``reward.custom_reward_function.reward_kwargs``.

    The keys are always the same, as verl wants them. Raises what ``protocols.reward.score`` raises.
    """
    scoring = Scoring(reward, strict, thinking)
    scored = scoring.score(solution_str, ground_truth)
    return {"score": scoring.of(scored), "acc": float(scored.optimal), **scored.numbers()}
