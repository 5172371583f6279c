"""A solution drawn onto the board: read, replayed, and held against the answer in text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocols.measures import marks
from protocols.measures.distances import Distances
from protocols.measures.glance import Room, drawn, pixels_of
from protocols.measures.quality import CELL, Likeness, likeness
from protocols.measures.record import DrawnSolution, Measured
from puzzles.answers import Reading
from puzzles.drawing import Drawing, read_drawing
from puzzles.instance import Instance
from puzzles.replay import judged
from puzzles.rooms import family
from puzzles.verdict import Reason, Verdict
from render.boards.looks import RGB
from render.drawings.flaws import Flaw

_NOTHING = (Flaw.NONE_DRAWN, Flaw.OTHER_PICTURE)
"""Flaws of what is no drawing at all."""


def shows_drawing(room: Room, start: Any, image: RGB) -> bool:
    """Return whether something is drawn onto the board of ``start`` in a picture."""
    return read_drawing(room, image, start).flaw not in _NOTHING


def of_drawing(
    instance: Instance, start: Any, name: str, image: RGB, text: Sequence[Any] | None
) -> Measured:
    """Return what is measured of a drawn solution; raise WrongInstance.

    text
        The answer in text, if there is one.
    """
    room = family(instance.family)
    read = read_drawing(room, image, start)
    verdict = _verdict(instance, start, read)
    unclear = read.flaw is Flaw.UNCERTAIN
    feasible = None if unclear else bool(verdict and verdict.feasible)
    record = DrawnSolution(
        image=name,
        answer=None if read.answer is None else room.format_answer(read.answer),
        feasible=feasible,
        optimal=None if unclear else bool(verdict and verdict.optimal),
        reason=str(read.flaw or (verdict.reason if verdict else Reason.UNSOLVED)),
        detail=read.detail or (verdict.detail if verdict else ""),
        agrees=_agrees(room, start, read, text),
    )
    look = _look(room, start, image, read, feasible=bool(feasible))
    way = _way(instance, start, read) if feasible is False else None
    return _judged(record, read, verdict, look, way)


def _verdict(instance: Instance, start: Any, read: Drawing) -> Verdict | None:
    """Return how the drawn answer fares; None where the drawing has a flaw."""
    if read.flaw is not None or read.answer is None:
        return None
    played = family(instance.family).replay(start, read.answer)
    return judged(instance, Reading(list(read.answer), True), played)


def _agrees(room: Room, start: Any, read: Drawing, text: Sequence[Any] | None) -> bool | None:
    if text is None or read.answer is None or read.flaw is Flaw.UNCERTAIN:
        return None
    return _told(room, text) == _told(room, read.answer) or _redrawn(room, start, read, text)


def _told(room: Room, answer: Sequence[Any]) -> list[Any]:
    """Return what a drawing can tell of an answer: of lines between pairs not the order."""
    if room.controls.kind == "pair":
        return sorted(sorted(action) for action in answer)
    return list(answer)


def _redrawn(room: Room, start: Any, read: Drawing, text: Sequence[Any]) -> bool:
    """Return whether the answer in text, drawn by the engine, is the same drawing.

    A walk that takes a piece of the line twice can take it at another time.
    """
    if not room.counts_actions or read.flaw is not None:
        return False
    played = room.replay(start, text)
    if played.reason is not None or not room.is_solved(played.state):
        return False
    picture = room.draw_solution(start, list(text), 2 * CELL)
    again = read_drawing(room, pixels_of(picture), start)
    return again.flaw is None and again.answer == read.answer


def _look(room: Room, start: Any, image: RGB, read: Drawing, *, feasible: bool) -> Likeness | None:
    drawings = [drawn(room, start)]
    if feasible and read.answer is not None and room.counts_actions:
        drawings.append(pixels_of(room.draw_solution(start, list(read.answer), CELL)))
    found = likeness(image, drawings)
    return Likeness(0.0, 0.0) if found is None and read.flaw is Flaw.OTHER_PICTURE else found


def _way(instance: Instance, start: Any, read: Drawing) -> float | None:
    """Return which share of the way to the goal a drawing goes that doesn't get there."""
    room = family(instance.family)
    if read.answer is None or not room.counts_actions:
        return 0.0
    return Distances(room, instance, start).way(room.replay(start, read.answer).state)


def _judged(
    record: DrawnSolution,
    read: Drawing,
    verdict: Verdict | None,
    look: Likeness | None,
    way: float | None,
) -> Measured:
    unclear = read.flaw is Flaw.UNCERTAIN
    background = read.flaw is not Flaw.OTHER_PICTURE
    rules = None if unclear else bool(verdict and verdict.at is None)
    instruction = None if unclear else 0.0 if read.flaw in _NOTHING else marks.MEDIUM
    if read.flaw is None:
        instruction = 100.0
    quality, kept = look or (None, None)
    known = marks.Marks(background, rules, quality, record.feasible)
    over_all = marks.process([background], [rules], [quality], [record.feasible])
    return Measured(
        rubric=marks.rubric(quality, kept, marks.correctness(record.feasible, record.optimal, way)),
        checklist=marks.checklist(instruction, over_all),
        result=marks.result(known),
        process=over_all,
        passes=record.feasible,
        drawing=record,
    )
