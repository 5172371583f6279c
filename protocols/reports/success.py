"""Success rates: by model, protocol, family and difficulty, averaged over runs, with intervals."""

from __future__ import annotations

from typing import Any

import pandas as pd

from protocols.reports.groups import ALL, WHO, with_totals
from protocols.reports.intervals import clustered
from protocols.reports.rows import judged
from protocols.reports.tables import Table

RATES = ("optimal", "feasible")

_NOTE = (
    "Mean over the runs of the share of answers that are optimal, and feasible (in brackets the "
    "95% interval, clustered by instance). Totals count every instance alike. Missing answers, "
    "compared with all instances that occur in the verdicts, are not in the rates."
)


def success(rows: Any) -> Table | None:
    """Return the rates of each model, protocol, family and difficulty, with totals."""
    kept = judged(rows)
    if kept.empty:
        return None
    known = kept.assign(model=ALL, protocol=ALL)[["family", "difficulty", "id"]].drop_duplicates()

    def summary(part: Any, keys: list[str]) -> Any:
        groups = part.groupby(keys, observed=True)
        frame = pd.DataFrame(
            {"instances": groups["id"].nunique(), "runs": groups["run"].nunique()}
        ).assign(answers=groups.size())
        frame["missing"] = _expected(known, frame, keys) * frame["runs"] - frame["answers"]
        return frame.join(rates(part, keys))

    return Table("success", "Success", _NOTE, with_totals(kept, _BUCKET, summary), RATES)


_BUCKET = ("family", "difficulty")


def _expected(known: Any, frame: Any, keys: list[str]) -> Any:
    """Return how many instances there are for each row of ``frame``."""
    bucket = keys[len(WHO) :]
    if not bucket:
        return pd.Series(len(known), frame.index)
    sizes = known.groupby(bucket, observed=True).size()
    places = frame.reset_index()[bucket]
    return pd.Series(places.join(sizes.rename("n"), on=bucket)["n"].to_numpy(), frame.index)


def rates(rows: Any, keys: list[str]) -> Any:
    """Return the ``RATES`` of the groups that ``keys`` make, each with its interval."""
    runs = rows.groupby([*keys, "run"], observed=True)[list(RATES)].mean()
    rate = runs.groupby(keys, observed=True).mean()
    each = rows.groupby([*keys, "id"], observed=True)[list(RATES)].mean()
    groups = each.groupby(keys, observed=True)
    variance, instances = groups.var(ddof=0), groups.size()
    answers = rows.groupby(keys, observed=True).size()
    frame = pd.DataFrame(index=rate.index)
    for name in RATES:
        given = zip(rate[name], variance[name], instances, answers, strict=True)
        bounds = [clustered(*one) for one in given]
        frame[name] = rate[name]
        frame[f"{name}_low"] = [low for low, _ in bounds]
        frame[f"{name}_high"] = [high for _, high in bounds]
    return frame


def optimal(rows: Any) -> Table | None:
    """Return the optimal success of each model and protocol, a column for each family."""
    return _by_family(rows, "optimal")


def feasible(rows: Any) -> Table | None:
    """Return the feasible success of each model and protocol, a column for each family."""
    return _by_family(rows, "feasible")


def _by_family(rows: Any, rate: str) -> Table | None:
    kept = judged(rows)
    if kept.empty:
        return None

    def summary(part: Any, keys: list[str]) -> Any:
        runs = part.groupby([*keys, "run"], observed=True)[rate].mean()
        return runs.groupby(keys, observed=True).mean().to_frame()

    frame = with_totals(kept, ("family",), summary)
    wide = frame.pivot(index=WHO, columns="family", values=rate)
    names = [str(name) for name in wide.columns]
    wide = wide.set_axis(names, axis=1).reset_index()
    note = f"Share of answers that are {rate}, over all difficulties, averaged over the runs."
    return Table(rate, f"{rate.capitalize()} success by family", note, wide, names)
