"""Matched conditions: the same items answered in text, drawn, and drawn after being told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from protocols.reports.groups import ALL
from protocols.reports.intervals import clustered
from protocols.reports.rows import NONE
from protocols.reports.rubric import judgements
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

    An item is an instance and a run that have been put to a model in T, D and O, and in H if the
    model has any H for the family. Returns None where there is no item.
    """
    passes = _passes(rows)
    records = []
    for model, mine in passes.groupby("model", observed=True, sort=True):
        items = [
            (NONE if pd.isna(family) else str(family), _items(group))
            for family, group in mine.groupby("family", observed=True, sort=True, dropna=False)
        ]
        items = [(family, group) for family, group in items if len(group)]
        records += [_record(str(model), family, group) for family, group in items]
        if len(items) > 1:
            whole = pd.concat([group for _, group in items])
            records.append(_record(str(model), ALL, whole))
    if not records:
        return None
    named = ", ".join(f"{letter} {protocol}" for letter, protocol in CONDITIONS.items())
    note = (
        f"Shares of the same items that pass ({named}), averaged over runs. Text passes if "
        "feasible, a drawing as its recorded pass says, else with a reasoning correctness of "
        f"{PASS} and more. Integration gap: T and O pass and D fails; 95% intervals, clustered by "
        "instance."
    )
    return Table(
        "matched",
        "Matched conditions",
        note,
        pd.DataFrame(records),
        (*CONDITIONS, "integration gap"),
    )


def _passes(rows: Any) -> Any:
    """Return whether each item has passed, 1 or 0, a column for each condition."""
    conditions = {protocol: letter for letter, protocol in CONDITIONS.items()}
    kept = rows[rows["error"].isna() & rows["protocol"].isin(conditions)]
    kept = kept.assign(condition=kept["protocol"].astype(str).map(conditions))
    texts = kept["feasible"].astype("Float64").to_numpy(float, na_value=np.nan)
    drawings = np.array([_passed(scores) for scores in kept["scores"]], float)
    drawings[(kept["reason"] == Reason.NO_IMAGE).to_numpy(bool) & np.isnan(drawings)] = 0
    kept["passed"] = np.where(kept["condition"] == "T", texts, drawings)
    kept = kept.dropna(subset="passed")
    index = kept.drop_duplicates([*_ITEM, "condition"]).set_index([*_ITEM, "condition"])
    wide = index["passed"].unstack("condition").reindex(columns=list(CONDITIONS))
    return wide.reset_index()


def _passed(scores: Any) -> float:
    said = judgements(scores)
    reasoning = said.get("rubric.reasoning_correctness", np.nan)
    passed = np.nan if np.isnan(reasoning) else float(reasoning >= PASS)
    return said.get("pass", passed)


def _items(passes: Any) -> Any:
    """Return those that have all conditions; H is one where there is any."""
    wanted = [name for name in CONDITIONS if name != "H" or passes["H"].notna().any()]
    return passes.dropna(subset=wanted)


def _record(model: str, family: str, items: Any) -> dict[str, Any]:
    gap = items["T"] * items["O"] * (1 - items["D"])
    shares = items[list(CONDITIONS)].assign(gap=gap)
    per_instance = shares.groupby(items["id"], observed=True).mean()
    record: dict[str, Any] = {"model": model, "family": family}
    record |= {"items": len(items), "instances": len(per_instance)}
    record |= {name: float(per_instance[name].mean()) for name in CONDITIONS}
    rate, variance = float(per_instance["gap"].mean()), float(per_instance["gap"].var(ddof=0))
    low, high = clustered(rate, variance, len(per_instance), len(items))
    record["integration gap"] = rate
    return record | {"integration gap_low": low, "integration gap_high": high}
