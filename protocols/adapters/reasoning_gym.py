"""reasoning-gym: boards as a procedural dataset with ``score_answer``; it needs no such package.

``register()`` puts it into the registry of an installed reasoning-gym.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from protocols import prompts
from protocols.adapters.rows import held
from protocols.adapters.scoring import Scoring
from protocols.aids import CELL
from puzzles.asked import checked
from puzzles.directions import quoted
from puzzles.generate import Recipe, generate_block
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family

NAME = "puzzles"
"""The name in the registry, and the source of every entry."""
SPLITS = ("train", "eval", "any")


@dataclass
class PuzzleConfig:
    """Which boards: those that ``puzzles make`` makes first with this seed, duplicates included.

    split
        train, eval or any; it follows from the board alone, so no board is in both.
    reward, strict, thinking
        How answers are scored; see ``Scoring``.
    """

    family: str
    difficulty: str = "easy"
    seed: int = 0
    size: int = 500
    split: str = "train"
    reward: str = "mix"
    strict: bool = False
    thinking: bool = False

    def validate(self) -> None:
        """Raise ValueError, or GenerationError for a kind of board that there is none of."""
        for name in ("size", "seed"):
            value = getattr(self, name)
            if type(value) is not int or value < 0:
                raise ValueError(f"{name} is a whole number from 0, not {quoted(value)}")
        if self.split not in SPLITS:
            known = ", ".join(SPLITS)
            raise ValueError(f"unknown split {quoted(self.split)} (known: {known})")
        checked(self.recipe)
        _ = self.scoring

    @property
    def recipe(self) -> Recipe:
        return Recipe(self.family, self.seed, self.difficulty, split=self.split)

    @property
    def scoring(self) -> Scoring:
        return Scoring(self.reward, self.strict, self.thinking)


class PuzzleDataset:
    """Entries by index, made when they are asked for: a function of the config and the index."""

    def __init__(self, config: PuzzleConfig, seed: int | None = None, size: int | None = None):
        self.config = replace(
            config,
            seed=config.seed if seed is None else seed,
            size=config.size if size is None else size,
        )
        self.config.validate()
        self.seed, self.size = self.config.seed, self.config.size

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self.__getitem__, range(self.size))

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return the entry: ``question``, ``answer`` (a shortest solution), ``metadata``.

        The question is about the picture of the board, which ``picture`` draws. ``record`` in the
        metadata is the instance as a line of metadata.jsonl. Raises IndexError.
        """
        if not 0 <= index < self.size:
            raise IndexError(f"index {index}: the dataset has entries 0 to {self.size - 1}")
        recipe = self.config.recipe
        block, place = divmod(index, recipe.block)
        instance = _block(recipe.family, recipe.seed, self.config.difficulty, recipe.split, block)[
            place
        ]
        return {
            "question": prompts.question(instance, prompts.REASON),
            "answer": instance.answer,
            "metadata": {
                "source_dataset": NAME,
                "source_index": index,
                "record": instance.line(),
                "family": instance.family,
                "difficulty": {"length": instance.optimal_length},
            },
        }

    def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
        """Return the reward of a reply, or of the answer alone, to an entry.

        It is from 0 to 1; from -1 where the reward is ``progress``.

        Raises what ``protocols.reward.score`` raises.
        """
        return self.config.scoring(answer, entry["metadata"]["record"])

    def picture(self, entry: Mapping[str, Any], cell: int = CELL) -> bytes:
        """Return the picture of an entry's board as PNG, at ``cell`` pixels a cell."""
        from render.encode import png

        instance = held(entry["metadata"])
        return png(family(instance.family).draw(initial(instance), cell))


@lru_cache(maxsize=64)
def _block(family: str, seed: int, difficulty: str, split: str, block: int) -> list[Instance]:
    """Return the instances that are made together."""
    recipe = Recipe(family, seed, difficulty, split=split)
    return [one.instance for one in generate_block(recipe, block)]


def register() -> type[PuzzleDataset]:
    """Put the dataset into the registry of reasoning-gym; return its class there.

    Raises ImportError where reasoning-gym isn't installed, and ValueError the second time.
    """
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import register_dataset

    kind = type(PuzzleDataset.__name__, (PuzzleDataset, ProceduralDataset), {})
    register_dataset(NAME, kind, PuzzleConfig)
    return kind
