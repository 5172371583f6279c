"""Shards of mazes, in every format."""

from pathlib import Path

import pytest

from puzzles.content import Content
from puzzles.generate import Recipe

FORMATS = pytest.mark.parametrize("format", ["parquet", "webdataset"])
ENDS = {"parquet": "parquet", "webdataset": "tar"}


def content(n: int = 20, cell: int | None = None, **more) -> Content:
    return Content(Recipe("maze", **{"difficulty": "easy", **more}), n, cell)


def shards(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.startswith("data-"))
