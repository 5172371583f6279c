"""Reading metadata.jsonl: a record a line, its pictures in files beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from puzzles.records import DatasetError, Line, parse_line


def lines(path: Path) -> Iterator[Line]:
    """Yield the lines; ``at`` is the number of bytes before one. Raise DatasetError."""
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(f"there is no file {path}") from None
    at = 0
    with file:
        for number, data in enumerate(file, 1):
            yield Line(at, f"{path} line {number}", _text(data, path))
            at += len(data)


def line(path: Path, at: int) -> str:
    """Return the line that begins at byte ``at``."""
    with path.open("rb") as file:
        file.seek(at)
        return _text(file.readline(), path)


def _text(data: bytes, path: Path) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DatasetError(f"{path} is not UTF-8 text") from None
    return text[:-2] + "\n" if text.endswith("\r\n") else text


def pictures(path: Path) -> Iterator[tuple[Line, bytes | None, bytes | None]]:
    """Yield the lines with the files of the two pictures; raise DatasetError where one is gone."""
    for one in lines(path):
        instance = parse_line(one.text, one.said)
        yield one, _file(path, instance.file_name), _file(path, instance.aid_file_name)


def _file(path: Path, name: str | None) -> bytes | None:
    if name is None:
        return None
    if Path(name).is_absolute() or ".." in Path(name).parts:  # it may be by anyone
        raise DatasetError(f"{path}: the picture {name!r} lies outside of the folder")
    try:
        return (path.parent / name).read_bytes()
    except (OSError, ValueError) as error:  # a name may hold what no name of a file can
        said = error.strerror if isinstance(error, OSError) else error
        raise DatasetError(f"{path.parent / name}: {said}") from None
