"""A puzzle as a search sees it, what a search may use, and what it may end with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # judging needs the record of a family, and should not wait for numpy
    import numpy as np
    from numpy.typing import NDArray
NEVER = 1 << 24
"""What a heuristic says of a state from which no goal can be reached."""


class Limit(NamedTuple):
    """How many states a search may store, and how many bytes they may take."""

    states: int = 20_000_000
    memory: int = 4 << 30

    def in_words(self, fits: int) -> str:
        """Return which of the two ends a search whose memory holds ``fits`` states."""
        if fits < self.states:
            return f"{self.memory / (1 << 20):,.4g} MB of memory"
        return f"{self.states:,} states"


DEFAULT = Limit()


class Path(NamedTuple):
    """A shortest path: its move codes, and how many states were expanded to find it."""

    moves: NDArray[np.int32]
    expanded: int


class Unsolvable(ValueError):
    """No goal state can be reached; every state that might lead to one has been looked at."""

    def __init__(self, states: int, pruned: bool = False):
        counted = f"{states:,} state" + "s" * (states != 1)
        if pruned:
            said = f"{counted} looked at, none is a goal, and nothing else can lead to one"
        else:
            said = f"{counted} can be reached, and none is a goal"
        super().__init__(f"unsolvable: {said}")
        self.states = states


class SearchLimit(ValueError):
    """The search would store more than it was allowed to; nothing is said of the puzzle.

    ``states`` have been stored, and no solution takes fewer than ``bound`` actions.
    """

    def __init__(self, what: str, states: int, bound: int):
        super().__init__(
            f"search limit of {what}: {states:,} states were stored; "
            f"a solution, if there is one, takes at least {bound} actions"
        )
        self.what, self.states, self.bound = what, states, bound


class System(NamedTuple):
    """Kernels over arrays of packed states: rows of uint64 words, shape (n, words).

    ``level`` is what stays the same throughout a search, a tuple of arrays and scalars.

    expand(level, states, succ, origin, moves) -> int
        Write every successor of every state, the index of the state that it came from and the
        code of the action; return how many were written.
    is_goal(level, states, out) -> None
        Write one flag a state.
    branching(level) -> int
        No state has more successors than this.
    ample
        Like ``expand``, but may leave successors out where some shortest path remains; None where
        the family has no such reduction. (The ample sets of partial-order reduction.)
    heuristic(level, states, out) -> None
        Write, int32 (n,), a number of actions that no path to a goal falls short of, 0 for goals;
        ``NEVER`` where there is no such path.
    direct(level, start, limit) -> Path
        A search of the family's own, exact like the others, where that is faster. It raises
        ``Unsolvable`` and ``SearchLimit``.
    """

    expand: Callable[..., int]
    is_goal: Callable[..., None]
    branching: Callable[[Any], int]
    ample: Callable[..., int] | None = None
    heuristic: Callable[..., None] | None = None
    direct: Callable[[Any, NDArray[np.uint64], Limit], Path] | None = None
