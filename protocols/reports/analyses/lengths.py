"""Success against the optimal length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from protocols.reports.analyses.groups import WHO, with_totals
from protocols.reports.analyses.success import RATES, per_instance, rates
from protocols.reports.rows import judged
from protocols.reports.tables import Table

EDGES = (0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40, 60, 100)
"""The largest length of each bin but the last."""
_GROUP = [*WHO, "family"]


def lengths(rows: Any) -> Table | None:
    """Return the rates in bins of the optimal length, with intervals."""
    kept = _binned(rows)
    if kept.empty:
        return None

    def summary(part: Any, keys: list[str]) -> Any:
        inner = [*keys, "bin"]
        groups = part.groupby(inner, observed=True)
        frame = groups["optimal_length"].agg(["min", "max", "mean"]).astype(float)
        frame.columns = ["shortest", "longest", "length"]
        frame = frame.astype({"shortest": int, "longest": int})
        frame = frame.assign(instances=groups["id"].nunique(), answers=groups.size())
        return frame.join(rates(part, inner)).reset_index("bin").drop(columns="bin")

    note = (
        "Success in bins of the optimal length (the shortest and the longest length that occur in "
        "the bin, and the mean), with 95% intervals clustered by instance."
    )
    frame = with_totals(kept, ("family",), summary)
    return Table("lengths", "Success by optimal length", note, frame, RATES, long=True)


def optimal_by_length(rows: Any) -> Table | None:
    """Return the optimal success in bins of the optimal length, a column for each."""
    kept = _binned(rows)
    if kept.empty:
        return None

    def summary(part: Any, keys: list[str]) -> Any:
        inner = [*keys, "bin"]
        each = per_instance(part, inner, ["optimal"])
        return each.groupby(inner, observed=True).mean().reset_index("bin")

    frame = with_totals(kept, ("family",), summary)
    wide = frame.pivot(index=_GROUP, columns="bin", values="optimal")
    wide = wide.sort_index().sort_index(axis=1)
    heads = [_name(at) for at in wide.columns]
    wide = wide.set_axis(heads, axis=1).reset_index()
    note = "Share of answers that are optimal, in bins of the optimal length, averaged over runs."
    return Table("by-length", "Optimal success by optimal length", note, wide, heads)


def _binned(rows: Any) -> Any:
    kept = judged(rows)
    kept = kept[kept["optimal_length"].notna()]
    places = np.searchsorted(EDGES, kept["optimal_length"].astype(int), side="left")
    return kept.assign(bin=pd.array(places, dtype="int64"))


def _name(at: int) -> str:
    """Return the lengths of a bin, such as 3-4."""
    if at == len(EDGES):
        return f"{EDGES[-1] + 1}+"
    low, high = EDGES[at - 1] + 1 if at else 0, EDGES[at]
    return f"{low}-{high}" if low < high else f"{low}"
