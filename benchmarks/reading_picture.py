"""The picture and the tables of the corruption ladder, from the rows that were measured.

python -m benchmarks.reading_picture benchmarks/reading.jsonl

Writes docs/pictures/reading.png and prints the tables of benchmarks/README.md. matplotlib draws: it
comes with ``pip install puzzles[plots]``.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from benchmarks.disturbances import ALL, SINGLES, STRENGTHS
from benchmarks.ladder import Counts, title
from benchmarks.reading import Row, kept

matplotlib.use("agg")

from matplotlib import pyplot
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

PLACE = Path(__file__).parents[1] / "docs" / "pictures" / "reading.png"
LINES = (*map(title, SINGLES), "pairs", "all")
"""What the panels of families list; pairs are taken together."""
SHARES = LinearSegmentedColormap.from_list("shares", ["#b2182b", "#f4a582", "#f7f7f7", "#d5e8f3"])
"""From nothing to everything read: what matters is how far from everything."""
INK = "#30343c"
WORDS = {False: "size known", True: "state before known"}


def line_of(row: Row) -> str:
    """Return the line of a family's panel that a row belongs to."""
    return "pairs" if " + " in row.disturbances else row.disturbances


def together(rows: Iterable[Row]) -> Counts | None:
    """Return the counts of rows taken together; None where there are none."""
    counts = [row.counts for row in rows]
    return Counts(*map(sum, zip(*counts, strict=True))) if counts else None


def exact(rows: Iterable[Row]) -> float:
    """Return the share of boards read exactly."""
    rows = list(rows)
    boards = sum(row.boards for row in rows)
    return sum(row.counts.exact for row in rows) / boards if boards else np.nan


def wrong(rows: Iterable[Row]) -> float:
    """Return how many of a thousand cells were told wrong."""
    counts = together(rows)
    return 1000 * counts.wrong / counts.cells if counts else np.nan


def table(rows: Sequence[Row]) -> str:
    """Return a table in Markdown: what was done, by strength; families taken together."""
    out = ["| | " + " | ".join(f"{strength}" for strength in STRENGTHS) + " |", "|---" * 5 + "|"]
    for name in LINES:
        cells = [
            said([row for row in rows if line_of(row) == name and row.strength == strength])
            for strength in STRENGTHS
        ]
        out.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(out)


def said(rows: Sequence[Row]) -> str:
    """Return what a table says of rows: exact; unknown and wrong cells in a thousand."""
    counts = together(rows)
    if counts is None:
        return ""
    a_thousand = 1000 / counts.cells
    share = f"{100 * exact(rows):.1f}%".replace("100.0%", "100%")
    return f"{share}, {counts.unknown * a_thousand:.1f}, {counts.wrong * a_thousand:.2f}"


def by_family(rows: Sequence[Row]) -> str:
    """Return a table in Markdown: families by strength, all that was done taken together."""
    out = ["| | " + " | ".join(f"{strength}" for strength in STRENGTHS) + " |", "|---" * 5 + "|"]
    for name in dict.fromkeys(row.family for row in rows):
        cells = [
            said([row for row in rows if row.family == name and row.strength == strength])
            for strength in STRENGTHS
        ]
        out.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(out)


def panel(axis: Any, values: np.ndarray[Any, Any], alarms: np.ndarray[Any, Any]) -> None:
    """Draw shares as a chart of numbers, and a frame around those with too many wrong cells."""
    axis.imshow(values, cmap=SHARES, vmin=0.5, vmax=1, aspect="auto")
    for (r, c), share in np.ndenumerate(values):
        if np.isnan(share):
            continue
        dark = share < 0.6
        text = f"{100 * share:.0f}" if share < 1 else "·"
        axis.text(c, r, text, ha="center", va="center", color="white" if dark else INK, fontsize=7)
        if alarms[r, c] >= 1:
            box = Rectangle((c - 0.44, r - 0.42), 0.88, 0.84, fill=False, ec=INK, lw=1.2)
            axis.add_patch(box)
    axis.tick_params(length=0, labelsize=8)
    axis.spines[:].set_visible(False)


def families(axes: Any, rows: Sequence[Row], names: Sequence[str], words: str) -> None:
    """Draw a row of panels, one a family: what was done, by strength."""
    for axis, name in zip(axes, names, strict=True):
        cells = [
            [
                [r for r in rows if (r.family, line_of(r), r.strength) == (name, line, strength)]
                for strength in STRENGTHS
            ]
            for line in LINES
        ]
        panel(axis, _each(exact, cells), _each(wrong, cells))
        axis.set_title(name, fontsize=10)
        axis.set_xticks(range(len(STRENGTHS)), STRENGTHS)
        axis.set_yticks(range(len(LINES)), LINES if axis is axes[0] else [])
    axes[0].set_ylabel(words, fontsize=10)


def pairs(axes: Any, rows: Sequence[Row]) -> None:
    """Draw a panel for each strength: every disturbance with every other, families together."""
    for axis, strength in zip(axes, STRENGTHS, strict=True):
        cells = [
            [
                [r for r in rows if r.strength == strength and r.disturbances in _both(a, b)]
                for b in ALL
            ]
            for a in ALL
        ]
        panel(axis, _each(exact, cells), _each(wrong, cells))
        axis.set_title(f"pairs, strength {strength}", fontsize=10)
        axis.set_xticks(range(len(ALL)), ALL, rotation=60)
        axis.set_yticks(range(len(ALL)), ALL if axis is axes[0] else [])


def _both(a: str, b: str) -> tuple[str, ...]:
    return (a,) if a == b else (f"{a} + {b}", f"{b} + {a}")


def _each(
    measure: Callable[[Iterable[Row]], float], cells: Sequence[Sequence[Sequence[Row]]]
) -> np.ndarray[Any, Any]:
    return np.array([[measure(cell) for cell in line] for line in cells])


def draw(rows: Sequence[Row]) -> None:
    """Draw families without and with a reference, and all pairs."""
    names = list(dict.fromkeys(row.family for row in rows))
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"text.color": INK, "axes.labelcolor": INK})
        known = sorted({row.reference for row in rows})
        figure = pyplot.figure(figsize=(11, 4.5 + 3 * len(known)), layout="constrained")
        figure.suptitle(
            "Boards read exactly, in percent (a dot: all; framed: 1 in 1,000 cells or more told "
            "wrong), by strength",
            fontsize=10,
        )
        above, below = figure.subfigures(2, 1, height_ratios=(len(known), 1.15), squeeze=False)[
            :, 0
        ]
        axes = above.subplots(len(known), len(names), squeeze=False)
        for line, reference in zip(axes, known, strict=True):
            chosen = [row for row in rows if row.reference == reference]
            families(line, chosen, names, WORDS[reference])
        pairs(below.subplots(1, 4), [row for row in rows if not row.reference])
        figure.savefig(PLACE, dpi=130, metadata={"Software": None})


def main(file: str) -> None:
    rows = kept(Path(file))
    draw(rows)
    for reference, words in WORDS.items():
        chosen = [row for row in rows if row.reference == reference]
        if chosen:
            print(f"\nWith the {words}:\n\n{table(chosen)}\n\n{by_family(chosen)}")


if __name__ == "__main__":
    main(sys.argv[1])
