"""The records of a dataset on disk, whatever its format, with the place of whatever is wrong."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from pydantic import ValidationError

from puzzles.instance import Instance
from puzzles.png import is_damaged

METADATA, HEADER = "metadata.jsonl", "dataset.json"
FORM = ("format", "layout", "shards", "shard_size")
"""What dataset.json says of the format; nothing for a plain folder."""
SHARD = re.compile(r"([\w-]+?)-([0-9]{5,})(?:-of-([0-9]{5,}))?\.(parquet|tar)")
"""The name of a shard: a name, its number, how many there are, its format."""
_READERS = {
    ".jsonl": "puzzles.jsonl",
    ".parquet": "puzzles.shards.parquet",
    ".tar": "puzzles.shards.webdataset",
}


class DatasetError(ValueError):
    """A dataset can't be read or written; the message names the file and the line."""


class Line(NamedTuple):
    """A record as it stands in a file.

    at
        Where it stands, as ``line`` wants it: bytes or rows from the beginning of the file.
    said
        The place in words.
    text
        The record as one line of JSON, the line break included.
    """

    at: int
    said: str
    text: str


class _Reader(Protocol):
    """What a module of ``_READERS`` can do with a file of its format; each names what is wrong."""

    def lines(self, path: Path) -> Iterator[Line]: ...
    def line(self, path: Path, at: int) -> str: ...
    def pictures(self, path: Path) -> Iterator[tuple[Line, bytes | None, bytes | None]]: ...


def _reader(path: Path) -> _Reader:
    """Return the module that reads ``path``; what is heavy is imported only where it is needed."""
    return cast(_Reader, import_module(_READERS[path.suffix]))


def datasets(folder: Path) -> list[Path]:
    """Return the datasets in ``folder`` and below it; raise DatasetError where there are none.

    A single shard, named as a file, is a dataset too.
    """
    if _is_shard(folder):
        return [folder]
    found = sorted(Path(path) for path, _, names in os.walk(folder) if _are_dataset(names))
    if not found:
        raise DatasetError(
            f"{folder} holds no dataset: there is no {METADATA} and no shard in it or below"
        )
    return found


def _is_shard(path: Path) -> bool:
    return path.suffix in (".parquet", ".tar") and path.is_file()


def holds_dataset(folder: Path) -> bool:
    """Whether ``folder`` itself, not one below it, is a dataset."""
    return folder.is_dir() and _are_dataset(os.listdir(folder))


def _are_dataset(names: Sequence[str]) -> bool:
    return METADATA in names or any(map(SHARD.fullmatch, names))


def files(folder: Path, *, partial: bool = False) -> list[Path]:
    """Return the files that hold the records of the dataset in ``folder``, in order.

    partial
        Shards may be missing at the end, as in a dataset that is being made.

    Raises DatasetError where there are none, or where a shard is missing.
    """
    if _is_shard(folder):
        return [folder]
    if (folder / METADATA).is_file():
        return [folder / METADATA]
    series: defaultdict[tuple[str, int, str], list[int]] = defaultdict(list)
    for name in os.listdir(folder) if folder.is_dir() else ():
        found = SHARD.fullmatch(name)
        if found:
            series[found[1], int(found[3] or 0), found[4]].append(int(found[2]))
    if not series:
        raise DatasetError(f"{folder} holds no dataset: there is no {METADATA} and no shard")
    partial = partial or header(folder).get("complete") is False
    return [path for one in sorted(series) for path in _whole(folder, one, series[one], partial)]


def _whole(
    folder: Path, series: tuple[str, int, str], numbers: list[int], partial: bool
) -> list[Path]:
    """Return the shards of a series in order; raise DatasetError where one is missing."""
    name, total, format = series
    count = max(numbers) + 1 if partial else max(total, max(numbers) + 1)
    paths = [folder / shard_name(name, number, total, format) for number in range(count)]
    for path in paths:
        if not path.exists():
            raise DatasetError(f"{path} is missing")
    return paths


def shard_name(name: str, number: int, total: int | None, format: str) -> str:
    """Return how a shard is called; ``total`` is 0 or None where it isn't known."""
    of = f"-of-{total:05}" if total else ""
    return f"{name}-{number:05}{of}.{format}"


def header(folder: Path) -> dict[str, Any]:
    """Return what the dataset.json in ``folder`` says; {} where there is none that can be read."""
    try:
        found = json.loads((folder / HEADER).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def lines(path: Path) -> Iterator[Line]:
    """Yield the records of one file of a dataset, not yet looked at."""
    return _reader(path).lines(path)


def line(path: Path, at: int) -> str:
    """Return the record that stands at a place that ``lines`` has told."""
    return _reader(path).line(path, at)


def pictures(path: Path) -> Iterator[tuple[Line, bytes | None, bytes | None]]:
    """Yield the records of one file with the PNG files of the board and the aid, as far as held.

    Raises DatasetError for a picture that is not whole: neither a tar nor a folder has a checksum
    of it, but every PNG file has.
    """
    for one, image, aid in _reader(path).pictures(path):
        for name, data in (("picture", image), ("aid", aid)):
            if data is not None and is_damaged(data):
                raise DatasetError(f"{one.said}: its {name} is damaged")
        yield one, image, aid


def read(folder: Path) -> Iterator[tuple[Instance, str]]:
    """Yield the instances of a dataset with their lines; raise DatasetError naming the place."""
    for path in files(folder):
        for one in lines(path):
            yield parse_line(one.text, one.said), one.text


def parse_line(line: str, place: str) -> Instance:
    """Return the instance that ``line`` holds; raise DatasetError naming ``place``."""
    if not line.endswith("\n"):
        raise DatasetError(
            f"{place} is cut off; `puzzles make --resume`, or import, completes the dataset"
        )
    try:
        return Instance.model_validate_json(line)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "the line"
        raise DatasetError(f"{place}: {where}: {problem['msg']}") from None
