"""Whether the answer format was met."""

from __future__ import annotations

from typing import Any

from protocols.reports.groups import with_totals
from protocols.reports.rows import judged
from protocols.reports.tables import Table
from puzzles.verdict import Reason


def formats(rows: Any) -> Table | None:
    """Return how many replies met the format, held no answer, or one of the wrong shape."""
    kept = judged(rows)
    if kept.empty:
        return None
    codes = Reason.NO_ANSWER.value, Reason.BAD_FORMAT.value
    marked = kept.assign(**{code: kept["reason"] == code for code in codes})
    shares = ["format_ok", *codes]

    def summary(part: Any, keys: list[str]) -> Any:
        groups = part.groupby(keys, observed=True)
        frame = groups[shares].mean()
        frame.insert(0, "answers", groups.size())
        return frame

    note = (
        "Share of replies that meet the answer format to the letter; that hold no complete answer; "
        "whose answer is not of the family's shape."
    )
    return Table("formats", "Formats", note, with_totals(marked, ("family",), summary), shares)
