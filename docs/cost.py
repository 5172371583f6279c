"""Measures cost against size and composes docs/cost.md and docs/pictures/cost.png.

python docs/cost.py

Takes a minute or two. matplotlib draws: it comes with ``pip install puzzles[plots]``.
"""

import random
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import matplotlib

from puzzles import Instance, explore, family, make, solve
from solvers import Limit, SearchLimit, Unsolvable

matplotlib.use("agg")

from matplotlib import pyplot  # noqa: E402

FOLDER = Path(__file__).parent
# From Okabe and Ito's colours, which are told apart by all kinds of sight.
COLOURS = {"make": "#009e73", "own": "#d55e00", "bfs": "#0072b2", "astar": "#cc79a7"}
NAMES = {"make": "make", "own": "solve, own search", "bfs": "solve, BFS", "astar": "solve, A*"}
REACHABLE = "#8a4fa3"
INK, GRID = "#30343c", "#dcdfe4"

SIDES = (10, 20, 50, 100, 200, 500, 1000)
BOXES = (1, 2, 3, 4, 5)
VEHICLES = range(4, 15)
ENOUGH = Limit(states=5_000_000)
MILLION = Limit(states=1_000_000)


class Panel(NamedTuple):
    """What a panel of the picture shows, and a table of the page: values by size and series."""

    title: str
    size: str
    value: str
    rows: dict[int, dict[str, float]]


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call took, and what it returned."""
    started = time.perf_counter()
    result = function()
    return time.perf_counter() - started, result


class Solved(NamedTuple):
    """Medians over several boards."""

    seconds: float
    expanded: float


def solved(instances: Iterable[Instance], algorithm: str) -> Solved:
    """Solve all instances, each three times, and see that the length is the one that they state."""
    times, expanded = [], []
    for instance in instances:
        room = family(instance.family)
        state = room.parse(instance.board, instance.rules)
        runs = [timed(lambda: solve(room, state, ENOUGH, algorithm=algorithm)) for _ in range(3)]
        if runs[0][1].length != instance.optimal_length:
            raise RuntimeError(f"{algorithm}: {instance.id} has another length")
        times.append(median(seconds for seconds, _ in runs))
        expanded.append(runs[0][1].expanded)
    return Solved(median(times), median(expanded))


def mazes() -> Panel:
    """Routes of twice as many cells as a side has, in mazes from 10x10 to 1000x1000."""
    rows = {}
    make("maze", n=1, lengths=(20, 20), size=(10, 10))  # compiles
    for side in SIDES:
        n = 10 if side <= 100 else 3
        seconds, found = timed(
            lambda: make("maze", n=n, lengths=(2 * side, 2 * side), size=(side, side))
        )
        solved(found[:1], "auto"), solved(found[:1], "bfs"), solved(found[:1], "astar")
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
        seconds, found = timed(
            lambda: make("sokoban", n=n, lengths=(30, 40), options=options)
        )
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
        solved(found[:1], "auto"), solved(found[:1], "bfs")
        own, bfs = solved(found, "auto"), solved(found, "bfs")
        states[vehicles] = {"reachable": median(counts), "bfs": bfs.expanded}
        times[vehicles] = {"own": own.seconds, "bfs": bfs.seconds}
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
    ["##########", "#.....---#", "#--------#", "#--------#", "#--------#", "#--------#"]
    + ["#--------#", "#-$-$-$-$#", "#$------@#", "##########"]
)
"""Five boxes far from their targets: more than a million states lie nearer than a solution."""
YARD = "\n".join(
    ["A......B", "A......B", "........", "RR.....#", "C......D", "C......D", "EE....FF", "GGG....."]
)
"""Room for each vehicle, and a wall before the exit: a search has to see every state."""


def memory() -> Panel:
    """Bytes allocated at the highest, for each state stored; searches of a million states."""
    side = 1000
    (maze,) = make("maze", n=1, lengths=(4 * side, 4 * side), size=(side, side))
    boards = {"maze": maze.board, "sokoban": HALL, "parking": YARD}
    rows: dict[int, dict[str, float]] = {}
    for at, (name, board) in enumerate(boards.items()):
        room = family(name)
        state = room.parse(board, room.rule_options)
        rows[at] = {}
        for key, algorithm in (("own", "auto"), ("bfs", "bfs"), ("astar", "astar")):
            if key == "own" and not room.systems["cell"].direct:
                continue
            tracemalloc.start()
            try:
                states = solve(room, state, MILLION, algorithm=algorithm).expanded
            except (SearchLimit, Unsolvable) as end:
                states = end.states
            rows[at][key] = tracemalloc.get_traced_memory()[1] / states
            print(name, algorithm, states)
            tracemalloc.stop()
    return Panel("Memory", "family", "MB a million states", rows)
