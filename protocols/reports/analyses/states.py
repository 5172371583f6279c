"""Whether the frames of an answer show the true states: fidelity, and where they first drift."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from protocols.reports.analyses.failures import MARKS
from protocols.reports.analyses.groups import WHO, means, with_totals
from protocols.reports.analyses.measured import part
from protocols.reports.tables import Table

_GROUP = [*WHO, "family"]
_DRIFT = (
    "A frame drifts if it is the first that shows another state than the true one; survival is the "
    "Kaplan-Meier estimate of the share of answers without drift, in which an answer counts up to "
    "its last frame, or the last before one that can't be told."
)


def states(rows: Any) -> Table | None:
    """Return how true the frames of answers are, on average."""
    found = part(rows, "frames")
    if found.empty:
        return None
    lists = found["frames.frames"].map(lambda frames: [one for one in frames if one.image])
    came = lists.map(len).astype(float)
    troubled = lists.map(lambda frames: sum(1 for one in frames if one.reason)).astype(float)
    asked = came.replace(0, np.nan)
    shown = {
        "frames": came,
        "expected": found["frames.expected"].astype(float),
        "fidelity": found["frames.fidelity"].astype(float),
        "exact": found["frames.exact"].astype(float) / asked,
        "unreadable": troubled / asked,
        "all_exact": _all_exact(found),
    }
    found = found.assign(**shown)
    frame = with_totals(found, ("family",), means(list(shown)))
    note = (
        "Frames of an answer, and those expected: one for each legal action of its text. Fidelity: "
        "the share of cells that show the true state after the action; exact: the share of frames "
        "in which all do; unreadable: in which not all can be told; all exact: of answers with as "
        "many frames as expected, each exact. Means over answers."
    )
    percent = ("fidelity", "exact", "unreadable", "all_exact")
    return Table("states", "States in the frames", note, frame, percent)


def _all_exact(found: Any) -> Any:
    """Return, as 1 or 0, whether all the frames are exact that are expected; nan without a text."""
    expected = found["frames.expected"].astype(float)
    exact = found["frames.exact"].astype(float)
    whole = (exact == expected) & (found["frames.frames"].map(len) == expected)
    return whole.astype(float).where(expected.notna())


def states_by_round(rows: Any) -> Table | None:
    """Return, for every round, how true its frames are, and how many answers drift in it."""
    found = _frames(rows)
    if found is None:
        return None
    frame = with_totals(found, ("family",), _by_round)
    note = (
        "Fidelity: the mean share of cells that show the true state; exact: the share of frames in "
        f"which all do. At risk: answers without drift before. {_DRIFT}"
    )
    percent = ("fidelity", "exact", "survival")
    return Table(
        "states-by-round", "States in the frames by round", note, frame, percent, long=True
    )


def drift(rows: Any) -> Table | None:
    """Return the share of answers without drift after the rounds ``MARKS``, and the median."""
    table = states_by_round(rows)
    if table is None:
        return None
    groups = table.frame.groupby(_GROUP, observed=True)
    frame = pd.DataFrame({"answers": groups["at_risk"].max(), "drifted": groups["drifted"].sum()})
    frame = frame[frame["answers"] > 0]
    if frame.empty:
        return None
    gone = table.frame[table.frame["survival"] <= 0.5].groupby(_GROUP, observed=True)
    frame["median"] = gone["round"].min().reindex(frame.index).astype("Int64")
    watched = table.frame[table.frame["at_risk"] > 0].groupby(_GROUP, observed=True)
    longest = watched["round"].max().reindex(frame.index)
    heads = [f"round {mark}" for mark in MARKS if mark <= longest.max()]
    for mark in MARKS[: len(heads)]:
        come = table.frame[table.frame["round"] <= mark].groupby(_GROUP, observed=True)
        frame[f"round {mark}"] = come["survival"].last().reindex(frame.index).where(longest >= mark)
    note = (
        "Survival up to the round, and its median: the first round that less than half, or half, "
        f"of the answers come through. {_DRIFT}"
    )
    return Table("drift", "First drift of the frames", note, frame.reset_index(), heads)


def _frames(rows: Any) -> Any:
    """Return a row a frame; ``watched`` while no frame before has drifted or can't be told."""
    found = part(rows, "frames")
    lines = [
        (at, number, frame.image is not None, frame.fidelity, frame.exact)
        for at, frames in found["frames.frames"].items()
        for number, frame in enumerate(frames, 1)
    ]
    if not lines:
        return None
    frame = pd.DataFrame(lines, columns=["answer", "round", "came", "fidelity", "exact"])
    frame = frame.astype({"fidelity": float, "exact": float})
    exact = (frame["exact"] == 1).astype(int).groupby(frame["answer"])
    before = exact.cumprod().groupby(frame["answer"]).shift(fill_value=1)
    frame["watched"] = (before == 1) & frame["exact"].notna()
    return frame.join(found[_GROUP], on="answer")


def _by_round(part: Any, keys: list[str]) -> Any:
    drifted = part["watched"] & (part["exact"] == 0)
    groups = part.assign(drifted=drifted).groupby([*keys, "round"], observed=True)
    frame = pd.DataFrame({"frames": groups["came"].sum(), "fidelity": groups["fidelity"].mean()})
    frame["exact"] = groups["exact"].mean()
    frame["at_risk"], frame["drifted"] = groups["watched"].sum(), groups["drifted"].sum()
    lost = (frame["drifted"] / frame["at_risk"].replace(0, np.nan)).fillna(0)
    frame["survival"] = (1 - lost).groupby(keys, observed=True).cumprod()
    return frame.reset_index("round")
