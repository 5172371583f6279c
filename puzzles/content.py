"""What decides the content of a dataset: the options that its folder is begun and resumed with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from puzzles.generate import Recipe
from puzzles.instance import Instance, identity
from puzzles.records import DatasetError
from puzzles.version import VERSION


class Contents(Protocol):
    """What a dataset is to hold.

    n
        How many instances; None where that is not known beforehand.
    cell
        Pixels a cell of its pictures; None where there are none.
    """

    @property
    def n(self) -> int | None: ...
    @property
    def cell(self) -> int | None: ...

    def record(self) -> dict[str, Any]:
        """Return the options that decide the content, as dataset.json holds them."""

    def check(self, instance: Instance, at: int, place: str) -> None:
        """Raise DatasetError unless ``instance`` can be line ``at`` (from 0) of the dataset."""


BY_OTHERS = frozenset({"cell", "engine_version"})
"""All that is known of the content of a dataset by other hands."""


def has_own_ids(content: Contents) -> bool:
    """Whether it says how its boards have come about: ids are ours then, and none comes twice."""
    return not content.record().keys() <= BY_OTHERS


@dataclass(frozen=True)
class Content:
    """What a dataset made here is to hold."""

    recipe: Recipe
    n: int
    cell: int | None
    exclude: tuple[str, ...] = ()

    def excluding(self, fingerprints: Sequence[str]) -> Content:
        """Return the same without the boards of other datasets, named by their fingerprints."""
        return replace(self, exclude=tuple(fingerprints))

    def record(self) -> dict[str, Any]:
        """Return the content options as dataset.json holds them, all but the number."""
        recipe = self.recipe
        return {
            "family": recipe.family,
            "difficulty": recipe.difficulty,
            "length_range": list(recipe.bucket[:2]),
            "size": list(recipe.board_size),
            "rules": recipe.merged_rules,
            "options": recipe.merged_options,
            "split": recipe.split,
            "exclude": list(self.exclude),
            "seed": recipe.seed,
            "cell": self.cell,
            "generator": recipe.room.generator,
            "engine_version": VERSION,
        }

    def check(self, instance: Instance, at: int, place: str) -> None:
        """Raise DatasetError unless ``instance`` is of the kind that this content consists of."""
        recipe, index = self.recipe, instance.index
        if index != at:
            raise DatasetError(f"{place}: index {index} is out of order")
        name = identity(recipe.family, instance.difficulty, instance.board, instance.rules)
        expected = {
            "family": recipe.family,
            "seed": recipe.seed,
            "generator": recipe.room.generator,
            "id": name,
            "optimal_length": None if index is None else recipe.length(index),
        }
        for field, value in expected.items():
            if getattr(instance, field) != value:
                raise DatasetError(
                    f"{place}: {field} is {getattr(instance, field)!r}, not {value!r}: it is not "
                    "what this run wrote"
                )
