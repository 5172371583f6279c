"""Instances written in the formats of others; imported ones give back their own records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from puzzles.exchange import NotWritable, kept_record, lines_of
from puzzles.exchange.formats import writer
from puzzles.exchange.plain import Plain
from puzzles.instance import Instance
from puzzles.records import datasets, read

_ENDS = ("\n", "\r")


@dataclass
class Exported:
    """How many instances an export has written, and how many it could not write."""

    written: int = 0
    left_out: int = 0
    foreign: Counter[str] = field(default_factory=Counter)
    """Those of them that are of a family without the format, by family."""


class _Writer(NamedTuple):
    """How instances are written in a format; ``families`` are those that it is for, if not all."""

    format: str
    write: Callable[[Instance], str]
    head: Callable[[Instance], str]
    families: list[str] | None


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

    Raises UnknownFormat, NotWritable where the format is only read, and DatasetError where a folder
    holds no dataset. Nothing is written before these are known.
    """
    one = _writer(format)
    found = [dataset for folder in folders for dataset in datasets(folder)]
    return _texts(found, one, _Array() if array else _Lines(), exported, told)


def _writer(format: str) -> _Writer:
    one = writer(format)
    if isinstance(one, Plain):
        return _Writer(format, one.write, one.head, None)
    writers = {family: form.write for family, form in one.items() if form.write is not None}
    if not writers:
        raise NotWritable(f"{format} is only read, not written")
    return _Writer(
        *(format, lambda instance: writers[instance.family](instance)),
        *(lambda instance: "", list(writers)),
    )


class _Lines:
    """Records one after another as they are; elements of a JSON array become lines."""

    def put(self, record: str) -> str:
        before, value, after = _parts(record)
        if not value or not (before + after).strip():
            return record
        if len(lines_of(value)) > 1:
            value = json.dumps(json.loads(value), ensure_ascii=False)
        return value + "\n"

    def end(self) -> str:
        return ""


class _Array:
    """One JSON array; where its elements stood in one, all between them stays as it was."""

    def __init__(self) -> None:
        self.count = 0
        self.after = ""

    def put(self, record: str) -> str:
        before, value, after = _parts(record)
        if not value:
            raise NotWritable("the record is not JSON; give a file that is not named *.json")
        gap = self.after + before
        if gap.strip() != ("," if self.count else "["):
            gap = ",\n" if self.count else "[\n"
        self.count, self.after = self.count + 1, after
        return gap + value

    def end(self) -> str:
        if not self.count:
            return "[]\n"
        return self.after if self.after.strip() == "]" else "\n]\n"


def _parts(record: str) -> tuple[str, str, str]:
    """Return what stands before a JSON object, the object, and what stands after it.

    All is before where the record is no object, perhaps with marks of an array about it.
    """
    start, end = record.find("{"), record.rfind("}") + 1
    before, after = record[:start], record[end:]
    if 0 <= start < end and before.strip() in ("", "[", ",") and after.strip() in ("", ",", "]"):
        return before, record[start:end], after
    return record, "", ""


def _texts(
    folders: list[Path],
    one: _Writer,
    form: _Array | _Lines,
    exported: Exported,
    told: Callable[[str, str], None],
) -> Iterator[bytes]:
    encoding = _encoding(folders, one.format)
    above: str | None = None
    last, end = ("", 0), ""
    for folder in folders:
        for instance, _ in read(folder):
            if one.families is not None and instance.family not in one.families:
                exported.left_out += 1
                exported.foreign[instance.family] += 1
                continue
            try:
                text, own = one.write(instance), one.head(instance)
                if above not in (None, own):
                    raise NotWritable("its table has other columns than the first one")
                text = form.put(text)
            except ValueError as error:  # NotWritable, and whatever is wrong with a board
                exported.left_out += 1
                told(instance.id or folder.name, str(error))
                continue
            place = _place(folder, instance)
            if isinstance(form, _Lines) and end and not _goes_on(last, place, end):
                text = _gap(end, text, bool(own)) + text
            yield (text if end else own + text).encode(encoding, "backslashreplace")
            above, last, end = own, place, text[-4:]
            if encoding == "utf-8-sig":
                encoding = "utf-8"
            exported.written += 1
    if form.end():
        yield form.end().encode()
    for family, count in exported.foreign.items():
        name = f"{count:,} instance{'' if count == 1 else 's'} of {family}"
        told(name, f"{one.format} is a format for {' and '.join(one.families or [])}")


def _place(folder: Path, instance: Instance) -> tuple[str, int]:
    """Return the file and the line that the instance came from; none for one made here."""
    source = instance.source or {}
    line = source.get("line")
    return (f"{folder}/{source.get('file')}", line) if isinstance(line, int) else ("", 0)


def _goes_on(last: tuple[str, int], place: tuple[str, int], end: str) -> bool:
    """Whether a record follows the one before in the same file, so that nothing is between."""
    follows = place[1] > last[1] and end.endswith(_ENDS)
    return place[0] == last[0] and (follows or place[1] == last[1])


def _gap(end: str, text: str, table: bool) -> str:
    """Return what must stand between the end of one file and the text of another.

    Two boards must not run into one; lines of JSON and of tables need no blank line.
    """
    line = "" if end.endswith(_ENDS) else "\n"
    blank = end.replace("\r\n", "\n").replace("\r", "\n").endswith("\n\n")
    return line if table or text.startswith("{") or blank else line + "\n"


def _encoding(folders: list[Path], format: str) -> str:
    """Return the encoding of the files that all instances came from, or UTF-8 where they differ."""
    found: set[str] = set()
    for folder in folders:
        for instance, _ in read(folder):
            source = instance.source or {}
            kept = kept_record(instance, format) is not None
            found.add(str(source.get("encoding", "utf-8")) if kept else "utf-8")
            if len(found) > 1 or found == {"utf-8"}:
                return "utf-8"
    encoding = found.pop() if found else ""
    return encoding if encoding in ("latin-1", "utf-8-sig") else "utf-8"
