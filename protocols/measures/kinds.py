"""Which pictures an answer holds, by its protocol or by what they show, and their measures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from protocols.answer_line import Answer
from protocols.measures.aid import of_aid
from protocols.measures.drawing import of_drawing, shows_drawing
from protocols.measures.frames import of_frames
from protocols.measures.pictures import MOST_READ, Carried, NoPicture, is_moving, last, load
from protocols.measures.record import DrawnAid, DrawnSolution, Measured
from protocols.measures.shots import of_files, of_video
from protocols.measures.truth import Truth, truth_of
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family

_UNNAMED = (
    "one picture of a state, and nothing says which: frames are one for each action, or a video"
)


def measured(instance: Instance, answer: Answer, folder: Path | Carried) -> Measured:
    """Return what is measured of the pictures in an answer; see ``protocols.measures.measure``."""
    names = answer.images or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return Measured(problem="images: it is not a list of names of files")
    try:
        return _measured(instance, answer, names, folder)
    except ValueError as error:  # a board that can't be read, an optimum that is wrong
        return Measured(problem=str(error))


def _measured(
    instance: Instance, answer: Answer, names: list[str], folder: Path | Carried
) -> Measured:
    start, protocol = initial(instance), answer.known
    asks = protocol is not None and protocol.draws
    if protocol is not None and asks and protocol.paradigm == "gta":
        return _aid(instance, start, names[-1], folder)
    truth = truth_of(instance, answer)
    if protocol is not None and asks and not protocol.stepwise:
        return _drawing(instance, start, names[-1], folder, truth)
    return _frames_or_drawing(instance, start, answer, names, folder, truth)


def _aid(instance: Instance, start: Any, name: str, folder: Path | Carried) -> Measured:
    try:
        return of_aid(instance, start, name, last(load(folder, name)))
    except NoPicture as error:
        return Measured(aid=DrawnAid(image=name, reason=error.reason, detail=str(error)))


def _drawing(
    instance: Instance, start: Any, name: str, folder: Path | Carried, truth: Truth
) -> Measured:
    try:
        return of_drawing(instance, start, name, last(load(folder, name)), truth.answer)
    except NoPicture as error:
        record = DrawnSolution(image=name, reason=str(error.reason), detail=str(error))
        return Measured(drawing=record)


def _frames_or_drawing(
    instance: Instance,
    start: Any,
    answer: Answer,
    names: list[str],
    folder: Path | Carried,
    truth: Truth,
) -> Measured:
    """Return the measures of frames, or of what turns out to be a drawn solution.

    A protocol that asks for frames says so; else one still picture is a drawing where something is
    drawn onto the board in it, and may be anything where not.
    """
    room, protocol = family(instance.family), answer.known
    aug = protocol is not None and protocol.aug
    if max(len(names), len(truth.images or ())) > MOST_READ:
        return Measured(problem=f"more than {MOST_READ} pictures are not looked at")
    if truth.images is not None:
        return of_frames(
            instance,
            start,
            of_files(room, start, folder, truth.images, truth.states, aug=aug),
            truth.states,
        )
    if len(names) == 1:
        try:
            data = load(folder, names[0])
            if is_moving(data):
                shots = of_video(room, start, names[0], data)
                return of_frames(instance, start, shots, truth.states, video=True)
            if shows_drawing(room, start, last(data)):
                return _drawing(instance, start, names[0], folder, truth)
        except NoPicture as error:
            return Measured(problem=str(error))
        if truth.states is None or len(truth.states) != 1:
            return Measured(problem=_UNNAMED)
    shots = of_files(room, start, folder, names, truth.states, aug=aug)
    return of_frames(instance, start, shots, truth.states)
