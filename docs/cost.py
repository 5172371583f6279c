"""Measures cost against size and composes docs/cost.md and docs/pictures/cost.png.

python docs/cost.py

Takes a minute or two. matplotlib draws: it comes with ``pip install '.[plots]'``.
"""

import random
import time
import tracemalloc
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import matplotlib

from puzzles import Instance, explore, family, make, solve
from solvers import Limit, SearchLimit, Unsolvable

matplotlib.use("agg")

from matplotlib import pyplot

FOLDER = Path(__file__).parent
# From Okabe and Ito's colours, which are told apart by all kinds of sight.
SERIES = {
    "make": ("make", "#009e73"),
    "own": ("solve, own search", "#d55e00"),
    "bfs": ("solve, BFS", "#0072b2"),
    "astar": ("solve, A*", "#cc79a7"),
    "reachable": ("reachable", "#8a4fa3"),
}
INK, GRID = "#30343c", "#dcdfe4"

SIDES = (10, 20, 50, 100, 200, 500, 1000)
BOXES = (1, 2, 3, 4, 5)
VEHICLES = range(4, 15)
HEAD = """# Cost against size

Measured by `python docs/cost.py` in one run on one core of a shared machine, all code compiled
before: the fastest of three runs, medians over boards of a size (64 or 3 mazes, 20 levels, 12
lots). Trust the slopes and the ratios. "Own search" is what `puzzles solve` takes by default where
a family has a search of its own besides BFS and A*. All three are exact, and every length that is
measured here is compared.

- A maze costs what its floor costs: about a hundred times as much for ten times the side.
- In Sokoban every box more multiplies the states; A* looks at a part of those that BFS looks at,
  but each costs it more time.
- Parking lots are hard lots of 14 vehicles from which vehicles were taken: with few vehicles there
  are few joint positions, with many there is no room. Most states lie in between.
- Memory is what a search has allocated in the end, divided by the states that it has stored: a
  maze of 1000x1000 without a way, and boards on which a million states are not enough.
- So the default limits of `puzzles solve` (20 million states, 4 GB) end a search before it takes
  2 GB and, at half a million to two million states a second, within a minute. Only Onet's
  breadth-first search is slower by far, since it looks for links; `puzzles solve` takes another.

![Cost against size](pictures/cost.png)
"""
ENOUGH = Limit(states=5_000_000)
MILLION = Limit(states=1_000_000)


class Panel(NamedTuple):
    """What a panel of the picture shows, and a table of the page: values by size and series."""

    title: str
    size: str
    value: str
    rows: Mapping[Any, Mapping[str, float]]


def timed(function: Callable[..., Any], *given: Any, **named: Any) -> tuple[float, Any]:
    """Return the seconds that a call took, and what it returned."""
    started = time.perf_counter()
    result = function(*given, **named)
    return time.perf_counter() - started, result


class Solved(NamedTuple):
    """Medians over several boards."""

    seconds: float
    expanded: float


def solved(instances: Iterable[Instance], algorithm: str) -> Solved:
    """Solve all instances, and see that the length is the one that they state.

    Of four runs of each the first, in which code may have to be compiled, doesn't count, and of
    the others the fastest does.
    """
    times, expanded = [], []
    for instance in instances:
        room = family(instance.family)
        state = room.parse(instance.board, instance.rules)
        runs = [timed(solve, room, state, ENOUGH, algorithm=algorithm) for _ in range(4)]
        if runs[0][1].length != instance.optimal_length:
            raise RuntimeError(f"{algorithm}: {instance.id} has another length")
        times.append(min(seconds for seconds, _ in runs[1:]))
        expanded.append(runs[0][1].expanded)
    return Solved(median(times), median(expanded))


def mazes() -> Panel:
    """Routes of twice as many cells as a side has, in mazes from 10x10 to 1000x1000."""
    rows = {}
    make("maze", n=1, lengths=(20, 20), size=(10, 10))  # compiles
    for side in SIDES:
        n, lengths = 64 if side <= 50 else 3, (2 * side, 2 * side)
        seconds, found = timed(make, "maze", n=n, lengths=lengths, size=(side, side))
        rows[side] = {
            "make": seconds / n,
            "own": solved(found, "auto").seconds,
            "bfs": solved(found, "bfs").seconds,
            "astar": solved(found, "astar").seconds,
        }
    return Panel("Maze, route of 2 sides", "cells a side", "seconds", rows)


def sokoban() -> tuple[Panel, Panel]:
    """Levels of 10x10 with 1 to 5 boxes and optima of 30 to 40 moves: time, and states expanded."""
    times, states = {}, {}
    for boxes in BOXES:
        n, options = 20, {"boxes": boxes}
        make("sokoban", n=1, seed=1, lengths=(30, 40), options=options)
        seconds, found = timed(make, "sokoban", n=n, lengths=(30, 40), options=options)
        bfs, astar = solved(found, "bfs"), solved(found, "astar")
        times[boxes] = {"make": seconds / n, "bfs": bfs.seconds, "astar": astar.seconds}
        states[boxes] = {"bfs": bfs.expanded, "astar": astar.expanded}
    title = "Sokoban, 10x10, optimum 30 to 40"
    return (
        Panel(title, "boxes", "seconds", times),
        Panel(title, "boxes", "states expanded", states),
    )


def parking() -> tuple[Panel, Panel]:
    """Hard lots of 14 vehicles, from which one vehicle after the other is taken: states and time.

    Fewer vehicles have fewer joint positions but more room for each, so the number of states is
    the largest in between.
    """
    room = family("parking")
    lots = [lot for lot in make("parking", "hard", 80) if lot.stats["vehicles"] == 14][:12]
    times: dict[int, dict[str, float]] = {}
    states: dict[int, dict[str, float]] = {}
    for vehicles in reversed(VEHICLES):
        found = [_without(lot, vehicles) for lot in lots]
        counts = []
        for lot in found:
            state = room.parse(lot.board, lot.rules)
            try:
                counts.append(float(explore(room, state, ENOUGH).states))
            except SearchLimit:
                counts.append(inf)
        own, bfs, astar = (solved(found, name) for name in ("auto", "bfs", "astar"))
        states[vehicles] = {
            "reachable": median(counts),
            "bfs": bfs.expanded,
            "astar": astar.expanded,
        }
        times[vehicles] = {"own": own.seconds, "bfs": bfs.seconds, "astar": astar.seconds}
    title = "Parking, parts of hard 8x8 lots"
    return (
        Panel(title, "vehicles", "seconds", dict(sorted(times.items()))),
        Panel(title, "vehicles", "states", dict(sorted(states.items()))),
    )


def _without(lot: Instance, vehicles: int) -> Instance:
    """Return ``lot`` with only so many vehicles, R among them: always the same ones."""
    names = sorted(set(lot.board) - set(".#R\n"))
    random.Random(lot.id).shuffle(names)
    board = "".join("." if mark in names[vehicles - 1 :] else mark for mark in lot.board)
    room = family("parking")
    return lot.model_copy(
        update={
            "board": board,
            "optimal_length": solve(room, room.parse(board, lot.rules), ENOUGH).length,
        }
    )


HALL = "\n".join(
    (
        *("##########", "#.....---#", "#--------#", "#--------#", "#--------#", "#--------#"),
        *("#--$-$-$-#", "#---$-$--#", "#-------@#", "##########"),
    )
)
"""Five boxes far from their targets: more than a million states lie nearer than a solution."""
HARDEST = ("BBBCDE", "FGGCDE", "F.RRDE", "HHI...", ".JI.KK", ".JLLMM")
YARD = "\n".join(
    [*("....." + "#" + row for row in HARDEST), "#" * 12, *(f"{v * 2:.<12}" for v in "STUVW")]
)
TRAY = "TTABCD\nTTABCD\nEEFGHI\nJJFGHI\nKKLMNO\nPQRU.."
PLAIN = "\n".join(["S" + "." * 999, *["." * 1000] * 997, "." * 998 + "##", "." * 998 + "#G"])


def memory() -> Panel:
    """The most memory that a search allocates, for each of the million states that it stores."""
    boards = {"maze": PLAIN, "sokoban": HALL, "parking": YARD, "klotski": TRAY}
    rows: dict[str, dict[str, float]] = {}
    for name, board in boards.items():
        room, rows[name] = family(name), {}
        state = room.parse(board, {})
        searches = {"bfs": "bfs", "astar": "astar"}
        if name in ("maze", "parking"):  # the others' own search goes over to A*
            searches = {"own": "auto", **searches}
        for search, algorithm in searches.items():
            rows[name][search] = max(_allocated(room, state, algorithm) for _ in range(2))
    return Panel("Memory", "family", "MB a million states", rows)


def _allocated(room: Any, state: Any, algorithm: str) -> float:
    """Return the bytes a state that a search allocates which finds no solution."""
    with suppress(SearchLimit):
        solve(room, state, Limit(states=1000), algorithm=algorithm)  # compiling allocates too
    tracemalloc.start()
    try:
        solve(room, state, MILLION, algorithm=algorithm)
    except (SearchLimit, Unsolvable) as end:
        return tracemalloc.get_traced_memory()[1] / end.states
    finally:
        tracemalloc.stop()
    raise RuntimeError(f"{room.name}: the board for memory is solved")


def picture(panels: Sequence[Panel]) -> None:
    """Draw all panels, two in a row: amounts on logarithmic scales, sides of mazes too."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {"font.size": 10, "axes.edgecolor": INK, "text.color": INK, "axes.labelcolor": INK}
        )
        matplotlib.rcParams.update(
            {"figure.constrained_layout.h_pad": 0.15, "figure.constrained_layout.w_pad": 0.1}
        )
        figure, axes = pyplot.subplots(3, 2, figsize=(9, 10), layout="constrained")
        for axis, panel in zip(axes.flat, panels, strict=True):
            axis.set_title(panel.title, fontsize=11)
            axis.set_xlabel(panel.size)
            axis.set_ylabel(panel.value)
            axis.grid(axis="y", color=GRID, linewidth=0.8)
            axis.set_axisbelow(True)
            axis.spines[["top", "right"]].set_visible(False)
            _bars(axis, panel) if panel.size == "family" else _lines(axis, panel)
            axis.legend(
                frameon=False, fontsize=9, loc="best" if panel.size == "family" else "upper left"
            )
        figure.savefig(FOLDER / "pictures" / "cost.png", dpi=160, metadata={"Software": None})


def _lines(axis: Any, panel: Panel) -> None:
    sizes = list(panel.rows)
    for name in next(iter(panel.rows.values())):
        words, colour = SERIES[name]
        if panel.value != "seconds":
            words = words.replace("solve, ", "expanded by ")
        values = [row[name] for row in panel.rows.values()]
        axis.plot(sizes, values, "o-", color=colour, label=words, markersize=4.5, linewidth=1.8)
    axis.set_yscale("log")
    low, high = axis.get_ylim()
    axis.set_ylim(low, high * (high / low) ** 0.25)  # room for the legend
    if max(sizes) > 100:
        axis.set_xscale("log")
    axis.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axis.minorticks_off()


def _bars(axis: Any, panel: Panel) -> None:
    named = set()
    for at, row in enumerate(panel.rows.values()):
        for place, (name, value) in enumerate(row.items()):
            words, colour = SERIES[name]
            where = at + 0.27 * (place - (len(row) - 1) / 2)
            bar = axis.bar(where, value, 0.25, color=colour, label=None if name in named else words)
            axis.bar_label(bar, [f"{value:.0f}"], fontsize=9, color=INK)
            named.add(name)
    axis.set_ylim(top=1.45 * axis.dataLim.ymax)  # room for the legend
    axis.set_xticks(range(len(panel.rows)), list(panel.rows))


def page(panels: Sequence[Panel]) -> str:
    """Return docs/cost.md: the picture, and all numbers in tables."""
    parts = [HEAD]
    for panel in panels:
        names = list(dict.fromkeys(name for row in panel.rows.values() for name in row))
        parts.append(f"## {panel.title}: {panel.value} by {panel.size}\n")
        parts.append(f"| {panel.size} | {' | '.join(SERIES[name][0] for name in names)} |")
        parts.append("|---" * (1 + len(names)) + "|")
        for size, row in panel.rows.items():
            cells = [_said(row[name], panel.value) if name in row else "" for name in names]
            label = f"{size:,}" if isinstance(size, int) else size
            parts.append(f"| {label} | {' | '.join(cells)} |")
        parts.append("")
    return "\n".join(parts)


def _said(value: float, unit: str) -> str:
    if unit == "seconds":
        digits = 3 if value < 1e-3 else 2 if value < 1e-2 else 1 if value < 1e-1 else 0
        return f"{1e3 * value:.{digits}f} ms"
    if value == inf:
        return f"over {ENOUGH.states:,}"
    return f"{value:,.0f}"


def main() -> None:
    panels = [mazes(), *sokoban(), *parking(), memory()]
    panels = [panels[at] for at in (0, 1, 2, 4, 3, 5)]
    picture(panels)
    (FOLDER / "cost.md").write_text(page(panels))


if __name__ == "__main__":
    main()
