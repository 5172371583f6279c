"""How an adapter turns completions into rewards: which reward, and how replies are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from protocols.given import Record
from protocols.reward import MIX, REWARDS, SEARCHING, Mix, Score, score
from puzzles.directions import quoted


@dataclass(frozen=True)
class Scoring:
    """The options of an adapter; see ``protocols.reward.score`` for ``strict`` and ``thinking``.

    reward
        A name of ``protocols.reward.REWARDS``; or a mix: a ``Mix``, or a mapping with the weights
        that differ from its default, such as ``{"format": 0}``.

    Raises ValueError.
    """

    reward: str | Mix | Mapping[str, float] = "mix"
    strict: bool = False
    thinking: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.reward, str) and self.reward not in REWARDS:
            known = ", ".join(REWARDS)
            raise ValueError(f"unknown reward {quoted(self.reward)} (known: {known})")
        if isinstance(self.reward, Mapping):
            try:
                object.__setattr__(self, "reward", Mix(**{**self.reward}))
            except TypeError:
                known = ", ".join(vars(MIX))
                raise ValueError(f"a mix has the weights {known}; not {self.reward}") from None

    @property
    def name(self) -> str:
        """The name of the reward; of a mix, whichever its weights, mix."""
        return self.reward if isinstance(self.reward, str) else "mix"

    def __call__(self, completion: Any, record: Record) -> float:
        """Return the reward of a completion; raise what ``protocols.reward.score`` raises."""
        return self.of(self.score(completion, record, progress=self.name in SEARCHING))

    def score(self, completion: Any, record: Record, *, progress: bool = True) -> Score:
        """Return its score."""
        return score(
            completion, record, strict=self.strict, thinking=self.thinking, progress=progress
        )

    def of(self, scored: Score) -> float:
        """Return the reward of what has been scored."""
        kind = self.reward
        return kind(scored) if isinstance(kind, Mix) else REWARDS[str(kind)](scored)


def paired(
    completions: Sequence[Any], columns: Mapping[str, Any], name: str
) -> list[tuple[Any, Any]]:
    """Return each completion of a batch with its record, that of column ``name``.

    A record is None where the row is another task's. Raises ValueError where there is no such
    column, or it isn't as long as the batch.
    """
    records = columns.get(name)
    if isinstance(records, str | bytes) or not isinstance(records, Collection):
        raise ValueError(f"the dataset has no column {name}, which holds the instances as JSON")
    if len(records) != len(completions):
        raise ValueError(f"{len(completions)} completions come with {len(records)} of {name}")
    return [*zip(completions, records, strict=True)]
