"""Instances of an exact optimal length, made once for all families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from puzzles.draws import Draws
from puzzles.family import Bucket, Family, GenerationError, Sample, Size
from puzzles.instance import Instance, bounded, identity, kinship, split_of
from puzzles.rooms import family

FRUITLESS, ROUNDS = 40, 2000
"""How often a sampler is asked in vain, one time after the other and in all, before we give up."""


@dataclass(frozen=True)
class Recipe:
    """What decides the content of a dataset: everything but how many and where."""

    family: str
    seed: int = 0
    difficulty: str | None = None
    lengths: tuple[int, int] | None = None
    size: Size | None = None
    rules: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
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
        cycle = self.bucket.lengths()
        turn, place = divmod(index, len(cycle))
        return _shuffled(self.key, cycle, turn)[place]


def _unusual(given: Mapping[str, Any], usual: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted((name, value) for name, value in given.items() if value != usual[name])


@lru_cache(maxsize=64)
def _shuffled(key: str, cycle: tuple[int, ...], turn: int) -> list[int]:
    return Draws("lengths", key, turn).shuffled(cycle)


@dataclass(frozen=True)
class Made:
    """A new instance, and the number that it shares with its kin."""

    instance: Instance
    kin: int


def generate(recipe: Recipe, index: int, attempt: int = 0) -> Made:
    """Return instance ``index`` of ``recipe``; a pure function of its arguments.

    ``attempt`` numbers the tries after a duplicate. Raises GenerationError.
    """
    if attempt == 0:
        block, place = divmod(index, recipe.room.block)
        return generate_block(recipe, block)[place]
    return _make(recipe, [index], attempt, (index, attempt))[0]


def generate_block(recipe: Recipe, block: int) -> list[Made]:
    """Return the instances of one block of indices, made together at attempt 0."""
    size = recipe.room.block
    return _make(recipe, range(block * size, (block + 1) * size), 0, ("block", block))


def _make(recipe: Recipe, indices: Sequence[int], attempt: int, stream: object) -> list[Made]:
    lengths = [recipe.length(index) for index in indices]
    draws = Draws(recipe.key, stream)
    made: dict[int, Made] = {}
    missing, fruitless = list(range(len(lengths))), 0
    for _ in range(ROUNDS):
        if not missing:
            return [made[k] for k in range(len(lengths))]
        if fruitless == FRUITLESS:
            break
        samples = recipe.room.sample(
            draws,
            [lengths[k] for k in missing],
            recipe.board_size,
            recipe.merged_rules,
            recipe.merged_options,
        )
        for k, sample in zip(missing, samples, strict=True):
            if sample is None:
                continue
            one = _instance(recipe, indices[k], attempt, lengths[k], sample)
            if recipe.split in ("any", one.instance.split):
                made[k] = one
        fruitless = 0 if any(samples) else fruitless + 1
        missing = [k for k in missing if k not in made]
    rows, columns = recipe.board_size
    wanted = " or ".join(map(str, sorted({lengths[k] for k in missing})[:3]))
    where = "" if recipe.split == "any" else f" in the split {recipe.split}"
    raise GenerationError(
        f"{recipe.family}: no {rows}x{columns} board of optimal length {wanted} was found{where}; "
        "ask for other lengths or another size"
    )


def _instance(
    recipe: Recipe, index: int, attempt: int, length: int, sample: Sample[Any, Any]
) -> Made:
    room, (state, actions, stats) = recipe.room, sample
    answer = room.answer_of(state, actions)
    _check(room, sample, answer, length)
    board, rules = room.format(state), room.rules_of(state)
    difficulty = room.difficulty(length)
    kin = kinship(recipe.family, room.canonical(state))
    name = identity(recipe.family, difficulty, board, rules)
    instance = Instance(
        id=name,
        family=recipe.family,
        difficulty=difficulty,
        board=board,
        rules=rules,
        optimal_length=length,
        answer=room.format_answer(answer),
        seed=recipe.seed,
        index=index,
        generator=room.generator,
        attempt=attempt,
        split=split_of(kin),
        stats=bounded(room.stats(state, actions) if stats is None else stats),
    )
    return Made(instance, kin)


def _check(
    room: Family[Any, Any], sample: Sample[Any, Any], answer: list[Any], length: int
) -> None:
    """Replay what the kernels call a solution by the plain rules, before anyone sees it."""
    played = room.replay(sample.state, answer)
    sound = played.reason is None and room.is_solved(played.state) and len(sample.actions) == length
    if not sound or (length > 0 and room.is_solved(sample.state)):
        raise RuntimeError(
            f"{room.name}: the sampler's solution of length {length} does not hold: "
            f"{played.detail or 'wrong length or not solved'}; board:\n{room.format(sample.state)}"
        )
