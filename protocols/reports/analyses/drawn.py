"""What models have drawn, measured against what the engine draws in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from protocols import messages
from protocols.aids import Aids
from protocols.protocol import Protocol, UnknownProtocol, named
from protocols.reports.sources import Sources, read_picture
from protocols.stepwise import MalformedSteps, rejudged
from puzzles.engine import Local
from puzzles.instance import Instance
from puzzles.notation import size_of
from puzzles.replay import initial
from puzzles.rooms import family
from puzzles.verdict import Stop
from render.decode import LONGEST_SIDE, UnusablePicture, opened
from render.fidelity.differences import change_f1, colour_difference, edge_f1, pixels
from render.fidelity.lpips import lpips, present
from render.fidelity.similarity import ms_ssim, ssim

LPIPS = "lpips"
"""It is nan where its weights are absent."""
DISTANCES = ("colour_mean", "colour_p95", LPIPS)
"""The smaller, the closer."""
MEASURES = ("ssim", "ms_ssim", "change_f1", "edge_f1", *DISTANCES)
NOT_DRAWN = "not drawn"
NO_ANSWER = "its answer is not found"
NO_INSTANCE = "its instance is not found"
MALFORMED = "its answer's record is malformed"
NO_FILE = "the file is missing"
UNREADABLE = "the file is no picture that can be read"
NO_TRUTH = "the true picture can't be drawn"
KILLED = "the process that measured it was killed"
_LEAST_CELL = 8
_MOST_KNOWN = 100_000
_AIDED = ("gta", "vcot", "vr")
_KEPT = ["model", "protocol", "run", "id", "family", "difficulty", "feasible", "optimal"]


class Fidelity(NamedTuple):
    """One drawing: its round (0 outside stepwise protocols), its measures, what is wrong with it.

    The measures are nan where there is a problem.
    """

    round: int
    ssim: float = nan
    ms_ssim: float = nan
    change_f1: float = nan
    edge_f1: float = nan
    colour_mean: float = nan
    colour_p95: float = nan
    lpips: float = nan
    problem: str | None = None


class _Task(NamedTuple):
    """An answer; of one that can't be looked at, ``problem`` says why."""

    instance: Instance | None
    protocol: Protocol
    image: str | None
    steps: list[Any]
    stop: str | None
    folder: Path
    cell: int
    problem: str | None = None


class _Due(NamedTuple):
    """A drawing: its round, its file, the picture it started from and the true one."""

    round: int
    name: str | None
    before: messages.Image
    true: messages.Image


def fidelities(
    rows: Any,
    sources: Sources,
    *,
    cell: int = 64,
    workers: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Any:
    """Measure every aid, solution and next state that models drew for themselves.

    Returns a DataFrame with a row a drawing: model, protocol, run, id, family, difficulty, feasible
    and optimal of its answer, and the fields of Fidelity. It has no rows where nothing is drawn.

    cell
        Pixels a cell of the true pictures, fewer on boards whose sides would pass 2,048 pixels.
        Drawings are stretched to their size.
    progress
        Is told how many answers are done, of how many.

    Raises NoWeights where the file of LPIPS's weights holds something else.
    """
    _known.clear()
    asked = rows[rows["error"].isna()]
    aided = {name: protocol for name in asked["protocol"].unique() if (protocol := _aided(name))}
    asked = asked[asked["protocol"].isin(aided)]
    total, lines = len(asked), []
    if total:
        present()  # of a file that holds no weights it is said before anything is measured
    keep = list(zip(*(asked[name] for name in _KEPT), strict=True))
    with Local(workers) as engine:
        tasks = (_task(row, aided[row.protocol], sources, cell) for row in asked.itertuples())
        measured = engine.map(_measured, tasks, total, lambda task: [Fidelity(0, problem=KILLED)])
        for done, (kept, found) in enumerate(zip(keep, measured, strict=True), 1):
            lines += [(*kept, *fidelity) for fidelity in found]
            progress(done, total)
    return _typed(pd.DataFrame(lines, columns=[*_KEPT, *Fidelity._fields]), asked)


def _typed(frame: Any, rows: Any) -> Any:
    """Return ``frame`` with the types that its columns have in ``rows``."""
    return frame.astype({name: rows[name].dtype for name in _KEPT})


def _aided(name: str) -> Protocol | None:
    """Return the protocol of that name if the model draws in it what it then looks at."""
    try:
        protocol = named(name)
    except UnknownProtocol:
        return None
    return protocol if protocol.source == "self" and protocol.paradigm in _AIDED else None


def _task(row: Any, protocol: Protocol, sources: Sources, cell: int) -> _Task:
    folder = sources.folder(row.file)
    stop = row.stop if isinstance(row.stop, str) else None
    task = _Task(None, protocol, None, [], stop, folder or Path(), cell)
    record = sources.record(row.file, row.answer_line, row.id)
    if record is None:
        return task._replace(problem=NO_ANSWER)
    instance = sources.instance(row.file, row.id, record)
    if instance is None:
        return task._replace(problem=NO_INSTANCE)
    images, steps = record.get("images") or [], record.get("steps") or []
    if not isinstance(steps, list) or not _are_names(images):
        return task._replace(problem=MALFORMED)
    return task._replace(instance=instance, image=images[0] if images else None, steps=steps)


def _are_names(images: Any) -> bool:
    return isinstance(images, list) and all(isinstance(name, str) for name in images)


def _measured(task: _Task) -> list[Fidelity]:
    """Return the fidelity of each drawing of an answer, in their order."""
    if task.instance is None:
        return [Fidelity(0, problem=task.problem)]
    try:
        return [_fidelity(one, task.folder) for one in _due(task, task.instance)]
    except MalformedSteps:
        return [Fidelity(0, problem=MALFORMED)]
    except ValueError:  # a board that can't be read, or whose solution can't be found
        return [Fidelity(0, problem=NO_TRUTH)]


def _due(task: _Task, instance: Instance) -> Iterator[_Due]:
    """Yield the drawings that the protocol has asked for."""
    longest = max(size_of(instance.board))
    aids = Aids(min(task.cell, max(_LEAST_CELL, LONGEST_SIDE // longest)))
    aids.check(instance, task.protocol)
    if task.protocol.stepwise:
        yield from _frames(task, instance, aids)
        return
    before, true = aids.board(instance, initial(instance)), aids.aid(instance, task.protocol)
    yield _Due(0, task.image, before, true)


def _frames(task: _Task, instance: Instance, aids: Aids) -> Iterator[_Due]:
    """Yield a drawing for each legal action, against the true state that it leads to."""
    room, protocol = family(instance.family), task.protocol
    # The published rules only end an episode sooner, and ask the solver where.
    plain = replace(protocol, vgau=False)
    walk = rejudged(instance, plain, task.steps)
    state = walk.start
    before = aids.board(instance, state, aug=protocol.aug)
    for number, (action, step) in enumerate(zip(walk.actions, task.steps, strict=False), 1):
        state = room.apply(state, action)
        true = aids.board(instance, state, aug=protocol.aug)
        name = step.get("image")
        if name or task.stop == Stop.IMAGE:
            yield _Due(number, name, before, true)
        before = true


def _fidelity(due: _Due, folder: Path) -> Fidelity:
    if not due.name:
        return Fidelity(due.round, problem=NOT_DRAWN)
    try:
        return _compared(read_picture(folder, due.name), due)._replace(round=due.round)
    except UnusablePicture:
        return Fidelity(due.round, problem=UNREADABLE)
    except OSError:
        return Fidelity(due.round, problem=NO_FILE)


_known: dict[bytes, Fidelity] = {}
"""What has been measured in a run of this process, by the hashes of the pictures."""


def _compared(data: bytes, due: _Due) -> Fidelity:
    """Return the measures of a drawing; runs often draw the same. Raises UnusablePicture."""
    pictures = data, due.true.png, due.before.png
    key = b"".join(sha256(picture).digest() for picture in pictures)
    if key not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        true = pixels(due.true.png)
        drawn = pixels(opened(data), true.shape[:2])
        colours = colour_difference(drawn, true)
        _known[key] = Fidelity(
            due.round,
            ssim=ssim(drawn, true),
            ms_ssim=ms_ssim(drawn, true),
            change_f1=change_f1(drawn, true, pixels(due.before.png)),
            edge_f1=edge_f1(drawn, true),
            colour_mean=colours.mean,
            colour_p95=colours.p95,
            lpips=lpips(drawn, true) if present() else nan,
        )
    return _known[key]
