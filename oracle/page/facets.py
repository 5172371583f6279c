"""Facets: rows narrowed by what is chosen of their columns, with how many each choice leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

PAGE = 48
"""Rows of a page."""


class Column(NamedTuple):
    """A column of words: of each row the number of its word, -1 where it has none."""

    codes: NDArray[Any]
    words: Sequence[str]


class Found(NamedTuple):
    """The rows that a search has found, in their order.

    counts
        Of each column its words with the rows that they would leave, all else chosen as it is;
        a word that would leave none is missing, unless it is the one chosen.
    """

    rows: NDArray[np.int64]
    counts: dict[str, list[tuple[str, int]]]

    def page(self, number: int, size: int = PAGE) -> NDArray[np.int64]:
        """Return the rows of a page, which count from 0."""
        return self.rows[number * size : (number + 1) * size]


class Facets:
    """Rows by their columns; ``names`` is the column that a text is looked for in."""

    def __init__(self, columns: Mapping[str, Column], names: Column):
        self._columns, self._names = dict(columns), names

    def find(self, chosen: Mapping[str, str], part: str = "") -> Found:
        """Return the rows that hold the words ``chosen`` by column, and ``part`` in their name.

        Columns that there aren't choose nothing; a word that there isn't leaves no row.
        """
        passed = {
            name: self._columns[name].codes == self._code(name, word)
            for name, word in chosen.items()
            if name in self._columns
        }
        fails = np.zeros(len(self._names.codes), np.uint8)
        for rows in passed.values():
            fails += ~rows
        here = self._named(part)
        counts = {}
        for name, (codes, words) in self._columns.items():
            open_rows = here & (fails == (0 if name not in passed else ~passed[name]))
            found = np.bincount(codes[open_rows & (codes >= 0)], minlength=len(words))
            pairs = zip(words, found.tolist(), strict=True)
            counts[name] = [(word, n) for word, n in pairs if n or word == chosen.get(name)]
        return Found(np.flatnonzero(here & (fails == 0)), counts)

    def _code(self, name: str, word: str) -> int:
        words = list(self._columns[name].words)
        return words.index(word) if word in words else -2

    def _named(self, part: str) -> NDArray[np.bool_]:
        codes, words = self._names
        part = part.strip().lower()
        if not part:
            return np.ones(len(codes), bool)
        fits = np.array([part in word.lower() for word in words] + [False])
        return np.asarray(fits[codes])  # a row without a name has code -1, the last place
