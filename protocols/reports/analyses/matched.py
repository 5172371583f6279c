"""Matched conditions: the same items answered in text, drawn, and drawn after being told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from protocols.reports.analyses.groups import by_family
from protocols.reports.analyses.intervals import columns, rate_of
from protocols.reports.analyses.rubric import judgements
from protocols.reports.tables import Table
from puzzles.verdict import Reason

CONDITIONS = {"T": "text-cot", "D": "self-vr", "H": "draw-own", "O": "draw-true"}
"""The conditions and their protocols: answered in text; drawn; drawn after the model's own answer
in words; drawn after the true one."""
PASS = 3
"""Reasoning correctness, of 0 to 5, from which a drawing passes."""
_ITEM = ["model", "family", "id", "run"]


def matched(rows: Any) -> Table | None:
    """Return, by model and family, how often each condition passes, and the integration gap.

    A text answer passes where it is feasible. A drawing passes as its recorded ``pass`` says, else
    where its ``rubric.reasoning_correctness`` is 3 or more; one that did not come fails; any other
    without scores is no item. The drawing of self-vr counts, not the answer that follows it.

    An item is an instance and a run that have been put to a model in T, D and O. H is the share of
    the items that have it. Returns None where there is no item.
    """
    items = _passes(rows).dropna(subset=[name for name in CONDITIONS if name != "H"])
    records = [
        {"model": str(model), "family": family, **_shares(group)}
        for model, mine in items.groupby("model", observed=True, sort=True)
        for family, group in by_family(mine)
    ]
    if not records:
        return None
    named = ", ".join(f"{letter} {protocol}" for letter, protocol in CONDITIONS.items())
    note = (
        f"Shares of the same items that pass ({named}), averaged over runs; H is that of the items "
        "with H. Text passes if feasible, a drawing as its recorded pass says, else with a "
        f"reasoning correctness of {PASS} and more; one that did not come fails. Integration gap: "
        "T and O pass and D fails; 95% intervals, clustered by instance."
    )
    shares = (*CONDITIONS, "integration gap")
    return Table("matched", "Matched conditions", note, pd.DataFrame(records), shares)


def _passes(rows: Any) -> Any:
    """Return whether each item has passed, 1 or 0, a column for each condition."""
    conditions = {protocol: letter for letter, protocol in CONDITIONS.items()}
    kept = rows[rows["error"].isna() & rows["protocol"].isin(conditions)]
    kept = kept.assign(condition=kept["protocol"].astype(str).map(conditions))
    texts = kept["feasible"].astype("Float64").to_numpy(float, na_value=np.nan)
    drawings = np.array([_passed(scores) for scores in kept["scores"]], float)
    # Verdicts of earlier versions say so by their reason alone.
    missing = (~kept["drawn"].fillna(True)) | (kept["reason"] == Reason.NO_IMAGE)
    drawings[missing.to_numpy(bool) & np.isnan(drawings)] = 0
    kept["passed"] = np.where(kept["condition"] == "T", texts, drawings)
    kept = kept.dropna(subset="passed")
    wide = kept.set_index([*_ITEM, "condition"])["passed"].unstack("condition")
    return wide.reindex(columns=list(CONDITIONS)).reset_index()


def _passed(scores: Any) -> float:
    said = judgements(scores)
    reasoning = said.get("rubric.reasoning_correctness", np.nan)
    passed = np.nan if np.isnan(reasoning) else float(reasoning >= PASS)
    return said.get("pass", passed)


def _shares(items: Any) -> dict[str, Any]:
    items = items.assign(gap=items["T"] * items["O"] * (1 - items["D"]))
    means = items.groupby("id", observed=True)[list(CONDITIONS)].mean()
    counts = {"items": len(items), "instances": len(means), "with H": int(items["H"].count())}
    shares = {name: float(means[name].mean()) for name in CONDITIONS}
    return {**counts, **shares, **columns("integration gap", *rate_of(items, "gap"))}
