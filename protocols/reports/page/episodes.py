"""The episodes of a page: an index that lists them, and chunks that are unpacked when opened."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import pandas as pd

from protocols.reports.page.drawings import Drawings
from protocols.reports.page.frames import Sheets
from protocols.reports.page.shown import Shown, plain
from protocols.reports.page.svg import present
from protocols.reports.sources import Sources

CHUNK = 256 * 1024
"""Characters of JSON after which a chunk is closed."""
LONGEST, SHORTEST = 60_000, 2_000
"""Characters of text kept of one episode: where there is room, and where there is little."""
_LISTED = 120
"""Bytes that an episode takes in the list, about."""
_NAMES = ("model", "protocol", "family", "difficulty", "run", "outcome", "reason")
_NUMBERS = ("optimal_length", "moves", "legal_moves", "at", "distance", "rounds")
_FIELDS = ("file", "line", "id", *_NAMES, *_NUMBERS)
OUTCOMES = ("optimal", "feasible", "failed", "drawing", "not judged")


class Written(NamedTuple):
    """What became of the episodes: the list of them and the looks of cells, both as JSON, and how
    much found no room.
    """

    listed: dict[str, Any]
    sheets: dict[str, Any]
    total: int
    shown: int
    cut: int
    """Texts that were cut."""
    linked: int
    """Pictures that are linked, not embedded."""


class Episodes:
    """Turns rows of verdicts into the chunks of a page, within ``budget`` bytes."""

    def __init__(self, rows: Any, sources: Sources | None, path: Path, budget: int):
        self._rows, self._budget = _in_turn(rows.assign(outcome=outcomes(rows))), budget
        self._sheets = Sheets()
        self._drawings = Drawings(sources, path, budget // 8) if sources else None
        longest = min(LONGEST, max(SHORTEST, 4 * budget // max(1, len(rows))))
        self._shown = Shown(sources, self._sheets, self._drawings, longest)

    def write(self, out: IO[str], progress: Callable[[int], None]) -> Written:
        """Write the chunks to ``out``, a line each: base64 of deflated JSON, a list of episodes."""
        index: list[dict[str, Any]] = []
        used = 0
        for number, (entries, chunk) in enumerate(self._chunks()):
            used += len(chunk) + _LISTED * len(entries)
            if used > self._budget:
                break
            out.write(chunk + "\n")
            places = ({"chunk": number, "place": at} for at in range(len(entries)))
            index += [entry | place for entry, place in zip(entries, places, strict=True)]
            progress(len(index))
        linked = self._drawings.linked if self._drawings else 0
        return Written(
            _columns(sorted(index, key=_place), self._rows),
            self._sheets.record(),
            len(self._rows),
            len(index),
            self._shown.cut,
            linked,
        )

    def _chunks(self) -> Iterator[tuple[list[dict[str, Any]], str]]:
        entries: list[dict[str, Any]] = []
        texts: list[str] = []
        size = 0
        for row in self._rows.itertuples(index=False):
            entries.append({name: plain(getattr(row, name, None)) for name in _FIELDS})
            texts.append(json.dumps(self._shown.episode(row), separators=(",", ":")))
            size += len(texts[-1])
            if size >= CHUNK:
                yield entries, _packed(texts)
                entries, texts, size = [], [], 0
        if entries:
            yield entries, _packed(texts)


def _in_turn(rows: Any) -> Any:
    """Return ``rows`` so that each group's first come first: what finds no room is shared out."""
    by = ["model", "protocol", "family", "difficulty"]
    rank = rows.groupby(by, observed=True, dropna=False, sort=False).cumcount()
    return rows.iloc[rank.to_numpy().argsort(kind="stable")]


def _place(entry: dict[str, Any]) -> tuple[int, int]:
    """Return where an entry stands in the files, which is where it stands in the page's list."""
    return entry["file"], entry["line"]


def outcomes(rows: Any) -> Any:
    """Return how each row fared, one of ``OUTCOMES``, as a categorical column."""
    conditions = {
        "not judged": rows["error"].notna(),
        "drawing": rows["optimal"].isna() | rows["feasible"].isna(),
        "optimal": rows["optimal"].fillna(False).astype(bool),
        "feasible": rows["feasible"].fillna(False).astype(bool),
    }
    codes = np.select(list(conditions.values()), [OUTCOMES.index(name) for name in conditions], 2)
    return pd.Categorical.from_codes(codes, list(OUTCOMES))


def _columns(index: list[dict[str, Any]], rows: Any) -> dict[str, Any]:
    """Return the index by column; of names, numbers in a list of what occurs, in its order."""
    columns: dict[str, Any] = {
        name: [entry[name] for entry in index] for name in ("id", "chunk", "place", *_NUMBERS)
    }
    for name in _NAMES:
        words = present(rows[name])
        found = {entry[name] for entry in index}
        known = {word: at for at, word in enumerate([w for w in [*words, None] if w in found])}
        columns[name] = {
            "words": ["–" if word is None else word for word in known],
            "at": [known[entry[name]] for entry in index],
        }
    return columns


def _packed(texts: list[str]) -> str:
    return b64encode(zlib.compress(f"[{','.join(texts)}]".encode(), 9)).decode()
