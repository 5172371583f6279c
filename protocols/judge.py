"""Files of answers judged line by line: nothing is dropped, memory does not grow with the file."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from protocols.answer_line import Answer, named_by
from protocols.judging import Judged, Lines, Options, Record, Row, judged, unjudged
from protocols.library import Library
from protocols.measures.spread import Task, filled
from protocols.success import Asker, Report, asker
from protocols.verdicts import AnswersError, check_replaceable, replacing, resolved, verdicts_path
from puzzles.engine import Engine, WorkerLost, using
from puzzles.log import json_line
from puzzles.records import DatasetError

_TASK = 256
"""Lines that one task judges."""
_OFTEN = 256
"""Answers without pictures from one word on progress to the next."""


def judge_file(
    answers: Path,
    data: Iterable[Path],
    out: Path,
    options: Options,
    progress: Callable[[int, int], None] = lambda done, total: None,
    workers: int | None = None,
    engine: Engine | None = None,
) -> Report:
    """Judge every line of ``answers``, write ``out``, and return the report.

    data
        Folders to look for instances in, besides the folder of the answers.
    progress
        Is told how many answers are judged, and of how many; of 0 where the file is a pipe.
    workers, engine
        Processes that judge, and look at pictures, as many as there are cores unless given; or what
        else runs the tasks, see ``puzzles.engine``.

    Raises AnswersError where a file can't be used, DatasetError where a data folder is broken.
    """
    if not answers.exists() or answers.is_dir():
        raise AnswersError(f"there is no file {answers}")
    out = resolved(out)
    check_replaceable(answers, out)
    library = Library.beside(answers, data)
    report = Report(library)
    total = _count(answers) if answers.is_file() else 0
    with replacing(out) as file, using(engine, workers) as tasked:
        found = _judged(answers, library, options, total, tasked)
        rows = _rows(found, library, report, answers.parent)
        for done, row in enumerate(filled(rows, total, tasked), 1):
            report.saw(row["measured"])
            file.write(json_line(row))
            if done % _OFTEN == 0 or row["measured"] is not None:
                progress(done, total)
    progress(total, total)
    return report


def _count(answers: Path) -> int:
    with answers.open("rb") as file:
        return sum(not line.isspace() for line in file)


def _judged(
    answers: Path, library: Library, options: Options, total: int, engine: Engine
) -> Iterator[Judged]:
    """Yield what is said of each line by itself."""
    lines = _lines(answers)
    chunks = iter(lambda: list(islice(lines, _TASK)), [])
    tasks = (_task(chunk, library, options) for chunk in chunks)
    for part in engine.map(judged, tasks, -(-total // _TASK), _lost):
        yield from part


def _lines(answers: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers."""
    with answers.open("rb") as file:
        for number, line in enumerate(file, 1):
            line = line.removeprefix(BOM_UTF8) if number == 1 else line
            if line.strip():
                yield number, line


def _task(chunk: list[tuple[int, bytes]], library: Library, options: Options) -> Lines:
    records = {}
    for name in {named_by(line) for _, line in chunk}:
        record = _record(name, library)
        if record is not None:
            records[name] = record
    return Lines(chunk, records, bool(library.buckets), options)


def _record(name: str, library: Library) -> Record | None:
    try:
        found = library.record(name)
    except DatasetError as error:
        return Record("", "", str(error))
    return found and Record(*found)


def _lost(task: Lines) -> list[Judged]:
    first, last = task.lines[0][0], task.lines[-1][0]
    raise WorkerLost(
        f"the process that judged lines {first} to {last} was killed, again and again, perhaps for "
        "want of memory"
    )


def _rows(
    found: Iterable[Judged], library: Library, report: Report, folder: Path
) -> Iterator[tuple[Row, Task | None]]:
    """Yield the rows, counted, and the task to measure the pictures of those that have some."""
    seen = Seen()
    for one in found:
        row, pictured = one
        if one.is_answer:
            by = asker(row["protocol"], row["model"], row["run"])
            if not seen.add(library.ordinal(row["id"]), by):
                row = unjudged(row, "a second answer for the same id, protocol, model and run")
        if row["error"] is not None:
            report.error(row["line"], row["error"])
            yield row, None
        else:
            report.add(row)
            yield row, Task(*pictured, folder) if pictured else None


class Seen:
    """Which answers have been met: a bit for each, in pages that are there once they are needed."""

    _PAGE = 512

    def __init__(self) -> None:
        self._pages: dict[tuple[Asker, int], int] = {}

    def add(self, ordinal: int, by: Asker) -> bool:
        """Note an answer to the instance of that number; False where it had been met before."""
        page, at = divmod(ordinal, self._PAGE)
        bits = self._pages.get((by, page), 0)
        self._pages[by, page] = bits | 1 << at
        return not bits >> at & 1


__all__ = ["Answer", "AnswersError", "DatasetError", "Options", "judge_file", "verdicts_path"]
