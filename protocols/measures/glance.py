"""What one picture shows of a state, and how good a picture it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from protocols.measures.quality import CELL, quality
from protocols.measures.record import Trouble
from puzzles.family import Family
from puzzles.reading import read_cells, state_of
from render.looks import UNKNOWN
from render.read import UnreadableImage

if TYPE_CHECKING:
    from puzzles.reading import Parts
    from render.canvas import Picture
    from render.looks import RGB

Room = Family[Any, Any]


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


class Beneath(NamedTuple):
    """How the board looks below something drawn.

    quality
        See ``quality.quality``.
    kept
        Share of the cells that show what they should, of those that can be told; None of none.
    """

    quality: float
    kept: float | None


def beneath(room: Room, start: Any, image: RGB, drawings: Sequence[RGB]) -> Beneath:
    """Return how the board of ``start`` looks below something drawn.

    drawings
        What the picture may be, at CELL pixels a cell.
    """
    try:
        seen = read_cells(room, image, start)
    except UnreadableImage:
        return Beneath(0.0, 0.0)
    same, told = seen.parts == parts_of(room, start), seen.parts != UNKNOWN
    kept = float(same.sum() / told.sum()) if told.any() else None
    return Beneath(quality(image, seen.matrix, drawings, np.asarray(same | ~told)), kept)


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
