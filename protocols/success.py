"""Verdicts counted into success rates with their intervals, as a table or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from protocols.library import Library
from puzzles.printable import printable
from puzzles.rooms import NAMES, family

if TYPE_CHECKING:
    from rich.table import Table

Z = 1.959963984540054
"""The 97.5% point of the normal distribution."""
_ERRORS = 1000
"""Lines in error that are kept to be shown; all of them stand in the verdicts."""

Asker = tuple[str, str, str]
"""Protocol, model and run, as the table shows them."""


class Group(NamedTuple):
    """A row of the table; ``inline`` where the instances stand in the lines, not in a dataset."""

    protocol: str
    model: str
    family: str
    difficulty: str
    inline: bool = False


def asker(protocol: str | None, model: str | None, run: int | str | None) -> Asker:
    """Return who gave an answer; none, an empty name and ``-`` are one, and so are 1 and "1"."""
    return protocol or "-", model or "-", "-" if run in (None, "") else str(run)


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Return the 95% score interval of a proportion (Wilson 1927)."""
    if n == 0:
        return 0.0, 1.0
    rate = successes / n
    middle = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return low, high


@dataclass
class Tally:
    """The verdicts of one protocol, model, family and difficulty.

    n, drawings
        Answers with a verdict, and those that are drawings and have none.
    """

    n: int = 0
    drawings: int = 0
    feasible: int = 0
    optimal: int = 0
    format_ok: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any]) -> None:
        if row["reason"] is None:
            self.drawings += 1
            return
        self.n += 1
        self.feasible += row["feasible"]
        self.optimal += row["optimal"]
        self.format_ok += row["format_ok"]
        self.reasons[row["reason"]] += 1


_PASSED = {"right": True, "wrong": False, "unclear": None}
"""How pictures fare, and the mark ``pass`` that says so."""


def fared(pictures: Mapping[bool | None, int]) -> str:
    """Return in words of how many answers the pictures pass, fail, and can't be told."""
    return ", ".join(f"{pictures.get(way, 0):,} {name}" for name, way in _PASSED.items())


class Report:
    """Success by protocol, model, family and difficulty, and the lines that can't be judged."""

    def __init__(self, library: Library):
        self.tallies: dict[Group, Tally] = {}
        self.errors: list[tuple[int, str]] = []
        self.error_count = 0
        self.pictures: Counter[bool | None] = Counter()
        self.unmeasured = 0
        self._runs: dict[Group, set[str]] = {}
        self._library = library

    def add(self, row: Mapping[str, Any]) -> None:
        """Count the row of a verdict, or of a drawing, which has none."""
        protocol, model, run = asker(row["protocol"], row["model"], row["run"])
        inline = row["id"] not in self._library
        group = Group(protocol, model, row["family"], row["difficulty"], inline)
        self.tallies.setdefault(group, Tally()).add(row)
        self._runs.setdefault(group, set()).add(run)

    def saw(self, measured: dict[str, Any] | None) -> None:
        """Count what was measured of an answer's pictures, where it has some."""
        if measured is not None:
            self.pictures[measured["pass"]] += 1
            self.unmeasured += not any(measured[part] for part in ("drawing", "frames", "aid"))

    def error(self, line: int, text: str) -> None:
        """Note a line that can't be judged."""
        self.error_count += 1
        if len(self.errors) < _ERRORS:
            self.errors.append((line, text))

    def groups(self) -> list[tuple[Group, Tally]]:
        """Return the groups in the order of a table."""

        def place(group: Group) -> tuple[Any, ...]:
            protocol, model, name, difficulty, inline = group
            known = list(family(name).buckets) if name in NAMES else []
            at = known.index(difficulty) if difficulty in known else len(known)
            return protocol, model, NAMES.index(name), at, difficulty, inline

        buckets = [bucket for bucket in self._library.buckets if bucket in self._touched()]
        askers = {group[:2] for group in self.tallies}
        missing = {Group(*by, *bucket): Tally() for by in askers for bucket in buckets}
        return sorted({**missing, **self.tallies}.items(), key=lambda item: place(item[0]))

    def _touched(self) -> set[tuple[str, str]]:
        return {(group.family, group.difficulty) for group in self.tallies if not group.inline}

    def expected(self, group: Group) -> int | None:
        """Return how many answers a complete set has: instances times runs.

        None where nothing says so, because the instances are inline.
        """
        if group.inline:
            return None
        instances = self._library.buckets[group.family, group.difficulty]
        return instances * max(1, len(self._runs.get(group, ())))

    def untouched(self) -> list[str]:
        """Return the buckets of the data that no answer is about."""
        touched = self._touched()
        return [
            f"{name} {difficulty} ({count})"
            for (name, difficulty), count in sorted(self._library.buckets.items())
            if (name, difficulty) not in touched
        ]

    def record(self) -> dict[str, Any]:
        """Return the report for machines."""
        judged = sum(tally.n for tally in self.tallies.values())
        drawings = sum(tally.drawings for tally in self.tallies.values())
        return {
            "answers": judged + drawings + self.error_count,
            "judged": judged,
            "drawings": drawings,
            "unjudged": self.error_count,
            "errors": [{"line": line, "error": text} for line, text in self.errors],
            "groups": [
                {
                    **group._asdict(),
                    "n": tally.n,
                    "drawings": tally.drawings,
                    "expected": self.expected(group),
                    "runs": len(self._runs.get(group, ())),
                    "optimal": _rate(tally.optimal, tally.n),
                    "feasible": _rate(tally.feasible, tally.n),
                    "format_ok": _rate(tally.format_ok, tally.n),
                    "reasons": {str(reason): k for reason, k in sorted(tally.reasons.items())},
                }
                for group, tally in self.groups()
            ],
            "unanswered": self.untouched(),
            "pictures": {name: self.pictures[passed] for name, passed in _PASSED.items()},
        }

    def seen(self) -> str:
        """Return in a sentence how the pictures in the answers fare; "" where there are none."""
        count = self.pictures.total()
        if not count:
            return ""
        said = f"pictures of {count:,} answer{'s' * (count > 1)}: {fared(self.pictures)}"
        if self.unmeasured:
            said += f" ({self.unmeasured:,} not measured; their verdicts say why)"
        return said

    def table(self) -> Table:
        """Return the report for people."""
        from rich.table import Table

        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for name in ("protocol", "model", "family", "difficulty"):
            table.add_column(name)
        for name in ("answers", "optimal", "95%", "feasible", "95%", "format"):
            style = "dim" if name == "95%" else ""
            table.add_column(name, justify="right", style=style, no_wrap=True)
        previous = None
        for group, tally in self.groups():
            if previous and previous[:3] != group[:3]:
                table.add_section()
            shown = [
                printable(part) if previous is None or previous[: at + 1] != group[: at + 1] else ""
                for at, part in enumerate(group[:3])
            ]
            difficulty = group.difficulty + " (inline)" * group.inline
            table.add_row(*shown, difficulty, self._answers(group, tally), *_cells(tally))
            previous = group
        return table

    def _answers(self, group: Group, tally: Tally) -> str:
        """Return how many answers there are, and how many there would have to be."""
        expected = self.expected(group)
        drawn = " drawings" if tally.drawings else ""
        of = "" if expected is None else f" of {expected}"
        return f"{tally.n + tally.drawings}{of}{drawn}"


def _rate(count: int, n: int) -> dict[str, Any]:
    low, high = wilson(count, n)
    return {"count": count, "rate": count / n if n else None, "low": low, "high": high}


def _cells(tally: Tally) -> list[str]:
    cells: list[str] = []
    if tally.n == 0:
        return ["-"] * 5
    for count in (tally.optimal, tally.feasible):
        low, high = wilson(count, tally.n)
        cells += [f"{count / tally.n:.1%}", f"{100 * low:.1f}-{100 * high:.1f}"]
    return [*cells, f"{tally.format_ok / tally.n:.1%}"]
