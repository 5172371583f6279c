"""How stepwise episodes end: how many rounds they take, what stops them, too early or too late."""

from __future__ import annotations

from typing import Any

import numpy as np

from protocols.reports.analyses.groups import means, with_totals
from protocols.reports.rows import judged
from protocols.reports.tables import Table
from puzzles.verdict import Reason, Stop

_SHARES = [*(stop.value for stop in Stop), "at_goal", "too_early", "too_late"]


def stopping(rows: Any) -> Table | None:
    """Return rounds, stops and claims of the episodes of stepwise protocols, by family."""
    kept = judged(rows)
    kept = kept[kept["stop"].notna()]
    if kept.empty:
        return None
    marked = kept.assign(**_marks(kept))
    shown = ["rounds", "rounds_to_optimum", "solved_rounds_to_optimum", *_SHARES]
    frame = with_totals(marked, ("family",), means(shown, "episodes"))
    note = (
        "Rounds: mean, and mean ratio to the optimum, of all episodes and of those that solve. "
        "What ended the episodes: "
        + ", ".join(f"{stop.value} ({_WHY[stop]})" for stop in Stop)
        + ". At goal: the model said that no steps remain, and the goal held; where labels are "
        "asked for, it was on the goal, whatever it had said of them. Too early, too late: it said "
        "so before, or the goal was reached and left behind."
    )
    return Table("stopping", "Stopping", note, frame, _SHARES)


_WHY = {
    Stop.CLAIM: "the model said that no steps remain",
    Stop.CAP: "the last round",
    Stop.ACTION: "an action that can't be taken",
    Stop.PROBE: "an unreadable number of steps",
    Stop.IMAGE: "no usable picture",
    Stop.DETOUR: "off every shortest path, where that ends it",
    Stop.BREAK: "the record breaks off",
}


def _marks(rows: Any) -> dict[str, Any]:
    """Return the columns whose means the table shows."""
    ratio = rows["rounds"].astype(float) / rows["optimal_length"].astype(float).replace(0, np.nan)
    early = rows["reason"] == Reason.CLAIM_TOO_EARLY.value
    late = rows["reason"] == Reason.CLAIM_TOO_LATE.value
    marks = {stop.value: rows["stop"] == stop.value for stop in Stop}
    marks |= {"at_goal": marks[Stop.CLAIM.value] & ~early & ~late}
    marks |= {"too_early": early, "too_late": late, "rounds": rows["rounds"].astype(float)}
    marks |= {"rounds_to_optimum": ratio}
    return {**marks, "solved_rounds_to_optimum": ratio.where(rows["feasible"])}
