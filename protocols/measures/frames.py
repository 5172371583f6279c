"""Pictures of states, one after the other: against the true states, and by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from protocols.measures import marks
from protocols.measures.distances import Distances
from protocols.measures.glance import Glance, Room, parts_of
from protocols.measures.record import Frame, Frames, Measured, Story, Trouble
from puzzles.instance import Instance
from puzzles.reading import differing, step_between
from puzzles.replay import WrongInstance
from puzzles.rooms import family
from puzzles.solve import measure
from render.boards.looks import UNKNOWN

_NO_STATE = (Trouble.NO_BOARD, Trouble.NO_STATE)
"""What is wrong with a picture that shows no state: it keeps nothing and follows from nothing."""


class Shot(NamedTuple):
    """A picture of a state: its file, its number in a video, and what it shows."""

    name: str | None
    at: int | None
    seen: Glance


class _Told(NamedTuple):
    """What is said of a frame, the action that leads to it, and what is wrong with it."""

    frame: Frame
    action: Any
    fault: str


def of_frames(
    instance: Instance,
    start: Any,
    shots: Iterable[Shot],
    truth: Sequence[Any] | None,
    *,
    video: bool = False,
) -> Measured:
    """Return what is measured of the frames in ``shots``; raise WrongInstance.

    truth
        The true states after each action of the text; None where there is no text.
    """
    room = family(instance.family)
    distances = Distances(room, instance, start)
    told, drift, before, last = list[_Told](), "", start, start
    first: int | None = None
    for number, shot in enumerate(shots):
        due = None if truth is None or number >= len(truth) else truth[number]
        frame = _against_truth(room, shot, due, over=truth is not None and due is None)
        told.append(_by_itself(room, distances, start, before, shot, frame))
        if first is None and frame.exact is False:
            first, drift = number + 1, _drift(room, start, shot.seen, due)
        before = last = shot.seen.state
    expected = None if truth is None else len(truth)
    story = _story(instance, told, last)
    record = _record(told, story, expected, first, drift, video=video)
    return _judged(record)


def _against_truth(room: Room, shot: Shot, due: Any, *, over: bool) -> Frame:
    """Return a frame with what the true state says of it; ``over``: the text has no such action."""
    seen = shot.seen
    frame = Frame(
        image=shot.name, at=shot.at, quality=seen.quality, reason=seen.reason, detail=seen.detail
    )
    if over:
        return frame.model_copy(update={"exact": None if seen.parts is None else False})
    if due is None:
        return frame
    if seen.parts is None:
        none = seen.reason in _NO_STATE  # a picture of no board has none of its cells
        return frame.model_copy(update={"fidelity": 0.0, "exact": False} if none else {})
    same = seen.parts == parts_of(room, due)
    told = seen.reason is not Trouble.UNCLEAR or bool((~same & (seen.parts >= 0)).any())
    exact = bool(same.all()) if told else None
    return frame.model_copy(update={"fidelity": round(float(same.mean()), 4), "exact": exact})


def _drift(room: Room, start: Any, seen: Glance, due: Any) -> str:
    """Return what differs in a frame that shows another state than the true one."""
    if due is None:
        return "the text has no such action"
    if seen.parts is None:
        return seen.detail
    true = parts_of(room, due)
    cells = differing(true, np.where(seen.parts == UNKNOWN, true, seen.parts))
    other = seen.detail
    if seen.state is not None and room.reading is not None:
        other = room.reading.changed(start, seen.state)
    return f"other than the true state at {cells}" + (f": {other}" if other else "")


def _by_itself(
    room: Room, distances: Distances, start: Any, before: Any, shot: Shot, frame: Frame
) -> _Told:
    """Complete a frame by what follows from it and the one before alone."""
    state, reason = shot.seen.state, shot.seen.reason
    if state is None or room.reading is None:
        none = False if reason in _NO_STATE else None
        said = {"background": none, "legal": none, "solved": none, "closer": none}
        return _Told(frame.model_copy(update=said), None, shot.seen.detail)
    other = room.reading.changed(start, state)
    said = {"background": not other, "solved": not other and bool(room.is_solved(state))}
    action, fault = None, ""
    if before is not None:
        action, fault = step_between(room, before, state)
        said["legal"] = action is not None
        said["closer"] = None if other else distances.closer(before, state)
    if other:
        said["closer"] = False
    return _Told(frame.model_copy(update=said), action, fault)


class _Tale(NamedTuple):
    """What the frames tell by themselves."""

    feasible: bool | None
    optimal: bool | None
    reason: Story
    detail: str
    answer: str | None = None


def _story(instance: Instance, told: Sequence[_Told], last: Any) -> _Tale:
    room = family(instance.family)
    for number, (frame, _, fault) in enumerate(told, 1):
        if frame.legal is False:
            return _Tale(False, False, "illegal_change", f"frame {number}: {fault}")
    for number, (frame, _, fault) in enumerate(told, 1):
        if frame.legal is None:
            why = fault or "the frame before it can't be told"
            return _Tale(None, None, "unreadable", f"frame {number}: {why}")
    actions = [one.action for one in told]
    written = None
    if room.counts_actions:
        written = room.format_answer(actions)
    if not room.is_solved(last):
        return _Tale(False, False, "unsolved", "the goal does not hold in the last frame", written)
    moves = measure(room, actions, instance.metric)
    if room.counts_actions and moves < instance.optimal_length:
        raise WrongInstance(
            f"the frames solve the board in {moves}, but the instance says that "
            f"{instance.optimal_length} are needed"
        )
    optimal = not room.counts_actions or moves == instance.optimal_length
    return _Tale(True, optimal, "solved", "the frames lead to the goal", written)


def _record(
    told: Sequence[_Told],
    tale: _Tale,
    expected: int | None,
    drift: int | None,
    detail: str,
    *,
    video: bool,
) -> Frames:
    frames = [one.frame for one in told]
    fidelity = marks.mean(
        None if frame.fidelity is None else 100 * frame.fidelity for frame in frames
    )
    agrees = None
    if expected is not None:
        agrees = marks.all_of([len(frames) == expected, *(frame.exact for frame in frames)])
    return Frames(
        video=video,
        expected=expected,
        exact=sum(frame.exact is True for frame in frames),
        fidelity=None if fidelity is None else round(fidelity / 100, 4),
        drift=drift,
        drift_detail=detail,
        **tale._asdict(),
        agrees=agrees,
        frames=frames,
    )


def _judged(record: Frames) -> Measured:
    frames = record.frames
    if not frames and record.video:
        still = "the video shows no state but that of the board at its beginning"
        return Measured(problem=still, frames=record, passes=record.feasible)
    if not frames:
        return Measured(problem="no picture belongs to a legal action", frames=record)
    legal = [frame.legal for frame in frames]
    end = frames[-1]
    known = marks.Marks(end.background, marks.all_of(legal), end.quality, end.solved)
    over_all = marks.process(
        (frame.background for frame in frames),
        legal,
        (frame.quality for frame in frames),
        (frame.closer for frame in frames),
    )
    way, kept = over_all.reasoning_success, over_all.background_consistency
    aligned = record.fidelity
    if aligned is None and kept is not None:
        aligned = kept / 100
    correct = marks.correctness(record.feasible, record.optimal, None if way is None else way / 100)
    missing = max(0, (record.expected or 0) - len(frames))
    followed = marks.percent([*(frame.exact for frame in frames), *[False] * missing])
    return Measured(
        rubric=marks.rubric(over_all.visual_quality, aligned, correct),
        checklist=marks.checklist(followed, over_all),
        result=marks.result(known),
        process=over_all,
        passes=record.feasible,
        frames=record,
    )
