"""Instances written in the formats of others; imported ones give back their own records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from puzzles.exchange import NotWritable
from puzzles.exchange.formats import writer
from puzzles.exchange.plain import Plain
from puzzles.instance import Instance
from puzzles.records import datasets, read

_BOM = b"\xef\xbb\xbf"


@dataclass
class Exported:
    """How many instances an export has written, and how many it could not write."""

    written: int = 0
    left_out: int = 0


def export(
    folders: Iterable[Path],
    format: str,
    *,
    array: bool = False,
    exported: Exported,
    told: Callable[[str, str], None] = lambda name, sentence: None,
) -> Iterator[bytes]:
    """Yield the text of all instances in and below ``folders``, in order, as bytes.

    array
        One JSON array instead of JSON lines.
    exported, told
        Counts what is written; is told the id of what can't be, and why not.

    Raises UnknownFormat, and DatasetError where a folder holds no dataset. Nothing is read
    before both are known.
    """
    writers = _writer(format)
    found = [dataset for folder in folders for dataset in datasets(folder)]
    return _texts(found, format, writers, _Array() if array else None, exported, told)


def _writer(format: str) -> tuple[Callable[[Instance], str], Callable[[Instance], str]]:
    one = writer(format)
    if isinstance(one, Plain):
        return one.write, one.head

    def write(instance: Instance) -> str:
        room_format = one.get(instance.family)
        if room_format is None:
            raise NotWritable(f"{format} is a format for {' and '.join(one)}")
        if room_format.write is None:
            raise NotWritable(f"{format} is only read, not written")
        return room_format.write(instance)

    return write, lambda instance: ""


class _Array:
    """The brackets and commas of a JSON array around records that are JSON lines."""

    def __init__(self) -> None:
        self.count = 0

    def put(self, record: str) -> str:
        if not record.lstrip().startswith("{"):
            raise NotWritable("the record is not JSON; give a file that is not named *.json")
        self.count += 1
        return ("[\n" if self.count == 1 else ",\n") + record.strip()

    def end(self) -> str:
        return "\n]\n" if self.count else "[]\n"


def _texts(
    folders: Iterable[Path],
    format: str,
    writers: tuple[Callable[[Instance], str], Callable[[Instance], str]],
    array: _Array | None,
    exported: Exported,
    told: Callable[[str, str], None],
) -> Iterator[bytes]:
    write, head = writers
    above: str | None = None
    last, end = ("", 0), ""
    for folder in folders:
        for instance, _ in read(folder):
            try:
                known = _with_record(instance, format)
                text, own = write(known), head(known)
                if above not in (None, own):
                    raise NotWritable("its table has other columns than the first one")
                text = array.put(text) if array else text
            except NotWritable as error:
                exported.left_out += 1
                told(instance.id or folder.name, str(error))
                continue
            place = _place(folder, instance)
            goes_on = place[0] == last[0] and place[1] >= last[1]
            gap = "" if array or goes_on or not end else _gap(end, text, bool(own))
            yield _encoded(gap + (text if end else own + text), instance, first=not end)
            above, last, end = own, place, text[-4:]
            exported.written += 1
    if array:
        yield array.end().encode()


def _place(folder: Path, instance: Instance) -> tuple[str, int]:
    """Return the file and the line that the instance came from; none for one made here."""
    source = instance.source
    return (f"{folder}/{source.get('file')}", source.get("line", 0)) if source else ("", 0)


def _gap(end: str, text: str, table: bool) -> str:
    """Return what must stand between the end of one file and the text of another.

    Two boards must not run into one; lines of JSON and of tables need no blank line.
    """
    line = "" if end.endswith("\n") else "\n"
    blank = end.replace("\r", "").endswith("\n\n")
    return line if table or text.startswith("{") or blank else line + "\n"


def _with_record(instance: Instance, format: str) -> Instance:
    """Return ``instance`` with its record as the format knows it: an object where it is JSON."""
    source = instance.source or {}
    if not source.get("json") or source.get("format") != format:
        return instance
    record = json.loads(source["record"])
    return instance.model_copy(update={"source": {**source, "record": record}})


def _encoded(text: str, instance: Instance, *, first: bool) -> bytes:
    """Return ``text`` in the encoding of the file that the instance came from."""
    encoding = (instance.source or {}).get("encoding", "utf-8")
    if encoding == "latin-1":
        return text.encode("latin-1", "backslashreplace")
    mark = _BOM if encoding == "utf-8-sig" and first else b""
    return mark + text.encode("utf-8", "backslashreplace")
