"""The frames of an answer: a file for each, or the states that a video rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PIL import Image

from protocols.measures.frames import Shot
from protocols.measures.glance import Glance, Room, aided, glance, parts_of
from protocols.measures.pictures import MOST_READ, Carried, NoPicture, last, load, pictures
from protocols.measures.record import Trouble

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from puzzles.reading import Parts
    from render.boards.looks import RGB

REST = 3
"""Pictures of a video that are alike, from which on it rests: what can't be read there is a frame;
what can't be read in passing is on its way from one state to the next."""
_SIDE, _LEVELS = 96, 24
"""Pixels a side at which pictures of a video are compared; levels by which one of them changes:
more than compression does, and less than a piece that moves."""


def of_files(
    room: Room,
    start: Any,
    folder: Path | Carried,
    names: Sequence[str | None],
    truth: Sequence[Any] | None,
    *,
    aug: bool = False,
) -> Iterator[Shot]:
    """Yield the frames in files, one by one; of an animation the last picture counts.

    truth
        The true states: with what may follow from the frame before, those that are expected.
    """
    before = start
    for number, name in enumerate(names):
        try:
            if name is None:
                raise NoPicture(Trouble.NO_FILE, "no picture was drawn")
            image = last(load(folder, name))
            if aug:
                due = [] if truth is None else truth[number : number + 1]
                seen = aided(room, start, image, chain(due, _near(room, before)))
            else:
                seen = glance(room, start, image)
        except NoPicture as error:
            seen = Glance(reason=error.reason, detail=str(error))
        yield Shot(name, None, seen)
        before = before if seen.state is None else seen.state


def _near(room: Room, state: Any) -> Iterator[Any]:
    """Yield the states that one legal action leads to, and the state itself."""
    for action in room.legal_actions(state):
        yield room.apply(state, action)
    yield state


class _Run(NamedTuple):
    """Pictures of a video that are alike: the first one small, the last one, and how many."""

    small: NDArray[np.int16]
    image: RGB
    at: int
    length: int


def of_video(room: Room, start: Any, name: str, data: bytes) -> Iterator[Shot]:
    """Yield the distinct states that a video rests on, without that of ``start`` at its beginning.

    Raises NoPicture.
    """
    before: Parts | None = parts_of(room, start)
    first = before
    passing: Shot | None = None
    for number, run in enumerate(_runs(data)):
        if number == MOST_READ:
            raise NoPicture(Trouble.UNUSABLE, f"the video changes more than {MOST_READ} times")
        shot = Shot(name, run.at, glance(room, start, run.image))
        if shot.seen.state is None and run.length < REST:
            passing = passing or shot
        elif shot.seen.state is None or not _same(shot.seen.parts, before):
            before = shot.seen.parts
            yield shot
    if passing is not None and before is first:
        yield passing


def _same(one: Parts | None, other: Parts | None) -> bool:
    return one is not None and other is not None and bool((one == other).all())


def _runs(data: bytes) -> Iterator[_Run]:
    run: _Run | None = None
    for at, image in enumerate(pictures(data)):
        small = _small(image)
        if run is not None and bool((np.abs(small - run.small) <= _LEVELS).all()):
            run = run._replace(image=image, at=at, length=run.length + 1)
            continue
        if run is not None:
            yield run
        run = _Run(small, image, at, 1)
    if run is not None:
        yield run


def _small(image: RGB) -> NDArray[np.int16]:
    picture = Image.fromarray(image).resize((_SIDE, _SIDE), Image.Resampling.BOX)
    return np.asarray(picture, np.int16)
