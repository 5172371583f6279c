"""The plots of a page: which protocol helps, on what, and where it breaks.

Rates and their intervals are those of the tables: runs are averaged, and instances are the cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from protocols.reports.analyses.groups import ALL
from protocols.reports.analyses.paired import BASELINE
from protocols.reports.analyses.success import rates
from protocols.reports.page.failures import by_step
from protocols.reports.page.svg import (
    Figure,
    axis_of_percents,
    curve,
    figure,
    line,
    marker,
    present,
    shape,
    tag,
    text,
    titled,
)
from protocols.reports.rows import judged

SERIES = 8
"""Colours that can be told apart; further protocols take them again, with other marks."""
_APART, _SPREAD = 4.0, 20.0
"""Pixels between lines that coincide, and at most between the first and the last of them."""
_MOST_BINS, _A_BIN = 7, 8
"""Points of a line; and how many instances one has at least, where there are enough."""


class Rate(NamedTuple):
    """A rate with its interval, as a row of ``rates`` holds it."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, row: Any, name: str) -> Rate:
        return cls(*(float(row[column]) for column in (name, f"{name}_low", f"{name}_high")))

    def __str__(self) -> str:
        return f"{self.value:.0%} ({self.low:.0%} to {self.high:.0%})"


def plots(rows: Any) -> list[tuple[str, list[Figure]]]:
    """Return the figures of each model."""
    shown = judged(rows)
    found = []
    for at, model in enumerate(present(shown["model"])):
        mine = shown[shown["model"] == model]
        figures = [
            by_difficulty(mine, f"difficulty-{at}"),
            by_length(mine, f"length-{at}"),
            by_step(mine, f"step-{at}"),
        ]
        found.append((model, figures))
    return found


def by_difficulty(rows: Any, name: str) -> Figure:
    """Success by difficulty: a row a protocol, a column a family, a lane a difficulty."""
    protocols, families = present(rows["protocol"]), present(rows["family"])
    difficulties = present(rows["difficulty"])
    columns = [ALL, *families] if len(families) > 1 else families
    found = _by_panel(rows, ["protocol", "difficulty"])
    base = _by_panel(rows[rows["protocol"] == BASELINE], ["protocol"])
    layout = _Lanes(protocols, difficulties)
    parts = layout.frame(len(columns))
    for at, column in enumerate(columns):
        x = layout.left + at * layout.step
        parts += axis_of_percents(x, layout.wide, layout.top, layout.bottom, column)
        if (column, BASELINE) in base:
            rate = Rate.of(base[column, BASELINE], "optimal")
            here = x + layout.wide * rate.value
            mark = line(here, layout.top, here, layout.bottom, "base")
            parts.append(titled(f"{BASELINE}, {column}: {rate}", mark))
        for k, protocol in enumerate(protocols):
            for d, difficulty in enumerate(difficulties):
                row = found.get((column, protocol, difficulty))
                if row is not None:
                    where = f"{protocol}, {column}, {difficulty}"
                    parts.append(_interval(where, row, d, x, layout.wide, layout.lane(k, d)))
    legend = [(f"d{d} shape{d}", difficulty) for d, difficulty in enumerate(difficulties)]
    legend.append(("hollow", "feasible, where that is more"))
    note = "Share of instances solved optimally, with 95% intervals."
    if base:
        legend.append(("base", f"{BASELINE}, all difficulties"))
        note += f" What lies right of the dashed line is better than {BASELINE} is on the whole."
    words = "Success by difficulty, for each protocol and family"
    drawn = figure(name, words, layout.width(len(columns)), layout.bottom + 24, *parts)
    return Figure("Success by difficulty", note, legend, drawn)


def _by_panel(rows: Any, keys: list[str]) -> dict[tuple[Any, ...], Any]:
    """Return the rates of each family and of all together, by family and ``keys``."""
    if rows.empty:
        return {}
    whole = rates(rows, keys).to_dict("index")
    found = {(ALL, *_tuple(key)): row for key, row in whole.items()}
    found |= rates(rows, ["family", *keys]).to_dict("index")
    return found


def _tuple(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


class _Lanes:
    """Where the rows of the first plot lie."""

    wide, step, top, _lane = 128, 146, 40, 13

    def __init__(self, protocols: Sequence[str], difficulties: Sequence[str]):
        self._protocols = protocols
        self.left = 28 + 7 * max(map(len, protocols))
        self._high = self._lane * len(difficulties) + 12
        self.bottom = self.top + self._high * len(protocols)

    def width(self, columns: int) -> int:
        return self.left + columns * self.step

    def lane(self, k: int, d: int) -> float:
        return self.top + self._high * k + 6 + self._lane * (d + 0.5)

    def frame(self, columns: int) -> list[str]:
        """Return the names of the protocols and the rules between them."""
        tops = [self.top + self._high * k for k in range(len(self._protocols) + 1)]
        return [
            *(line(0, y, self.width(columns), y, "rule") for y in tops),
            *(
                text(one, self.left - 14, y + self._high / 2 + 4, "label", "end")
                for one, y in zip(self._protocols, tops, strict=False)
            ),
        ]


def _interval(where: str, row: Any, d: int, x: float, wide: float, y: float) -> str:
    best, also = Rate.of(row, "optimal"), Rate.of(row, "feasible")
    marks = [line(x + wide * best.low, y, x + wide * best.high, y, f"whisker d{d}")]
    if also.value > best.value:
        marks.append(marker(d, x + wide * also.value, y, f"hollow d{d}"))
    marks.append(marker(d, x + wide * best.value, y, f"dot d{d}"))
    area = tag("rect", x=x, y=y - 6, width=wide, height=12, class_="area")
    return titled(f"{where}: optimal {best}; feasible {also}", area, *marks)


def by_length(rows: Any, name: str) -> Figure:
    """Success against optimal length: a panel a family, a line a protocol."""
    protocols, families = present(rows["protocol"]), present(rows["family"])
    wide, high, left, top, across = 340, 160, 44, 34, 3
    parts = []
    for at, one in enumerate(families):
        x = left + at % across * (wide + left + 14)
        y = top + at // across * (high + top + 42)
        parts += _length_panel(rows[rows["family"] == one], protocols, one, (x, y, wide, high))
    width = min(across, len(families)) * (wide + left + 14)
    height = -(-len(families) // across) * (high + top + 42)
    legend = [
        (f"s{k % SERIES} series-{k} shape{k // SERIES}", one) for k, one in enumerate(protocols)
    ]
    note = (
        "Share of instances solved optimally, by the number of steps that they need; equal rates "
        "are drawn side by side. Point at a protocol, here or in the plot, to see it alone with "
        "its 95% intervals."
    )
    drawn = figure(name, "Success by optimal length, for each family", width, height, *parts)
    return Figure("Success against optimal length", note, legend, drawn)


_Box = tuple[float, float, float, float]
"""Left, top, width and height."""


def _length_panel(rows: Any, protocols: Sequence[str], name: str, box: _Box) -> list[str]:
    x, y, wide, high = box
    lengths = rows["optimal_length"].astype("int64")
    low, top = int(lengths.min()), int(lengths.max())
    scale = wide / max(1, top - low)
    parts = [text(name, x, y - 14, "head")]
    for share in (0, 0.5, 1):
        here = y + high * (1 - share)
        parts += [line(x, here, x + wide, here, "grid")]
        parts += [text(f"{share:.0%}", x - 6, here + 4, "tick", "end")]
    for at in sorted({low, (low + top) // 2, top}):
        parts.append(text(str(at), x + scale * (at - low), y + high + 16, "tick", "middle"))
    parts.append(text("steps needed", x + wide / 2, y + high + 31, "tick", "middle"))
    binned = rows.assign(bin=_bins(lengths, rows["id"].nunique()), steps=lengths)
    found = rates(binned, ["protocol", "bin"])
    spread = binned.groupby(["protocol", "bin"], observed=True)["steps"].agg(["mean", "min", "max"])
    both = found.join(spread)
    both["x"] = x + scale * (both["mean"] - low)
    both["off"] = _offsets(both)
    for k, protocol in enumerate(protocols):
        if protocol in both.index.get_level_values(0):
            mine = both.loc[protocol].to_dict("records")
            parts.append(_series(f"{protocol}, {name}", mine, k, y, high))
    return parts


def _offsets(points: Any) -> Any:
    """Return by how many pixels each point is moved down, so that equal ones stand in a row."""
    alike = points.groupby([points["x"].round(), points["optimal"].round(2)])["x"]
    rank, size = alike.cumcount(), alike.transform("size")
    return (rank - (size - 1) / 2) * (_SPREAD / size.clip(lower=_SPREAD / _APART))


def _bins(lengths: Any, instances: int) -> Any:
    """Return for each row its bin: a length, or about equally many rows where these are many."""
    bins = min(_MOST_BINS, max(2, instances // _A_BIN))
    if lengths.nunique() <= bins:
        return lengths
    return pd.qcut(lengths, bins, labels=False, duplicates="drop")


def _series(where: str, points: Sequence[Any], k: int, y: float, high: float) -> str:
    found = [(row["x"], Rate.of(row, "optimal"), row) for row in points]
    at = [(x, y + row["off"] + high * (1 - rate.value)) for x, rate, row in found]
    highs = [(x, y + high * (1 - rate.high)) for x, rate, _ in found]
    lows = [(x, y + high * (1 - rate.low)) for x, rate, _ in found]
    marks = []
    for place, (_, rate, row) in zip(at, found, strict=True):
        steps = str(row["min"]) if row["min"] == row["max"] else f"{row['min']} to {row['max']}"
        mark = marker(k // SERIES, *place, "dot", 3.2)
        marks.append(titled(f"{where}, {steps} steps: {rate}", mark))
    band = shape([*highs, *lows[::-1]], "band")
    return tag("g", band, curve(at, "curve"), *marks, class_=f"series s{k % SERIES} series-{k}")
