"""Differences between two protocols on the same instances, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
from numpy.typing import NDArray

from protocols.protocol import Protocol, UnknownProtocol, named
from protocols.reports.analyses.groups import by_family
from protocols.reports.analyses.intervals import RESAMPLES, bootstrap, columns
from protocols.reports.analyses.success import RATES
from protocols.reports.rows import judged
from protocols.reports.tables import Table

BASELINE = "text-cot"
_ASKED_ALIKE = "draw-own"
"""Its answer is given before anything is drawn, to the very words of ``BASELINE``: a difference
between the two says nothing of drawing."""
_SHARES = [f"{rate}_{part}" for rate in RATES for part in ("first", "second", "difference")]


class Contrast(NamedTuple):
    """Two protocols that are compared, and what their difference says."""

    question: str
    first: str
    second: str


def contrasts(protocols: Sequence[str]) -> Iterator[Contrast]:
    """Yield the pairs among ``protocols`` that a conclusion is drawn from."""
    for name in protocols:
        if name not in (BASELINE, _ASKED_ALIKE):
            yield from _known("against text-cot", name, BASELINE, protocols)
    read = {name: _read(name) for name in protocols}
    known = {name: protocol for name, protocol in read.items() if protocol is not None}
    for name, protocol in known.items():
        if protocol.source == "self":
            oracle = replace(protocol, source="oracle").name
            yield from _known("self against oracle", name, oracle, protocols)
    for name, protocol in known.items():
        if protocol == Protocol("gta", "oracle"):
            yield from _known("gta against aug-vcot", name, "oracle-aug-vcot", protocols)
        if protocol.paradigm == "vcot" and protocol.source == "oracle" and not protocol.aug:
            aug = replace(protocol, aug=True).name
            yield from _known("vcot against aug-vcot", name, aug, protocols)
    for name, protocol in known.items():
        if protocol.budget:
            yield from _known("leak", name, replace(protocol, budget=False).name, protocols)


def _known(question: str, first: str, second: str, protocols: Sequence[str]) -> Iterator[Contrast]:
    if second in protocols:
        yield Contrast(question, first, second)


def _read(name: str) -> Protocol | None:
    try:
        return named(name)
    except UnknownProtocol:  # verdicts of answers that were had elsewhere
        return None


def paired(rows: Any) -> Table | None:
    """Return the differences of ``contrasts`` for each model, by family and over all."""
    kept = judged(rows)
    records: list[dict[str, Any]] = []
    for model, mine in kept.groupby("model", observed=True):
        names = [str(name) for name in mine["protocol"].cat.categories]
        keys = ["family", "id", "protocol"]
        each = mine.groupby(keys, observed=True)[list(RATES)].mean().unstack("protocol")
        names = [name for name in names if name in each["optimal"].columns]
        for contrast in contrasts(names):
            records += _records(str(model), contrast, each)
    if not records:
        return None
    note = (
        "First minus second, in percentage points, over the instances that both have answered "
        "(pairs), each with the mean over its runs; in brackets the 95% percentile interval of "
        f"{RESAMPLES:,} bootstrap draws of instances, too narrow with few pairs, and none where "
        "all have the same difference. Before it stand the two rates on these instances."
    )
    return Table("paired", "Paired differences", note, pd.DataFrame(records), _SHARES)


def _records(model: str, contrast: Contrast, each: Any) -> Iterator[dict[str, Any]]:
    """Yield the differences for each family with a pair, and over all of them."""
    compared = [(rate, name) for rate in RATES for name in contrast[1:]]
    for family, group in by_family(each[compared].dropna()):
        record: dict[str, Any] = {"model": model, "question": contrast.question}
        record |= {"protocol": contrast.first, "against": contrast.second}
        record |= {"family": family, "pairs": len(group)}
        for rate in RATES:
            record |= _difference(rate, *(group[rate, name].to_numpy() for name in contrast[1:]))
        yield record


def _difference(rate: str, first: NDArray[Any], second: NDArray[Any]) -> dict[str, float]:
    difference = first - second
    means = {f"{rate}_first": float(first.mean()), f"{rate}_second": float(second.mean())}
    shown = columns(f"{rate}_difference", float(difference.mean()), *bootstrap(difference))
    return means | shown
