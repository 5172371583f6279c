"""Numbered move hints on pieces, read back: which piece moves when, and where to."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from render.align import RGB
from render.canvas import Picture
from render.chips import Box
from render.flaws import Flaw
from render.hints import Chips, read_box
from render.ink import added, distance, sheet
from render.palette import Paints

MOST = (40, 160)
"""Numbers up to the first are tried first; hints beyond the second are not read."""
USUAL_CELL = 64
"""Pixels a cell of boards that are handed out; at other sizes chips stand a little elsewhere."""
_RESIDUAL, _MARGIN = 0.02, 0.2
"""Chips that fit worse, or not so much better than others, are uncertain."""


class Hints(NamedTuple):
    """The moves of pieces in their order, as (piece, direction), and the flaw, if there is one."""

    moves: list[tuple[str, str]]
    flaw: Flaw | None = None
    detail: str = ""


def read_hints(
    image: RGB,
    draw: Callable[[int], Picture],
    paints_of: Callable[[int], Paints],
    size: tuple[int, int],
    boxes_of: Callable[[int], Mapping[str, Sequence[Box]]],
) -> Hints:
    """Return the moves whose hints are drawn on a board of ``size`` rows and columns.

    boxes_of
        Where hints of each piece are at so many pixels a cell, in their order.
    """
    page = sheet(image, draw, *size, USUAL_CELL)
    boxes, paints = boxes_of(page.cell), paints_of(page.cell)
    gap = distance(page)
    if not added(page, gap):
        return Hints([], Flaw.NONE_DRAWN, Flaw.NONE_DRAWN.sentence)
    rim = 0 if page.drawn is not None else max(1, page.cell // 16)
    for top, left, height, width in (box for of in boxes.values() for box in of):
        gap[max(0, top - rim) : top + height + rim, max(0, left - rim) : left + width + rim] = 0
    if added(page, gap):
        return Hints([], Flaw.SEVERAL, "something is drawn that is no hint on a piece")
    for most in MOST:
        chips = [
            (piece, read_box(page, box, paints, most)) for piece, of in boxes.items() for box in of
        ]
        found = _ordered(chips)
        if not found.flaw or sum(len(read.hints) for _, read in chips) < most // 2:
            break
    return found


def _ordered(chips: Sequence[tuple[str, Chips]]) -> Hints:
    moves = dict[int, tuple[str, str]]()
    for piece, (hints, residual, margin) in chips:
        if residual > _RESIDUAL or margin < _MARGIN:
            return Hints([], Flaw.UNCERTAIN, f"the hints on {piece} can't be read")
        for number, direction in hints:
            if number in moves:
                detail = f"number {number} stands on {moves[number][0]} and on {piece}"
                return Hints([], Flaw.NUMBERING, detail)
            moves[number] = piece, direction
    for number in range(1, len(moves) + 1):
        if number not in moves:
            return Hints([], Flaw.NUMBERING, f"there is no hint with number {number}")
    return Hints([moves[number] for number in sorted(moves)])
