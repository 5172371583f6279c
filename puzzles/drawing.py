"""Drawn solutions back to answers: what was read, or why there is nothing to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from render.drawings.flaws import Flaw

if TYPE_CHECKING:
    from puzzles.family import Family
    from render.boards.warping import RGB
    from render.decode import Source


class Drawing(NamedTuple):
    """The answer that a drawing gives, as the family's replay takes it.

    A drawing is feasible where it has no flaw and its answer solves the board. With a flaw the
    answer is what can be made of the line all the same (it ends in the wrong place, say), or None.
    ``actions`` are those that the answer stands for, where it doesn't list actions.
    ``odd`` are the cells that look different for another reason than what was to be drawn,
    ``beneath`` those under what was drawn that look like others, and ``cleaned`` is the picture to
    look at for that reason, if it is another than the one given. In a ``photo``, a picture that
    does not match the board to the pixel, other cells than these may be others too.
    """

    answer: Sequence[Any] | None
    flaw: Flaw | None = None
    detail: str = ""
    odd: Sequence[tuple[int, int]] = ()
    beneath: Sequence[tuple[int, int]] = ()
    actions: Sequence[Any] | None = None
    cleaned: RGB | None = None
    photo: bool = False


def read_drawing(room: Family[Any, Any], image: Source, state: Any) -> Drawing:
    """Return the answer that is drawn onto the board of ``state`` in a picture.

    A picture that can't be opened, or shows something else than that board, is a flaw.
    """
    from render.decode import UnusablePicture, rgb
    from render.drawings.ink import OtherPicture

    if room.reading is None or room.reading.drawing is None:
        raise ValueError(f"drawings of {room.name} can't be read")
    try:
        pixels = rgb(image)
        read: Drawing = room.reading.drawing(pixels, state)
    except (UnusablePicture, OtherPicture) as error:
        return Drawing(None, Flaw.OTHER_PICTURE, str(error))
    doubted = read.odd or (not read.flaw and (read.beneath or read.photo))
    return _on_board(room, pixels, state, read) if doubted else read


def _on_board(room: Family[Any, Any], pixels: Any, state: Any, read: Drawing) -> Drawing:
    """Return what was read, unless the board beneath is another one, or more has been added."""
    from render.read import UnreadableImage

    odd = _listed(read.odd)
    try:
        other, same = _seen(room, pixels if read.cleaned is None else read.cleaned, state)
    except UnreadableImage:
        if not read.odd or read.flaw not in (None, Flaw.UNCERTAIN):
            return read
        detail = f"whether the board is another one at {odd} can't be told"
        return read._replace(flaw=Flaw.UNCERTAIN, detail=detail)
    if changed := [at for at in other if at in (*read.odd, *read.beneath)]:
        detail = f"the board in the picture differs at {_listed(changed)}"
        return Drawing(None, Flaw.OTHER_PICTURE, detail)
    if read.flaw:
        return read
    if read.odd:
        return read._replace(flaw=Flaw.SEVERAL, detail=f"something else is drawn at {odd}")
    # Where the board's own drawing has been put over lines, it looks like itself in any case.
    likely = same if read.cleaned is None else []
    doubtful = [at for at, sure in other.items() if sure and read.photo]
    doubtful += [at for at in read.beneath if at not in likely]
    if not doubtful:
        return read
    detail = f"whether the board is another one at {_listed(sorted(doubtful))} can't be told"
    return read._replace(flaw=Flaw.UNCERTAIN, detail=detail)


def _seen(
    room: Family[Any, Any], pixels: Any, state: Any
) -> tuple[dict[tuple[int, int], bool], list[tuple[int, int]]]:
    """Return which cells show something else that can stand on a board, and whether that is sure.

    And those that surely show what they should. Raises UnreadableImage.
    """
    from puzzles.reading import read_cells
    from render.boards.judge import UNCLEAR
    from render.boards.looks import UNKNOWN

    assert room.reading is not None
    seen = read_cells(room, pixels, state)
    true, sure = room.reading.parts(state), seen.confidence >= UNCLEAR
    same, other = seen.parts == true, (seen.parts != true) & (seen.parts != UNKNOWN)
    cells = [(int(r), int(c)) for r, c in np.argwhere(other)]
    return {at: bool(sure[at]) for at in cells}, list(zip(*np.nonzero(same & sure), strict=True))


def _listed(cells: Sequence[tuple[int, int]]) -> str:
    shown = ", ".join(f"({r}, {c})" for r, c in cells[:_NAMED])
    more = len(cells) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown


_NAMED = 3
"""Cells that a sentence names."""
