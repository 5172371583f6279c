"""Boards of other people made into a dataset: each with its exact optimum, or why it has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from puzzles.engine import Engine, using
from puzzles.exchange import Source
from puzzles.exchange.formats import File, Reader, digest, known, recognise
from puzzles.exchange.listing import UnknownBoards, UnknownFormat
from puzzles.exchange.progress import ImportLog, Outcome, Told
from puzzles.exchange.settling import Drawn, How, Item, Metric, settle
from puzzles.family import Cell
from puzzles.folder import Folder
from puzzles.instance import Instance, identity
from puzzles.pictures import check_pixels
from puzzles.records import DatasetError
from puzzles.rooms import family as room_of
from puzzles.store import Storage
from puzzles.version import VERSION
from solvers import DEFAULT, Limit

_AHEAD, _TASK = 2048, 16
"""Boards read to see how many there are; boards that a worker solves at a time."""


@dataclass(frozen=True)
class Wanted:
    """What decides the content of an imported dataset; its fields are the options of `import`."""

    files: tuple[File, ...]
    format: str | None = None
    family: str | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    start: Cell | None = None
    goal: Cell | None = None
    metric: Metric = "cell"
    limit: Limit = DEFAULT
    cell: int | None = 64
    n: None = None

    def record(self) -> dict[str, Any]:
        """Return the content options as dataset.json holds them."""
        return {
            "files": [[file.name, file.digest] for file in self.files],
            "format": self.format,
            "family": self.family,
            "rules": dict(self.rules),
            "start": self.start and list(self.start),
            "goal": self.goal and list(self.goal),
            "metric": self.metric,
            "limit": self.limit._asdict(),
            "cell": self.cell,
            "engine_version": VERSION,
        }

    def check(self, instance: Instance, at: int, place: str) -> None:
        """Raise DatasetError unless ``instance`` is a line that this import may have written."""
        name = identity(
            *(instance.family, instance.difficulty, instance.board, instance.rules, self.metric)
        )
        source = instance.source or {}
        if instance.id != name or source.get("file") not in {file.name for file in self.files}:
            raise DatasetError(f"{place} is not what this run wrote")

    @property
    def options(self) -> dict[str, Any]:
        """What a reader is told besides the text."""
        told = {"family": self.family, "rules": self.rules, "start": self.start, "goal": self.goal}
        return {name: value for name, value in told.items() if value}


Progress = Callable[[int], None]


def import_boards(
    wanted: Wanted,
    path: Path,
    storage: Storage = Folder,
    *,
    workers: int | None = None,
    engine: Engine | None = None,
    resume: bool = False,
    force: bool = False,
    told: Told = lambda file, line, sentence: None,
    progress: Progress = lambda lines: None,
) -> Outcome:
    """Write a dataset of the boards in files, and a log of those left out; say what came of it.

    An interrupted run leaves a folder that ``resume`` completes to the same bytes. Where no board
    can be imported there is no folder. ``progress`` is called with the number of lines that are
    settled. Searches are tasks of ``engine``, or else of ``workers`` processes. Raises
    UnknownFormat where a file can't be read, DatasetError where the folder can't be used.
    """
    if resume and force:
        raise ValueError("--resume completes a dataset, --force replaces it: give one of them")
    _check_names(wanted.files)
    readers = [recognise(file, wanted.format, wanted.family) for file in wanted.files]
    wanted = _with_files_beside(wanted, readers)
    with storage(path, wanted) as store, using(engine, workers) as tasked:
        log = ImportLog(store, told)
        if _any_board(wanted, readers):  # else nothing is begun, and nothing replaced
            log.reopen(resume=resume, force=force)
        how = How(wanted.metric, wanted.limit, wanted.cell)
        items = _noted(_items(wanted, readers), log)
        before = _lines_before(wanted.files)
        for part in _settled(items, how, wanted, tasked):
            log.append(part)
            last = part[-1].settled
            progress(before[last.number] + last.line)
        if store.summary.count:
            store.complete(log.outcome.record())
        else:
            store.withdraw()
        return log.outcome


def _check_names(files: Sequence[File]) -> None:
    """Raise ValueError where two files have one name, by which their records could not be told."""
    names = Counter(file.name for file in files)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise ValueError(f"two files are called {twice[0]}; give each file once")


def _with_files_beside(wanted: Wanted, readers: Sequence[Reader]) -> Wanted:
    """Return ``wanted`` with digests that tell also what files beside the files hold."""
    files = []
    for file, reader in zip(wanted.files, readers, strict=True):
        beside = reader.beside(Source(file.path, file.text))
        files.append(replace(file, digest=digest(file.digest, beside)) if beside else file)
    return replace(wanted, files=tuple(files))


def _noted(items: Iterator[Item], log: ImportLog) -> Iterator[Item]:
    """Yield the items that are not settled; note what all are."""
    for item in items:
        log.outcome.note(item)
        if item.ordinal not in log.settled:
            yield item


def _lines_before(files: Sequence[File]) -> list[int]:
    counts = [0]
    for file in files:
        counts.append(counts[-1] + file.lines)
    return counts


def _any_board(wanted: Wanted, readers: Sequence[Reader]) -> bool:
    """Whether some record is a board; raise UnknownFormat for a file without any record."""
    for file, reader in zip(wanted.files, readers, strict=True):
        if next(_entries(wanted, file, reader), None) is None:
            raise UnknownFormat(f"{file.name} holds no board")
    return any(not item.problem for item in _items(wanted, readers))


def _entries(wanted: Wanted, file: File, reader: Reader) -> Iterator[tuple[str, Any]]:
    try:
        yield from reader.read(Source(file.path, file.text, wanted.options))
    except UnknownFormat as error:
        said = str(error)
        if isinstance(error, UnknownBoards) and reader.format == "notation":
            said = f"no known format ({', '.join(sorted(known()))}): {said}"
        raise UnknownFormat(f"{file.name}: {said}") from None


def _items(wanted: Wanted, readers: Sequence[Reader]) -> Iterator[Item]:
    """Yield all records in order; what can be said of one without a search is said here."""
    places = _Places(wanted.files)
    ordinal = 0
    for number, (file, reader) in enumerate(zip(wanted.files, readers, strict=True)):
        for family, entry in _entries(wanted, file, reader):
            item = Item(ordinal, number, file.name, file.encoding, reader.format, family, entry)
            yield _checked(wanted, item, places)
            ordinal += 1


class _Places:
    """Where each board stands first. Small, since files may hold millions of boards."""

    def __init__(self, files: Sequence[File]):
        self.files = files
        self._first: dict[int, int] = {}

    def same(self, item: Item, board: str, rules: Mapping[str, Any]) -> str:
        """Note the board of ``item``; return where it has stood before, or nothing."""
        key = int(identity(item.family, "", board, rules).rpartition("-")[2], 16)
        place = item.number << 64 | item.entry.line << 32 | item.ordinal
        first = self._first.setdefault(key, place)
        if first == place:
            return ""
        number, line = first >> 64, first >> 32 & 0xFFFFFFFF
        return f"line {line}" if number == item.number else f"{self.files[number].name}:{line}"


def _checked(wanted: Wanted, item: Item, places: _Places) -> Item:
    """Return ``item`` with the problem that can be seen without a search."""
    entry = item.entry
    if entry.problem or entry.state is None:
        return item._replace(problem=entry.problem or "the record holds no board")
    room, state = room_of(item.family), entry.state
    board, rules = room.format(state), room.rules_of(state)
    try:
        if wanted.rules:
            rules = {**rules, **wanted.rules}
            state = room.parse(board, rules)
            rules = room.rules_of(state)
        if wanted.cell is not None:
            rows = board.split("\n")
            check_pixels((len(rows), len(rows[0])), wanted.cell)
    except ValueError as error:
        return item._replace(problem=str(error))
    same = places.same(item, board, rules)
    problem = f"the same board as {same}" if same else ""
    if room.is_solved(state):
        problem = "the board is solved already"
    return item._replace(entry=entry._replace(state=state), problem=problem)


def _settled(
    items: Iterator[Item], how: How, wanted: Wanted, engine: Engine
) -> Iterator[list[Drawn]]:
    """Yield what becomes of ``items``, in order, a task at a time."""
    first = list(islice(items, _AHEAD))
    count = len(first)
    if count == _AHEAD:  # so many more as there are more lines
        lines = _lines_before(wanted.files)
        seen = lines[first[-1].number] + first[-1].entry.line
        count = max(count, count * lines[-1] // max(1, seen))
    tasks = ((how, part) for part in _parts(chain(first, items)))
    yield from engine.map(settle, tasks, -(-count // _TASK))


def _parts(items: Iterable[Item]) -> Iterator[list[Item]]:
    rest = iter(items)
    while part := list(islice(rest, _TASK)):
        yield part
