"""Where a Parquet file holds its records and pictures, as it says itself or its columns tell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from puzzles.shards.layouts import DATA, NEEDED, PLAIN, record_of


class Places(NamedTuple):
    """Where a file holds its records and pictures, as ``Layout`` says it."""

    record: str
    image: str
    aid: str

    def line(self, row: Mapping[str, Any]) -> str:
        if not self.record:
            return record_of(row)
        found = _at(row, self.record)
        return found.removesuffix("\n") + "\n" if isinstance(found, str) else "null\n"

    def picture(self, row: Mapping[str, Any], place: str) -> bytes | None:
        found = _at(row, place) if place else None
        data = found.get(DATA) if isinstance(found, dict) else None
        return data if isinstance(data, bytes) else None


def _at(row: Any, place: str) -> Any:
    """Return what stands at a place such as ``images.0``; None where there is nothing."""
    for name in place.split("."):
        if isinstance(row, list):
            row = row[int(name)] if name.isdecimal() and int(name) < len(row) else None
        else:
            row = row.get(name) if isinstance(row, dict) else None
    return row


_UNSAID = (
    (frozenset({"record"}), Places("record", "images.0", "")),
    (frozenset({"reward_model"}), Places("reward_model.ground_truth", "images.0", "")),
    (frozenset({"images", "problem", "answer"}), Places("answer", "images.0", "")),
)
"""Where rows for training hold the record, by the columns that tell them, in files that others
have written again without saying it."""


def places(said: bytes | None, names: Sequence[str]) -> Places:
    """Return what a file says of itself, or what its columns do; raise ValueError."""
    if said is None and not {*NEEDED} <= {*names}:
        for columns, found in _UNSAID:
            if columns <= {*names}:
                return found
    told = json.loads(said or PLAIN.told())
    return Places(*(str(told[name]) for name in Places._fields))
