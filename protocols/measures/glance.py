"""What one picture shows of a state, and how good a picture it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from protocols.measures.quality import CELL, likeness, quality
from protocols.measures.record import Trouble
from puzzles.family import Family
from puzzles.reading import check_aid, read_cells, state_of
from render.boards.looks import UNKNOWN
from render.read import UnreadableImage

if TYPE_CHECKING:
    from puzzles.reading import Parts
    from render.boards.looks import RGB
    from render.canvas import Picture

Room = Family[Any, Any]
SAME_BOARD = 0.5
"""Correlation below which a picture is hardly that of the board; see ``drawings.aid_check``."""
_HIDDEN = "what stands below the grid and the coordinates can't be told"


@dataclass(frozen=True)
class Glance:
    """What a picture shows.

    parts
        What stands in each cell; None where it shows no board.
    state
        None where it can't be told, or is none; then ``reason`` and ``detail`` say why.
    quality
        See ``quality.quality``; None where there is no picture.
    """

    parts: Parts | None = None
    state: Any = None
    reason: Trouble | None = None
    detail: str = ""
    quality: float | None = None


def glance(room: Room, start: Any, image: RGB, *, aug: bool = False) -> Glance:
    """Return what a picture shows of a state that ``start`` has led to.

    aug
        The picture is to have the grid and the coordinates.
    """
    try:
        seen = read_cells(room, image, start)
    except UnreadableImage as error:
        return Glance(reason=Trouble.NO_BOARD, detail=str(error), quality=0.0)
    state, reason, detail = None, None, ""
    try:
        state = state_of(room, seen, start)
    except UnreadableImage as error:
        unclear = bool((seen.parts == UNKNOWN).any())
        reason, detail = Trouble.UNCLEAR if unclear else Trouble.NO_STATE, str(error)
    told = float((seen.parts != UNKNOWN).mean())
    like = start if state is None else state
    alike = np.asarray(seen.parts == parts_of(room, like))
    drawing = drawn(room, like, aug=aug)
    return Glance(
        seen.parts, state, reason, detail, quality(image, seen.matrix, [drawing], alike, told)
    )


def aided(room: Room, start: Any, image: RGB, expected: Iterable[Any]) -> Glance:
    """Return what a picture with grid and coordinates shows.

    Much of the board is hidden below these, so the states that are ``expected`` are tried first:
    one is shown where the picture lies on that of its aid, and no cell differs beneath.
    """
    same = False
    for state in expected:
        check = check_aid(room, image, state)
        same = same or check.correlation >= SAME_BOARD
        like = None if check.changed else likeness(image, [drawn(room, state, aug=True)])
        if like is not None:
            return Glance(parts_of(room, state), state, quality=like.quality)
    seen = glance(room, start, image, aug=True)
    if seen.reason is Trouble.NO_BOARD and same:
        return Glance(reason=Trouble.UNCLEAR, detail=_HIDDEN, quality=None)
    return seen


def parts_of(room: Room, state: Any) -> Parts:
    """Return what stands in the cells of a state, as pictures show it."""
    if room.reading is None:
        raise ValueError(f"pictures of {room.name} can't be read")
    return room.reading.parts(state)


def drawn(room: Room, state: Any, *, aug: bool = False) -> RGB:
    """Return the true picture of a state, at CELL pixels a cell."""
    return pixels_of((room.draw_aid if aug else room.draw)(state, CELL))


def pixels_of(picture: Picture) -> RGB:
    pixels: RGB = picture.palette[picture.pixels]
    return pixels
