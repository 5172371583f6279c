"""Parquet shards: written so that `datasets` decodes the pictures, and read back."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from puzzles.pictures import Pictured
from puzzles.records import DatasetError, Line
from puzzles.shards.layouts import DATA, NEEDED, PLACE, Feature, Layout
from puzzles.shards.places import places

GROUP = 256
"""Rows of a row group: what a reader has in memory at a time."""
_KEY = b"puzzles"
"""Under it a shard says which layout its rows have."""


def arrow() -> Any:
    """Return pyarrow; raise ValueError in one sentence where it is not installed."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ValueError("Parquet needs pyarrow: pip install 'puzzles[data]'") from None
    return pyarrow


def schema(layout: Layout) -> Any:
    """Return the pyarrow schema of a layout, with what `datasets` and we want to know of it."""
    features = {"info": {"features": dict(layout.features)}}
    return arrow().schema(
        [(name, _type(feature)) for name, feature in layout.features.items()],
        {b"huggingface": json.dumps(features), _KEY: layout.told()},
    )


def _type(feature: Feature) -> Any:
    pa = arrow()
    kind = feature.get("_type")
    if kind == "Value":
        return pa.type_for_alias(feature["dtype"])
    if kind == "Image":
        return pa.struct([(DATA, pa.binary()), (PLACE, pa.string())])
    if kind == "List":
        return pa.list_(_type(feature["feature"]))
    return pa.struct([(name, _type(one)) for name, one in feature.items()])


class ParquetWriter:
    """Writes one shard, a row group at a time; raises ValueError for what no column holds."""

    def __init__(self, path: Path, layout: Layout):
        from pyarrow import parquet

        self._path, self._layout, self._rows = path, layout, list[dict[str, Any]]()
        self._schema = schema(layout)
        plain = [name for name in _leaves(self._schema) if not name.endswith(f".{DATA}")]
        self._file = parquet.ParquetWriter(
            path,
            self._schema,
            compression=dict.fromkeys(plain, "zstd"),  # a PNG is compressed already
            use_dictionary=plain,
            write_statistics=plain,
            write_page_checksum=True,
        )

    def add(self, chunk: Sequence[Pictured], lines: Sequence[str]) -> None:
        for one in chunk:
            self._rows.append(self._layout.row(one) if one.row is None else one.row)
            if len(self._rows) == GROUP:
                self._flush()

    def _flush(self) -> None:
        columns = [self._column(field) for field in self._schema]
        batch = arrow().record_batch(columns, schema=self._schema)
        self._rows.clear()
        self._file.write_batch(batch, row_group_size=GROUP)

    def _column(self, field: Any) -> Any:
        values = [row[field.name] for row in self._rows]
        try:
            return arrow().array(values, field.type)
        except OverflowError:
            raise ValueError(
                f"the column {field.name} holds whole numbers of 64 bits, not "
                f"{max(values, key=abs)}: a folder or webdataset holds any"
            ) from None
        except arrow().ArrowException as error:
            said = " ".join(str(error).split())
            raise ValueError(f"the column {field.name} can't hold that: {said}") from None

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._file.close()

    def abandon(self) -> None:
        self._file.close()


def _leaves(schema: Any) -> list[str]:
    """Return the paths of the columns that hold values, as Parquet names them."""

    def walk(path: str, type: Any) -> Iterator[str]:
        if arrow().types.is_struct(type):
            for field in type:
                yield from walk(f"{path}.{field.name}", field.type)
        elif arrow().types.is_list(type):
            yield from walk(f"{path}.list.element", type.value_type)
        else:
            yield path

    return [leaf for field in schema for leaf in walk(field.name, field.type)]


class _Shard:
    """One file, open to be read."""

    def __init__(self, path: Path):
        from pyarrow import parquet

        with _told(path):
            self.file = parquet.ParquetFile(path, page_checksum_verification=True)
        self.path = path
        names = self.file.schema_arrow.names
        said = (self.file.schema_arrow.metadata or {}).get(_KEY)
        try:
            self.places = places(said, names)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise DatasetError(f"{path} says of its rows what can't be understood") from None
        wanted = [self.places.record.split(".")[0]] if self.places.record else NEEDED
        missing = [name for name in wanted if name not in names]
        if missing:
            raise DatasetError(
                f"{path} is no shard of puzzles: it has no column {' and none '.join(missing)}"
            )

    def rows(self, group: int, *, pictures: bool) -> list[dict[str, Any]]:
        """Return the rows of a row group, without the bytes of pictures unless asked for."""
        columns = None if pictures else self._without_pictures()
        with _told(self.path):
            return list(self.file.read_row_group(group, columns=columns).to_pylist())

    def _without_pictures(self) -> list[str]:
        if self.places.record:
            return [self.places.record]
        leaves = _leaves(self.file.schema_arrow)
        return [name for name in leaves if not name.endswith(f".{DATA}")]

    def walk(self, *, pictures: bool) -> Iterator[tuple[Line, dict[str, Any]]]:
        at = 0
        for group in range(self.file.num_row_groups):
            for row in self.rows(group, pictures=pictures):
                text = self.places.line(row)
                yield Line(at, f"{self.path} row {at + 1}", text), row
                at += 1


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in one sentence which file can't be read."""
    try:
        yield
    except FileNotFoundError:
        raise DatasetError(f"there is no file {path}") from None
    except (arrow().ArrowException, OSError, ValueError) as error:
        if isinstance(error, DatasetError):
            raise
        said = " ".join(str(error).split())
        raise DatasetError(f"{path} is damaged, or no Parquet file: {said}") from None


def lines(path: Path) -> Iterator[Line]:
    """Yield the records; ``at`` is the row, from 0. Raise DatasetError naming the file."""
    arrow()
    for line, _ in _Shard(path).walk(pictures=False):
        yield line


def line(path: Path, at: int) -> str:
    """Return the record of row ``at``."""
    changed = path.stat().st_mtime_ns
    starts = _starts(path, changed)
    group = bisect_right(starts, at) - 1
    return _group(path, changed, group)[at - starts[group]]


@lru_cache(maxsize=64)
def _starts(path: Path, changed: int) -> list[int]:
    """Return with which row each row group begins."""
    arrow()
    meta = _Shard(path).file.metadata
    sizes = [meta.row_group(group).num_rows for group in range(meta.num_row_groups)]
    return [0, *accumulate(sizes)]


@lru_cache(maxsize=16)
def _group(path: Path, changed: int, group: int) -> list[str]:
    """Return the records of a row group, kept since they are asked for one after another."""
    shard = _Shard(path)
    return [shard.places.line(row) for row in shard.rows(group, pictures=False)]


def pictures(path: Path) -> Iterator[tuple[Line, bytes | None, bytes | None]]:
    """Yield the records with their pictures."""
    arrow()
    shard = _Shard(path)
    for line, row in shard.walk(pictures=True):
        places = shard.places
        yield line, places.picture(row, places.image), places.picture(row, places.aid)
