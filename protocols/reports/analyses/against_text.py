"""What the pictures of an answer say against what its text says."""

from __future__ import annotations

from typing import Any

import numpy as np

from protocols.measures.record import Trouble
from protocols.reports.analyses.groups import means, with_totals
from protocols.reports.analyses.measured import Part, part
from protocols.reports.tables import Table
from puzzles.verdict import Reason
from render.drawings.flaws import Flaw

_CROSSED = "both_right", "only_text", "only_{}", "neither"
_NOTE = (
    "{subject}, read by the engine, against the answer in text. {those} feasible and optimal: of "
    "those that can be told; untold: the share of the others. Where there is a text too (with "
    "text), whether both are right (feasible), one or neither, and the share that disagree: that "
    "tell another story than the text, right or wrong."
)


def drawings(rows: Any) -> Table | None:
    """Return how often drawn solutions are right, and the answers in text beside them."""
    note = _NOTE.format(subject="Solutions drawn onto the board", those="drawing")
    title = "Drawn solutions against the text"
    return _against(rows, "drawing", "drawing", ("drawn-solutions", title, note))


def frames(rows: Any) -> Table | None:
    """Return how often the frames of an answer lead to the goal, and its text beside them."""
    note = _NOTE.format(subject="The frames by themselves", those="frames")
    title = "Frames against the text"
    return _against(rows, "frames", "frames", ("text-and-frames", title, note))


def flaws(rows: Any) -> Table | None:
    """Return the share of each reason among the drawn solutions."""
    found = part(rows, "drawing")
    if found.empty:
        return None
    seen = set(found["drawing.reason"])
    codes = [code.value for kind in (Reason, Flaw, Trouble) for code in kind if code.value in seen]
    codes = [*dict.fromkeys(codes), *sorted(seen - set(codes))]
    marked = found.assign(**{code: found["drawing.reason"] == code for code in codes})
    frame = with_totals(marked, ("family",), means(codes))
    note = "Share of all drawn solutions with each reason code; solved counts every feasible one."
    title = "Reasons of the drawn solutions"
    return Table("drawing-reasons", title, note, frame, codes)


def _against(rows: Any, name: Part, word: str, about: tuple[str, str, str]) -> Table | None:
    """Return a table of one part of what is measured; ``about`` is its name, title and note."""
    found = part(rows, name)
    if found.empty:
        return None
    pictures = found[f"{name}.feasible"].astype(float)
    text = found["feasible"].astype("Float64").to_numpy(float, na_value=np.nan)
    both = pictures.notna() & ~np.isnan(text)
    shares = {
        f"{word}_feasible": pictures,
        f"{word}_optimal": found[f"{name}.optimal"].astype(float),
        "untold": pictures.isna().astype(float),
    }
    crossed = ((1, 1), (1, 0), (0, 1), (0, 0))
    for label, (said, shown) in zip(_CROSSED, crossed, strict=True):
        same = (text == said) & (pictures == shown)
        shares[label.format(word)] = same.astype(float).where(both)
    shares["disagree"] = 1 - found[f"{name}.agrees"].astype(float)
    marked = found.assign(**shares, with_text=both)

    def summary(part: Any, keys: list[str]) -> Any:
        frame = means(list(shares))(part, keys)
        frame.insert(4, "with_text", part.groupby(keys, observed=True)["with_text"].sum())
        return frame

    frame = with_totals(marked, ("family",), summary)
    label, title, note = about
    return Table(label, title, note, frame, list(shares))
