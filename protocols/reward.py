"""What a completion is worth to a trainer: a score of what it truly does, and a mix of its parts.

Both are functions of the completion and its instance alone; docs/rewards.md has the formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from protocols.completion import said
from protocols.given import Given, Record, given
from puzzles.answers import Reading, extract
from puzzles.directions import quoted
from puzzles.replay import answered
from puzzles.verdict import Reason, Replay, Verdict

if TYPE_CHECKING:
    from render.decode import Source

MOST_CHARACTERS = 4 << 20
"""A longer completion holds no answer: no model is meant to write so much."""


class Score(NamedTuple):
    """How a completion fares.

    feasible, optimal
        Every action is legal and the goal holds at the end; in as few actions as can be.
    format
        The reply meets the answer format to the letter.
    progress
        -1 to 1: the exact distance to the goal that the legal actions have recovered or lost; see
        ``potential``. 1 for what is feasible. None where it wasn't asked for.
    efficiency
        The optimum over the number of actions of what is feasible; else 0.
    legal
        There is an answer, and none of its actions is illegal.
    reason
        The verdict's, or the flaw of a drawing.
    """

    feasible: bool
    optimal: bool
    format: bool
    progress: float | None
    efficiency: float
    legal: bool
    reason: str

    def numbers(self) -> dict[str, float]:
        """Return the parts as trainers log them, without the reason."""
        told = self._asdict()
        del told["reason"]
        return {name: float(value) for name, value in told.items() if value is not None}


def potential(left: float | None, first: float) -> float:
    """Return what a state is worth whose goal is ``left`` actions away, -1 to 1.

    At the beginning it was ``first``. It falls strictly with ``left``: 1 at the goal, 0 for as far
    as at the beginning, -1 where there is no way any more (inf). Where the distance isn't known
    (None) it is 0.

    What is paid for a walk is the difference between its last state and its first (Ng, Harada and
    Russell 1999, without discount), so nothing is gained by moving to and fro.
    """
    if left is None:
        return 0.0
    return -1.0 if left == inf else (first - left) / max(first, left, 1)


def efficiency(verdict: Verdict) -> float:
    """Return 1 for a shortest solution, for others the optimum over their number of actions."""
    if verdict.optimal or not verdict.feasible:
        return float(verdict.optimal)
    return verdict.optimal_length / (verdict.moves or 1)


@dataclass(frozen=True)
class Mix:
    """A weighted sum of the parts of a score, from 0 to 1.

    Only what is recovered is paid for: if what is lost were taken off, it would be safer to answer
    nothing than to try. ``illegal`` is the share of it that is left to an answer with an illegal
    action. What the actions before it have recovered is true, and early in training hardly an
    answer is without a slip; but a wall is no way to stop.

    Whatever the weights: optimal >= feasible >= anything else, and no part ever costs anything.
    Raises ValueError for weights that can't keep to that.
    """

    feasible: float = 0.5
    optimal: float = 0.15
    efficiency: float = 0.15
    progress: float = 0.15
    format: float = 0.05
    illegal: float = 0.5

    def __post_init__(self) -> None:
        weights = {part.name: getattr(self, part.name) for part in fields(self)}
        for name, weight in weights.items():
            if type(weight) not in (int, float) or not isfinite(weight) or not 0 <= weight <= 1:
                raise ValueError(f"{name} is a number from 0 to 1, not {quoted(weight)}")
        if sum(weights.values()) - self.illegal > 1 + 1e-9:
            raise ValueError("the weights of a mix are more than 1 in all")
        for name in ("feasible", "optimal"):
            if weights[name] < self.format:
                raise ValueError(f"{name} weighs less than format: the worse could be paid more")

    def __call__(self, score: Score) -> float:
        """Return the reward; raise ValueError where it needs progress that wasn't asked for."""
        if score.progress is None and self.progress:
            raise ValueError("the mix needs progress, which the score is without")
        kept = 1.0 if score.legal else self.illegal
        reward = (
            self.feasible * score.feasible
            + self.optimal * score.optimal
            + self.efficiency * score.efficiency
            + self.progress * kept * max(0.0, score.progress or 0.0)
            + self.format * score.format
        )
        return min(1.0, reward)


MIX = Mix()
"""The default mix."""
REWARDS: dict[str, Callable[[Score], float]] = {
    "mix": MIX,
    "feasible": lambda score: float(score.feasible),
    "optimal": lambda score: float(score.optimal),
    "efficiency": lambda score: score.efficiency,
    "progress": lambda score: score.progress or 0.0,
    "format": lambda score: float(score.format),
}
"""What makes a reward of a score, by name."""
SEARCHING = ("mix", "progress")
"""Those that need exact distances, which are searched for."""


def score(
    completion: Any,
    instance: Record,
    *,
    strict: bool = False,
    thinking: bool = False,
    progress: bool = True,
) -> Score:
    """Return how a completion fares.

    completion
        Text, or a chat as TRL gives it: the last message of the assistant counts.
    strict
        An answer that misses the exact format is none.
    thinking
        The prompt has opened a thought that the completion begins in, as some chat templates do.
    progress
        False leaves ``progress`` out, unless it needs no search.

    Raises WrongInstance, also where the completion shows it to be so, and ValueError for what is
    no completion.
    """
    known, text = given(instance), said(completion)
    if len(text) > MOST_CHARACTERS:
        detail = f"the reply is longer than {MOST_CHARACTERS:,} characters"
        reading = Reading(None, False, Reason.NO_ANSWER, detail)
        played = Replay(known.state, 0, None, reading.reason, detail)
    else:
        text = f"<think>{text}" if thinking else text
        reading, played = answered(known.room, known.state, text, strict=strict)
    return scored(known, known.judged(reading, played), played.state, progress=progress)


def scored(known: Given, verdict: Verdict, state: Any = None, *, progress: bool = True) -> Score:
    """Return the score of a verdict; see ``score``.

    state
        The last legal one; None for that which the answer of the verdict leads to.
    """
    if state is None and not verdict.feasible:
        answer = extract(verdict.answer or "", known.room).answer
        state = known.room.replay(known.state, answer).state if answer else known.state
    return Score(
        feasible=verdict.feasible,
        optimal=verdict.optimal,
        format=verdict.format_ok,
        progress=1.0 if verdict.feasible else _progress(known, state, search=progress),
        efficiency=efficiency(verdict),
        legal=verdict.answer is not None and verdict.at is None,
        reason=str(verdict.reason),
    )


def _progress(known: Given, state: Any, *, search: bool) -> float | None:
    """Return the potential of a state, less that of the first, which is 0; None: not searched."""
    if state == known.state:
        return 0.0
    if known.room.is_solved(state):
        return 1.0
    if not search:
        return None
    return potential(known.left(state), known.first)


def drawn(image: Source, instance: Record, *, progress: bool = True) -> Score:
    """Return how a solution fares that is drawn onto the board's picture; see ``score``.

    ``format`` and ``legal`` say that the drawing has no flaw. One that has, or shows another board
    however little it differs, is not feasible; what can be read of its line all the same counts for
    progress, as actions before an illegal one do.

    image
        The picture: its bytes, its file, opened with Pillow, or as pixels.
    """
    from puzzles.drawing import read_drawing
    from render.drawings.flaws import Flaw

    known = given(instance)
    read = read_drawing(known.room, image, known.state)
    played = Replay(known.state, 0)
    if read.answer is not None and read.flaw is not Flaw.UNCERTAIN:
        played = known.room.replay(known.state, read.answer)
    if read.flaw is None and read.answer is not None:
        verdict = known.judged(Reading(list(read.answer), True), played)
        return scored(known, verdict, played.state, progress=progress)
    way = _progress(known, played.state, search=progress)
    return Score(False, False, False, way, 0.0, False, str(read.flaw or Reason.NO_ANSWER))
