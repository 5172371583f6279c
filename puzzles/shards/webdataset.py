"""WebDataset shards: tar files with ID.png, ID.aid.png and ID.json for every instance."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from puzzles.instance import ID
from puzzles.pictures import Pictured
from puzzles.records import DatasetError, Line

_BLOCK = tarfile.BLOCKSIZE


class TarWriter:
    """Writes one shard; nothing in it depends on when and by whom it is written."""

    def __init__(self, path: Path):
        self._file = tarfile.TarFile(path, "w", format=tarfile.USTAR_FORMAT)
        self._count, self._last = 0, ""

    def add(self, chunk: Sequence[Pictured], lines: Sequence[str]) -> None:
        for one, line in zip(chunk, lines, strict=True):
            name = one.instance.id
            # A key holds no dot, and what follows under the same key is read as one sample.
            own = ID.fullmatch(name) and name != self._last
            self._last = key = name if own else f"{self._count:08}"
            self._put(f"{key}.png", one.image)
            self._put(f"{key}.aid.png", one.aid)
            self._put(f"{key}.json", line.encode("utf-8", "backslashreplace"))
            self._count += 1

    def _put(self, name: str, data: bytes | None) -> None:
        if data is None:
            return
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode, entry.mtime = len(data), 0o644, 0
        self._file.addfile(entry, BytesIO(data))
        # Else it keeps all of them; typeshed doesn't know the list.
        self._file.members = []  # type: ignore[attr-defined]

    def close(self) -> None:
        self._file.close()

    def abandon(self) -> None:
        self._file.close()


def lines(path: Path) -> Iterator[Line]:
    """Yield the records; ``at`` is the byte where a member begins. Raise DatasetError."""
    for one, _ in _samples(path, ("json",)):
        yield one


def line(path: Path, at: int) -> str:
    """Return the record whose member begins at byte ``at``."""
    with path.open("rb") as file:
        file.seek(at)
        try:
            entry = tarfile.TarInfo.frombuf(file.read(_BLOCK), "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise DatasetError(f"{path} byte {at}: {error}") from None
        return _text(file.read(entry.size), f"{path} byte {at}")


def pictures(path: Path) -> Iterator[tuple[Line, bytes | None, bytes | None]]:
    """Yield the records with their pictures."""
    for one, held in _samples(path, ("json", "png", "aid.png")):
        yield one, held.get("png"), held.get("aid.png")


def _samples(path: Path, wanted: Sequence[str]) -> Iterator[tuple[Line, dict[str, bytes]]]:
    """Yield the record of each sample, and those of its members that are wanted."""
    members = ((*_split(entry.name), entry, data) for entry, data in _members(path, wanted))
    for number, (key, group) in enumerate(groupby(members, key=itemgetter(0)), 1):
        held, at = {}, 0
        for _, end, entry, data in group:
            held[end] = data
            if end == "json":
                at = entry.offset_data - _BLOCK
        said = f"{path} sample {number}"
        if "json" not in held:
            raise DatasetError(f"{said} is no instance of puzzles: there is no {key}.json")
        yield Line(at, said, _text(held["json"], said)), held


def _split(name: str) -> tuple[str, str]:
    """Return the key of a sample and what kind of member of it ``name`` is."""
    folder, _, base = name.rpartition("/")
    key, _, end = base.partition(".")
    return f"{folder}/{key}" if folder else key, end


def _members(path: Path, wanted: Sequence[str]) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    """Yield the members in order, empty where they are not wanted; raise DatasetError."""
    end = 0
    try:
        with tarfile.open(path, "r:") as file:
            while (entry := file.next()) is not None:
                file.members = []  # type: ignore[attr-defined]  # as in ``_put``
                end = file.offset
                if not entry.isfile():
                    continue
                read = file.extractfile(entry) if _split(entry.name)[1] in wanted else None
                yield entry, read.read() if read else b""
        with path.open("rb") as rest:
            rest.seek(end)
            closing = rest.read()
        if len(closing) < 2 * _BLOCK or closing.strip(b"\0"):
            raise tarfile.ReadError(f"what ends a tar file is not there at byte {end}")
    except FileNotFoundError:
        raise DatasetError(f"there is no file {path}") from None
    except tarfile.TarError as error:
        raise DatasetError(f"{path} is cut off or damaged, or no tar file: {error}") from None


def _text(data: bytes, said: str) -> str:
    try:
        return data.decode("utf-8-sig").rstrip("\r\n") + "\n"
    except UnicodeDecodeError:
        raise DatasetError(f"{said} is not UTF-8 text") from None
