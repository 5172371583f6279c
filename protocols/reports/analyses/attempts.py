"""Pass at k: the chance that one of k runs solves an instance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from protocols.reports.analyses.groups import WHO, with_totals
from protocols.reports.analyses.success import RATES
from protocols.reports.rows import judged
from protocols.reports.tables import Table


def pass_at_k(n: NDArray[Any], c: NDArray[Any], k: int) -> NDArray[np.float64]:
    """Return 1 - C(n - c, k) / C(n, k) for each pair of counts.

    It estimates without bias the chance that one of k runs succeeds where ``c`` of ``n`` runs have
    succeeded (Chen et al. 2021, arXiv:2107.03374). ``n`` is at least ``k``.
    """
    fail = np.ones(len(n))
    for drawn in range(k):
        fail *= np.maximum(n - c - drawn, 0) / (n - drawn)
    return 1 - fail


def attempts(rows: Any) -> Table | None:
    """Return pass@k for k from 1 to the number of runs, by family; None with one run."""
    kept = judged(rows)
    most = kept.groupby(WHO, observed=True)["run"].nunique().max()
    if kept.empty or most < 2:
        return None

    def summary(part: Any, keys: list[str]) -> Any:
        each = part.groupby([*keys, "id"], observed=True)[list(RATES)].agg(["size", "sum"])
        parts = [_at(each, keys, k) for k in range(1, most + 1)]
        return pd.concat(parts).sort_index(kind="stable")

    note = (
        "Unbiased estimate of the chance that at least one of k runs is optimal, and feasible "
        "(Chen et al. 2021), averaged over the instances with at least k runs."
    )
    return Table("pass-at-k", "Pass at k", note, with_totals(kept, ("family",), summary), RATES)


def _at(each: Any, keys: list[str], k: int) -> Any:
    enough = each[each["optimal"]["size"] >= k]
    frame = pd.DataFrame({"k": k}, index=enough.index)
    for name in RATES:
        n, c = enough[name]["size"].to_numpy(), enough[name]["sum"].to_numpy()
        frame[name] = pass_at_k(n, c, k)
    groups = frame.groupby(keys, observed=True)
    means = groups[["k", *RATES]].mean().astype({"k": int})
    means.insert(1, "instances", groups.size())
    return means
