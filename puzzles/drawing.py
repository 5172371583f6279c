"""Drawn solutions back to answers: what was read, or why there is nothing to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from render.flaws import Flaw

if TYPE_CHECKING:
    from puzzles.family import Family
    from render.decode import Source


class Drawing(NamedTuple):
    """The answer that a drawing gives, as the family's replay takes it.

    A drawing is feasible where it has no flaw and its answer solves the board. With a flaw the
    answer is what can be made of the line all the same (it ends in the wrong place, say), or None.
    ``actions`` are those that the answer stands for, where it doesn't list actions.
    """

    answer: Sequence[Any] | None
    flaw: Flaw | None = None
    detail: str = ""
    actions: Sequence[Any] | None = None


def read_drawing(room: Family[Any, Any], image: Source, state: Any) -> Drawing:
    """Return the answer that is drawn onto the board of ``state`` in a picture.

    A picture that can't be opened, or shows something else than that board, is a flaw.
    """
    from render.decode import UnusablePicture, rgb
    from render.ink import OtherPicture

    if room.reading is None or room.reading.drawing is None:
        raise ValueError(f"drawings of {room.name} can't be read")
    try:
        read: Drawing = room.reading.drawing(rgb(image), state)
        return read
    except (UnusablePicture, OtherPicture) as error:
        return Drawing(None, Flaw.OTHER_PICTURE, str(error))
