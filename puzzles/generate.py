"""Instances of an exact optimal length, made once for all families."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from puzzles.draws import Draws
from puzzles.family import Bucket, Family, GenerationError, Sample, Size
from puzzles.instance import Instance, bounded, identity, kinship, split_of
from puzzles.replay import check_solution
from puzzles.rooms import family

FRUITLESS, ROUNDS = 20, 2000
"""How often a sampler is asked in vain, one time after the other and in all, before we give up."""
_CELLS = 100_000
"""Cells of the boards of one block, at most: who asks for one large board waits for no others."""


@dataclass(frozen=True)
class Recipe:
    """What decides the content of a dataset: everything but how many and where."""

    family: str
    seed: int = 0
    difficulty: str | None = None
    lengths: tuple[int, int] | None = None
    size: Size | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    split: str = "any"

    @property
    def room(self) -> Family[Any, Any]:
        return family(self.family)

    @property
    def board_size(self) -> Size:
        return self.size or self.room.size

    @cached_property
    def bucket(self) -> Bucket:
        """The lengths wanted: those given, or those of the difficulty."""
        if self.lengths is not None:
            return Bucket(*self.lengths)
        return self.room.buckets[self.difficulty or ""]

    @property
    def block(self) -> int:
        """How many consecutive instances are made together: fewer where boards are large."""
        rows, columns = self.board_size
        return max(1, min(self.room.block, _CELLS // (rows * columns)))

    @property
    def merged_rules(self) -> dict[str, Any]:
        """The rules given, and the defaults of the others."""
        return {**self.room.rule_options, **self.rules}

    @property
    def merged_options(self) -> dict[str, Any]:
        """The options of the sampler, the defaults included."""
        return {**self.room.sample_options, **self.options}

    @cached_property
    def key(self) -> str:
        """What every random stream of this recipe is keyed by.

        What is as usual has no part in it, so that a new option leaves all boards as they were.
        """
        bucket = self.bucket
        room = self.room
        rules = _unusual(self.rules, room.rule_options)
        options = _unusual(self.options, room.sample_options)
        parts = (
            *(self.room.generator, self.seed, self.family, self.difficulty or "custom"),
            *(bucket.low, bucket.high, self.board_size, self.split),
            *(rules, options),
        )
        return repr(parts)

    def length(self, index: int) -> int:
        """Return the optimal length of instance ``index``: the bucket's cycle, shuffled anew."""
        return self.lengths_of([index])[0]

    def lengths_of(self, indices: Sequence[int]) -> list[int]:
        """Return the optimal lengths of the instances ``indices``."""
        key, cycle = self.key, self.bucket.lengths()
        places = [divmod(index, len(cycle)) for index in indices]
        return [_shuffled(key, cycle, turn)[place] for turn, place in places]


def _unusual(given: Mapping[str, Any], usual: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted((name, value) for name, value in given.items() if value != usual[name])


@lru_cache(maxsize=64)
def _shuffled(key: str, cycle: tuple[int, ...], turn: int) -> list[int]:
    return Draws("lengths", key, turn).shuffled(cycle)


class Made(NamedTuple):
    """A new instance, and the number that it shares with its kin."""

    instance: Instance
    kin: int


def generate(recipe: Recipe, index: int, attempt: int = 0) -> Made:
    """Return instance ``index`` of ``recipe``; a pure function of its arguments.

    ``attempt`` numbers the tries after a duplicate. Raises GenerationError.
    """
    if attempt == 0:
        block, place = divmod(index, recipe.block)
        return generate_block(recipe, block)[place]
    return _make(recipe, [index], attempt, (index, attempt))[0]


def generate_block(recipe: Recipe, block: int) -> list[Made]:
    """Return the instances of one block of indices, made together at attempt 0."""
    size = recipe.block
    return _make(recipe, range(block * size, (block + 1) * size), 0, ("block", block))


def _make(recipe: Recipe, indices: Sequence[int], attempt: int, stream: object) -> list[Made]:
    lengths = recipe.lengths_of(indices)
    draws = Draws(recipe.key, stream)
    sample, size = recipe.room.sample, recipe.board_size
    rules, options = recipe.merged_rules, recipe.merged_options
    made: dict[int, Made] = {}
    missing, fruitless = list(range(len(lengths))), 0
    for _ in range(ROUNDS):
        samples = sample(draws, [lengths[k] for k in missing], size, rules, options)
        for k, found in zip(missing, samples, strict=True):
            if found is None:
                continue
            one = _instance(recipe, indices[k], attempt, lengths[k], found)
            if recipe.split in ("any", one.instance.split):
                made[k] = one
        missing = [k for k in missing if k not in made]
        if not missing:
            return [made[k] for k in range(len(lengths))]
        fruitless = 0 if any(samples) else fruitless + 1
        if fruitless == FRUITLESS:
            break
    where = "" if recipe.split == "any" else f" in the split {recipe.split}"
    unusual = {**recipe.rules, **recipe.options}
    given = ", ".join(f"{name} {json.dumps(value)}" for name, value in unusual.items())
    given = f" with {given}" if given else ""
    raise GenerationError(
        f"{recipe.family}: no {size[0]}x{size[1]} board of optimal length {lengths[missing[0]]}"
        f"{given} was found{where}; ask for other lengths or another size"
    )


def _instance(
    recipe: Recipe, index: int, attempt: int, length: int, sample: Sample[Any, Any]
) -> Made:
    room, (state, actions, stats) = recipe.room, sample
    answer = room.answer_of(state, actions)
    board, rules = room.format(state), room.rules_of(state)
    _check(room, sample, answer, length)
    difficulty = room.difficulty(length)
    kin = kinship(room.name, room.canonical(state))
    fields = {
        "id": identity(room.name, difficulty, board, rules),
        "family": room.name,
        "difficulty": difficulty,
        "board": board,
        "rules": rules,
        "optimal_length": length,
        "answer": room.format_answer(answer),
        "seed": recipe.seed,
        "index": index,
        "generator": room.generator,
        "attempt": attempt,
        "split": split_of(kin),
        "stats": bounded(room.stats(state, actions) if stats is None else stats),
    }
    return Made(Instance.model_validate(fields), kin)


def _check(
    room: Family[Any, Any], sample: Sample[Any, Any], answer: list[Any], length: int
) -> None:
    """Raise RuntimeError unless the sample's solution holds, and has the length asked for."""
    check_solution(room, sample.state, answer)
    if len(sample.actions) != length or (length > 0 and room.is_solved(sample.state)):
        raise RuntimeError(
            f"{room.name}: the sampler's solution of length {len(sample.actions)} is not one of "
            f"length {length}, or its board is solved already:\n{room.format(sample.state)}"
        )
