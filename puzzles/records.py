"""The records of a dataset on disk: a line each, read with the place of whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from puzzles.instance import Instance

METADATA, HEADER = "metadata.jsonl", "dataset.json"


class DatasetError(ValueError):
    """A dataset can't be read or written; the message names the file and the line."""


def datasets(folder: Path) -> list[Path]:
    """Return the datasets in ``folder`` and below it; raise DatasetError where there are none."""
    found = sorted(path.parent for path in folder.rglob(METADATA))
    if not found:
        raise DatasetError(f"{folder} holds no dataset: there is no {METADATA} in it or below")
    return found


def read(folder: Path) -> Iterator[tuple[Instance, str]]:
    """Yield the instances of a dataset with their lines; raise DatasetError naming the line."""
    path = folder / METADATA
    try:
        file = path.open(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(f"{folder} holds no dataset: there is no {METADATA}") from None
    with file:
        try:
            for number, line in enumerate(file, 1):
                yield parse_line(line, f"{path} line {number}"), line
        except UnicodeDecodeError:
            raise DatasetError(f"{path} is not UTF-8 text") from None


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
