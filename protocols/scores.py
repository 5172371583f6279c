"""Recorded judgements of drawings: the shape that a line of answers may carry them in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Five = Annotated[float, Field(ge=0, le=5, allow_inf_nan=False)]
Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Grade = Literal["good", "medium", "bad"]


class _Marks(BaseModel):
    """Any of the marks may be missing; others, and values of another kind, are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Rubric(_Marks):
    """0 to 5 each."""

    visual_quality: Five | None = None
    structural_alignment: Five | None = None
    reasoning_correctness: Five | None = None


class Checklist(_Marks):
    """good, medium or bad each."""

    instruction_following: Grade | None = None
    visual_consistency: Grade | None = None
    visual_fidelity: Grade | None = None
    rule_coherence: Grade | None = None


class Result(_Marks):
    """The four marks of the last picture: yes or no."""

    background_consistency: bool | None = None
    rule_obedience: bool | None = None
    visual_quality: bool | None = None
    reasoning_success: bool | None = None


class Process(_Marks):
    """The same four marks over all pictures, 0 to 100 each."""

    background_consistency: Percent | None = None
    rule_obedience: Percent | None = None
    visual_quality: Percent | None = None
    reasoning_success: Percent | None = None


class Scores(_Marks):
    """Any of the judgements; ``pass`` is one on the whole."""

    rubric: Rubric | None = None
    checklist: Checklist | None = None
    result: Result | None = None
    process: Process | None = None
    passes: Annotated[bool | None, Field(alias="pass")] = None
