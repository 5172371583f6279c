"""Boards without end and without files: in order, in shares, and on from where one was."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, overload

from puzzles.asked import pair
from puzzles.curriculum import Entry, Plan, Weights
from puzzles.dataset import distinct
from puzzles.directions import quoted
from puzzles.draws import Draws
from puzzles.generate import Made, generate_block
from puzzles.instance import Instance
from puzzles.pictures import Pictured, check_cell, check_pixels, draw
from puzzles.shards.layouts import Layout

R = TypeVar("R")
Shard = tuple[int, int]
"""Which share of a stream, counted from 0, of how many."""


class Stream(Iterator[R], Generic[R]):
    """An iterator that never ends: a pure function of what was asked for and of the weights.

    Share k of S takes, of every entry, the blocks of indices b with b % S = k in order (see
    ``Family.block``), so no two shares have the same instance of an entry, and none is made twice.
    Which entry comes next is drawn from the weights of that moment. Boards may come up again by
    chance, as there are only so many small ones; none is in both splits, whatever the seeds.

    A board that can't be made raises GenerationError; the stream stands where it stood, and goes on
    when the weight of its entry is 0.

    weights
        By the names of the entries; see ``Weights``.
    entry
        The name of the entry that the last board is of; "" before the first.
    """

    def __init__(
        self,
        plan: Plan,
        shard: Shard = (0, 1),
        finish: Callable[[Instance, str], R] | None = None,
        weights: MutableSequence[float] | None = None,
        counts: MutableSequence[int] | None = None,
    ):
        """Begin share ``shard`` of a stream; raise ValueError for a share that there is not.

        ``finish`` makes of an instance and the name of its entry what is yielded. ``weights`` and
        ``counts``, one an entry, are where these are kept, if others are to see or change them; a
        stream goes on from its counts.
        """
        number, total = pair(shard, "a shard is a pair (k, S): share k, from 0, of S")
        if not 0 <= number < total:
            raise ValueError(f"a shard is one of so many, counted from 0, not {number} of {total}")
        self.plan, self.shard = plan, (number, total)
        self.weights = Weights(plan.names, array("d", plan.weights) if weights is None else weights)
        self._counts = array("q", bytes(8 * len(plan.names))) if counts is None else counts
        self.entry = ""
        self._finish = finish
        self._blocks: dict[int, tuple[int, list[Made]]] = {}

    @property
    def counts(self) -> dict[str, int]:
        """How many boards of each entry this share has yielded."""
        return dict(zip(self.plan.names, map(int, self._counts), strict=True))

    @property
    def position(self) -> int:
        """How many boards this share has yielded."""
        return sum(map(int, self._counts))

    def __next__(self) -> R:
        draws = Draws("stream", self.plan.seed, *self.shard, self.position)
        place = self.weights.chosen(draws.below(1 << 32))
        instance, name = self._made(place), self.plan.names[place]
        item = instance if self._finish is None else self._finish(instance, name)
        self._counts[place] += 1
        self.entry = name
        return cast(R, item)

    def _made(self, entry: int) -> Instance:
        """Return the next instance of an entry; its block is kept until it is used up."""
        recipe, (number, total) = self.plan.recipes[entry], self.shard
        turn, place = divmod(int(self._counts[entry]), recipe.block)
        block = turn * total + number
        held, made = self._blocks.get(entry, (-1, []))
        if held != block:
            made = generate_block(recipe, block)
            self._blocks[entry] = block, made
        index = block * recipe.block + place
        return distinct(recipe, index, made[place], self.plan.seen).instance

    def state_dict(self) -> dict[str, Any]:
        """Return where the stream stands, as plain JSON; ``load_state_dict`` goes on from there."""
        return {
            "stream": self.plan.fingerprint,
            "shard": list(self.shard),
            "counts": self.counts,
            "weights": dict(self.weights),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from where a stream stood that was asked for the same, with its weights.

        Raises ValueError for the state of another stream or of another share of it.
        """
        counts, weights = self._checked(state)
        self.weights.update(weights)
        for place, name in enumerate(self.plan.names):
            self._counts[place] = counts[name]

    def _checked(self, state: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, float]]:
        try:
            stream, shard = state["stream"], pair(state["shard"], "")
            counts, weights = dict(state["counts"]), dict(state["weights"])
        except (KeyError, TypeError, ValueError):
            raise ValueError("that is no state of a stream") from None
        if stream != self.plan.fingerprint:
            raise ValueError(
                "the state is that of another stream: the entries, the seed, the split, what is "
                "excluded and the version of the generators must be the same"
            )
        if shard != self.shard:
            their, ours = ("{} of {}".format(*one) for one in (shard, self.shard))
            raise ValueError(f"the state is that of shard {their}, this is shard {ours}")
        whole = all(type(count) is int and 0 <= count < 1 << 62 for count in counts.values())
        if not whole or not set(counts) == set(weights) == set(self.plan.names):
            raise ValueError("that is no state of a stream")
        return counts, weights


def finishing(
    plan: Plan, row: Layout | Callable[[Pictured], Any] | None, cell: int | None
) -> Callable[[Instance, str], Any] | None:
    """Return what makes of an instance what is yielded, None for itself; see ``stream``."""
    if row is not None and not isinstance(row, Layout) and not callable(row):
        raise ValueError(f"row is a layout or a function of a Pictured, not {quoted(row)}")
    if cell is not None:
        check_cell(cell)
        for recipe in plan.recipes:
            check_pixels(recipe.board_size, cell)
    if isinstance(row, Layout):
        row = partial(_columns, row if cell is not None else row.without_pictures())
    return None if row is None and cell is None else partial(_finished, row, cell)


def _columns(layout: Layout, pictured: Pictured) -> dict[str, Any]:
    row = layout.row(pictured)
    return {name: row[name] for name in layout.features}


def _finished(
    row: Callable[[Pictured], Any] | None, cell: int | None, instance: Instance, name: str
) -> Any:
    pictured = Pictured(instance) if cell is None else draw(([instance], cell))[0]
    return pictured if row is None else row(pictured)


@overload
def stream(
    entries: Entry | Iterable[Entry],
    *,
    seed: int = ...,
    split: str = ...,
    shard: Shard = ...,
    exclude: Iterable[str | Path] = ...,
) -> Stream[Instance]: ...
@overload
def stream(
    entries: Entry | Iterable[Entry],
    *,
    seed: int = ...,
    split: str = ...,
    shard: Shard = ...,
    exclude: Iterable[str | Path] = ...,
    cell: int,
) -> Stream[Pictured]: ...
@overload
def stream(
    entries: Entry | Iterable[Entry],
    *,
    seed: int = ...,
    split: str = ...,
    shard: Shard = ...,
    exclude: Iterable[str | Path] = ...,
    cell: int | None = ...,
    row: Layout,
) -> Stream[dict[str, Any]]: ...
@overload
def stream(
    entries: Entry | Iterable[Entry],
    *,
    seed: int = ...,
    split: str = ...,
    shard: Shard = ...,
    exclude: Iterable[str | Path] = ...,
    cell: int | None = ...,
    row: Callable[[Pictured], R],
) -> Stream[R]: ...


def stream(
    entries: Entry | Iterable[Entry],
    *,
    seed: int = 0,
    split: str = "any",
    shard: Shard = (0, 1),
    exclude: Iterable[str | Path] = (),
    cell: int | None = None,
    row: Layout | Callable[[Pictured], Any] | None = None,
) -> Stream[Any]:
    """Return an endless iterator of boards drawn from ``entries``; see ``Stream``.

    entries
        One ``Entry`` or several, each with its weight; ``puzzles.curriculum.mixture`` makes many.
    split
        train, eval or any; it follows from the board alone.
    shard
        (k, S): share k, from 0, of a stream that S readers share, such as the ranks of a cluster.
    exclude
        Folders of datasets whose boards must not come up.
    cell
        Pixels a cell of the pictures; without it there are none.
    row
        What is made of an instance with its pictures: a layout of rows, or any function of a
        ``Pictured``.

    Yields Instances; Pictured ones where there is a ``cell``; what ``row`` returns where there is
    a row. Raises ValueError for what makes no sense, DatasetError for a folder to exclude that
    can't be read.
    """
    plan = Plan.of(entries, seed, split, exclude)
    return Stream(plan, shard, finishing(plan, row, cell))
