"""The four judgements, made of marks: what each is and where its limits lie.

docs/judging-drawings.md has them for readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from protocols.scores import Checklist, Grade, Process, Result, Rubric

GOOD, MEDIUM = 90.0, 50.0
"""Percent from which on an item of the checklist is good: nine in ten; and medium: a half."""
CLEAR = 60.0
"""Quality from which on a picture has the mark: it keeps three fifths of what a drawing has in
sharpness and colour, about where boards cease to be told at a glance."""
TOP = 5.0
OPTIMAL, FEASIBLE, UNSOLVED = 5.0, 4.0, 2.0
"""Reasoning correctness of an optimal solution, of another one, and at most of none: 3 and more
passes, so that what solves the board passes and nothing else."""


class Marks(NamedTuple):
    """What is known of one picture, each None where it can't be told.

    background, rules, success
        Whether all that no action changes is kept, the rules are obeyed, and the goal is reached.
    quality
        0 to 100.
    """

    background: bool | None
    rules: bool | None
    quality: float | None
    success: bool | None


def result(marks: Marks) -> Result:
    """Return the marks of the last picture."""
    clear = None if marks.quality is None else marks.quality >= CLEAR
    return Result(
        background_consistency=marks.background,
        rule_obedience=marks.rules,
        visual_quality=clear,
        reasoning_success=marks.success,
    )


def process(
    background: Iterable[bool | None],
    rules: Iterable[bool | None],
    quality: Iterable[float | None],
    steps: Iterable[bool | None],
) -> Process:
    """Return the marks over all pictures: percents of those of which the mark can be told."""
    return Process(
        background_consistency=percent(background),
        rule_obedience=percent(rules),
        visual_quality=mean(quality),
        reasoning_success=percent(steps),
    )


def percent(told: Iterable[bool | None]) -> float | None:
    """Return how many are true of those that aren't None, in percent; None of none."""
    return mean(None if one is None else 100.0 * one for one in told)


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of those that aren't None, None of none."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 2) if known else None


def rubric(quality: float | None, alignment: float | None, correctness: float | None) -> Rubric:
    """Return the scores of the rubric: of a quality in percent, of an alignment from 0 to 1."""
    return Rubric(
        visual_quality=_scaled(quality, TOP / 100),
        structural_alignment=_scaled(alignment, TOP),
        reasoning_correctness=_scaled(correctness, 1),
    )


def _scaled(value: float | None, by: float) -> float | None:
    return None if value is None else round(value * by, 4)


def correctness(feasible: bool | None, optimal: bool | None, way: float | None) -> float | None:
    """Return the rubric's reasoning correctness; ``way`` is the share of the way that is right."""
    if feasible:
        return OPTIMAL if optimal else FEASIBLE
    return None if feasible is None or way is None else UNSOLVED * way


def checklist(instruction: float | None, over_all: Process) -> Checklist:
    """Return the grades of how far the instruction is followed, in percent, and of the process."""
    return Checklist(
        instruction_following=grade(instruction),
        visual_consistency=grade(over_all.background_consistency),
        visual_fidelity=grade(over_all.visual_quality),
        rule_coherence=grade(over_all.rule_obedience),
    )


def grade(value: float | None) -> Grade | None:
    """Return the grade of a percent."""
    if value is None:
        return None
    return "good" if value >= GOOD else "medium" if value >= MEDIUM else "bad"


def all_of(told: Sequence[bool | None]) -> bool | None:
    """Return whether all are true; None where none is false and some can't be told."""
    if False in told:
        return False
    return None if None in told else True
