"""Matched conditions: the same items answered in text, drawn, and drawn after being told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from protocols.reports.analyses.groups import by_family
from protocols.reports.analyses.intervals import columns, rate_of
from protocols.reports.analyses.rubric import by_rule, judgements
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
    where its recorded ``rubric.reasoning_correctness`` is 3 or more, else where the engine has
    found a feasible solution in it; one that did not come fails; any other is no item. The drawing
    of self-vr counts, not the answer that follows it.

    An item is an instance and a run that have been put to a model in T, D and O. H is the share of
    the items that have it. Returns None where there is no item.
    """
    passes = _passes(rows)
    items = passes["passed"].dropna(subset=[name for name in CONDITIONS if name != "H"])
    counts = passes["judge"].loc[items.index].stack().value_counts()
    items = items.reset_index()
    records = [
        {"model": str(model), "family": family, **_shares(group)}
        for model, mine in items.groupby("model", observed=True, sort=True)
        for family, group in by_family(mine)
    ]
    if not records:
        return None
    named = ", ".join(f"{letter} {protocol}" for letter, protocol in CONDITIONS.items())
    judges = ", ".join(f"{judge} {counts.get(judge, 0):,}" for judge in _JUDGES)
    note = (
        f"Shares of the same items that pass ({named}), averaged over runs; H is that of the items "
        "with H. Text passes if feasible, a drawing as its recorded pass says, else with a "
        f"recorded reasoning correctness of {PASS} and more, else if the engine reads a feasible "
        f"solution in it; one that did not come fails. Drawings by who has judged: {judges}. "
        "Integration gap: T and O pass and D fails; 95% intervals, clustered by instance."
    )
    shares = (*CONDITIONS, "integration gap")
    return Table("matched", "Matched conditions", note, pd.DataFrame(records), shares)


def _passes(rows: Any) -> Any:
    """Return whether each item has passed, 1 or 0, and who says so of its drawings.

    Both have a column for each condition, beneath ``passed`` and ``judge``.
    """
    conditions = {protocol: letter for letter, protocol in CONDITIONS.items()}
    kept = rows[rows["error"].isna() & rows["protocol"].isin(conditions)]
    kept = kept.assign(condition=kept["protocol"].astype(str).map(conditions))
    # Verdicts of earlier versions say so by their reason alone.
    missing = ((~kept["drawn"].fillna(True)) | (kept["reason"] == Reason.NO_IMAGE)).to_numpy(bool)
    given = zip(kept["scores"], kept["measured"], missing, strict=True)
    drawings = pd.DataFrame([_passed(*one) for one in given], kept.index, ["passed", "judge"])
    text = kept["condition"] == "T"
    texts = kept["feasible"].astype("Float64").to_numpy(float, na_value=np.nan)
    kept["passed"] = np.where(text, texts, drawings["passed"].to_numpy(float))
    kept["judge"] = drawings["judge"].mask(text)
    kept = kept.dropna(subset="passed")
    wide = kept.set_index([*_ITEM, "condition"])[["passed", "judge"]].unstack("condition")
    columns = pd.MultiIndex.from_product([["passed", "judge"], CONDITIONS])
    return wide.reindex(columns=columns)


_JUDGES = ("recorded", "engine", "did not come")


def _passed(scores: Any, measured: Any, missing: bool) -> tuple[float, str | None]:
    """Return whether a drawing passes, 1 or 0 or nan, and who says so."""
    said = judgements(scores)
    if "rubric.reasoning_correctness" in said:
        said.setdefault("pass", float(said["rubric.reasoning_correctness"] >= PASS))
    if "pass" in said:
        return said["pass"], "recorded"
    if missing:
        return 0.0, "did not come"
    found = by_rule(measured).get("pass", np.nan)
    return found, None if np.isnan(found) else "engine"


def _shares(items: Any) -> dict[str, Any]:
    items = items.assign(gap=items["T"] * items["O"] * (1 - items["D"]))
    means = items.groupby("id", observed=True)[list(CONDITIONS)].mean()
    counts = {"items": len(items), "instances": len(means), "with H": int(items["H"].count())}
    shares = {name: float(means[name].mean()) for name in CONDITIONS}
    return {**counts, **shares, **columns("integration gap", *rate_of(items, "gap"))}
