"""Rows grouped by model, protocol, family and difficulty, with totals over the last two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

ALL = "all"
"""Stands in a column for everything that it may hold."""
WHO = ["model", "protocol"]
BUCKET = ["family", "difficulty"]

Summary = Callable[[Any, list[str]], Any]
"""From rows and the columns that make a group to a DataFrame with these as its index."""


def with_totals(
    rows: Any, columns: Sequence[str], summary: Summary, who: Sequence[str] = WHO
) -> Any:
    """Return what ``summary`` says of the rows of each ``who``, by ``columns``.

    Totals over the last column, over the last two and so on have ``ALL`` in their place, and follow
    what they are totals of. A total over one group alone is left out.
    """
    parts = []
    for length in range(len(columns), -1, -1):
        keys = [*who, *columns[:length]]
        part = summary(rows, keys)
        if length < len(columns):
            inner = rows.groupby([*keys, columns[length]], observed=True).size()
            part = part[inner.groupby(keys, observed=True).size().reindex(part.index) > 1]
        parts.append(part.reset_index().assign(**dict.fromkeys(columns[length:], ALL)))
    whole = pd.concat(parts, ignore_index=True)
    for name in (*who, *columns):
        order = dict.fromkeys([*rows[name].cat.categories, ALL])
        whole[name] = pd.Categorical(whole[name], order, ordered=True)
    labels = [*who, *columns]
    rest = [name for name in whole.columns if name not in labels]
    return whole.sort_values(labels, kind="stable")[[*labels, *rest]].reset_index(drop=True)


def means(columns: Sequence[str], counted: str = "answers") -> Summary:
    """Return the summary that has the means of ``columns``, and before them the number of rows."""

    def summary(part: Any, keys: list[str]) -> Any:
        groups = part.groupby(keys, observed=True)
        frame = groups[list(columns)].mean()
        frame.insert(0, counted, groups.size())
        return frame

    return summary


def by_family(rows: Any) -> Iterator[tuple[str, Any]]:
    """Yield the rows of each family with its name, then those of ``ALL`` if there are several."""
    families = rows.groupby("family", observed=True, sort=True)
    for name, group in families:
        yield str(name), group
    if families.ngroups > 1:
        yield ALL, rows
