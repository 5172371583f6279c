"""The files that boards come in: their text, and which format of which family it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from puzzles.exchange import Entry, Format, Source, json_records, lines_of
from puzzles.exchange.listing import UnknownFormat
from puzzles.exchange.plain import PLAIN, Plain, columns
from puzzles.rooms import NAMES
from puzzles.rooms import family as room_of

_BOM = b"\xef\xbb\xbf"
_LONGEST_NAME = 30
"""Characters of the name of a column; a board is longer."""


@dataclass(frozen=True)
class File:
    """A file to import: what it is called in messages and records, and its text.

    ``encoding`` is utf-8, utf-8-sig or latin-1; ``digest`` is a hash of the bytes.
    """

    path: Path
    name: str
    text: str = field(repr=False)
    encoding: str
    digest: str

    @property
    def lines(self) -> int:
        return len(lines_of(self.text))


def file_of(data: bytes, path: Path, name: str) -> File:
    """Return the file that holds ``data``; raise UnknownFormat where that is no text.

    XSB files in the wild are often not UTF-8; every byte is a character of Latin-1.
    """
    name = name.encode("utf-8", "backslashreplace").decode()  # a name need not be text
    if b"\0" in data:
        raise UnknownFormat(f"{name} is no text: it holds a zero byte")
    try:
        encoding = "utf-8-sig" if data.startswith(_BOM) else "utf-8"
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding = "latin-1"
        text = data.decode(encoding)
    if not text.strip():
        raise UnknownFormat(f"{name} is empty")
    return File(path, name, text, encoding, blake2b(data, digest_size=16).hexdigest())


def digest(own: str, beside: list[Path]) -> str:
    """Return a hash of a file, known by its ``own`` hash, and of those beside it."""
    whole = blake2b(own.encode(), digest_size=16)
    for path in beside:
        try:
            data = path.read_bytes()
        except (OSError, ValueError):  # not there: it may be, another time
            data = b""
        whole.update(blake2b(data).digest())
    return whole.hexdigest()


class Reader(NamedTuple):
    """How the boards of a file are read, each with the name of its family.

    ``beside`` are the files that this takes besides.
    """

    format: str
    read: Callable[[Source], Iterator[tuple[str, Entry]]]
    beside: Callable[[Source], list[Path]] = lambda source: []


def known() -> dict[str, list[str]]:
    """Return the names of all formats, with the families that each is for; none for our own."""
    names: dict[str, list[str]] = {name: [] for name in PLAIN}
    for family in NAMES:
        for name in room_of(family).formats:
            names.setdefault(name, []).append(family)
    return names


def recognise(file: File, format: str | None, family: str | None) -> Reader:
    """Return how ``file`` is to be read, as ``format`` and as of ``family`` where they are given.

    A table or an object with a board is that and nothing else, whatever the board looks like.
    Raises UnknownFormat where no format, or more than one, can be meant.
    """
    candidates = _candidates(format, family)
    if len(candidates) == 1:
        return candidates[0][0]
    claimed = [(reader, label) for reader, label, claims in candidates if claims(file.text)]
    claimed = [one for one in claimed if one[0].format in PLAIN] or claimed
    names = columns(file.text)
    if format is None and "board" not in names and _is_table(file, names):
        raise UnknownFormat(
            f"{file.name} is a table without a column board (columns: {', '.join(names)})"
        )
    if len(claimed) == 1:
        return claimed[0][0]
    if claimed:
        labels = " and as ".join(label for _, label in claimed)
        raise UnknownFormat(f"{file.name} can be read as {labels}; say which: {_flags(format)}")
    if format is not None:
        raise UnknownFormat(
            f"{file.name} is not in the format {format} of any family, at first sight; "
            "with --family it is read all the same"
        )
    if file.text.lstrip()[:1] in "[{":
        first = next(json_records(file.text), None)
        if first and isinstance(first.value, ValueError):
            raise UnknownFormat(f"{file.name}:{first.line}: {first.value}")
        owner = f"format of {family}" if family else "known format"
        raise UnknownFormat(f"{file.name} is JSON of no {owner} ({_known(candidates)})")
    return _plain("notation")


def _is_table(file: File, names: list[str]) -> bool:
    """Whether the file is called a table, and its first line names columns and holds no data."""
    words = all(name and len(name) < _LONGEST_NAME and name[0].isalpha() for name in names)
    return file.path.suffix.lower() in (".csv", ".tsv") and bool(names) and words


def _flags(format: str | None) -> str:
    return "--family" if format else "--format or --family"


def _known(candidates: list[_Candidate]) -> str:
    return "known: " + ", ".join(sorted({reader.format for reader, _, _ in candidates}))


_Candidate = tuple[Reader, str, Callable[[str], bool]]


def _candidates(format: str | None, family: str | None) -> list[_Candidate]:
    """Return the readers that may be meant, how to call them, and what they claim."""
    names = known()
    if format is not None and format not in names:
        raise UnknownFormat(f"unknown format {format!r} (known: {', '.join(sorted(names))})")
    found: list[_Candidate] = []
    for name, families in names.items():
        if format not in (None, name):
            continue
        if name in PLAIN:
            found.append((_plain(name), name, PLAIN[name].claims))
        for owner in families:
            if family in (None, owner):
                one = room_of(owner).formats[name]
                found.append((_of_room(owner, name, one), f"{name} ({owner})", one.claims))
    if not found:
        own = ", ".join(sorted((*PLAIN, *room_of(family or "").formats)))
        raise UnknownFormat(f"{family}: there is no format {format} (known: {own})")
    return found


def _plain(name: str) -> Reader:
    return Reader(name, PLAIN[name].read)


def _of_room(family: str, name: str, one: Format) -> Reader:
    return Reader(name, lambda source: ((family, entry) for entry in one.read(source)), one.beside)


def writer(format: str) -> Mapping[str, Format] | Plain:
    """Return what writes ``format``: one for all families, or one a family that has it."""
    names = known()
    if format not in names:
        raise UnknownFormat(f"unknown format {format!r} (known: {', '.join(sorted(names))})")
    if format in PLAIN:
        return PLAIN[format]
    return {family: room_of(family).formats[format] for family in names[format]}
