"""What the engine measures of the pictures in an answer, without a model as judge.

``measure`` is the way in; the shape of what it returns is in ``record``. Reading pictures takes
numpy and Pillow, which are imported when there is a picture to be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocols.measures.record import DrawnAid, DrawnSolution, Frame, Frames, Measured, Trouble
from puzzles.instance import Instance

if TYPE_CHECKING:
    from protocols.answer_line import Answer

__all__ = [
    "DrawnAid",
    "DrawnSolution",
    "Frame",
    "Frames",
    "Measured",
    "Trouble",
    "has_pictures",
    "measure",
]


def has_pictures(answer: Answer) -> bool:
    """Return whether an answer names pictures that the model has drawn."""
    if answer.images:
        return True
    known, steps = answer.known, answer.steps
    if (known is not None and not known.stepwise) or not isinstance(steps, list):
        return False
    return any(isinstance(step, Mapping) and step.get("image") for step in steps)


def measure(instance: Instance, answer: Answer | Mapping[str, Any], folder: Path | str) -> Measured:
    """Return what is measured of the pictures in an answer to ``instance``.

    answer
        A line of answers.jsonl.
    folder
        Where the files are that it names.

    What is wrong with a file is said in the record; raises ValidationError where ``answer`` is no
    line of answers.jsonl.
    """
    from protocols.answer_line import Answer
    from protocols.measures.kinds import measured

    said = answer if isinstance(answer, Answer) else Answer.model_validate(dict(answer))
    if not has_pictures(said):
        return Measured(problem="it names no picture")
    return measured(instance, said, Path(folder))
