"""The table of the races: what the work is, the floors, who takes part."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from puzzles import family, solve
from solvers import Unsolvable

Judge = Callable[[Sequence[Any]], tuple[float, str]]
"""From what came out to the share of it that counts, and what to say of it."""


MOST = 5_000
"""Boards of a contestant that are judged at most: ours are many, and all hard."""


class Row(NamedTuple):
    """One race.

    work, unit
        What is done, and what is counted, a second.
    task
        The name of the work in the programs of the contestants.
    peers
        Their names (see environments), each with how many times its rate ours has to be at least;
        None where the ratio is only stated.
    floor
        What our own rate has to be at least; 0 where only the ratios matter.
    file
        The input: a file of the reference data, or ``maze:KIND``.
    span
        Seconds a round, at least.
    judge
        Told what came out of a contestant; None where all of it counts.
    lengths
        The answers are lengths in the order of the boards: a peer's may not be below ours.
    """

    work: str
    unit: str
    task: str
    peers: Mapping[str, float | None]
    floor: float = 0
    file: str = ""
    span: float = 2
    judge: Judge | None = None
    lengths: bool = False


def _length(name: str, board: str) -> int | None:
    """Return the optimum of a board that somebody made, None where there is none."""
    room = family(name)
    try:
        return solve(room, room.parse(board, {})).length
    except (ValueError, Unsolvable):
        return None


def hard_sokoban(boards: Sequence[str]) -> tuple[float, str]:
    """Return the share of the boards that are hard ones with one box, proved by our solver."""
    low, high = family("sokoban").buckets["hard"][:2]
    boards = boards[:MOST]
    one_box = [board for board in boards if board.count("$") == 1 == sum(map(board.count, ".+"))]
    hard = [board for board in one_box if low <= (_length("sokoban", board) or 0) <= high]
    # Where none is hard the bound is that of one.
    return max(1, len(hard)) / len(boards), f"{len(hard):,} of {len(boards):,} are hard"


def parking_lengths(boards: Sequence[str]) -> tuple[float, str]:
    """All boards count, solvable or not; the median of the optima is told."""
    lengths = [_length("parking", board) for board in boards[:200]]
    found = [length for length in lengths if length is not None]
    return 1, f"median optimum {statistics.median(found):.0f} moves"


FINDERS = {"scipy": 1.0, "igraph": 1.0, "rustworkx": 1.0, "networkx": 1.0}
ROWS = [
    Row(
        "Sokoban, 10x10, one box, optimum 20-39 proved",
        "boards",
        "sokoban",
        {"reasoning-gym": 100, "gym-sokoban": 100},
        span=4,
        judge=hard_sokoban,
    ),
    Row(
        "mazes, 10x10, with the length of the path, 7 to 17 (ours: instances, by make)",
        "mazes",
        "maze",
        {"reasoning-gym": 3, "jumanji": None, "maze-dataset": 3},
    ),
    Row(
        "mazes, 10x10, with the length of the path, 18 to 30 (ours: instances, by make)",
        "mazes",
        "long-maze",
        {"reasoning-gym": 3},
    ),
    Row(
        "mazes as bare arrays (ours: the sampler, without records)",
        "mazes",
        "bare-maze",
        {"jumanji": 3},
    ),
    Row(
        "parking boards, found solvable",
        "boards",
        "parking",
        {"textarena": 2},
        judge=parking_lengths,
    ),
    *(
        Row(
            f"shortest path in a maze of 1000x1000 cells, {kind}",
            "paths",
            "path",
            FINDERS,
            file=f"maze:{kind}",
            lengths=True,
        )
        for kind in ("perfect", "with cycles", "open terrain")
    ),
    Row(
        "Rush Hour, breadth-first over all states of 54 boards",
        "states",
        "states",
        {"plain-python": None, "textarena": None},
        floor=4_000_000,
        file="rushhour.csv",
    ),
    Row(
        "Klotski, 4x5, 25 boards, shortest in slides",
        "boards",
        "klotski",
        {"klotski": 1, "py-klotski": None},
        file="klotski.csv",
        lengths=True,
    ),
    Row(
        "Klotski, 4x5, all states of the first 5 boards",
        "boards",
        "klotski-all",
        {"klotski": 1, "py-klotski": None},
        file="klotski.csv",
    ),
    Row(
        "Boxoban levels, shortest in moves of the player",
        "levels",
        "boxoban",
        {},
        floor=15,
        file="sokoban.jsonl",
    ),
]
