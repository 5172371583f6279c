"""Game: a board played by hand, as pure state; and where its pieces are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from puzzles.controls import Cell, Gesture
from puzzles.family import Family
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family
from puzzles.steps import read, written
from puzzles.verdict import Replay

End = Literal["solved", "given_up"]
PAUSE = 300.0
"""Seconds: a person who does nothing for longer is taken to have been away for the rest."""


@dataclass(frozen=True)
class Game:
    """A board, the actions taken so far, and what else a person has done; all methods are pure.

    seen
        When something was last done, in seconds since 1970.
    seconds
        Spent on the game; see ``PAUSE``.
    solution
        A shortest solution, as the JSON values of its actions, once the game is over and it has
        been asked for.
    about
        What whoever has begun the game wants to know later, as JSON.
    """

    instance: Instance
    seen: float
    actions: tuple[Any, ...] = ()
    seconds: float = 0.0
    undos: int = 0
    restarts: int = 0
    hints: int = 0
    end: End | None = None
    solution: tuple[Any, ...] | None = None
    about: Mapping[str, Any] | None = None

    @property
    def room(self) -> Family[Any, Any]:
        return family(self.instance.family)

    @cached_property
    def start(self) -> Any:
        return initial(self.instance)

    @cached_property
    def state(self) -> Any:
        return self.after(self.actions)

    @property
    def assisted(self) -> bool:
        """Whether the person was told an action."""
        return self.hints > 0

    def after(self, actions: tuple[Any, ...]) -> Any:
        """Return the state after ``actions`` from the start."""
        state = self.start
        for action in actions:
            state = self.room.apply(state, action)
        return state

    @property
    def answer(self) -> list[Any]:
        """The answer that the actions give, as a model would name it."""
        return self.room.answer_of(self.start, self.actions)

    @property
    def judged(self) -> Replay:
        """The answer as the judge plays it."""
        return self.room.replay(self.start, self.answer)

    @property
    def reached(self) -> bool:
        """Whether the goal holds on the board; whether the answer is right too, says ``solved``."""
        return self.room.is_solved(self.state)

    @property
    def solved(self) -> bool:
        """Whether the goal holds, and the answer is right as well."""
        if not self.reached:
            return False
        played = self.judged
        return played.reason is None and self.room.is_solved(played.state)

    def take(self, action: Any, now: float) -> Game:
        """Return the game after ``action``; raise IllegalAction where it can't be taken."""
        self.room.apply(self.state, action)
        after = replace(self._at(now), actions=(*self.actions, action))
        return replace(after, end="solved") if after.solved else after

    def undo(self, now: float) -> Game:
        """Return the game without its last action, which counts as an undo."""
        return replace(self._at(now), actions=self.actions[:-1], undos=self.undos + 1)

    def restart(self, now: float) -> Game:
        """Return the game at its first board; its time and its counts go on."""
        return replace(self._at(now), actions=(), restarts=self.restarts + 1)

    def hinted(self, now: float) -> Game:
        """Return the game after a hint, which marks it as assisted."""
        return replace(self._at(now), hints=self.hints + 1)

    def give_up(self, now: float) -> Game:
        """Return the game ended where it stands."""
        return replace(self._at(now), end="given_up")

    def _at(self, now: float) -> Game:
        spent = min(max(now - self.seen, 0.0), PAUSE)
        return replace(self, seen=now, seconds=self.seconds + spent)

    def record(self) -> dict[str, Any]:
        """Return the game as JSON; ``of`` reads it."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        fields |= {"instance": self.instance.model_dump(mode="json")}
        for name in ("actions", "solution"):
            if fields[name] is not None:
                fields[name] = [written(self.room.step, action) for action in fields[name]]
        return fields

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Game:
        """Return the game that ``record`` holds."""
        instance = Instance.model_validate(record["instance"])
        fields = {**record, "instance": instance}
        for name in ("actions", "solution"):
            if fields[name] is not None:
                step = family(instance.family).step
                fields[name] = tuple(read(step, value) for value in fields[name])
        return cls(**fields)


def pieces_of(room: Family[Any, Any], state: Any) -> dict[Cell, tuple[Cell, ...]]:
    """Return the cells of the piece on each cell that has one, in reading order.

    Where pieces slide, the notation has one letter or digit for each; elsewhere a piece has one
    cell.
    """
    slides = room.controls.kind == "slide"
    cells: dict[Any, list[Cell]] = {}
    for r, row in enumerate(room.format(state).split("\n")):
        for c, mark in enumerate(row):
            if mark.isalnum():
                cells.setdefault(mark if slides else (r, c), []).append((r, c))
    return {cell: tuple(piece) for piece in cells.values() for cell in piece}


def walker_of(room: Family[Any, Any], state: Any) -> Cell | None:
    """Return the cell of the one piece that walks, or None where the kind is another."""
    if room.controls.kind != "walk":
        return None
    anywhere = room.controls.action(state, Gesture((0, 0), "up"))
    return room.controls.gesture(state, anywhere).cell


def place(cell: Cell) -> str:
    """Return a cell as the grid on the board writes it."""
    return f"({cell[0]},{cell[1]})"
