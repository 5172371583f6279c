"""Files of answers judged line by line: nothing is dropped, memory does not grow with the file."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from protocols.answer_line import Answer, Unjudged, is_unicode, parsed
from protocols.library import Library
from protocols.measures import has_pictures
from protocols.measures.spread import Task, filled
from protocols.outcome import outcome
from protocols.stepwise import MalformedSteps, NoDistance, rejudged
from protocols.success import Asker, Report, asker
from protocols.verdicts import (
    FIELDS,
    VERDICT_FIELDS,
    AnswersError,
    check_replaceable,
    replacing,
    resolved,
    verdicts_path,
)
from puzzles.instance import ID, Instance, identity
from puzzles.log import json_line
from puzzles.records import DatasetError
from puzzles.replay import WrongInstance
from puzzles.rooms import NAMES, family
from puzzles.verdict import Verdict


@dataclass(frozen=True)
class Options:
    """How answers are judged.

    strict, distance
        See ``puzzles.replay.verify``.
    vgau_rules
        Rounds are judged by the rules of the published suite, whatever their protocol says.
    vgau_reader
        Responses are read as the published suite reads them.
    images
        Pictures that answers name are measured.
    """

    strict: bool = False
    distance: bool = False
    vgau_rules: bool = False
    vgau_reader: bool = False
    images: bool = True


def judge_file(
    answers: Path,
    data: Iterable[Path],
    out: Path,
    options: Options,
    progress: Callable[[int], None] = lambda read: None,
    workers: int | None = None,
) -> Report:
    """Judge every line of ``answers``, write ``out``, and return the report.

    data
        Folders to look for instances in, besides the folder of the answers.
    progress
        Is told the number of bytes read.
    workers
        Processes that look at pictures; as many as there are cores unless given.

    Raises AnswersError where a file can't be used, DatasetError where a data folder is broken.
    """
    if not answers.exists() or answers.is_dir():
        raise AnswersError(f"there is no file {answers}")
    out = resolved(out)
    check_replaceable(answers, out)
    library = Library.beside(answers, data)
    report = Report(library)
    size = answers.stat().st_size
    with replacing(out) as file:
        rows = _rows(answers, library, report, options, progress)
        for row in filled(rows, lambda first: size // first.read + 1, workers, progress):
            report.saw(row["measured"])
            file.write(json_line(row))
    return report


def _rows(
    answers: Path,
    library: Library,
    report: Report,
    options: Options,
    progress: Callable[[int], None],
) -> Iterator[tuple[dict[str, Any], Task | None]]:
    """Yield what is said of each line, and the task to measure its pictures where it has some."""
    seen = Seen()
    for number, read, line in _lines(answers, progress):
        row: dict[str, Any] = dict.fromkeys(FIELDS)
        row["line"] = number
        task = None
        try:
            answer = parsed(line, row)
            instance = _instance(answer, library)
            row |= {"id": instance.id, "protocol": answer.label, "model": answer.model}
            row |= {"run": answer.run, "family": instance.family}
            row |= {"difficulty": instance.difficulty, "drawn": answer.drawn}
            by = asker(answer.label, answer.model, answer.run)
            if not seen.add(library.ordinal(instance), by):
                raise Unjudged("a second answer for the same id, protocol, model and run")
            verdict = _verdict(instance, answer, options)
            if verdict is not None:
                row |= {name: getattr(verdict, name) for name in VERDICT_FIELDS}
            report.add(instance, by, verdict)
            if options.images and has_pictures(answer):
                task = Task(instance, answer, answers.parent, read)
        except Unjudged as error:
            row |= {"drawn": None, "scores": None, "error": str(error)}
            report.error(number, str(error))
        yield row, task


def _lines(answers: Path, progress: Callable[[int], None]) -> Iterator[tuple[int, int, bytes]]:
    """Yield the lines that are not blank, with their numbers and where they end."""
    read = 0
    with answers.open("rb") as file:
        for number, line in enumerate(file, 1):
            read += len(line)
            line = line.removeprefix(BOM_UTF8) if number == 1 else line
            if line.strip():
                yield number, read, line
            if number % 256 == 0:
                progress(read)
    progress(read)


def _instance(answer: Answer, library: Library) -> Instance:
    """Return what the answer is an answer to: the dataset's word goes before an inline one."""
    inline = answer.instance
    if inline is not None:
        _check_text(inline)
    name = answer.id or (inline.id if inline else "")
    try:
        known = library.get(name) if name else None
    except DatasetError as error:
        raise Unjudged(str(error)) from None
    if known is not None:
        if inline is not None and inline.essence != known.essence:
            raise Unjudged(f"the inline instance is not the one that the data holds as {name}")
        return known
    if inline is None:
        if not name:
            raise Unjudged("the line has neither an id nor an instance")
        hint = "" if library.buckets else " (no dataset here; name one with --data)"
        shown = name if len(name) <= 80 else f"{name[:77]}..."
        raise Unjudged(f"unknown id {shown}{hint}")
    difficulty = _difficulty(inline)
    own = identity(inline.family, difficulty, inline.board, inline.rules, inline.metric)
    if ID.fullmatch(name) and _board_of(name) != _board_of(own):
        raise Unjudged(f"the inline instance is not the one that the id {name} stands for")
    return inline.model_copy(update={"id": name or own, "difficulty": difficulty})


def _check_text(inline: Instance) -> None:
    """Raise Unjudged where an inline instance holds what is no text, or no name."""
    for name in ("id", "family", "difficulty", "board"):
        if not is_unicode(getattr(inline, name)):
            raise Unjudged(
                f"the {name} of the instance holds half a surrogate pair, which is no text"
            )
    if not re.fullmatch("[a-z]+", inline.difficulty):
        raise Unjudged("the difficulty of the instance is not a word of letters from a to z")


def _difficulty(inline: Instance) -> str:
    """Return the difficulty that follows from the length; what an inline instance says is not."""
    if inline.metric != "cell" or inline.family not in NAMES:
        return "custom"
    return family(inline.family).difficulty(inline.optimal_length)


def _board_of(name: str) -> tuple[str, str]:
    """Return what an id of ours says of the board: the family, and the hash of the rest."""
    return name.partition("-")[0], name[-16:]


def _verdict(instance: Instance, answer: Answer, options: Options) -> Verdict | None:
    """Return the verdict, None where the answer is a drawing; raise Unjudged."""
    rounds = answer.rounds
    try:
        if rounds is not None:
            return _stepwise(instance, answer, rounds, options)
        return outcome(
            instance,
            answer.known,
            answer.response or "",
            drawn=bool(answer.images),
            problem=answer.trouble,
            strict=options.strict,
            distance=options.distance,
            vgau=options.vgau_reader,
        )
    except (WrongInstance, MalformedSteps, NoDistance) as error:
        raise Unjudged(str(error)) from None
    except ValueError as error:  # an unknown family, a board that can't be read
        raise Unjudged(f"the instance can't be read: {error}") from None


def _stepwise(instance: Instance, answer: Answer, rounds: list[Any], options: Options) -> Verdict:
    protocol = answer.rules
    if options.vgau_rules:  # these ask after every round how many steps remain
        protocol = replace(protocol, vgau=True, budget=False)
    walk = rejudged(instance, protocol, rounds, answer.trouble)
    return walk.verdict(strict=options.strict, distance=options.distance)


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
