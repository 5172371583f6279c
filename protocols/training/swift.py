"""Rows for ms-swift: JSON lines beside the pictures that they name, in a dataset's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from puzzles.content import Contents, has_own_ids
from puzzles.folder import Folder
from puzzles.instance import ID
from puzzles.log import Log, json_line, naming
from puzzles.pictures import Pictured, Row
from puzzles.records import DatasetError
from puzzles.shards.layouts import DATA, Layout
from puzzles.store import ROWS


class SwiftFolder(Folder):
    """A plain folder with data.jsonl in it: messages, pictures by name, and the record.

    Pictures that are neither the board nor its aid are images/ID-1.png, ID-2.png, ..., with the
    number of the row in place of an id by other hands, which may be anything. Names are relative,
    so that the folder may be moved: ms-swift looks for them in ROOT_IMAGE_DIR.
    """

    def __init__(self, path: Path, content: Contents, layout: Layout):
        super().__init__(path, content)
        self._layout, self._named = layout, has_own_ids(content)
        self._rows = Log(path / ROWS)

    def form(self) -> dict[str, Any]:
        return {"format": "folder", "layout": self._layout.name}

    @property
    def row(self) -> Row:
        return self._layout.row

    def begin(self) -> None:
        """Make ready to append; rows whose record was not written any more are left out."""
        super().begin()
        self._rows.open()
        kept = sum(1 for _ in self.rows())
        there = self._count = self._rows.keep(kept)
        if there < kept:
            raise DatasetError(
                f"{self._rows.path} has {there} rows, not {kept}; --force makes the folder anew"
            )

    def put(self, chunk: Sequence[Pictured], lines: Sequence[str]) -> None:
        self._rows.append([json_line(self._row(one)) for one in chunk])
        super().put(chunk, lines)

    def _row(self, pictured: Pictured) -> dict[str, Any]:
        """Return a row with names for its pictures, after writing those that only it shows."""
        row = pictured.row or self.row(pictured)
        own = self._named and ID.fullmatch(pictured.instance.id)
        stem = pictured.instance.id if own else f"{self._count:08}"
        self._count += 1
        names = [
            self._name(pictured, image[DATA], f"images/{stem}-{number}.png")
            for number, image in enumerate(row["images"])
        ]
        return {**row, "images": names}

    def _name(self, pictured: Pictured, data: bytes, name: str) -> str:
        instance = pictured.instance
        if data == pictured.image and instance.file_name:
            return instance.file_name
        if data == pictured.aid and instance.aid_file_name:
            return instance.aid_file_name
        with naming(self.path / name):
            (self.path / name).write_bytes(data)
        return name

    def close(self) -> None:
        super().close()
        self._rows.close()
