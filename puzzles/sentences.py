"""Sentences with slots: written from facts, and read back as the same facts.

A phrase is a text such as ``"{box:cell} is {n:# row} {way:aside}"``: names of facts, and behind the
colon how each is written. What is read is written again and compared, so a text that is read is
letter by letter what its facts give.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from string import Formatter
from typing import Any, NamedTuple

from puzzles.directions import DIRECTIONS
from puzzles.family import Cell

_NUMBER = r"-?\d{1,9}"
_CELL = rf"\({_NUMBER},{_NUMBER}\)"
_WAY = "|".join(DIRECTIONS)
_ASIDE = {"up": "up", "down": "down", "left": "to the left", "right": "to the right"}
_BESIDE = _ASIDE | {"up": "above", "down": "below"}
_SIDES = {"up": "above", "down": "below", "left": "to the left of", "right": "to the right of"}


class Leg(NamedTuple):
    """A straight part of a way: where it goes, by how many cells, and to which."""

    way: str
    n: int
    to: Cell


class Slot(NamedTuple):
    """How a fact is written: what it looks like, from the fact to the text, and back."""

    pattern: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def said(cell: Cell) -> str:
    """Return a cell as it is written."""
    return f"({cell[0]},{cell[1]})"


def _cell(text: str) -> Cell:
    r, c = text[1:-1].split(",")
    return int(r), int(c)


def _leg(text: str) -> Leg:
    way, n, _, to = text.split(" ")
    return Leg(way, int(n), _cell(to))


def _place(text: str) -> tuple[str, Cell]:
    name, _, cell = text.partition(" at ")
    return name, _cell(cell)


def _several(slot: Slot) -> Slot:
    """Return the slot of a list: one, ``a and b``, ``a, b and c``."""

    def write(values: Sequence[Any]) -> str:
        texts = [slot.write(value) for value in values]
        return " and ".join([*[", ".join(texts[:-1])] * (len(texts) > 1), *texts[-1:]])

    def read(text: str) -> tuple[Any, ...]:
        return tuple(map(slot.read, re.split(", | and ", text)))

    pattern = rf"(?:{slot.pattern})(?:, (?:{slot.pattern}))*(?: and (?:{slot.pattern}))?"
    return Slot(pattern, write, read)


def _words(words: Mapping[str, str]) -> Slot:
    """Return the slot of a fact that has a few values, each with its words."""
    back = {text: value for value, text in words.items()}
    pattern = "|".join(sorted(map(re.escape, back), key=len, reverse=True))
    return Slot(pattern, words.__getitem__, back.__getitem__)


_CELLS = Slot(_CELL, said, _cell)
_SPAN = Slot(
    f"{_CELL}-{_CELL}",
    lambda ends: "-".join(map(said, ends)),
    lambda text: tuple(map(_cell, re.findall(_CELL, text))),
)
_NAME = Slot("[A-Za-z]", str, str)
_PLACE = Slot(rf"[A-Za-z] at {_CELL}", lambda one: f"{one[0]} at {said(one[1])}", _place)
_LEG = Slot(rf"(?:{_WAY}) \d+ to {_CELL}", lambda leg: f"{leg[0]} {leg[1]} to {said(leg[2])}", _leg)
SLOTS = {
    "cell": _CELLS,
    "cells": _several(_CELLS),
    "span": _SPAN,
    "way": Slot(_WAY, str, str),
    "aside": _words(_ASIDE),
    "beside": _words(_BESIDE),
    "side": _words(_SIDES),
    "name": _NAME,
    "names": _several(_NAME),
    "places": _several(_PLACE),
    "legs": _several(_LEG),
    "number": Slot(_NUMBER, str, int),
    "thing": Slot("[A-Za-z]+(?: [a-z]+)*?", str, str),
}
"""How facts are written; ``# noun`` is a number of things besides."""


def _slot(spec: str) -> Slot:
    if not spec.startswith("# "):
        return SLOTS[spec]
    noun = spec[2:]

    def write(n: int) -> str:
        return f"{n} {noun}{'s' * (n != 1)}"

    return Slot(rf"{_NUMBER} {noun}s?", write, lambda text: int(text.partition(" ")[0]))


class Phrase:
    """A sentence with slots."""

    def __init__(self, text: str):
        self._parts = [
            (before, name or "", _slot(spec) if name and spec else None)
            for before, name, spec, _ in Formatter().parse(text)
        ]
        pattern = "".join(
            re.escape(before) + (f"(?P<{name}>{slot.pattern})" if slot else "")
            for before, name, slot in self._parts
        )
        self._pattern = re.compile(pattern)

    def write(self, facts: Mapping[str, Any]) -> str:
        """Return the sentence; raise KeyError for a fact that is missing."""
        return "".join(
            before + (slot.write(facts[name]) if slot else "") for before, name, slot in self._parts
        )

    def read(self, text: str, at: int) -> tuple[dict[str, Any], int] | None:
        """Return the facts of the sentence that begins at ``at``, and where it ends; or None."""
        found = self._pattern.match(text, at)
        if not found:
            return None
        facts = {name: slot.read(found[name]) for _, name, slot in self._parts if slot}
        return (facts, found.end()) if self.write(facts) == found[0] else None


@lru_cache(maxsize=1024)
def phrase(text: str) -> Phrase:
    """Return the phrase that ``text`` stands for."""
    return Phrase(text)
