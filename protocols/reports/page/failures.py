"""Where answers fail: a panel a protocol, a bar a step, a colour a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from protocols.reports.page.svg import Figure, figure, line, present, tag, text, titled

_FIRST = np.array([1, 2, 3, 4, 5, 7, 10, 15, 20])
"""The first step of each bar."""
_BARS = ("none", "1", "2", "3", "4", "5-6", "7-9", "10-14", "15-19", "20+", "end")
_REASONS = 6
"""The most frequent reasons have a colour each."""
_WIDE, _HIGH, _LEFT, _TOP, _ACROSS = 340, 110, 44, 36, 3
_STEP_X, _STEP_Y = _WIDE + _LEFT + 14, _HIGH + _TOP + 34


def by_step(rows: Any, name: str) -> Figure:
    """Failures by the step of the first illegal action, and by reason."""
    protocols = present(rows["protocol"])
    failed = rows[~rows["feasible"]]
    reasons = failed["reason"].astype(str)
    common = sorted(reasons.value_counts().items(), key=lambda item: (-item[1], item[0]))
    kinds = [reason for reason, _ in common[:_REASONS]]
    if len(common) > _REASONS:
        kinds.append("other")
    failed = failed.assign(bar=_bars(failed), kind=reasons.where(reasons.isin(kinds), "other"))
    counts = failed.groupby(["protocol", "bar", "kind"], observed=True).size().to_dict()
    totals = rows.groupby("protocol", observed=True).size().to_dict()
    shares = {
        protocol: {key[1:]: n / totals[protocol] for key, n in counts.items() if key[0] == protocol}
        for protocol in protocols
    }
    most = max([0.1, *(sum(_stack(s, bar)) for s in shares.values() for bar in range(len(_BARS)))])
    parts = []
    for at, protocol in enumerate(protocols):
        x, y = _LEFT + at % _ACROSS * _STEP_X, _TOP + at // _ACROSS * _STEP_Y
        parts += _panel(shares[protocol], protocol, kinds, most, x, y)
    width = min(_ACROSS, len(protocols)) * _STEP_X
    height = -(-len(protocols) // _ACROSS) * _STEP_Y
    drawn = figure(name, "Failures by step and reason, by protocol", width, height, *parts)
    note = (
        "Share of all answers that fail, by the step of the first illegal action. None: no answer "
        "could be read. End: every action was legal, but the goal was not reached."
    )
    legend = [(f"r{k}", kind.replace("_", " ")) for k, kind in enumerate(kinds)]
    return Figure("Where answers fail", note, legend, drawn)


def _bars(failed: Any) -> Any:
    """Return for each row its place in ``_BARS``."""
    steps = failed["at"].astype("float64").to_numpy() + 1
    unread = failed["moves"].isna().to_numpy()
    legal = np.where(unread, 0, len(_BARS) - 1)
    return np.where(np.isnan(steps), legal, np.searchsorted(_FIRST, steps, side="right"))


def _stack(shares: dict[Any, float], bar: int) -> list[float]:
    return [share for (at, _), share in shares.items() if at == bar]


def _panel(
    shares: dict[Any, float], protocol: str, kinds: Sequence[str], most: float, x: float, y: float
) -> list[str]:
    parts = [text(protocol, x, y - 14, "head")]
    parts.append(text(f"{sum(shares.values()):.0%} fail", x + _WIDE, y - 14, "tick", "end"))
    for share in (0.0, most / 2, most):
        here = y + _HIGH * (1 - share / most)
        parts.append(line(x, here, x + _WIDE, here, "grid"))
        parts.append(text(f"{share:.0%}", x - 6, here + 4, "tick", "end"))
    slot = _WIDE / len(_BARS)
    for bar, label in enumerate(_BARS):
        left, ground = x + slot * bar, y + _HIGH
        parts.append(text(label, left + slot / 2, y + _HIGH + 14, "tick small", "middle"))
        where = f"{protocol}, {'step ' * label[0].isdigit()}{label}"
        for k, kind in enumerate(kinds):
            share = shares.get((bar, kind), 0.0)
            if share:
                tall = _HIGH * share / most
                ground -= tall
                box = tag(
                    "rect", x=left + 2, y=ground, width=slot - 4, height=tall, class_=f"bar r{k}"
                )
                parts.append(titled(f"{where}, {kind}: {share:.1%}", box))
    return parts
