"""Success rates: by model, protocol, family and difficulty, averaged over runs, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from protocols.reports.analyses.groups import ALL, BUCKET, WHO, with_totals
from protocols.reports.analyses.intervals import clustered
from protocols.reports.rows import judged
from protocols.reports.tables import Table

RATES = ("optimal", "feasible")

_NOTE = (
    "Share of answers that are optimal, and feasible: the mean over the runs of each instance, "
    "then over the instances (in brackets the 95% interval, clustered by instance). Totals count "
    "every instance alike. Missing answers, compared with all instances that occur in the "
    "verdicts, are not in the rates."
)


def success(rows: Any) -> Table | None:
    """Return the rates of each model, protocol, family and difficulty, with totals."""
    kept = judged(rows)
    if kept.empty:
        return None
    known = _known(kept)

    def summary(part: Any, keys: list[str]) -> Any:
        return _counts(part, keys, known).join(rates(part, keys))

    return Table("success", "Success", _NOTE, with_totals(kept, BUCKET, summary), RATES)


def _known(kept: Any) -> Any:
    """Return the instances that occur anywhere."""
    return kept[[*BUCKET, "id"]].drop_duplicates()


def _counts(rows: Any, keys: list[str], known: Any) -> Any:
    """Return how many instances, runs and answers there are, and how many answers are missing."""
    groups = rows.groupby(keys, observed=True)
    frame = pd.DataFrame(
        {"instances": groups["id"].nunique(), "runs": groups["run"].nunique()}
    ).assign(answers=groups.size())
    frame["missing"] = _expected(known, frame, keys) * frame["runs"] - frame["answers"]
    return frame


def _expected(known: Any, frame: Any, keys: list[str]) -> Any:
    """Return how many instances there are for each row of ``frame``."""
    bucket = keys[len(WHO) :]
    if not bucket:
        return pd.Series(len(known), frame.index)
    sizes = known.groupby(bucket, observed=True).size()
    places = frame.reset_index()[bucket]
    return pd.Series(places.join(sizes.rename("n"), on=bucket)["n"].to_numpy(), frame.index)


def rates(rows: Any, keys: list[str]) -> Any:
    """Return the ``RATES`` of the groups that ``keys`` make, each with its interval.

    A rate is the mean over the runs of each instance, then over the instances. With every answer
    there that is the mean of the runs' rates too. With some missing it is not: a run that broke off
    after a few easy instances would weigh as much as a whole one.
    """
    groups = per_instance(rows, keys, RATES).groupby(keys, observed=True)
    rate, variance, instances = groups.mean(), groups.var(ddof=0), groups.size()
    answers = rows.groupby(keys, observed=True).size()
    frame = pd.DataFrame(index=rate.index)
    for name in RATES:
        given = zip(rate[name], variance[name], instances, answers, strict=True)
        bounds = [clustered(*one) for one in given]
        frame[name] = rate[name]
        frame[f"{name}_low"] = [low for low, _ in bounds]
        frame[f"{name}_high"] = [high for _, high in bounds]
    return frame


def per_instance(rows: Any, keys: list[str], columns: Sequence[str]) -> Any:
    """Return the means over the runs of each instance, in each of the groups that ``keys`` make."""
    return rows.groupby([*keys, "id"], observed=True)[list(columns)].mean()


def optimal(rows: Any) -> Table | None:
    """Return the optimal success of each model and protocol, a column for each family."""
    return _wide(rows, "optimal", "family")


def feasible(rows: Any) -> Table | None:
    """Return the feasible success of each model and protocol, a column for each family."""
    return _wide(rows, "feasible", "family")


def optimal_by_difficulty(rows: Any) -> Table | None:
    """Return the optimal success of each model and protocol, a column for each difficulty."""
    return _wide(rows, "optimal", "difficulty")


def feasible_by_difficulty(rows: Any) -> Table | None:
    """Return the feasible success of each model and protocol, a column for each difficulty."""
    return _wide(rows, "feasible", "difficulty")


_OVER = {"family": "difficulties", "difficulty": "families"}
"""What a table takes together that has a column for each family, or for each difficulty."""


def _wide(rows: Any, rate: str, by: str) -> Table | None:
    kept = judged(rows)
    if kept.empty:
        return None
    frame = with_totals(kept, (by,), rates)
    # A pivot has its rows in the order in which they come up.
    wide = frame.pivot(index=WHO, columns=by, values=rate).sort_index()
    names = [str(name) for name in wide.columns]
    wide = wide.set_axis(names, axis=1)
    if ALL in wide:
        whole = frame[frame[by] == ALL].set_index(WHO)
        for bound in ("low", "high"):
            wide[f"{ALL}_{bound}"] = whole[f"{rate}_{bound}"]
    counts = _counts(kept, WHO, _known(kept))[["answers", "missing"]]
    wide = counts.join(wide).sort_index().reset_index()
    note = (
        f"Share of answers that are {rate}, over all {_OVER[by]}, averaged over the runs (in "
        "brackets the 95% interval, clustered by instance). Every instance counts alike. Rows that "
        "miss answers are about other instances than the rest."
    )
    name = rate if by == "family" else f"{rate}-by-{by}"
    return Table(name, f"{rate.capitalize()} success by {by}", note, wide, names)
