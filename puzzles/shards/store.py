"""A dataset in shards: whole files that are written beside their places and then renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from puzzles.asked import whole
from puzzles.content import Contents
from puzzles.log import naming
from puzzles.pictures import Pictured, Row
from puzzles.records import DatasetError, files, lines
from puzzles.shards.cut import SIZE, Cut
from puzzles.shards.layouts import PLAIN, Layout
from puzzles.store import NEW_SHARD, Storage, Store

FORMATS = {"parquet": "parquet", "webdataset": "tar"}
"""The formats, and how their files end."""


class Writer(Protocol):
    """Writes one shard."""

    def add(self, chunk: Sequence[Pictured], lines: Sequence[str]) -> None:
        """Write instances with their records; the file depends on what comes, not on the chunks."""

    def close(self) -> None:
        """End the file, so that it is whole."""

    def abandon(self) -> None:
        """Let go of a file that will not be whole."""


class Shape(NamedTuple):
    """How shards are written: the format, the layout of rows, and one of the two ways to cut."""

    format: str
    layout: Layout = PLAIN
    shards: int | None = None
    size: int | None = SIZE


def storage_of(
    format: str,
    *,
    shards: int | None = None,
    size: int | None = None,
    layout: Layout = PLAIN,
) -> Storage:
    """Return the storage of a format: folder, parquet or webdataset.

    shards, size
        How many shards, or how many rows a shard has; 10,000 unless given.

    Raises ValueError for what can't be meant, and where a package is missing.
    """
    if format == "folder":
        if shards is not None or size is not None:
            raise ValueError("a folder has no shards: give --format parquet or webdataset")
        from puzzles.folder import Folder

        return Folder
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r} (known: folder, {', '.join(FORMATS)})")
    if shards is not None and size is not None:
        raise ValueError("--shards and --shard-size exclude each other: give one of them")
    for name, value in (("--shards", shards), ("--shard-size", size)):
        if value is not None and whole(value, f"{name} is a whole number") < 1:
            raise ValueError(f"{name} is 1 or more, not {value}")
    if format == "parquet":
        from puzzles.shards.parquet import arrow

        arrow()
    given = SIZE if shards is None and size is None else size
    shape = Shape(format, layout, shards, given)
    return lambda path, content: Shards(path, content, shape)


class Shards(Store):
    """data-00000-of-00010.parquet and so on; a kill leaves the whole shards, and they are kept."""

    def __init__(self, path: Path, content: Contents, shape: Shape):
        super().__init__(path, content)
        self.shape = shape
        self.cut = Cut(content.n, shape.shards, shape.size)
        if shape.shards is not None and (content.n is None or shape.shards > content.n):
            held = "an unknown number of" if content.n is None else str(content.n)
            raise ValueError(f"--shards {shape.shards}: there are {held} rows to cut")
        self._layout = shape.layout if content.cell else shape.layout.without_pictures()
        self._number = 0
        self._writer: Writer | None = None

    def form(self) -> dict[str, Any]:
        shape = self.shape
        named = {"layout": shape.layout.name} if shape.format == "parquet" else {}
        return {
            "format": shape.format,
            **named,
            "shards": self.cut.total,
            "shard_size": shape.size,
        }

    @property
    def row(self) -> Row | None:
        """The layout's; carrying the plain one to a task and back would cost more than it does."""
        own = self.shape.format == "parquet" and self.shape.layout is not PLAIN
        return self.shape.layout.row if own else None

    def _path(self, number: int) -> Path:
        return self.path / self.cut.name(number, FORMATS[self.shape.format])

    def begin(self) -> None:
        for left in list(self.path.iterdir()):
            if NEW_SHARD.fullmatch(left.name):
                left.unlink()

    def rows(self) -> Iterator[tuple[str, str]]:
        if not self.has_shards():
            return
        count = 0
        for path in files(self.path, partial=True):
            if path != self._path(self._number):
                raise DatasetError(f"{path} is not what this run wrote")
            for line in lines(path):
                count += 1
                yield line.said, line.text
            end = self.cut.end(self._number)
            if count != end and self.content.n is not None:
                start = self.cut.end(self._number - 1) if self._number else 0
                raise DatasetError(f"{path} holds {count - start} rows, not {end - start}")
            self._number += 1

    def put(self, chunk: Sequence[Pictured], lines: Sequence[str]) -> None:
        done, count = 0, self.summary.count
        while done < len(chunk):
            end = self.cut.end(self._number)
            part = slice(done, done + end - count)
            with self._named():
                if self._writer is None:
                    self._writer = self._begin()
                self._writer.add(chunk[part], lines[part])
            taken = len(chunk[part])
            done, count = done + taken, count + taken
            if count == end:
                self.end()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Say of which file an error is, by the name that it is to have."""
        path = self._path(self._number)
        try:
            with naming(path):
                yield
        except ValueError as error:
            raise DatasetError(f"{path}: {error}") from None

    def _beside(self) -> Path:
        path = self._path(self._number)
        return path.with_name(f".{path.name}.new")

    def _begin(self) -> Writer:
        if self.shape.format == "parquet":
            from puzzles.shards.parquet import ParquetWriter

            return ParquetWriter(self._beside(), self._layout)
        from puzzles.shards.webdataset import TarWriter

        return TarWriter(self._beside())

    def end(self) -> None:
        """Close the shard, and give it its name once it is whole, on the disk too."""
        if self._writer is None:
            return
        with self._named():
            self._writer.close()
            self._writer = None
            with self._beside().open("rb+") as file:
                os.fsync(file.fileno())
            os.replace(self._beside(), self._path(self._number))
        self._number += 1

    def close(self) -> None:
        """Leave a shard that is not whole, and remove what there is of it."""
        if self._writer is None:
            return
        with suppress(OSError, ValueError):  # a full disk, which has been reported already
            self._writer.abandon()
        self._writer = None
        self._beside().unlink(missing_ok=True)
