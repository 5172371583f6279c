"""How an action is taken by hand, and by a tool that a model calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

Cell = tuple[int, int]
Direction = Literal["up", "right", "down", "left"]
Kind = Literal["walk", "slide", "pair"]
S = TypeVar("S")
A = TypeVar("A")


class Gesture(NamedTuple):
    """What a hand does to take an action: it begins at ``cell``, and goes on as the kind has it.

    direction
        Where the piece at ``cell`` goes by one cell (walk, slide).
    other
        The second cell that is chosen (pair).
    """

    cell: Cell
    direction: str | None = None
    other: Cell | None = None


@dataclass(frozen=True)
class Controls(Generic[S, A]):
    """How the actions of a family are taken.

    kind
        walk: the one piece that there is to move goes in a direction. slide: a piece, taken by any
        of its cells, goes in a direction. pair: two cells are chosen, in any order.
    gesture
        What a hand does to take a legal action of a state.
    tool
        A function whose typed arguments, described in the Google style, name an action; it returns
        the JSON value that ``Family.step`` reads. Trainers show its name and its words to a model.
    """

    kind: Kind
    gesture: Callable[[S, A], Gesture]
    tool: Callable[..., Any]
