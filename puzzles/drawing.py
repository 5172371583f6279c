"""What was read of a drawn solution: the answer, or why there is none."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from render.flaws import Flaw


class Drawing(NamedTuple):
    """The answer that a drawing gives, as the family's replay takes it.

    A drawing is feasible where it has no flaw and its answer solves the board. With a flaw the
    answer is what can be made of the line all the same (it ends in the wrong place, say), or None.
    """

    answer: Sequence[Any] | None
    flaw: Flaw | None = None
    detail: str = ""
