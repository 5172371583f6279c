"""Where answers fail: the reason codes, the format, and the step of the first illegal action."""

from __future__ import annotations

from typing import Any

import pandas as pd

from protocols.reports.analyses.groups import WHO, means, with_totals
from protocols.reports.rows import judged
from protocols.reports.tables import Table
from puzzles.verdict import Reason

MARKS = (1, 2, 3, 5, 8, 12, 16, 20, 30)
"""The steps for which the printed table says how many answers have come through."""
_GROUP = [*WHO, "family"]


def reasons(rows: Any) -> Table | None:
    """Return the share of each reason code among the answers, by family."""
    kept = judged(rows)
    if kept.empty:
        return None
    seen = set(kept["reason"].dropna())
    codes = [code.value for code in Reason if code.value in seen]
    codes += sorted(seen - set(codes))
    marked = kept.assign(**{code: kept["reason"] == code for code in codes})
    note = "Share of all answers with each reason code; solved counts every feasible answer."
    frame = with_totals(marked, ("family",), means(codes))
    return Table("reasons", "Reasons", note, frame, codes)


def formats(rows: Any) -> Table | None:
    """Return how many replies met the format, held no answer, or one of the wrong shape."""
    kept = judged(rows)
    if kept.empty:
        return None
    codes = Reason.NO_ANSWER.value, Reason.BAD_FORMAT.value
    marked = kept.assign(**{code: kept["reason"] == code for code in codes})
    shares = ["format_ok", *codes]
    note = (
        "Share of replies that meet the answer format to the letter; that hold no complete answer; "
        "whose answer is not of the family's shape."
    )
    frame = with_totals(marked, ("family",), means(shares))
    return Table("formats", "Formats", note, frame, shares)


def steps(rows: Any) -> Table | None:
    """Return, for every step, how many answers get to it, and how many fail at it.

    Steps count from 1. An answer that ends without an illegal action leaves the risk after its last
    one, so ``survival`` is the Kaplan-Meier estimate of the share without an illegal action.
    """
    kept = judged(rows)
    kept = kept[kept["at"].notna() | (kept["legal_moves"].fillna(0) > 0)]
    if kept.empty:
        return None
    failed = kept["at"].notna()
    last = (kept["at"] + 1).where(failed, kept["legal_moves"]).astype(int)
    frame = with_totals(kept.assign(step=last, failed=failed), ("family",), _survival)
    note = (
        "Answers that name an action for the step after legal ones (at risk), those of them for "
        "which it is the first illegal one (failed), and the Kaplan-Meier estimate of the share "
        "that has come through it without an illegal action (survival)."
    )
    return Table("steps", "Failures by step", note, frame, ("hazard", "survival"), long=True)


def _survival(part: Any, keys: list[str]) -> Any:
    by_step = part.groupby([*keys, "step"], observed=True)["failed"].agg(["size", "sum"])
    frame = pd.DataFrame({"failed": by_step["sum"].astype(int)})
    groups = by_step["size"].groupby(keys, observed=True)
    before = groups.cumsum() - by_step["size"]
    frame.insert(0, "at_risk", groups.transform("sum") - before)
    frame["hazard"] = frame["failed"] / frame["at_risk"]
    frame["survival"] = (1 - frame["hazard"]).groupby(keys, observed=True).cumprod()
    return frame.reset_index("step")


def survival(rows: Any) -> Table | None:
    """Return the share of answers without an illegal action after the steps ``MARKS``."""
    table = steps(rows)
    if table is None:
        return None
    groups = table.frame.groupby(_GROUP, observed=True)
    frame = pd.DataFrame({"answers": groups["at_risk"].max(), "failed": groups["failed"].sum()})
    longest = groups["step"].max()
    heads = [f"step {mark}" for mark in MARKS if mark <= longest.max()]
    for mark in MARKS[: len(heads)]:
        come = table.frame[table.frame["step"] <= mark].groupby(_GROUP, observed=True)
        share = come["survival"].last().reindex(frame.index).fillna(1.0)
        frame[f"step {mark}"] = share.where(longest >= mark)
    note = (
        "Kaplan-Meier estimate of the share of answers that have come through the step without an "
        "illegal action; an answer that ends before it counts for as long as it lasts."
    )
    return Table("survival", "Survival by step", note, frame.reset_index(), heads)
