"""How far answers get: legal actions, the distance left at the end, dead ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from protocols.reports.analyses.groups import means, with_totals
from protocols.reports.rows import judged
from protocols.reports.tables import Table

_SHARES = ("legal_share", "dead", "progress")


def progress(rows: Any) -> Table | None:
    """Return partial progress, by family; the distances where verify was asked for them."""
    kept = judged(rows)
    if kept.empty:
        return None
    marked = kept.assign(**_marks(kept))

    def summary(part: Any, keys: list[str]) -> Any:
        groups = part.groupby(keys, observed=True)
        frame = means(["legal_share", "distance_left", "dead", "progress"])(part, keys)
        frame.insert(2, "measured", groups["progress"].count())
        frame.insert(3, "median_left", groups["distance_left"].median())
        return frame

    frame = with_totals(marked, ("family",), summary)
    if not frame["measured"].any():
        frame = frame[["model", "protocol", "family", "answers", "legal_share"]]
    note = (
        "Legal share: mean of the legal actions before the first illegal one over the actions of "
        "the answer. Where verify --distance has measured how far the last legal state is from "
        "the goal: the mean and the median of that distance, the share of dead ends (which have no "
        "distance), and progress, the mean of 1 - distance / optimum, from 0 up, 0 in a dead end."
    )
    return Table("progress", "Partial progress", note, frame, _SHARES)


def _marks(rows: Any) -> dict[str, Any]:
    """Return the columns whose means the table shows; missing where there is nothing to say."""
    moves = rows["moves"].astype(float)
    legal = rows["legal_moves"].astype(float)
    # The illegal action of a stepwise episode is not among the moves of its answer, and these need
    # not be actions (path: labels); its legal actions are.
    acted = moves.where(rows["rounds"].isna(), legal)
    length = np.maximum(acted.fillna(0), rows["at"].astype(float).fillna(-1) + 1)
    left = rows["distance"].astype(float)
    dead = rows["dead"].astype("boolean").astype(float)
    made = 1 - left / rows["optimal_length"].astype(float).clip(lower=1)
    return {
        "legal_share": (legal / length.where(length > 0)).fillna(0.0),
        "distance_left": left,
        "dead": dead,
        "progress": made.clip(lower=0).where(dead != 1, 0.0),
    }
