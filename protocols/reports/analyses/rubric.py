"""Judgements of drawings, recorded and the engine's: the rubric, the checklist, the dual track."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from pydantic import ValidationError

from protocols.reports.analyses.groups import BUCKET, WHO, Summary, with_totals
from protocols.reports.columns import unpacked
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
JUDGES = {"recorded": "scores", "engine": "measured"}
"""Who judges, and the field of a verdict that says what: a person or another program, and
`puzzles verify` by rule."""
_PARTS = ("rubric", "checklist", "result", "process")
_GROUP = [*WHO, *BUCKET]
_NOTED = "recorded: as the answers carry them; engine: as measured by rule from the pictures."


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


def by_rule(measured: bytes | None) -> dict[str, float]:
    """Return the judgements in a cell of ``measured``, as ``judgements`` does."""
    found = unpacked(measured)
    return judgements({name: found.get(name) for name in (*_PARTS, "pass")})


def scored(rows: Any) -> Any:
    """Return model, protocol, family, difficulty and judge of the rows with judgements, and these.

    A row that both judges have looked at comes twice. ``attrs["left_out"]`` counts what holds
    nothing valid.
    """
    parts, left_out = [], 0
    for judge, field in JUDGES.items():
        kept = rows[rows["error"].isna() & rows[field].notna()]
        read = judgements if field == "scores" else by_rule
        said = [read(value) for value in kept[field]]
        left_out += sum(1 for one in said if not one) if field == "scores" else 0
        frame = kept[_GROUP].join(pd.DataFrame(said, kept.index))
        parts.append(frame.assign(judge=pd.Categorical([judge] * len(frame), JUDGES)))
    frame = pd.concat(parts, ignore_index=True)
    frame.attrs["left_out"] = left_out
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
        f"Means over answers of scores from 0 to {TOP}, scaled to 0-100; composite = {weights}, "
        f"over the n answers that have all three; {_NOTED}" + _left_out(frame)
    )
    return Table("rubric", "Rubric of the drawings", note, means)


def checklist(rows: Any) -> Table | None:
    """Return how often each item of the checklist is judged good, medium and bad."""
    frame = scored(rows)
    names = [f"checklist.{item}" for item in CHECKLIST if f"checklist.{item}" in frame]
    long = frame.melt([*_GROUP, "judge"], names, "item", "grade").dropna(subset="grade")
    if long.empty:
        return None
    words = [name.split(".")[1].replace("_", " ") for name in names]
    long["item"] = pd.Categorical(long["item"].map(dict(zip(names, words, strict=True))), words)
    for grade, word in enumerate(GRADES):
        long[word] = (long["grade"] == grade).astype(float)

    def shares(part: Any, keys: list[str]) -> Any:
        groups = part.groupby(keys, observed=True)
        best_first = {word: (word, "mean") for word in reversed(GRADES)}
        return groups.agg(n=("grade", "size"), **best_first)

    counts = _by_judge(long, shares, "item")
    note = f"Shares of the judgements; {_NOTED}" + _left_out(frame)
    return Table("checklist", "Checklist of the drawings", note, counts, percent=GRADES)


def result_marks(rows: Any) -> Table | None:
    """Return the shares of drawings whose last image has each mark, and their mean."""
    what = "shares of yes among the marks of the last image"
    return _marks(rows, "result", what, percent=(*MARKS, "overall"))


def process_marks(rows: Any) -> Table | None:
    """Return the mean marks, from 0 to 100, of all the frames of an answer, and their mean."""
    return _marks(rows, "process", "means of the marks from 0 to 100 of all the frames")


def _marks(rows: Any, track: str, what: str, percent: Sequence[str] = ()) -> Table | None:
    """Return one of the dual tracks."""
    frame = scored(rows)
    means = _means(frame, [f"{track}.{mark}" for mark in MARKS], f"{track}.overall")
    if means is None:
        return None
    note = (
        f"Dual track, {track}: {what}; overall = mean of the four, over the n answers that have "
        f"all four; {_NOTED}" + _left_out(frame)
    )
    return Table(f"{track}-marks", f"Marks of the {track}", note, means, percent=percent)


def _means(frame: Any, names: list[str], overall: str, scale: float = 1) -> Any:
    """Return the means of columns by group, each over what there is; None where there is none.

    Those of ``names`` are multiplied by ``scale``.
    """
    columns = [name for name in [*names, overall] if name in frame]
    if not columns:
        return None
    kept = frame.dropna(subset=columns, how="all")
    kept = kept.reindex(columns=[*_GROUP, "judge", *names, overall])

    def summary(part: Any, keys: list[str]) -> Any:
        groups = part.groupby(keys, observed=True)
        means = groups[[*names, overall]].mean()
        means[names] *= scale
        means.insert(0, "n", groups[overall].count())
        return means

    means = _by_judge(kept, summary)
    return means.rename(columns=lambda name: name.rpartition(".")[2])


def _by_judge(frame: Any, summary: Summary, *within: str) -> Any:
    """Return what ``summary`` says by family and difficulty, the judges below each other.

    within
        Columns that stand before the judge's, without totals over them.
    """
    last = [*within, "judge"]
    found = with_totals(frame, BUCKET, summary, [*last, *WHO])
    labels = [*_GROUP, *last]
    rest = [name for name in found.columns if name not in labels]
    return found.sort_values(labels, kind="stable")[[*labels, *rest]].reset_index(drop=True)


def _left_out(frame: Any) -> str:
    count = frame.attrs["left_out"]
    return f" Answers whose scores hold nothing valid: {count:,}." if count else ""
