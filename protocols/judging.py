"""Lines of answers judged, a pure function of what they say and of the instances they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from protocols.answer_line import Answer, Unjudged, is_unicode, parsed
from protocols.measures import has_pictures
from protocols.outcome import outcome
from protocols.stepwise import MalformedSteps, NoDistance, rejudged
from protocols.verdicts import FIELDS, VERDICT_FIELDS
from puzzles.instance import Instance, identity, stands_for
from puzzles.records import DatasetError, parse_line
from puzzles.replay import WrongInstance
from puzzles.rooms import NAMES, family
from puzzles.verdict import Verdict

Row = dict[str, Any]
"""A line of verdicts.jsonl."""


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


class Record(NamedTuple):
    """The record of an instance as it stands in a dataset; ``problem`` where it can't be read."""

    text: str
    said: str
    problem: str = ""


class Lines(NamedTuple):
    """Lines of a file of answers, with their numbers, and all that is needed to judge them.

    records
        Of the instances that the lines name, as far as there are such.
    any_data
        Whether there are any instances at all.
    """

    lines: Sequence[tuple[int, bytes]]
    records: Mapping[str, Record]
    any_data: bool
    options: Options


class Judged(NamedTuple):
    """What is said of a line; where it has pictures to be measured, of what instance and answer."""

    row: Row
    pictured: tuple[Instance, Answer] | None = None

    @property
    def is_answer(self) -> bool:
        """Whether it is an answer to an instance, whatever else is wrong with it."""
        return self.row["family"] is not None


def judged(task: Lines) -> list[Judged]:
    """Return what is said of each line."""
    return [_judged(number, line, task) for number, line in task.lines]


def unjudged(row: Row, sentence: str) -> Row:
    """Return the row of a line that can't be judged: who answers what, and why there is no more."""
    blank = dict.fromkeys([*VERDICT_FIELDS, "drawn", "scores", "measured"])
    return {**row, **blank, "error": sentence}


def _judged(number: int, line: bytes, task: Lines) -> Judged:
    row: Row = dict.fromkeys(FIELDS)
    row["line"] = number
    options = task.options
    try:
        answer = parsed(line, row)
        instance = _instance(answer, task)
        row |= {"id": instance.id, "protocol": answer.label, "model": answer.model}
        row |= {"run": answer.run, "family": instance.family}
        row |= {"difficulty": instance.difficulty, "drawn": answer.drawn}
        verdict = _verdict(instance, answer, options)
    except Unjudged as error:
        return Judged(unjudged(row, str(error)))
    if verdict is not None:
        row |= {name: getattr(verdict, name) for name in VERDICT_FIELDS}
    pictured = options.images and has_pictures(answer)
    return Judged(row, (instance, answer) if pictured else None)


def _instance(answer: Answer, task: Lines) -> Instance:
    """Return what the answer is an answer to: the dataset's word goes before an inline one."""
    inline = answer.instance
    if inline is not None:
        _check_text(inline)
    name = answer.id or (inline.id if inline else "")
    known = _known(task.records[name]) if name in task.records else None
    if known is not None:
        if inline is not None and inline.essence != known.essence:
            raise Unjudged(f"the inline instance is not the one that the data holds as {name}")
        return known
    if inline is None:
        if not name:
            raise Unjudged("the line has neither an id nor an instance")
        hint = "" if task.any_data else " (no dataset here; name one with --data)"
        shown = name if len(name) <= 80 else f"{name[:77]}..."
        raise Unjudged(f"unknown id {shown}{hint}")
    difficulty = _difficulty(inline)
    if not stands_for(name, inline):
        raise Unjudged(f"the inline instance is not the one that the id {name} stands for")
    own = identity(inline.family, difficulty, inline.board, inline.rules, inline.metric)
    return inline.model_copy(update={"id": name or own, "difficulty": difficulty})


def _known(record: Record) -> Instance:
    try:
        if record.problem:
            raise DatasetError(record.problem)
        return _parsed(record.text, record.said)
    except DatasetError as error:
        raise Unjudged(str(error)) from None


_parsed = lru_cache(maxsize=1024)(parse_line)


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
