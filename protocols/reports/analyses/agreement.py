"""How far two sets of judgements of the same answers agree."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import isfinite, nan
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from protocols.reports.analyses.rubric import by_rule, judgements
from protocols.reports.tables import Table

Level = Literal["nominal", "ordinal", "interval"]
Ratings = NDArray[np.float64]
"""(n, k): what each of k raters says of each of n answers."""

_MATCHED = ["id", "protocol", "model", "run"]
_FLAGS = ("feasible", "optimal")
_NAMES = ("pearson", "spearman", "kendall", "icc", "kappa", "alpha")
_STATISTICS = (
    "Pearson's r, Spearman's rho, Kendall's tau-b; ICC(2,1): two-way random effects, absolute "
    "agreement, single rater; Cohen's kappa, of ordinal scales with quadratic weights; "
    "Krippendorff's alpha for the scale named."
)
_LEAST = 5
"""Ratings without which the library gives no intraclass correlation."""
_MOST = 20_000_000
"""Numbers that the library for Krippendorff's alpha may lay out at once."""


def agreement(a: Any, b: Any, fields: Sequence[str] | None = None) -> Table | None:
    """Compare two sets of verdicts, matched by id, protocol, model and run.

    fields
        Which judgements: feasible, optimal, and the names of ``rubric.judgements``; all that there
        are, unless named.

    A statistic that is not defined is missing, and the row's note says why. Returns None where
    neither set judges anything.
    """
    one, two = _judged(a), _judged(b)
    both = one.index.intersection(two.index)
    known = list(dict.fromkeys([*one.columns, *two.columns]))
    named = known if fields is None else [name for name in fields if name in known]
    if not named:
        return None
    note = (
        f"{len(both):,} answers are in both sets, {len(one) - len(both):,} only in the first, "
        f"{len(two) - len(both):,} only in the second; n have the judgement in both. {_STATISTICS}"
    )
    title = "Agreement of two sets of judgements"
    return Table("agreement", title, note, _compared(one, two, named))


def with_engine(rows: Any) -> Table | None:
    """Compare what is recorded of drawings with what the engine has measured in the same ones.

    It is as ``agreement`` has it; None where no drawing has both.
    """
    kept = rows[rows["error"].isna() & rows["scores"].notna() & rows["measured"].notna()]
    one = pd.DataFrame([judgements(scores) for scores in kept["scores"]], kept.index)
    two = pd.DataFrame([by_rule(measured) for measured in kept["measured"]], kept.index)
    named = [name for name in one.columns if name in two]
    if not named:
        return None
    note = (
        "Judgements that are recorded with the answers, against those that the engine makes of "
        f"the same pictures by rule; n have both. {_STATISTICS}"
    )
    title = "Agreement of recorded judgements and the engine's"
    return Table("agreement-engine", title, note, _compared(one, two, named))


def _compared(one: Any, two: Any, named: Sequence[str]) -> pd.DataFrame:
    """Return the statistics of each judgement, over the rows that have it on both sides."""
    lines = []
    for name in named:
        pair = pd.DataFrame({at: side[name] for at, side in enumerate((one, two)) if name in side})
        lines.append(_line(name, pair.reindex(columns=[0, 1]).dropna().to_numpy(float)))
    return pd.DataFrame(lines)


def level(field: str) -> Level:
    """Return the scale of a judgement."""
    part, _, name = field.partition(".")
    if part in _FLAGS or part == "pass" or (part == "result" and name != "overall"):
        return "nominal"
    if part == "checklist" or (part == "rubric" and name != "composite"):
        return "ordinal"
    return "interval"


def icc(ratings: Ratings) -> float:
    """Return ICC(2,1) of Shrout and Fleiss (1979).

    It is nan where all ratings are the same, and of fewer than five, which the library refuses.
    """
    from pingouin import intraclass_corr

    if ratings.size < _LEAST or not np.ptp(ratings):
        return nan
    n, k = ratings.shape
    long = pd.DataFrame(
        {
            "target": np.repeat(np.arange(n), k),
            "rater": np.tile(np.arange(k), n),
            "rating": ratings.ravel(),
        }
    )
    with np.errstate(all="ignore"), warnings.catch_warnings():
        # Of what else it computes, F has no value where raters agree in everything.
        warnings.simplefilter("ignore")
        found = intraclass_corr(long, "target", "rater", "rating")
    return _finite(found["ICC"].iloc[1])


def kappa(ratings: Ratings, scale: Level) -> float:
    """Return Cohen's kappa of two raters; nan where all ratings are the same.

    On an ordinal scale, of whole numbers, disagreements weigh by their squares.
    """
    from sklearn.metrics import cohen_kappa_score

    if len(ratings) == 0 or not np.ptp(ratings):
        return nan
    whole = ratings.astype(int)
    labels = np.arange(whole.min(), whole.max() + 1)
    weights = "quadratic" if scale == "ordinal" else None
    return _finite(cohen_kappa_score(*whole.T, labels=labels, weights=weights))


def alpha(ratings: Ratings, scale: Level) -> float:
    """Return Krippendorff's alpha; nan where all ratings are the same."""
    import krippendorff

    if len(ratings) == 0 or not np.ptp(ratings):
        return nan
    if scale == "interval" and len(ratings) * len(np.unique(ratings)) ** 2 > _MOST:
        return _interval_alpha(ratings)
    return _finite(krippendorff.alpha(ratings.T, level_of_measurement=scale))


def _interval_alpha(ratings: Ratings) -> float:
    """Return the same from variances, for as many ratings as there may be; none is missing."""
    within = ratings.var(axis=1, ddof=1).mean()
    return float(1 - within / ratings.var(ddof=1))


def _judged(rows: Any) -> Any:
    """Return the judgements of each answer as numbers, by id, protocol, model and run."""
    kept = rows[rows["error"].isna()].drop_duplicates(_MATCHED)
    said = [judgements(scores) for scores in kept["scores"]]
    index = pd.MultiIndex.from_frame(kept[_MATCHED].astype(str))
    flags = pd.DataFrame(
        {name: kept[name].astype("Float64").to_numpy(float, na_value=nan) for name in _FLAGS}, index
    )
    return flags.join(pd.DataFrame(said, index)).dropna(axis="columns", how="all")


def _line(name: str, ratings: Ratings) -> dict[str, Any]:
    scale = level(name)
    line: dict[str, Any] = {"judgement": name.replace("_", " "), "scale": scale, "n": len(ratings)}
    line |= dict.fromkeys(_NAMES, nan)
    if len(ratings) < 2:
        return line | {"remark": "fewer than two answers to compare"}
    notes = []
    if np.ptp(ratings, axis=0).all():
        line |= _correlations(ratings)
    else:
        notes.append("no correlation: one side judges all alike")
    line["icc"], line["alpha"] = icc(ratings), alpha(ratings, scale)
    if ratings.size < _LEAST:
        notes.append("ICC needs three answers")
    if scale == "interval":
        notes.append("kappa needs categories")
    elif not np.equal(ratings, ratings.astype(int)).all():
        notes.append("kappa needs whole scores")
    else:
        line["kappa"] = kappa(ratings, scale)
    if not np.ptp(ratings):
        notes = ["all judgements are the same"]
    return line | {"remark": "; ".join(notes)}


def _correlations(ratings: Ratings) -> dict[str, float]:
    from scipy import stats

    named = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    return {name: _finite(find(*ratings.T).statistic) for name, find in named.items()}


def _finite(value: Any) -> float:
    return float(value) if isfinite(value) else nan
