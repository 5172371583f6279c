"""What GET /families tells: the puzzles that there are, and in what words."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel, Field

from puzzles.rooms import NAMES, family


class FamilyEntry(BaseModel):
    """A family: what is drawn, which actions are legal, and how they are written."""

    name: str
    title: str
    legend: str
    rules: str
    goal: str
    answer: str
    step: str
    size: tuple[int, int] = Field(description="Rows and columns of the boards that are made.")
    difficulties: dict[str, tuple[int, int]] = Field(
        description="The lengths of an optimal solution, both ends included."
    )
    rule_options: dict[str, Any] = Field(description="What `rules` of a board may say; defaults.")


@cache
def families() -> list[FamilyEntry]:
    """Return the families in their order."""
    return [_entry(name) for name in NAMES]


def _entry(name: str) -> FamilyEntry:
    room = family(name)
    words = room.words(room.rule_options)
    return FamilyEntry(
        name=name,
        title=words.title,
        legend=words.legend,
        rules=words.rules,
        goal=words.goal,
        answer=words.answer,
        step=words.step,
        size=room.size,
        difficulties={level: (bucket.low, bucket.high) for level, bucket in room.buckets.items()},
        rule_options=dict(room.rule_options),
    )
