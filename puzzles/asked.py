"""What is asked for, checked: one sentence says what can't be meant, before anything is made."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex

from puzzles.directions import quoted
from puzzles.generate import Recipe
from puzzles.rooms import family as room_of

SUITE = {"easy": 20, "medium": 30, "hard": 50}
"""Instances of each difficulty in a benchmark suite."""
MOST = 10**12
"""Instances of the largest dataset that can be asked for."""
LONGEST = 999_999
"""The largest optimal length that can be asked for; no board comes near it."""


def whole(value: object, what: str) -> int:
    """Return a whole number of any integer type; raise ValueError, ``what`` said in front.

    Boards depend on how a number is written (``Recipe.key``), so that 7 has to be one thing.
    """
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        with suppress(TypeError):  # an array of several has that method too
            return index(value)
    raise ValueError(f"{what}, not {quoted(value)}")


def pair(value: object, what: str) -> tuple[int, int]:
    """Return two whole numbers; raise ValueError, ``what`` said in front."""
    said = f"{what}, not {quoted(value)}"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ValueError(said)
    two = tuple(islice(value, 3))
    if len(two) != 2:
        raise ValueError(said)
    try:
        return whole(two[0], what), whole(two[1], what)
    except ValueError:
        raise ValueError(said) from None


def several(value: object, what: str) -> list[Any]:
    """Return the members of a list or the like; raise ValueError, ``what`` said in front.

    A text is not to be taken for its letters, nor a mapping for its keys.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ValueError(f"{what}, not {quoted(value)}")
    return list(value)


def folders(value: object) -> list[Path]:
    """Return the folders of one place or of several; raise ValueError."""
    what = "exclude names folders of datasets"
    found = [value] if isinstance(value, str | os.PathLike) else several(value, what)
    for one in found:
        if not isinstance(one, str | os.PathLike):
            raise ValueError(f"{what}, not {quoted(one)}")
    return [Path(one) for one in found]


def wanted(recipe: Recipe, n: int | None) -> int:
    """Return how many instances to make; raise ValueError for a number that nobody can make."""
    if n is None:
        return SUITE.get(recipe.difficulty or "", 20)
    n = whole(n, "n is a whole number")
    if n < 1:
        raise ValueError(f"n must be 1 or more, not {n}")
    if n > MOST:
        raise ValueError(f"n is at most {MOST:,}, not {n:,}")
    return n


def checked(recipe: Recipe) -> Recipe:
    """Return ``recipe``, its numbers plain; raise ValueError where it can't be meant."""
    _check_kind(recipe)
    for given, known, what in (
        (recipe.rules, recipe.room.rule_options, "rule"),
        (recipe.options, recipe.room.sample_options, "option"),
    ):
        _check_names(recipe.family, given, known, what)
    for name, value in recipe.options.items():
        default = recipe.room.sample_options[name]
        if type(value) is not type(default):
            kind = type(default).__name__
            raise ValueError(f"{recipe.family}: option {name} is of type {kind}, not {value!r}")
    return replace(
        recipe,
        seed=whole(recipe.seed, "a seed is a whole number"),
        lengths=_lengths(recipe.lengths),
        size=_size(recipe.size),
        rules=dict(recipe.rules),
        options=dict(recipe.options),
    )


def _check_kind(recipe: Recipe) -> None:
    """Raise ValueError unless there is such a family with such a difficulty or with lengths."""
    room, difficulty = room_of(recipe.family), recipe.difficulty
    if (difficulty is None) == (recipe.lengths is None):
        raise ValueError("give either a difficulty or lengths")
    if difficulty is not None and difficulty not in list(room.buckets):  # it may have no hash
        known = ", ".join(room.buckets)
        raise ValueError(f"unknown difficulty {quoted(difficulty)} (known: {known})")
    if recipe.split not in ("train", "eval", "any"):
        raise ValueError(f"unknown split {quoted(recipe.split)} (known: train, eval, any)")


def _check_names(family: str, given: object, known: Mapping[str, Any], what: str) -> None:
    if not isinstance(given, Mapping):
        raise ValueError(f"{family}: {what}s are values by name, not {quoted(given)}")
    for name in given:
        if name not in known:
            names = ", ".join(known) or "none"
            raise ValueError(f"{family}: unknown {what} {name!r} (known: {names})")


def _lengths(given: tuple[int, int] | None) -> tuple[int, int] | None:
    if given is None:
        return None
    low, high = pair(given, "lengths are the first and the last optimal length")
    if not 1 <= low <= high:
        raise ValueError(f"lengths go from 1 up, LOW-HIGH, not {low}-{high}")
    if high > LONGEST:
        raise ValueError(f"lengths go up to {LONGEST:,}, not {high:,}")
    return low, high


def _size(given: tuple[int, int] | None) -> tuple[int, int] | None:
    if given is None:
        return None
    rows, columns = pair(given, "a size is two whole numbers, rows and columns")
    if min(rows, columns) < 1:
        raise ValueError(f"a size is ROWSxCOLUMNS, both 1 or more, not {rows}x{columns}")
    return rows, columns
