"""Whether answers are better where the model's own drawing is closer to the true one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from protocols.reports.analyses.drawn import (
    DISTANCES,
    LPIPS,
    MEASURES,
    NO_FILE,
    NOT_DRAWN,
    UNREADABLE,
)
from protocols.reports.analyses.groups import BUCKET, WHO, by_family
from protocols.reports.analyses.intervals import DIGITS, columns, pearson, rate_of
from protocols.reports.tables import Table
from render.fidelity.lpips import COMMAND

BINS = 4
_OUTCOMES = ("optimal", "feasible")
_ALIKE = BUCKET
"""Instances that differ in these differ in success and in fidelity whatever the model draws: of a
harder one more is to be drawn."""
_LPIPS = "lpips: learned distance (Zhang et al. 2018, AlexNet), the smaller the closer."
_NO_LPIPS = f"lpips is not computed without its weights ({COMMAND} gets them)."
_COUNTED = {"not drawn": NOT_DRAWN, "missing": NO_FILE, "unreadable": UNREADABLE}


def drawings(found: Any) -> Table | None:
    """Return how many drawings there are, and how close they come to the true ones.

    ``found`` is what ``drawn.fidelities`` returns, here and below.
    """
    if not len(found):
        return None
    groups = found.groupby([*WHO, "family"], observed=True, dropna=False)
    frame = groups.agg(
        drawings=("problem", "size"), **{name: (name, "mean") for name in _measures(found)}
    ).reset_index()
    frame.insert(4, "measured", groups[MEASURES[0]].count().to_numpy())
    problems = {
        name: groups["problem"].agg(lambda column, text=text: int((column == text).sum()))
        for name, text in _COUNTED.items()
    }
    for name, counts in problems.items():
        frame[name] = counts.to_numpy()
    frame["other"] = frame["drawings"] - frame["measured"] - frame[list(problems)].sum(axis=1)
    others = sorted(set(found["problem"].dropna()) - set(_COUNTED.values()))
    note = (
        "Means over drawings, stretched to the true picture's size. ssim: structural similarity of "
        "the luminance (Wang et al. 2004). ms ssim: at five scales (Wang et al. 2003). change f1: "
        "whether the same places differ from the true picture of the state before. edge f1: "
        "whether outlines lie in the same places. colour mean and p95: CIEDE2000, mean and 95th "
        "percentile, the smaller the closer. Of a board with several solutions only the stored one "
        f"counts as true. {_LPIPS if LPIPS in _measures(found) else _NO_LPIPS}"
        + (f" Other: {'; '.join(others)}." if others else "")
    )
    return Table("drawings", "Drawings against the true ones", note, frame)


def by_fidelity(found: Any) -> Table | None:
    """Return success by how close the drawings are, in bins of equally many answers."""
    records = []
    for who, mine in found.groupby(WHO, observed=True, sort=True):
        for measure in _measures(found):
            answers = _answers(mine, measure)
            places = _places(answers, measure)
            for place, inside in answers.groupby(places):
                record: dict[str, Any] = dict(zip(WHO, map(str, who), strict=True))
                record |= {"measure": measure.replace("_", " "), "bin": f"{place} of {BINS}"}
                record |= {"answers": len(inside), "mean": float(inside[measure].mean())}
                for outcome in _OUTCOMES:
                    record |= columns(outcome, *rate_of(inside, outcome))
                records.append(record)
    if not records:
        return None
    note = (
        f"Answers in {BINS} bins of equally many within each family and difficulty, from the least "
        "close drawings to the closest; equal ones share a bin. Of several drawings of an answer "
        "their mean counts. mean: that of the measure. 95% intervals over instances. Answers "
        "without a drawing that can be measured are left out."
    )
    title = "Success by the fidelity of the drawings"
    return Table("by-fidelity", title, note, pd.DataFrame(records), _OUTCOMES)


def correlation(found: Any) -> Table | None:
    """Return how success and the fidelity of the drawings go together, over instances."""
    records = []
    groups = (
        ({**dict(zip(WHO, map(str, who), strict=True)), "family": family}, group)
        for who, mine in found.groupby(WHO, observed=True, sort=True)
        for family, group in by_family(mine)
    )
    for labels, mine in groups:
        for measure in _measures(found):
            answers = _answers(mine, measure)
            means = answers.groupby([*_ALIKE, "id"], observed=True)[[measure, *_OUTCOMES]].mean()
            means -= means.groupby(_ALIKE, observed=True).transform("mean")
            means = means.round(DIGITS)
            record = {**labels, "measure": measure.replace("_", " "), "instances": len(means)}
            for outcome in _OUTCOMES:
                bounds = pearson(means[measure].to_numpy(float), means[outcome].to_numpy(float))
                record |= columns(outcome, *bounds)
            records += [record] if len(means) else []
    if not records:
        return None
    note = (
        "Pearson's r between the mean fidelity of an instance's drawings and the share of its runs "
        "that succeed, both taken from the means of their family and difficulty, so that it is not "
        "their differences that show; with 95% bootstrap intervals over instances. colour and "
        "lpips are distances: where closer drawings go with success, their r is negative."
    )
    title = "Correlation of success and the fidelity of the drawings"
    return Table("fidelity-correlation", title, note, pd.DataFrame(records))


def _measures(found: Any) -> list[str]:
    """Return the measures that there are: LPIPS only where its weights are present."""
    return [name for name in MEASURES if name != LPIPS or found[name].notna().any()]


def _answers(found: Any, measure: str) -> Any:
    """Return the answers whose drawings have the measure, with its mean over these."""
    kept = found[found[measure].notna() & found["optimal"].notna()]
    kept = kept.astype(dict.fromkeys(_OUTCOMES, float))
    grouped = kept.groupby([*_ALIKE, "id", "run"], observed=True)[[measure, *_OUTCOMES]]
    return grouped.mean().reset_index()


def _places(answers: Any, measure: str) -> Any:
    """Return the bin of each answer, from 1, among those of its family and difficulty."""
    closeness = -answers[measure] if measure in DISTANCES else answers[measure]
    alike = closeness.groupby([answers[name] for name in _ALIKE], observed=True)
    middles = (alike.rank() - 0.5) / alike.transform("size")
    return np.ceil(middles * BINS).astype(int)
