"""Where the boards of an environment come from: made on the spot, or given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from oracle.envs.play import Board
from protocols.protocol import named
from protocols.stepwise import Walk
from puzzles.asked import checked
from puzzles.controls import Size
from puzzles.dataset import load
from puzzles.directions import quoted
from puzzles.distances import Distances
from puzzles.family import Family
from puzzles.generate import Recipe, generate_block
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family as room_of
from puzzles.solve import solve

EVALUATION = "oracle-vcot"
"""The protocol whose cap on the rounds is that of an episode."""


@dataclass(frozen=True)
class Choice:
    """The options of an environment that say which boards it plays.

    difficulty, lengths, size, rules, options, split, board_seed
        What the boards that are made are like; as in ``puzzles.generate.Recipe``. ``train``, the
        default split, holds no board of an evaluation.
    boards
        How many are made, lazily, to be drawn from; None for ever new ones.
    instances, data
        Instances to play instead, or the folder of a dataset; of these, the ones of ``difficulty``.
    """

    difficulty: str | None = None
    lengths: Sequence[int] | None = None
    size: Sequence[int] | None = None
    rules: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    split: str = "train"
    board_seed: int = 0
    boards: int | None = 1000
    instances: Iterable[Instance] | None = None
    data: str | Path | None = None

    def __post_init__(self) -> None:
        for name in ("lengths", "size"):
            pair = getattr(self, name)
            if pair is not None and not _is_pair(pair):
                raise ValueError(f"{name} is two whole numbers, not {quoted(pair)}")
        for name, kind, what in (
            ("difficulty", str | None, "a word"),
            ("rules", dict, "a dictionary"),
            ("options", dict, "a dictionary"),
            ("board_seed", int, "a whole number"),
        ):
            if not isinstance(getattr(self, name), kind):
                raise ValueError(f"{name} is {what}, not {quoted(getattr(self, name))}")
        if self.boards is not None and (type(self.boards) is not int or self.boards < 1):
            raise ValueError(f"boards is a whole number from 1, or None, not {quoted(self.boards)}")

    def of(self, family: str) -> Boards:
        """Return the boards of a family; raise ValueError where the options can't be meant."""
        if self.instances is None and self.data is None:
            return _made(checked(self._recipe(family)), self.boards)
        if self.instances is not None and self.data is not None:
            raise ValueError("give instances or data, not both")
        if self.lengths or self.size or self.rules or self.options:
            raise ValueError("lengths, size, rules and options are of boards that are made here")
        return Given(family, self._wanted(family))

    def _recipe(self, family: str) -> Recipe:
        easiest = next(iter(room_of(family).buckets))
        return Recipe(
            family=family,
            seed=self.board_seed,
            difficulty=self.difficulty or (easiest if self.lengths is None else None),
            lengths=None if self.lengths is None else (self.lengths[0], self.lengths[1]),
            size=None if self.size is None else (self.size[0], self.size[1]),
            rules=self.rules,
            options=self.options,
            split=self.split,
        )

    def _wanted(self, family: str) -> list[Instance]:
        """Return the instances of the family, and of the difficulty if one is given."""
        instances = load(self.data) if self.data is not None else list(self.instances or ())
        for instance in instances:
            if not isinstance(instance, Instance):
                raise ValueError(f"instances hold puzzles.Instance, not {quoted(instance)}")
        wanted = [
            instance
            for instance in instances
            if instance.family == family and self.difficulty in (None, instance.difficulty)
        ]
        if not wanted:
            what = f"{family}, {self.difficulty}" if self.difficulty else family
            raise ValueError(f"none of the {len(instances)} instances is of {what}")
        return wanted


def _is_pair(value: object) -> bool:
    return isinstance(value, list | tuple) and [type(number) for number in value] == [int, int]


class Made:
    """The first ``count`` instances of a recipe, made a block at a time when one is asked for.

    As in a stream, equal boards are not looked for.
    """

    def __init__(self, recipe: Recipe, count: int | None):
        self.recipe, self.count = recipe, count
        self.size, self.distances = recipe.board_size, Distances()
        self._blocks: dict[int, list[Board]] = {}

    def at(self, index: int) -> Board:
        """Return the board of this index, from 0."""
        block, place = divmod(index, self.recipe.block)
        if block not in self._blocks:
            if self.count is None:
                self._blocks.clear()  # what has been played does not come again
                self.distances.clear()
            made = generate_block(self.recipe, block)
            self._blocks[block] = [prepared(self.recipe.room, one.instance) for one in made]
        return self._blocks[block][place]


_shared: WeakValueDictionary[tuple[str, int], Made] = WeakValueDictionary()


def _made(recipe: Recipe, count: int | None) -> Made:
    """Return the boards of ``recipe``; environments of one process share those that end."""
    if count is None:
        return Made(recipe, None)
    key = recipe.key, count
    made = _shared.get(key)
    if made is None:
        _shared[key] = made = Made(recipe, count)
    return made


class Given:
    """Instances from outside; their boards are of one size."""

    def __init__(self, family: str, instances: Sequence[Instance]):
        room = room_of(family)
        self.instances = instances
        self.count: int | None = len(instances)
        self.size, self.distances = size_of(room, instances[0]), Distances()
        for at, instance in enumerate(instances):
            rows, columns = size = size_of(room, instance)
            if size != self.size:
                raise ValueError(
                    f"all boards are of one size: instance 0 of {family} is "
                    f"{self.size[0]}x{self.size[1]}, instance {at} {rows}x{columns}"
                )
        self._room = room
        self._boards: dict[int, Board] = {}

    def at(self, index: int) -> Board:
        """Return the board of this index, from 0."""
        if index not in self._boards:
            self._boards[index] = prepared(self._room, self.instances[index])
        return self._boards[index]


Boards = Made | Given
"""Boards of one ``size``; ``count`` is None where they do not end."""


def size_of(room: Family[Any, Any], instance: Instance) -> Size:
    """Return the rows and columns of a board; raise InvalidBoard."""
    rows = room.format(initial(instance)).split("\n")
    return len(rows), len(rows[0])


def prepared(room: Family[Any, Any], instance: Instance) -> Board:
    """Return ``instance`` ready to be played; raise ValueError where nothing is to be done.

    An optimum in another metric than single actions is searched for anew.
    """
    state = initial(instance)
    if room.is_solved(state):
        raise ValueError(f"{instance.id or quoted(instance.board)} is solved already")
    level, start = room.pack(state)
    in_actions = instance.metric == "cell"  # the fewest slides may take more actions than need be
    return Board(
        room=room,
        instance=instance,
        size=size_of(room, instance),
        optimum=instance.optimal_length if in_actions else solve(room, state).length,
        cap=Walk(instance, named(EVALUATION)).cap,
        packed=level,
        level=tuple(level),
        start=start[None],
        codes=room.controls.numbering.codes(level),
    )
