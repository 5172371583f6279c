"""The published suite's names for its metrics, and its way of writing percentages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from protocols.protocol import Protocol, UnknownProtocol, named
from protocols.reports.analyses.groups import ALL
from protocols.reports.analyses.success import RATES
from protocols.reports.rows import judged
from protocols.reports.tables import Table
from puzzles.exchange.suite import level_of
from puzzles.rooms import NAMES, family

SUITE = "vgau"
OVERALL = "overall"

_SUFFIXES = {
    Protocol("direct"): "direct",
    Protocol("text-cot"): "cot",
    Protocol("gta", "oracle"): "aux",
    Protocol("gta", "self"): "gta",
    Protocol("vcot", "oracle"): "step-by-step",
    Protocol("vcot", "self"): "step-by-step",
    Protocol("vcot", "oracle", aug=True): "aux_step-by-step",
    Protocol("vr", "self"): "vision_reasoning",
}


def percent(count: int, n: int) -> float:
    """Return ``count`` of ``n`` in percent, cut off after one decimal.

    It is counted in whole numbers, so that 29 of 50 is 58.0 and never 57.9. Raises
    ZeroDivisionError without any.
    """
    return 1000 * count // n / 10


def task(room: str, protocol: str) -> str | None:
    """Return the suite's task that puts a family to a model as ``protocol`` does; None without one.

    How an episode stops and what is remembered don't count: the name has no place for these.
    """
    try:
        plain = replace(named(protocol), budget=False, last=False, vgau=False)
    except UnknownProtocol:
        return None
    return f"{room}_{_SUFFIXES[plain]}" if plain in _SUFFIXES else None


def suite_metrics(rows: Any) -> Table | None:
    """Return every metric that the suite would report, in percent cut off after one decimal."""
    kept = judged(rows)
    kept = kept[kept["family"].isin(NAMES)]
    records: list[dict[str, Any]] = []
    for who, group in kept.groupby(["model", "protocol", "family"], observed=True):
        model, protocol, room = map(str, who)
        name = task(room, protocol)
        if name is not None:
            about = {"model": model, "task": name, "protocol": protocol}
            records += [{**about, **record} for record in _metrics(room, group)]
    if not records:
        return None
    note = (
        "Metrics by the names of the published suite; percent is successes of answers, all runs "
        "together, cut off after one decimal as in its tables. Where the protocol is not +vgau, "
        "stepwise episodes have followed the rules of this engine."
    )
    title = "Metrics of the published suite"
    return Table(SUITE, title, note, pd.DataFrame(records), tenths=("percent",))


def _metrics(room: str, group: Any) -> list[dict[str, Any]]:
    templates: Mapping[str, str] = family(room).metrics
    counts = group.groupby("difficulty", observed=True)[list(RATES)].agg(["sum", "size"])
    whole = group[list(RATES)].agg(["sum", "size"]).unstack()
    counts = pd.concat([counts, whole.to_frame(ALL).T])
    return [
        {
            "metric": template.format(level=OVERALL if level == ALL else level_of(level)),
            "successes": int(row[rate, "sum"]),
            "answers": int(row[rate, "size"]),
            "percent": percent(int(row[rate, "sum"]), int(row[rate, "size"])),
        }
        for rate, template in templates.items()
        for level, row in counts.iterrows()
    ]
