"""The board that a picture shows, how sure that is, and what has become of another one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzles import changes
from puzzles.family import Family, InvalidBoard, Size
from puzzles.reading import Step, looks, read_cells, state_of, step_between
from puzzles.rooms import NAMES
from puzzles.rooms import family as room_of

if TYPE_CHECKING:
    from render.boards.warping import RGB
    from render.canvas import Picture
    from render.decode import Source
    from render.read import Seen

CELL = 32
"""Pixels a cell at which what was read is drawn."""
DOUBTFUL = 0.5
"""Confidence below which a cell is worth a second look."""
_CERTAIN = 0.8
"""Least confidence from which on no other family is tried."""
_NEAR = 2.4
"""How far, in CIELAB, a picture that nothing has happened to may be from a board."""
_NAMED = 6
"""Cells that a sentence names, at most."""


class Since(NamedTuple):
    """What a board is to the one that its picture was made from.

    same
        Whether they are the same, as far as a picture shows.
    step
        The one legal action that leads there, or why there is none.
    cells
        Those that look different.
    """

    same: bool
    step: Step
    cells: list[tuple[int, int]]


@dataclass(frozen=True)
class BoardSight:
    """What a picture shows of a board.

    room
        The family whose boards it was compared with; None where none fits.
    state
        What it shows; None where that can't be told, for the ``reason`` given.
    seen
        Its cells, one by one; None where it shows no board at all.
    reference
        The state that it was made from, if that is known; then ``since`` says what has happened.
    """

    room: Family[Any, Any] | None
    state: Any = None
    seen: Seen | None = None
    reason: str = ""
    reference: Any = None
    since: Since | None = None

    @property
    def readable(self) -> bool:
        return self.state is not None

    @property
    def unknown(self) -> list[tuple[int, int]]:
        """The cells that can't be told."""
        return [] if self.seen is None else _cells(self.seen.parts < 0)

    @property
    def doubtful(self) -> list[tuple[int, int]]:
        """The cells that are told, but not for certain; the least certain first."""
        if self.seen is None:
            return []
        sure = self.seen.confidence
        found = _cells((sure < DOUBTFUL) & (self.seen.parts >= 0))
        return sorted(found, key=lambda at: float(sure[at]))

    @property
    def rows(self) -> str | None:
        """The board as text, as far as it can be told; None where its cells make none."""
        if self.room is None or self.room.reading is None or self.seen is None:
            return None
        if self.state is not None:
            return self.room.format(self.state)
        try:
            return self.room.reading.assemble(self.seen.parts)
        except InvalidBoard:
            return None

    def record(self) -> dict[str, Any]:
        """Return all that is known, as JSON."""
        seen = self.seen
        shape = None if seen is None else list(seen.parts.shape)
        sure = None if seen is None else [[round(float(x), 3) for x in r] for r in seen.confidence]
        known = self.room is not None and self.readable
        record = {
            "family": self.room and self.room.name,
            "readable": self.readable,
            "reason": self.reason or None,
            "size": shape,
            "board": self.rows if known else None,
            "rules": self.room.rules_of(self.state) if known and self.room else None,
            "cells": self.rows,
            "confidence": sure,
            "unknown": self.unknown,
            "matrix": None if seen is None else seen.matrix.round(4).tolist(),
        }
        if self.reference is not None:
            record["since"] = self._since_record()
        return record

    def _since_record(self) -> dict[str, Any] | None:
        if self.since is None or self.room is None:
            return None
        same, (action, fault), cells = self.since
        step = None if action is None else json.loads(self.room.step.format(action, None))
        return {"same": same, "action": step, "fault": fault or None, "cells": cells}

    def sentences(self) -> list[str]:
        """Return what there is to be said of it beside the board itself."""
        said = []
        if len(self.unknown) > 1:
            said.append(f"can't be told: {_listed(self.unknown)}")
        if self.seen is not None and self.doubtful:
            sure = self.seen.confidence
            doubts = [f"({r},{c}) {float(sure[r, c]):.2f}" for r, c in self.doubtful]
            more = f" and {len(doubts) - _NAMED} more" if len(doubts) > _NAMED else ""
            said.append(f"not for certain: {', '.join(doubts[:_NAMED])}{more}")
        if self.since is not None:
            said.append(self._since_sentence(self.since))
        return said

    def _since_sentence(self, since: Since) -> str:
        if since.same:
            return "it shows the reference itself"
        if self.room is not None and since.step.action is not None:
            return (
                f"one action after the reference: {self.room.step.format(since.step.action, None)}"
            )
        return f"it does not follow from the reference: {since.step.fault}"

    def lines(self) -> list[str]:
        """Return the board, as far as it can be told, and what there is to be said of it."""
        return [*([self.rows] if self.rows else []), *self.sentences()]

    @property
    def picture(self) -> Picture | None:
        """The board that was read, drawn anew."""
        if self.room is None or self.state is None:
            return None
        return self.room.draw(self.state, CELL)

    @property
    def title(self) -> str:
        """In a few words what it is."""
        name = self.room.name if self.room else "no family"
        if self.seen is None:
            return name
        rows, cols = self.seen.parts.shape
        return f"{name}, {rows}x{cols}, least confidence {self.seen.confidence.min():.2f}"

    def overlay(self, image: RGB) -> RGB:
        """Return a picture to look at: ``image``, the one seen, with what is read in it."""
        from puzzles.sights.overlay import of_board

        return of_board(self, image)


def see_board(
    room: Family[Any, Any],
    image: Source,
    reference: Any = None,
    size: Size | None = None,
    rules: Mapping[str, Any] | None = None,
) -> BoardSight:
    """Return what a picture shows of a board of this family; arguments as for ``reading.read``."""
    from render.read import UnreadableImage

    try:
        seen = read_cells(room, image, reference, size, rules)
    except UnreadableImage as error:
        return BoardSight(room, reason=str(error), reference=reference)
    try:
        state, reason = state_of(room, seen, reference, rules), ""
    except UnreadableImage as error:
        state, reason = None, str(error)
        rows, cols = seen.parts.shape
        if size is None and reference is None and (rows, cols) != room.size:
            reason += f"; if the board is not of {rows}x{cols} cells, say its size"
    since = None if state is None or reference is None else _since(room, reference, state)
    return BoardSight(room, state, seen, reason, reference, since)


def see_any_board(image: Source, size: Size | None = None) -> BoardSight:
    """Return what a picture shows, of the one family whose boards look like that.

    Boards of other sizes than usual are found only by their ``size``. The families are tried from
    the likeliest on, until one fits for certain; where none does, one of all has to be readable.
    """
    from render.decode import UnusablePicture, rgb

    try:
        pixels = rgb(image)
    except UnusablePicture as error:
        return BoardSight(None, reason=str(error))
    found, reasons = list[BoardSight](), set[str]()
    for room in _likeliest(pixels, size):
        sight = see_board(room, pixels, size=size or room.size)
        reasons.add(sight.reason)
        if sight.seen is not None and sight.readable:
            found.append(sight)
            if sight.seen.confidence.min() >= _CERTAIN:
                return sight
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(sight.room.name for sight in found if sight.room)
        return BoardSight(None, reason=f"it could be of {names}: say its family")
    if len(reasons) == 1:
        return BoardSight(None, reason=reasons.pop())
    which = f"of {size[0]}x{size[1]} cells" if size else "of its usual size"
    return BoardSight(None, reason=f"it shows no board {which} of any family: say what it is")


def _likeliest(image: RGB, size: Size | None) -> Iterator[Family[Any, Any]]:
    """Yield the families: at once what fits without a second look, the rest from the best on."""
    from render.read import misfit

    later = list[tuple[float, str]]()
    for room in map(room_of, NAMES):
        if room.reading is not None:
            far = misfit(image, looks(room.name, "{}"), size or room.size)
            if far < _NEAR:
                yield room
            else:
                later.append((far, room.name))
    yield from (room_of(name) for _, name in sorted(later))


def _since(room: Family[Any, Any], before: Any, after: Any) -> Since:
    reading = room.reading
    assert reading is not None
    old, new = reading.parts(before), reading.parts(after)
    cells = _cells(old != new) if old.shape == new.shape else []
    same = old.shape == new.shape and not cells and not reading.changed(before, after)
    return Since(same, Step() if same else step_between(room, before, after), cells)


def _cells(mask: Any) -> list[tuple[int, int]]:
    return [(int(r), int(c)) for r, c in zip(*mask.nonzero(), strict=True)]


def _listed(cells: list[tuple[int, int]]) -> str:
    more = f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
    return ", ".join(map(changes.at, cells[:_NAMED])) + more
