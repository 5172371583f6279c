"""How an action is taken by hand, by a tool that a model calls, and by a learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

if TYPE_CHECKING:  # judging needs the record of a family, and should not wait for numpy
    import numpy as np
    from numpy.typing import NDArray

Cell = tuple[int, int]
Size = tuple[int, int]
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
class Numbering(Generic[A]):
    """Actions as numbers 0 to ``count(size) - 1``, the same for all boards of one (rows, columns).

    action
        The action that a number stands for, whether it is legal or not.
    number
        The number of an action. An action that no board of that size can have gets any number, or
        one that is out of range; so ``action(size, number(size, a))`` is another than ``a``.
    codes
        The numbers of the move codes of a level, int32 (codes,), for the kernels.
    """

    count: Callable[[Size], int]
    action: Callable[[Size, int], A]
    number: Callable[[Size, A], int]
    codes: Callable[[Any], NDArray[np.int32]]


@dataclass(frozen=True)
class Controls(Generic[S, A]):
    """How the actions of a family are taken.

    kind
        walk: the one piece that there is to move goes in a direction. slide: a piece, taken by any
        of its cells, goes in a direction. pair: two cells are chosen, in any order.
    gesture
        What a hand does to take a legal action of a state.
    action
        The action that a hand means, legal or not; a piece may be taken by any of its cells. Raises
        IllegalAction where the hand is on no piece at all.
    tool
        A function whose typed arguments, described in the Google style, name an action; it returns
        the JSON value that ``Family.step`` reads. Trainers show its name and its words to a model.
    numbering
        Actions as numbers, for learners.
    legend
        The characters of the board's notation. A learner sees the index of a cell's character.
    observe(level, states, out) -> None
        A kernel: write these indices for packed states, uint8 (n, rows, columns).
    """

    kind: Kind
    gesture: Callable[[S, A], Gesture]
    action: Callable[[S, Gesture], A]
    tool: Callable[..., Any]
    numbering: Numbering[A]
    legend: str
    observe: Callable[..., None]
