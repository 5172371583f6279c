"""What can be done with any puzzle: replay an answer, judge it."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from puzzles.answers import Reading, extract
from puzzles.rooms import family
from puzzles.solve import distance as far
from puzzles.solve import measure, solve, system_of
from puzzles.verdict import Reason, Replay, Verdict

if TYPE_CHECKING:
    from puzzles.family import Family
    from puzzles.instance import Instance


class WrongInstance(ValueError):
    """The instance contradicts itself, as where an answer shows that its optimum is another."""


def initial(instance: Instance) -> Any:
    """Return the state that the board of ``instance`` shows; raise InvalidBoard."""
    return family(instance.family).parse(instance.board, instance.rules)


def optimal_actions(instance: Instance) -> list[Any]:
    """Return the actions of an optimal solution: those of its answer, or those found by search.

    Raises SearchLimit where an answer that names no actions would have to be searched for.
    """
    room = family(instance.family)
    if instance.answer is not None and room.counts_actions:
        answer = extract(instance.answer, room).answer
        if answer is not None:
            return answer
    return solve(room, initial(instance), metric=instance.metric).actions


def replay(instance: Instance, answer: Sequence[Any]) -> Replay:
    """Play ``answer`` (a list of actions; of labels for path) on the board of ``instance``.

    Returns the last legal state, the number of legal actions and what stopped the rest.
    Raises InvalidBoard where the board can't be read.
    """
    return family(instance.family).replay(initial(instance), answer)


def check_solution(room: Family[Any, Any], state: Any, answer: Sequence[Any]) -> None:
    """Replay what the kernels call a solution by the plain rules, before anyone sees it.

    Raises RuntimeError where it does not hold: then kernels and rules contradict each other.
    """
    played = room.replay(state, answer)
    if played.reason is not None or not room.is_solved(played.state):
        raise RuntimeError(
            f"{room.name}: the solution does not hold: {played.detail or 'it is not solved'}; "
            f"board:\n{room.format(state)}"
        )


def verify(
    instance: Instance, text: str, *, strict: bool = False, distance: bool = False
) -> Verdict:
    """Judge the reply ``text`` by replaying its answer with the plain rules, not the solver's.

    strict
        An answer that misses the exact answer format is ``bad_format``, right or not.
    distance
        Also find how far from the goal the last legal state is (this runs the solver).

    Raises InvalidBoard where the board can't be read, WrongInstance where the answer solves it in
    fewer actions than the instance says are needed (or in more, where all solutions are equally
    long), and ValueError where the family has not the instance's metric.
    """
    room = family(instance.family)
    system_of(room, instance.metric)
    start = room.parse(instance.board, instance.rules)
    return judged(instance, *answered(room, start, text, strict=strict), distance)


def answered(
    room: Family[Any, Any], start: Any, text: str, *, strict: bool = False
) -> tuple[Reading, Replay]:
    """Return the answer in ``text``, and what comes of it from ``start``; see ``verify``."""
    reading = extract(text, room)
    if strict and reading.answer is not None and not reading.format_ok:
        reading = Reading(None, False, Reason.BAD_FORMAT, "the answer misses the strict format")
    if reading.answer is None:
        return reading, Replay(start, 0, None, reading.reason, reading.detail)
    return reading, room.replay(start, reading.answer)


def judged(instance: Instance, reading: Reading, played: Replay, distance: bool = False) -> Verdict:
    """Return what is said of an answer that has been read and played; raise WrongInstance."""
    room, answer = family(instance.family), reading.answer
    solved = played.reason is None and room.is_solved(played.state)
    reason = played.reason or (Reason.SOLVED if solved else Reason.UNSOLVED)
    moves = None if answer is None else len(answer)
    if answer is not None and instance.metric != "cell":
        moves = measure(room, answer, instance.metric)
    optimal = solved
    if solved and room.counts_actions:
        optimal = moves == instance.optimal_length
        if (moves or 0) < instance.optimal_length or (room.one_length and not optimal):
            raise WrongInstance(
                f"the board is solved in {moves}, but the instance says that "
                f"{instance.optimal_length} are needed"
            )
    left = far(room, played.state, metric=instance.metric) if distance else None
    return Verdict(
        answer=None if answer is None else reading.wire or room.format_answer(answer),
        format_ok=reading.format_ok,
        feasible=solved,
        optimal=optimal,
        moves=moves,
        optimal_length=instance.optimal_length,
        legal_moves=played.legal,
        at=played.at,
        reason=reason,
        detail=played.detail or reason.sentence,
        distance=None if left is None or left == inf else int(left),
        dead=None if left is None else left == inf,
    )
