"""Numbered move hints on pieces, read back: which piece moves when, and where to."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.family import Cell
from render.boards.warping import RGB
from render.canvas import Picture
from render.chips import Box
from render.drawings.arrangements import Chips
from render.drawings.changes import added, reach_of, strange, unexplained
from render.drawings.flaws import Flaw
from render.drawings.hints import read_box
from render.drawings.ink import Sheet, plain, sheet
from render.drawings.markers import markers
from render.drawings.moved_hints import chip_coloured, read_moved_box
from render.drawings.numerals import read_marker
from render.palette import Paints

MOST = (40, 160)
"""Numbers up to the first are tried first; hints beyond the second are not read."""
USUAL_CELL = 64
"""Pixels a cell of boards that are handed out; at other sizes chips stand a little elsewhere."""
_RESIDUAL, _MARGIN = 0.02, 0.2
"""Chips that fit worse, or not so much better than others, are uncertain."""
_CORRELATION, _CLEARLY = 0.72, 0.25
"""Likewise of markers, wherever they are."""
_PART = 0.4
"""Of a patch's box: what lies so much on a marker that is read is a part of it, or of its rim."""
Mask = NDArray[np.bool_]
Move = tuple[str, str]  # a piece, and up, right, down or left


class Form(NamedTuple):
    """How a family draws hints, at so many pixels a cell.

    draw, solved
        The board, and the board with the hints for such moves.
    paints
        The palette.
    boxes
        Where hints of each piece are, in their order.
    """

    draw: Callable[[int], Picture]
    solved: Callable[[Sequence[Move], int], Picture]
    paints: Callable[[int], Paints]
    boxes: Callable[[int], Mapping[str, Sequence[Box]]]


class Hints(NamedTuple):
    """The moves of pieces in their order, as (piece, direction), and the flaw, if there is one.

    ``odd`` are the cells that look different for another reason than the hints.
    """

    moves: list[Move]
    flaw: Flaw | None = None
    detail: str = ""
    odd: tuple[Cell, ...] = ()


class _Found(NamedTuple):
    """The hints found, by (number, piece, direction); pieces whose hints can't be told; where."""

    hints: list[tuple[int, str, str]]
    unclear: list[str]
    where: Mask


def read_hints(
    image: RGB, form: Form, size: tuple[int, int], pieces: Mapping[str, Sequence[Cell]]
) -> Hints:
    """Return the moves whose hints are drawn on a board of ``size`` rows and columns.

    ``pieces`` are the cells of each.
    """
    page = sheet(image, form.draw, *size, USUAL_CELL)
    differs = strange(page)
    if not added(differs, page.cell):
        return Hints([], Flaw.NONE_DRAWN, Flaw.NONE_DRAWN.sentence)
    best: Hints | None = None
    for find in (_free, _boxed) if page.drawn is not None else (_moved, _free):
        found = find(page, differs, form, pieces)
        hints = _ordered(found)
        if page.drawn is not None and not hints.flaw and _is(page, form, hints.moves):
            return hints
        odd = unexplained(page, differs, found.where)
        if odd and not hints.moves and not hints.flaw:
            hints = Hints([], Flaw.SEVERAL, "something is drawn that is no hint on a piece")
        hints = hints._replace(odd=odd)
        if not hints.flaw and not odd:
            return hints
        if best is None or _rank(hints) < _rank(best):
            best = hints
    assert best is not None
    return best


def _rank(hints: Hints) -> tuple[bool, bool, int]:
    return hints.flaw is not None, hints.flaw is Flaw.UNCERTAIN, len(hints.odd)


def _is(page: Sheet, form: Form, moves: Sequence[Move]) -> bool:
    """Return whether the picture is the very drawing of these moves."""
    return np.array_equal(plain(form.solved(moves, page.cell)), page.image)


def _free(page: Sheet, differs: Mask, form: Form, pieces: Mapping[str, Sequence[Cell]]) -> _Found:
    """Find markers wherever they stand on pieces."""
    owner = {at: name for name, cells in pieces.items() for at in cells}
    hints, unclear = list[tuple[int, str, str]](), list[str]()
    where = np.zeros(differs.shape, bool)
    seen = differs if page.drawn is not None else differs | chip_coloured(page)
    for marker in sorted(markers(page, seen), key=lambda marker: -marker.filled.size):
        y, x = marker.middle
        name = owner.get((int(y) // page.cell, int(x) // page.cell))
        top, left, bottom, right = marker.box
        if name is None or where[top:bottom, left:right].mean() > _PART:
            continue
        high, wide = marker.shade.shape
        rim = max(0.75, 0.05 * high)
        read = read_marker(marker.shade, high + 2 * rim, (high / 2, wide / 2))
        if read.correlation < _CORRELATION or read.margin < _CLEARLY:
            unclear.append(name)
            continue
        hints.append((read.number, name, read.side))
        edge = reach_of(page)
        where[max(0, top - edge) : bottom + edge, max(0, left - edge) : right + edge] = True
    return _Found(hints, unclear, where)


def _boxed(page: Sheet, differs: Mask, form: Form, pieces: Mapping[str, Sequence[Cell]]) -> _Found:
    """Find our own chips where they would be, to the pixel."""
    paints = form.paints(page.cell)
    for most in MOST:

        def read(box: Box, most: int = most) -> Chips:
            return read_box(page, box, paints, most)

        found = _in_boxes(page, form, read, _RESIDUAL, _MARGIN)
        if not found.unclear or len(found.hints) < most // 2:
            break
    return found


def _moved(page: Sheet, differs: Mask, form: Form, pieces: Mapping[str, Sequence[Cell]]) -> _Found:
    """Find our own chips near to where they would be."""
    chips = chip_coloured(page)

    def read(box: Box) -> Chips:
        return read_moved_box(page, box, chips, MOST[0])

    found = _in_boxes(page, form, read, 1 - _CORRELATION, _CLEARLY)
    if found.unclear:  # chips all the same, where a piece has some that can't be read
        boxes = form.boxes(page.cell)
        for top, left, height, width in (box for name in found.unclear for box in boxes[name]):
            area = np.s_[max(0, top) : top + height, max(0, left) : left + width]
            found.where[area] |= chips[area]
    return found


def _in_boxes(
    page: Sheet, form: Form, read: Callable[[Box], Chips], residual: float, margin: float
) -> _Found:
    hints, unclear = list[tuple[int, str, str]](), list[str]()
    where = np.zeros(page.board.pixels.shape, bool)
    for name, boxes in form.boxes(page.cell).items():
        for box in boxes:
            chips = read(box)
            if chips.residual > residual or chips.margin < margin:
                unclear.append(name)
            elif chips.hints:
                hints += [(number, name, side) for number, side in chips.hints]
                top, left, height, width = box
                where[max(0, top) : top + height, max(0, left) : left + width] = True
    return _Found(hints, unclear, where)


def _ordered(found: _Found) -> Hints:
    hints = sorted(found.hints)
    moves = [(name, side) for _, name, side in hints]
    if found.unclear:
        return Hints([], Flaw.UNCERTAIN, f"the hints on {found.unclear[0]} can't be read")
    for number, count in sorted(Counter(number for number, _, _ in hints).items()):
        if count > 1:
            names = " and on ".join(name for n, name, _ in hints if n == number)
            return Hints([], Flaw.NUMBERING, f"number {number} stands on {names}")
    for number, (given, _, _) in enumerate(hints, 1):
        if number != given:
            return Hints(moves, Flaw.NUMBERING, f"there is no hint with number {number}")
    return Hints(moves)
