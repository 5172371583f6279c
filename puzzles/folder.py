"""A dataset as a folder of pictures and a log of records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from puzzles.content import Contents
from puzzles.instance import Instance
from puzzles.log import Log, naming
from puzzles.pictures import FOLDERS, Pictured
from puzzles.records import METADATA, DatasetError, lines
from puzzles.store import Store

_NAME = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w-]+\.png")


class Folder(Store):
    """metadata.jsonl, images/ID.png and aids/ID.png: first the pictures, then their lines."""

    def __init__(self, path: Path, content: Contents):
        super().__init__(path, content)
        self._log = Log(path / METADATA)

    def form(self) -> dict[str, Any]:
        return {}

    def begin(self) -> None:
        for name in FOLDERS if self.content.cell else ():
            (self.path / name).mkdir(exist_ok=True)
        self._log.open()

    def rows(self) -> Iterator[tuple[str, str]]:
        for line in lines(self._log.path):
            yield line.said, line.text

    def put(self, chunk: Sequence[Pictured], lines: Sequence[str]) -> None:
        for one in chunk:
            self.restore(one)
        self._log.append(lines)

    def placed(self, pictured: Pictured, number: int) -> Pictured:
        """Return the same with places in the folder for pictures that others have given none."""
        instance, image, aid, _ = pictured
        held = {"file_name": image, "aid_file_name": aid}
        places = {
            field: f"{folder}/{number:08}.png"
            for folder, (field, data) in zip(FOLDERS, held.items(), strict=True)
            if data is not None and "/" not in (getattr(instance, field) or "")
        }
        return pictured._replace(instance=instance.model_copy(update=places))

    def lacks(self, instance: Instance) -> bool:
        """Whether a picture is missing or empty, as a kill or a full disk may leave it."""
        return self.content.cell is not None and not all(
            place.exists() and place.stat().st_size
            for place in (self.path / name / f"{instance.id}.png" for name in FOLDERS)
        )

    def restore(self, pictured: Pictured) -> None:
        instance = pictured.instance
        for name, data in (
            (instance.file_name, pictured.image),
            (instance.aid_file_name, pictured.aid),
        ):
            if name is not None and data is not None:
                if not _NAME.fullmatch(name):
                    raise DatasetError(f"a folder holds no picture called {name!r}")
                with naming(self.path / name):
                    (self.path / name).write_bytes(data)

    def end(self) -> None:
        """There is nothing left to write."""

    def close(self) -> None:
        self._log.close()
