"""Pictures back to states: what a room says of its looks, and the reading that goes with it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

from puzzles.family import Family, InvalidBoard, Size
from puzzles.notation import compact
from puzzles.rooms import family

if TYPE_CHECKING:  # judging needs the record of a family, and should not wait for numpy
    import numpy as np
    from numpy.typing import NDArray

    from render.boards.looks import Looks
    from render.decode import Source
    from render.drawings.aid_check import AidCheck
    from render.read import Seen

Parts: TypeAlias = "NDArray[np.int16]"
"""(rows, columns): what stands in each cell."""
S = TypeVar("S")
_FINE = 64
"""Pixels a cell, at least, of the drawings that looks are taken from."""


@dataclass(frozen=True)
class Reading(Generic[S]):
    """How a family's pictures are read.

    specimens
        States, of any size and solvable or not, in whose drawings every cell that a board with
        these rules can have is seen at least once: each part beside each neighbour that changes how
        it is drawn.
    parts
        What stands in every cell of a state, int16 (rows, columns), from 0: a part is a character
        of the notation, or a part of a piece. Cells that are drawn alike have the same part.
    assemble
        The board, as text, of such an array: the inverse of ``parts``. Raises InvalidBoard where
        the parts make no board; the message names the cell.
    changed
        What is another in the second of two states though no move changes it; "" where nothing is.
    detail
        Pixels a side to which a cell is brought before it is looked at: enough to tell the parts
        apart, and no more.
    drawing
        The answer that a picture with a drawn solution gives, by the state that it was drawn on.
    goes_on
        Over which of its sides, in the order of DIRECTIONS, a part goes on in the next cell, so
        that it can't lie at that edge of the board. None where no part does.
    mended
        The parts as they are if what does not go with the rest was misread: another part, or
        ``UNKNOWN`` (-1) where no one part would do. None where every array of parts is a board.
    rules
        What the parts show of the rules, where a picture shows any. Raises InvalidBoard.
    """

    specimens: Callable[[Mapping[str, Any]], Iterable[S]]
    parts: Callable[[S], Parts]
    assemble: Callable[[Parts], str]
    changed: Callable[[S, S], str]
    detail: int = 16
    drawing: Callable[[Any, S], Any] | None = None
    goes_on: Callable[[int], Sequence[bool]] | None = None
    mended: Callable[[Parts], Parts] | None = None
    rules: Callable[[Parts], Mapping[str, Any]] = lambda parts: {}


class Step(NamedTuple):
    """How a state follows from the one before: by ``action``, or not, for the reason ``fault``."""

    action: Any = None
    fault: str = ""


def step_between(room: Family[S, Any], before: S, after: S) -> Step:
    """Return the one legal action that leads from a state to another, as far as pictures show.

    Where there is none the fault names what is another though no move changes it, or the cells that
    no one action changes so.
    """
    reading = _reading(room)
    old, new = reading.parts(before), reading.parts(after)
    other = reading.changed(before, after)
    if other:
        return Step(fault=other + _since(old, new, other))
    for action in room.legal_actions(before):
        if (reading.parts(room.apply(before, action)) == new).all():
            return Step(action)
    if (old == new).all():
        return Step(fault="nothing has moved")
    return Step(fault=f"no one legal action changes {differing(old, new)} so")


def differing(old: Parts, new: Parts) -> str:
    """Name the cells in which two boards of one size differ; at most six."""
    cells = [f"({r},{c})" for r, c in zip(*(old != new).nonzero(), strict=True)]
    return ", ".join(cells[:6]) + (f" and {len(cells) - 6} more" if len(cells) > 6 else "")


def _since(old: Parts, new: Parts, said: str = "") -> str:
    """Say which cells are others than in the state before, unless it has been ``said`` of each."""
    if old.shape != new.shape:
        return ""
    cells = zip(*(old != new).nonzero(), strict=True)
    if all(f"({r},{c})" in said for r, c in cells):
        return ""
    return f" (other than before: {differing(old, new)})"


def read(
    room: Family[S, Any],
    image: Source,
    reference: S | None = None,
    size: Size | None = None,
    rules: Mapping[str, Any] | None = None,
) -> S:
    """Return the state that a picture shows.

    reference
        A state that the picture was made from: it says where things are, and of which size.
    size
        Rows and columns, where they are known.
    rules
        Those of ``reference``, if None; without one, what the picture shows of them.

    Raises UnreadableImage where the picture shows no board, or a cell can't be told.
    """
    return state_of(room, read_cells(room, image, reference, size, rules), reference, rules)


def state_of(
    room: Family[S, Any],
    seen: Seen,
    reference: S | None = None,
    rules: Mapping[str, Any] | None = None,
) -> S:
    """Return the state that the cells of ``read_cells`` make.

    Arguments as for ``read``. Raises UnreadableImage where a cell can't be told, or they make none.
    """
    from render.boards.looks import UNKNOWN
    from render.read import UnreadableImage

    unknown = [(int(r), int(c)) for r, c in zip(*(seen.parts == UNKNOWN).nonzero(), strict=True)]
    if unknown:
        r, c = unknown[0]
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        raise UnreadableImage(f"what stands at ({r},{c}){more} can't be told")
    reading = _reading(room)
    old = seen.parts if reference is None else reading.parts(reference)
    try:
        board = reading.assemble(seen.parts)
        if rules is None and reference is None:
            rules = reading.rules(seen.parts)
        state = room.parse(board, _rules(room, reference, rules))
    except InvalidBoard as error:
        since = _since(old, seen.parts)
        raise UnreadableImage(f"what the picture shows is no board: {error}{since}") from None
    for r, c in zip(*(reading.parts(state) != seen.parts).nonzero(), strict=True):
        what = f"what stands at ({r},{c}) does not go with the rest of the board"
        raise UnreadableImage(what + _since(old, seen.parts, what))
    return state


def read_cells(
    room: Family[S, Any],
    image: Source,
    reference: S | None = None,
    size: Size | None = None,
    rules: Mapping[str, Any] | None = None,
) -> Seen:
    """Return what stands in each cell, as far as it can be told, whether it makes a board or not.

    Arguments as for ``read``. Raises UnreadableImage where the picture shows no board.
    """
    from render.decode import UnusablePicture, rgb
    from render.read import UnreadableImage, see

    try:
        pixels = rgb(image)
    except UnusablePicture as error:
        raise UnreadableImage(str(error)) from None
    known = looks(room.name, compact(dict(_rules(room, reference, rules))))
    drawing = None if reference is None else _drawn(room, reference, known.detail)
    return see(pixels, known, size, room.size, drawing, mend_of(room))


def mend_of(room: Family[S, Any]) -> Callable[[Parts], Parts]:
    """Return what ``render.read`` asks of parts: what they are if some were misread.

    Of one part everywhere none is known where no board is so plain: it is a plain picture.
    """
    reading = _reading(room)

    def mend(parts: Parts) -> Parts:
        if (parts == parts[0, 0]).all() and not _is_board(room, reading, parts):
            return parts * 0 - 1
        return parts.copy() if reading.mended is None else reading.mended(parts)

    return mend


def _is_board(room: Family[S, Any], reading: Reading[S], parts: Parts) -> bool:
    try:
        room.parse(reading.assemble(parts), reading.rules(parts))
    except InvalidBoard:
        return False
    return True


def _reading(room: Family[S, Any]) -> Reading[S]:
    if room.reading is None:
        raise ValueError(f"pictures of {room.name} can't be read")
    return room.reading


def _rules(
    room: Family[S, Any], reference: S | None, rules: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    if rules is not None:
        return rules
    return {} if reference is None else room.rules_of(reference)


@lru_cache(maxsize=16)
def looks(name: str, rules: str) -> Looks:
    """Return the looks of the family of that name; its rules are JSON."""
    from render.boards.looks import Looks

    room = family(name)
    reading = _reading(room)
    states = reading.specimens(json.loads(rules))
    fine = reading.detail * -(-_FINE // reading.detail)
    drawings = ((room.draw(state, fine), reading.parts(state)) for state in states)
    return Looks(drawings, reading.detail, reading.goes_on)


def _pixels(room: Family[S, Any], state: S, cell: int) -> NDArray[np.uint8]:
    picture = room.draw(state, cell)
    return picture.palette.take(picture.pixels, axis=0)


def _drawn(room: Family[S, Any], state: S, detail: int) -> NDArray[np.uint8]:
    from render.boards.looks import shrunk

    fold = -(-_FINE // detail)
    return shrunk(_pixels(room, state, fold * detail), fold)


def parts_of(rows: Sequence[str]) -> Parts:
    """Return a board whose parts are the characters of its notation."""
    import numpy as np

    codes = np.frombuffer("".join(rows).encode("latin-1"), np.uint8)
    return codes.reshape(len(rows), -1).astype(np.int16)


def board_of(parts: Parts) -> str:
    """Return the text of a board whose parts are the characters of its notation; "?" if unknown."""
    return "\n".join("".join(chr(n) if n >= 0 else "?" for n in row) for row in parts.tolist())


def without(parts: Parts, marks: str) -> Parts:
    """Return the parts with UNKNOWN where one of the characters is."""
    import numpy as np

    from render.boards.looks import UNKNOWN

    among = np.isin(parts, [ord(mark) for mark in marks])
    return np.where(among, UNKNOWN, parts).astype(np.int16)


def alone(parts: Parts, *groups: str) -> Parts:
    """Return the parts without those of a group of characters of which there are several."""
    parts = parts.astype("int16")
    counts = Counter(parts.ravel().tolist())  # few groups have several, and numpy is slow for few
    for group in groups:
        codes = [ord(mark) for mark in group]
        if sum(counts[code] for code in codes) > 1:
            parts = without(parts, group)
            for code in codes:
                del counts[code]
    return parts


def check_aid(room: Family[S, Any], image: Source, state: S) -> AidCheck:
    """Return what a picture has of the visual aid of ``state``: lines, coordinates, the board.

    Raises UnreadableImage for what is no picture.
    """
    from render.decode import UnusablePicture, rgb
    from render.drawings import aid_check
    from render.read import UnreadableImage

    try:
        pixels = rgb(image)
    except UnusablePicture as error:
        raise UnreadableImage(str(error)) from None
    aid = room.draw_aid(state, aid_check.CELL)
    plain = _pixels(room, state, aid_check.CELL)
    return aid_check.check_aid(pixels, plain, aid.palette[aid.pixels])
