"""Formats of storage against each other: making, turning and reading, in processor time."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from puzzles.content import Content
from puzzles.conversion import convert, copied
from puzzles.dataset import load, write
from puzzles.generate import Recipe
from puzzles.records import files, pictures
from puzzles.shards.store import storage_of

Row = tuple[str, str, str]

FORMATS = ("folder", "parquet", "webdataset")
_N = 1000
_LIMIT = 180 * 2 / 100_000
"""Seconds of a core that a row may take: 100,000 in 3 minutes on 2 cores."""


def spent(function: Callable[[Path], Any], places: Iterable[Path]) -> float:
    """Return the least processor time of a call, in seconds; others may be using the machine."""
    times = []
    for place in places:
        started = time.process_time()
        function(place)
        times.append(time.process_time() - started)
    return min(times)


def _make(format: str, out: Path) -> None:
    content = Content(Recipe("maze", difficulty="hard"), _N, 64)
    write(content, out, storage_of(format), workers=1)


def _export(format: str, out: Path) -> None:
    folder = out.parents[2] / "making, with pictures" / "folder" / "0"
    convert(copied(folder), out, storage_of(format))


def _pictures(format: str, made: Path) -> int:
    return sum(len(row) for path in files(made) for row in pictures(path))


_WORKS: dict[str, tuple[bool, Callable[[str, Path], Any]]] = {
    "making, with pictures": (False, _make),
    "export from a folder": (False, _export),
    "reading records": (True, lambda format, made: load(made)),
    "reading records and pictures": (True, _pictures),
}
"""What is measured: whether it reads what was made, and how it is done."""


def rows() -> Iterator[Row]:
    """Yield the lines of the speed table; the folder is what the others are compared with."""
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        for work, (reads, function) in _WORKS.items():
            first = 0.0
            for format in FORMATS:
                made = here / "making, with pictures" / format / "0"
                goals = [here / work / format / str(k) for k in range(3)]
                took = spent(partial(function, format), [made] * 3 if reads else goals) / _N
                first = first or took
                told = f"{took * 1e6:,.0f} us a row, {took / first:.2f} of a folder"
                limit = f"{_LIMIT * 1e6:,.0f} us" if work.startswith("making") else ""
                yield f"{work}, {format}", told, limit
