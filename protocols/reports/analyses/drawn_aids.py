"""How good the grids are that models draw for themselves, and what follows of good and bad ones."""

from __future__ import annotations

from typing import Any

import pandas as pd

from protocols.reports.analyses.groups import WHO, by_family, means, with_totals
from protocols.reports.analyses.intervals import columns, rate_of
from protocols.reports.analyses.measured import part
from protocols.reports.tables import Table

_OUTCOMES = ("optimal", "feasible")
_NOTE = (
    "lines: all grid lines are where they belong, and no others; labels: all coordinates are in "
    "their cells, rightly, and no others; board: what lies beneath is as it was; all: the three "
    "together. Where labels can't be told and nothing is wrong otherwise, it is left open."
)


def aids(rows: Any) -> Table | None:
    """Return how complete the drawn aids are, and how often the board is kept."""
    found = _aids(rows)
    if found.empty:
        return None
    labels = found["aid.labels"].astype(float)
    shares = {
        "line_share": found["aid.lines"].astype(float),
        "label_share": _share(found["aid.right"], labels),
        "untold_labels": _share(found["aid.unclear"], labels),
    }
    flags = {f"{name}_right": found[name] for name in _CONDITIONS}
    found = found.assign(**shares, **flags, unusable=found["lines"].isna().astype(float))
    names = [*shares, *flags, "unusable"]
    frame = with_totals(found, ("family",), means(names))
    note = (
        "Line share: of the pieces of grid lines, how many are there; label share: of the cells "
        "that need coordinates, how many have them right, and how many have some that can't be "
        f"told. The share of aids that are right in: {_NOTE} unusable: the share that can't be "
        "looked at."
    )
    return Table("aids", "Drawn aids", note, frame, names)


def success_by_aid(rows: Any) -> Table | None:
    """Return the success of answers whose aid is right and of those whose aid is not."""
    found = _aids(rows)
    found = found[found["optimal"].notna()]
    found = found.astype(dict.fromkeys(_OUTCOMES, float))
    records = []
    for who, mine in found.groupby(WHO, observed=True, sort=True):
        for family, group in by_family(mine):
            labels = {**dict(zip(WHO, map(str, who), strict=True)), "family": family}
            records += [{**labels, **record} for record in _contrasts(group)]
    if not records:
        return None
    note = (
        f"Success where the aid is right in one thing and where it is not. {_NOTE} 95% intervals, "
        "clustered by instance; answers whose aid can't be looked at are left out. Harder boards "
        "have more to draw: a difference need not come of the aid."
    )
    title = "Success by what is right in the drawn aid"
    return Table("success-by-aid", title, note, pd.DataFrame(records), _OUTCOMES)


_CONDITIONS = ("lines", "labels", "board", "all")


def _contrasts(group: Any) -> list[dict[str, Any]]:
    records = []
    for name in _CONDITIONS:
        for word, value in (("right", 1), ("not right", 0)):
            inside = group[group[name] == value]
            if len(inside):
                record: dict[str, Any] = {"aid": name, "is": word, "answers": len(inside)}
                for outcome in _OUTCOMES:
                    record |= columns(outcome, *rate_of(inside, outcome))
                records.append(record)
    return records


def _aids(rows: Any) -> Any:
    """Return the rows with an aid, and whether it is right in each of ``_CONDITIONS``."""
    found = part(rows, "aid")
    looked = found["aid.lines"].notna()
    wrong = (found[["aid.wrong", "aid.missing", "aid.added"]].astype(float) > 0).any(axis=1)
    flags = {
        "lines": ((found["aid.lines"] == 1) & (found["aid.stray"] == 0)).astype(float),
        "labels": (~wrong).astype(float).mask(~wrong & (found["aid.unclear"] > 0)),
        "board": (found["aid.preserved"] == 1).astype(float),
    }
    flags["all"] = pd.DataFrame(flags).min(axis=1, skipna=False)
    surely = (flags["lines"] == 0) | wrong | (flags["board"] == 0)
    flags["all"] = flags["all"].mask(surely, 0.0)
    flags = {name: flag.where(looked) for name, flag in flags.items()}
    attrs = dict(found.attrs)
    found = found.assign(**flags)
    found.attrs |= attrs
    return found


def _share(part: Any, whole: Any) -> Any:
    return part.astype(float) / whole.where(whole > 0)
