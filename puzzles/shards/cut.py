"""Where a dataset is cut into shards, and what these are called."""

from __future__ import annotations

from typing import NamedTuple

from puzzles.records import shard_name

NAME = "data"
SIZE = 10_000
"""Rows of a shard unless told otherwise."""


class Cut(NamedTuple):
    """The cut of ``n`` rows into ``shards`` as even as may be, or into shards of ``size`` rows.

    One of the two is None; ``n`` is None where the number isn't known beforehand, which only goes
    with a size.
    """

    n: int | None
    shards: int | None = None
    size: int | None = SIZE

    @property
    def total(self) -> int | None:
        """How many shards there will be; None where that isn't known."""
        if self.n is None or self.size is None:
            return self.shards
        return -(-self.n // self.size)

    def end(self, number: int) -> int:
        """Return how many rows there are in the shards up to ``number``, from 0, included."""
        if self.size is not None:
            end = (number + 1) * self.size
            return end if self.n is None else min(self.n, end)
        if self.n is None or self.shards is None:
            raise ValueError("a number of shards needs a number of rows")
        return self.n * (number + 1) // self.shards

    def name(self, number: int, format: str) -> str:
        """Return how the file of a shard is called."""
        return shard_name(NAME, number, self.total, format)
