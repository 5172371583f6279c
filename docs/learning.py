"""Draws docs/pictures/learning.png from the curves in examples/curves.

python docs/learning.py

matplotlib draws: it comes with ``pip install '.[plots]'``.
"""

import json
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot

FOLDER = Path(__file__).parent
CURVES = FOLDER.parent / "examples" / "curves"
# From Okabe and Ito's colours, which are told apart by all kinds of sight.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#30343c")
INK, GRID = "#30343c", "#dcdfe4"


def curve(place: Path) -> list[dict[str, Any]]:
    """Return the lines of a learning curve."""
    return [json.loads(line) for line in place.read_text().splitlines()]


def draw(axis: Any, title: str, series: dict[str, tuple[list[float], list[float]]]) -> None:
    """Draw shares solved over processor seconds."""
    for colour, (name, (seconds, shares)) in zip(COLOURS, series.items(), strict=False):
        axis.plot(seconds, shares, color=colour, linewidth=1.8, label=name)
    axis.set_title(title, fontsize=11)
    axis.set_xlabel("processor seconds")
    axis.set_ylabel("solved")
    axis.set_ylim(0, 1)
    axis.yaxis.set_major_formatter(matplotlib.ticker.PercentFormatter(1))
    axis.grid(axis="y", color=GRID, linewidth=0.8)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=9)


def main() -> None:
    curves = {place.stem: curve(place) for place in sorted(CURVES.glob("*.jsonl"))}
    first = curves["maze"]
    seconds = [line["seconds"] for line in first]
    sizes = {
        f"{size} boards": (seconds, [line["sizes"][size] for line in first])
        for size in first[0]["sizes"]
    }
    families = {
        name: ([line["seconds"] for line in lines], [line["feasible"] for line in lines])
        for name, lines in curves.items()
    }
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {"font.size": 10, "axes.edgecolor": INK, "text.color": INK, "axes.labelcolor": INK}
        )
        figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
        draw(axes[0], "Mazes held out, by size", sizes)
        draw(axes[1], "Small boards of each family, held out", families)
        figure.savefig(FOLDER / "pictures" / "learning.png", dpi=160, metadata={"Software": None})


if __name__ == "__main__":
    main()
