"""The solution that is drawn in a picture, and how far it gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from puzzles.drawing import Drawing, read_drawing
from puzzles.family import Family, IllegalAction
from puzzles.solve import measure
from puzzles.verdict import Reason, Replay
from render.drawings.flaws import Flaw

if TYPE_CHECKING:
    from render.boards.warping import RGB
    from render.canvas import Picture
    from render.decode import Source

CELL = 32
"""Pixels a cell at which what was read is drawn."""
_UNREAD = (Flaw.OTHER_PICTURE, Flaw.UNCERTAIN)


@dataclass(frozen=True)
class DrawingSight:
    """What is drawn onto the board of ``state``, and what becomes of it when it is played.

    played
        None where there is no answer to be played.
    optimal
        None where that is not known, since nobody has said how long a shortest solution is.
    """

    room: Family[Any, Any]
    state: Any
    drawing: Drawing
    played: Replay | None
    optimal: bool | None

    @property
    def readable(self) -> bool:
        return self.drawing.flaw not in _UNREAD

    @property
    def reason(self) -> str:
        """What is wrong with the drawing, or with its answer; "" where it solves the board."""
        flaw, played = self.drawing.flaw, self.played
        if flaw is not None:
            return self.drawing.detail or flaw.sentence
        if played is None or self.feasible:
            return ""
        return played.detail or (played.reason or Reason.UNSOLVED).sentence

    @property
    def feasible(self) -> bool:
        played = self.played
        if played is None or self.drawing.flaw is not None or played.reason is not None:
            return False
        return bool(self.room.is_solved(played.state))

    @property
    def answer(self) -> str | None:
        """The answer in wire format."""
        answer = self.drawing.answer
        return None if answer is None else self.room.format_answer(answer)

    @property
    def legal(self) -> list[Any]:
        """The actions drawn, up to the first that is not legal."""
        legal, state = list[Any](), self.state
        for action in self.drawing.actions or self.drawing.answer or ():
            try:
                state = self.room.apply(state, action)
            except IllegalAction:
                break
            legal.append(action)
        return legal

    def lines(self) -> list[str]:
        """Return the answer, and what is wrong with it."""
        return [line for line in (self.answer, self.reason) if line]

    @property
    def picture(self) -> Picture:
        """The board with what was read of the drawing, as far as it is legal, drawn anew."""
        if not self.legal:
            return self.room.draw(self.state, CELL)
        return self.room.draw_solution(self.state, self.legal, CELL)

    @property
    def title(self) -> str:
        """In a few words what it is."""
        if self.drawing.flaw is not None:
            return f"{self.room.name}, {self.drawing.flaw.replace('_', ' ')}"
        if not self.feasible:
            return f"{self.room.name}, no solution"
        return f"{self.room.name}, {'an optimal' if self.optimal else 'a'} solution"

    def record(self) -> dict[str, Any]:
        """Return all that is known, as JSON."""
        flaw = self.drawing.flaw
        return {
            "family": self.room.name,
            "readable": self.readable,
            "reason": self.reason or None,
            "answer": self.answer,
            "flaw": flaw and flaw.value,
            "detail": self.drawing.detail or None,
            "feasible": None if flaw is Flaw.UNCERTAIN else self.feasible,
            "optimal": self.optimal,
        }

    def overlay(self, image: RGB) -> RGB:
        """Return a picture to look at: ``image``, the one seen, with what is read in it."""
        from puzzles.sights.overlay import of_drawing

        return of_drawing(self, image)


def see_drawing(
    room: Family[Any, Any],
    image: Source,
    state: Any,
    optimum: int | None = None,
    metric: str = "cell",
) -> DrawingSight:
    """Return what is drawn in a picture of ``state``.

    ``optimum`` is the exact length of a shortest solution in that ``metric``, where it is known.
    """
    drawing = read_drawing(room, image, state)
    played = None if drawing.answer is None else room.replay(state, drawing.answer)
    sight = DrawingSight(room, state, drawing, played, None)
    optimal: bool | None = None if drawing.flaw is Flaw.UNCERTAIN else sight.feasible
    if sight.feasible and room.counts_actions:
        length = measure(room, drawing.answer or (), metric)
        optimal = None if optimum is None else length == optimum
    return DrawingSight(room, state, drawing, played, optimal)
