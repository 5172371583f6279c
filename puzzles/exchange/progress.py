"""The two logs of an import, what it has come to, and how it goes on after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from typing import Any

from puzzles.exchange.settling import Drawn, Item, Settled
from puzzles.pictures import draw
from puzzles.records import DatasetError
from puzzles.store import Store
from puzzles.summary import Summary

Told = Callable[[str, int, str], None]
"""Is told what a person should see: the file, the line, a sentence."""


@dataclass
class Outcome:
    """What an import has come to.

    ``confirmed`` and ``different`` count stated optima; ``kinds`` are the format and the families
    that each file was read as.
    """

    summary: Summary
    left_out: int = 0
    confirmed: int = 0
    different: int = 0
    kinds: dict[str, list[str]] = field(default_factory=dict)

    def note(self, item: Item) -> None:
        """Note how ``item`` was read."""
        kinds = self.kinds.setdefault(item.file, [item.format])
        if item.family and item.family not in kinds:
            kinds.append(item.family)

    @property
    def total(self) -> int:
        return self.summary.count + self.left_out

    def record(self) -> dict[str, Any]:
        """Return what dataset.json says of it besides the summary."""
        stated = {"confirmed": self.confirmed, "different": self.different}
        return {"left_out": self.left_out, "stated_optima": stated}


class ImportLog:
    """The two logs of an import, the instances and what is left out; together they are all.

    Each record has a number, and each log is in the order of the numbers, so after a kill the
    numbers that stand in neither log are those to go on with.
    """

    def __init__(self, store: Store, told: Told):
        self.store, self.told = store, told
        self.outcome = Outcome(store.summary)
        self.settled: set[int] = set()

    def reopen(self, *, resume: bool, force: bool) -> None:
        """Make the folder ready, and take in what an interrupted run has left in it."""
        cell, path = self.store.content.cell, self.store.path
        kept = (Settled.of(instance) for instance in self.store.open(resume=resume, force=force))
        for one in merge(kept, self._left_out(), key=lambda one: one.ordinal):
            if one.ordinal in self.settled:
                raise DatasetError(f"{path}: record {one.ordinal} stands there twice")
            self.settled.add(one.ordinal)
            self._note(one)
            if one.instance and cell is not None and self.store.lacks(one.instance):
                self.store.restore(*draw(([one.instance], cell)))

    def _left_out(self) -> Iterator[Settled]:
        log = self.store.left_out
        if not log.path.exists():
            return
        log.open()
        with log.path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                yield Settled.parse(line, f"{log.path} line {number}")

    def append(self, part: Sequence[Drawn]) -> None:
        """Write what has become of records."""
        rows = [one.row() for one, _ in part if one.instance is None]
        if rows and self.store.is_open:
            if not self.store.left_out.is_open:
                self.store.left_out.open()
            self.store.left_out.append(rows)
        pictured = [one.pictured for one in part if one.pictured is not None]
        if pictured:
            self.store.append(pictured)
        for one, _ in part:
            self._note(one)

    def _note(self, one: Settled) -> None:
        if one.instance is None:
            self.outcome.left_out += 1
            self.told(one.file, one.line, one.problem)
            return
        differs = one.difference
        if differs is not None:
            self.outcome.confirmed += not differs
            self.outcome.different += bool(differs)
        if differs:
            self.told(one.file, one.line, differs)
