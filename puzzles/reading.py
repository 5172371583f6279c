"""Pictures back to states: what a room says of its looks, and the reading that goes with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:  # judging needs the record of a family, and should not wait for numpy
    import numpy as np
    from numpy.typing import NDArray


S = TypeVar("S")


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
    detail
        Pixels a side to which a cell is brought before it is looked at: enough to tell the parts
        apart, and no more.
    drawing
        The answer that a picture with a drawn solution gives, by the state that it was drawn on.
    """

    specimens: Callable[[Mapping[str, Any]], Iterable[S]]
    parts: Callable[[S], NDArray[np.int16]]
    assemble: Callable[[NDArray[np.int16]], str]
    detail: int = 16
    drawing: Callable[[Any, S], Any] | None = None
