"""Recorded judgements of drawings: the rubric's composite, the checklist, the dual track."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from pydantic import ValidationError

from protocols.reports.analyses.groups import BUCKET, WHO
from protocols.reports.tables import Table
from protocols.scores import Checklist, Result, Scores

WEIGHTS = {"visual_quality": 0.15, "structural_alignment": 0.20, "reasoning_correctness": 0.65}
"""The rubric's scores, each from 0 to 5, and their weights in the composite."""
CHECKLIST = tuple(Checklist.model_fields)
GRADES = ("bad", "medium", "good")
MARKS = tuple(Result.model_fields)
"""What the result (yes or no) and the process (0 to 100) are marked for."""
TOP = 5
"""The rubric's best score."""
_PARTS = ("rubric", "checklist", "result", "process")
_GROUP = [*WHO, *BUCKET]


def judgements(scores: Any) -> dict[str, float]:
    """Return what recorded ``scores`` say, as numbers, by names such as rubric.visual_quality.

    Grades are 0 (bad) to 2 (good), yes and no 1 and 0. ``rubric.composite`` (0 to 100),
    ``result.overall`` and ``process.overall`` (means of four marks, of 1 and of 100) are there
    where nothing is missing that they are made of. Of scores that aren't valid nothing is read.
    """
    try:
        said = Scores.model_validate(scores or {})
    except ValidationError:
        return {}
    found = {} if said.passes is None else {"pass": float(said.passes)}
    for part in _PARTS:
        for name, value in getattr(said, part) or ():
            if value is not None:
                number = GRADES.index(value) if isinstance(value, str) else value
                found[f"{part}.{name}"] = float(number)
    if all(f"rubric.{name}" in found for name in WEIGHTS):
        total = sum(weight * found[f"rubric.{name}"] for name, weight in WEIGHTS.items())
        found["rubric.composite"] = round(total * 100 / TOP, 9)
    for track in ("result", "process"):
        marks = [found[f"{track}.{mark}"] for mark in MARKS if f"{track}.{mark}" in found]
        if len(marks) == len(MARKS):
            found[f"{track}.overall"] = sum(marks) / len(marks)
    return found


def scored(rows: Any) -> Any:
    """Return model, protocol, family and difficulty of the rows with scores, and what these say.

    ``attrs["left_out"]`` counts the rows whose scores hold nothing valid.
    """
    kept = rows[rows["error"].isna() & rows["scores"].notna()]
    said = [judgements(scores) for scores in kept["scores"]]
    frame = kept[_GROUP].join(pd.DataFrame(said, kept.index))
    frame.attrs["left_out"] = sum(1 for one in said if not one)
    return frame


def rubric(rows: Any) -> Table | None:
    """Return the mean scores of the rubric and its composite, on 0-100."""
    frame = scored(rows)
    names = [f"rubric.{name}" for name in WEIGHTS]
    means = _means(frame, names, "rubric.composite", 100 / TOP)
    if means is None:
        return None
    weights = " + ".join(f"{weight} {name.replace('_', ' ')}" for name, weight in WEIGHTS.items())
    note = (
        f"Means over answers of recorded scores from 0 to {TOP}, scaled to 0-100; composite = "
        f"{weights}, over the n answers that have all three." + _left_out(frame)
    )
    return Table("rubric", "Rubric of the drawings", note, means)


def checklist(rows: Any) -> Table | None:
    """Return how often each item of the checklist is judged good, medium and bad."""
    frame = scored(rows)
    names = [f"checklist.{item}" for item in CHECKLIST if f"checklist.{item}" in frame]
    if not names:
        return None
    long = frame.melt(_GROUP, names, "item", "grade").dropna(subset="grade")
    long["item"] = pd.Categorical(long["item"], names)
    for grade, word in enumerate(GRADES):
        long[word] = (long["grade"] == grade).astype(float)
    grouped = long.groupby([*_GROUP, "item"], observed=True, dropna=False)
    counts = grouped.agg(
        n=("grade", "size"), **{word: (word, "mean") for word in reversed(GRADES)}
    ).reset_index()
    counts["item"] = [name.split(".")[1].replace("_", " ") for name in counts["item"]]
    note = "Shares of recorded judgements." + _left_out(frame)
    return Table("checklist", "Checklist of the drawings", note, counts, percent=GRADES)


def result_marks(rows: Any) -> Table | None:
    """Return the shares of drawings whose last image has each mark, and their mean."""
    what = "shares of yes among recorded marks of the last image"
    return _marks(rows, "result", what, percent=(*MARKS, "overall"))


def process_marks(rows: Any) -> Table | None:
    """Return the mean marks, from 0 to 100, of all the frames of an answer, and their mean."""
    return _marks(rows, "process", "means of recorded marks from 0 to 100 of all the frames")


def _marks(rows: Any, track: str, what: str, percent: Sequence[str] = ()) -> Table | None:
    """Return one of the dual tracks."""
    frame = scored(rows)
    means = _means(frame, [f"{track}.{mark}" for mark in MARKS], f"{track}.overall")
    if means is None:
        return None
    note = (
        f"Dual track, {track}: {what}; overall = mean of the four, over the n answers that have "
        "all four." + _left_out(frame)
    )
    return Table(f"{track}-marks", f"Marks of the {track}", note, means, percent=percent)


def _means(frame: Any, names: list[str], overall: str, scale: float = 1) -> pd.DataFrame | None:
    """Return the means of columns by group, each over what there is; None where there is none.

    Those of ``names`` are multiplied by ``scale``.
    """
    columns = [name for name in [*names, overall] if name in frame]
    if not columns:
        return None
    kept = frame.dropna(subset=columns, how="all").reindex(columns=[*_GROUP, *names, overall])
    grouped = kept.groupby(_GROUP, observed=True, dropna=False)
    means = grouped[[*names, overall]].mean()
    means[names] *= scale
    means.columns = [name.split(".")[1] for name in means.columns]
    means.insert(0, "n", grouped[overall].count())
    return pd.DataFrame(means.reset_index())


def _left_out(frame: Any) -> str:
    count = frame.attrs["left_out"]
    return f" Answers whose scores hold nothing valid: {count:,}." if count else ""
