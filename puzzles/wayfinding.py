"""A walk through corridors told in sentences: why it goes there, and what lies beside it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import inf
from typing import Any, NamedTuple

from puzzles.directions import DIRECTIONS, STEPS, moved, walk
from puzzles.family import Cell
from puzzles.narration import Claim, Facts, claim
from puzzles.sentences import Leg
from puzzles.walking import WALL, legal_steps

Walls = tuple[str, ...]
BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}


class Run(NamedTuple):
    """Steps in one direction: how many, from which cell, over which, the last included."""

    way: str
    start: Cell
    cells: tuple[Cell, ...]

    @property
    def end(self) -> Cell:
        return self.cells[-1]


def runs(start: Cell, actions: Sequence[str]) -> list[Run]:
    """Return a walk as its straight parts."""
    found = []
    for way, group in groupby(actions):
        cells = walk(start, group)
        found.append(Run(way, start, tuple(cells[1:])))
        start = cells[-1]
    return found


def floor(walls: Walls, cell: Cell) -> bool:
    """Whether ``cell`` is on the board, and floor."""
    r, c = cell
    return 0 <= r < len(walls) and 0 <= c < len(walls[0]) and walls[r][c] != WALL


def on_board(walls: Walls, cell: Cell) -> bool:
    return 0 <= cell[0] < len(walls) and 0 <= cell[1] < len(walls[0])


def nearer(cell: Cell, goal: Cell) -> list[str]:
    """Return the directions from ``cell`` that lead towards ``goal``, as the crow flies."""
    return [
        way
        for way, (r, c) in STEPS.items()
        if r * (goal[0] - cell[0]) + c * (goal[1] - cell[1]) > 0
    ]


def offset(cell: Cell, goal: Cell) -> Claim:
    """Return the claim of how far, and in which directions, ``goal`` lies from ``cell``."""
    (r, c), (row, column) = cell, goal
    down, across = "down" if row > r else "up", "right" if column > c else "left"
    facts = {"n": abs(row - r), "down": down, "m": abs(column - c), "across": across}
    if not facts["n"]:
        return claim("offset columns", m=facts["m"], across=across)
    if not facts["m"]:
        return claim("offset rows", n=facts["n"], down=down)
    return claim("offset", **facts)


def lies(cell: Cell, goal: Cell, facts: Facts) -> Any:
    """Whether ``goal`` lies from ``cell`` where the claim of ``offset`` says."""
    r, c = cell
    if "n" in facts:
        r += facts["n"] * STEPS[facts["down"]][0]
    if "m" in facts:
        c += facts["m"] * STEPS[facts["across"]][1]
    return (r, c) == goal and 0 not in (facts.get("n"), facts.get("m"))


@lru_cache(maxsize=64)
def distances(walls: Walls, goal: Cell) -> Mapping[Cell, int]:
    """Return how many steps each cell is from ``goal``; cells without a way are not there."""
    found, ahead = {goal: 0}, deque([goal])
    while ahead:
        cell = ahead.popleft()
        for way in legal_steps(walls, cell):
            near = moved(cell, way)
            if near not in found:
                found[near] = found[cell] + 1
                ahead.append(near)
    return found


def dead_end(walls: Walls, at: Cell, way: str, kept: set[Cell]) -> int:
    """Return how many cells lie ``way`` of ``at`` that nothing else leads to; 0: no dead end.

    kept
        Cells that no dead end holds: the goal, and the walk itself.
    """
    first = moved(at, way)
    if not floor(walls, first) or first in kept:
        return 0
    seen, ahead = {at, first}, [first]
    while ahead:
        cell = ahead.pop()
        for on in legal_steps(walls, cell):
            near = moved(cell, on)
            if near in seen:
                continue
            if near in kept:
                return 0
            seen.add(near)
            ahead.append(near)
    return len(seen) - 1


def tell(walls: Walls, start: Cell, goal: Cell, actions: Sequence[str]) -> Iterator[list[Claim]]:
    """Yield what is said of each straight part: why it is taken, the steps, what it passes.

    Parts without a choice are told together.
    """
    kept = {goal, *walk(start, actions)}
    corridor: list[Run] = []
    came = None
    for run in runs(start, actions):
        line = _part(walls, run, goal, kept, came)
        came = BACK[run.way]
        if [one.kind for one in line] == ["only", "go"]:
            corridor.append(run)
            continue
        yield from _corridor(corridor)
        corridor = []
        yield line
    yield from _corridor(corridor)


def _corridor(parts: Sequence[Run]) -> Iterator[list[Claim]]:
    """Yield what is said of parts that follow each other without a choice."""
    if len(parts) == 1:
        (run,) = parts
        yield [claim("only", at=run.start, way=run.way), _go(run)]
    elif parts:
        legs = tuple(Leg(run.way, len(run.cells), run.end) for run in parts)
        yield [claim("corridor", at=parts[0].start, legs=legs)]


def _go(run: Run) -> Claim:
    return claim("go", way=run.way, n=len(run.cells), to=run.end)


def _part(walls: Walls, run: Run, goal: Cell, kept: set[Cell], came: str | None) -> list[Claim]:
    """Return what is said of one straight part."""
    line = [*_choice(walls, run, goal, kept, came), _go(run)]
    beside = tuple(
        moved(cell, way)
        for cell in run.cells[:-1]
        for way in DIRECTIONS
        if dead_end(walls, cell, way, kept)
    )
    if beside:
        line.append(claim("passed" if len(beside) > 1 else "passed one", cells=beside))
    return line


def _choice(
    walls: Walls, run: Run, goal: Cell, kept: set[Cell], came: str | None
) -> Iterator[Claim]:
    """Yield why a run begins as it does: the other ways, and the walls that stand there."""
    at, way = run.start, run.way
    others = [one for one in legal_steps(walls, at) if one not in (way, came)]
    wanted = nearer(at, goal)
    if not others:
        barred = [one for one in wanted if not floor(walls, moved(at, one))]
        if way not in wanted and barred and on_board(walls, moved(at, barred[0])):
            yield claim("walled", at=at, toward=barred[0], wall=moved(at, barred[0]), way=way)
        else:
            yield claim("only", at=at, way=way)
    for other in others:
        first, n = moved(at, other), dead_end(walls, at, other, kept)
        if n:
            kind = "tempting" if other in wanted and way not in wanted else "dead"
            if n > 1:
                yield claim(kind, at=at, way=other, first=first, n=n)
            else:
                yield claim(f"{kind} cell", at=at, way=other, first=first)
            continue
        far, near = (distances(walls, goal).get(cell, inf) for cell in (first, run.cells[0]))
        if inf > far > near:
            yield claim("longer", way=other, first=first, far=far, near=near)


def takes(one: Claim) -> list[str]:
    """Return the steps that a claim takes; a walk of more cells than fit is no walk."""
    legs = one.facts.get("legs", ())
    if one.kind == "go":
        legs = [(one.facts["way"], one.facts["n"])]
    return [way for way, n, *_ in legs for _ in range(min(n, MOST))]


MOST = 1 << 20
"""Steps of a leg that is played: no board is as wide."""
