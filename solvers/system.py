"""A puzzle as a search sees it."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Unsolvable(ValueError):
    """No goal state can be reached; every state that can be has been looked at."""

    def __init__(self, states: int):
        super().__init__(f"unsolvable: {states:,} states can be reached, and none is a goal")
        self.states = states


class SearchLimit(ValueError):
    """The search would store more states than it was allowed to; nothing is said of the puzzle."""

    def __init__(self, limit: int, depth: int):
        super().__init__(
            f"search limit: more than {limit:,} states within {depth} actions, "
            "and no solution among them"
        )
        self.limit = limit
        self.depth = depth


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
    """

    expand: Callable[..., int]
    is_goal: Callable[..., None]
    branching: Callable[[Any], int]
    ample: Callable[..., int] | None = None
