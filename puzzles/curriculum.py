"""What a stream draws from: kinds of boards, each with a weight that may change on the way."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import accumulate, product
from numbers import Real
from pathlib import Path
from typing import Any

from puzzles.asked import checked, pair, several, whole
from puzzles.dataset import excluded
from puzzles.directions import quoted
from puzzles.family import Size
from puzzles.generate import Recipe
from puzzles.numbers import Numbers

MOST_WEIGHT = 1_000_000_000
_UNIT = 1 << 32
"""Random numbers that decide on an entry are drawn from 0 to this, the end excluded."""


@dataclass(frozen=True)
class Entry:
    """One kind of board in a stream, and how often it is drawn in proportion to the others.

    Everything but the weight is as for ``puzzles.make``: a difficulty, or the first and the last
    optimal length; one number where they are the same. A stream says in one sentence what can't be
    meant.
    """

    family: str
    difficulty: str | None = None
    lengths: int | tuple[int, int] | None = None
    size: Size | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    weight: float = 1.0

    @property
    def name(self) -> str:
        """What the entry is called in weights and counts, such as ``maze/10-12/6x6``.

        The size, rules and options stand there if they are given.
        """
        parts = [self.family]
        if self.difficulty is not None:
            parts.append(self.difficulty)
        if self.bounds is not None:
            parts.append("-".join(map(str, dict.fromkeys(self.bounds))))
        if self.size is not None:
            parts.append("x".join(map(str, self.size)))
        given = sorted([*self.rules.items(), *self.options.items()])
        parts += (f"{name}={json.dumps(value, default=str)}" for name, value in given)
        return "/".join(parts)

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The first and the last optimal length, if they are given."""
        if self.lengths is None:
            return None
        what = "lengths are one optimal length, or the first and the last"
        if isinstance(self.lengths, Iterable):
            return pair(self.lengths, what)
        return (whole(self.lengths, what),) * 2

    def recipe(self, seed: int, split: str) -> Recipe:
        """Return what decides the boards; raise ValueError in one sentence if it can't be meant."""
        given = self.size, self.rules, self.options, split
        return checked(Recipe(self.family, seed, self.difficulty, self.bounds, *given))


def mixture(
    families: str | Iterable[str],
    *,
    difficulties: Iterable[str] = (),
    lengths: Iterable[int | tuple[int, int]] = (),
    sizes: Iterable[Size | None] = (None,),
    rules: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    weight: float = 1.0,
) -> list[Entry]:
    """Return an entry for every family, every difficulty and length, and every size.

    lengths
        Optimal lengths, or pairs of the first and the last of a range: each is an entry.
    sizes
        (rows, columns); None stands for the family's usual size.
    """
    families = [families] if isinstance(families, str) else several(families, "families are names")
    difficulties = several(difficulties, "difficulties are a list of names")
    lengths = several(lengths, "lengths are a list of lengths or of pairs, each of them an entry")
    sizes = several(sizes, "sizes are a list of (rows, columns)")
    kinds = [*((name, None) for name in difficulties), *((None, one) for one in lengths)]
    return [
        Entry(family, difficulty, length, size, rules or {}, options or {}, weight)
        for family, (difficulty, length), size in product(families, kinds, sizes)
    ]


class Weights(Mapping[str, float]):
    """The weights of a stream by the names of its entries: set one, or ``update`` several.

    A change decides from the next board on. ``held`` is where they are kept, one a name; it may be
    memory that several processes share.
    """

    def __init__(self, names: Sequence[str], held: MutableSequence[float]):
        self._places = {name: place for place, name in enumerate(names)}
        self._held = held

    def __getitem__(self, name: str) -> float:
        return float(self._held[self._places[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __setitem__(self, name: str, weight: float) -> None:
        self.update({name: weight})

    def update(self, weights: Mapping[str, float]) -> None:
        """Set the weights of some entries; none is set where one can't be.

        Raises ValueError for names that the stream has not, for what is no weight, and where
        nothing would be left to draw.
        """
        if not isinstance(weights, Mapping):
            raise ValueError(f"weights are numbers by the names of entries, not {quoted(weights)}")
        for name, weight in weights.items():
            if name not in self._places:
                raise ValueError(f"the stream has no entry {name!r} (known: {', '.join(self)})")
            if not isinstance(weight, Real) or not 0 <= weight <= MOST_WEIGHT:
                raise ValueError(
                    f"the weight of {name} is a number from 0 to {MOST_WEIGHT:,}, not "
                    f"{quoted(weight)}"
                )
        if not any({**self, **weights}.values()):
            raise ValueError("at least one weight must be above 0")
        for name in sorted(weights, key=lambda name: not weights[name]):  # never all of them 0
            self._held[self._places[name]] = float(weights[name])

    def chosen(self, number: int) -> int:
        """Return the place of the entry that a random number from 0 to 2^32 - 1 stands for."""
        sums = list(accumulate(map(float, self._held)))
        last = max(place for place, weight in enumerate(self._held) if weight)
        return min(bisect_right(sums, number / _UNIT * sums[-1]), last)

    def __repr__(self) -> str:
        return f"Weights({dict(self)})"


def entries_of(given: Entry | Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries of a stream; raise ValueError for what is none."""
    what = "a stream draws from entries, such as Entry('maze', 'easy')"
    entries = [given] if isinstance(given, Entry) else several(given, what)
    for entry in entries:
        if not isinstance(entry, Entry):
            raise ValueError(f"{what}, not from {quoted(entry)}")
    return tuple(entries)


@dataclass(frozen=True)
class Plan:
    """What a stream was asked for, checked: what all its shares have in common.

    names, recipes
        Of the entries, in order.
    seen
        The boards that must not come up.
    fingerprint
        Tells two streams apart that don't give the same boards. Weights have no part in it.
    """

    names: tuple[str, ...]
    recipes: tuple[Recipe, ...]
    weights: tuple[float, ...]
    seed: int
    seen: Numbers
    fingerprint: str

    @classmethod
    def of(
        cls,
        entries: Entry | Iterable[Entry],
        seed: int = 0,
        split: str = "any",
        exclude: Iterable[str | Path] = (),
    ) -> Plan:
        """Check what is asked for; raise ValueError where it makes no sense, DatasetError."""
        entries = entries_of(entries)
        if not entries:
            raise ValueError("a stream needs at least one entry to draw from")
        recipes = tuple(entry.recipe(seed, split) for entry in entries)
        names = tuple(entry.name for entry in entries)
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"the entry {name} is given twice: give it once, with its weight")
        weights = array("d", bytes(8 * len(names)))
        Weights(names, weights).update({entry.name: entry.weight for entry in entries})
        seen, fingerprints = excluded(exclude)
        seed = recipes[0].seed
        content = repr((seed, names, [recipe.key for recipe in recipes], fingerprints))
        digest = blake2b(content.encode(), digest_size=16).hexdigest()
        return cls(names, recipes, tuple(weights), seed, seen, digest)
