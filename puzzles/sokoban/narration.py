"""Pushes told step by step: where the player has to stand, and how it gets there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from puzzles.directions import moved
from puzzles.family import Cell
from puzzles.narration import Claim, Narration, claim, grid
from puzzles.sentences import Leg
from puzzles.sokoban.claims import HOLDS, cornered, steps_to, straight
from puzzles.sokoban.rules import State, apply
from puzzles.sokoban.said import PHRASES
from puzzles.wayfinding import BACK, MOST, floor, nearer, offset, runs


class _Part(NamedTuple):
    """Steps to where a push begins, and the pushes in one direction; none after the last walk."""

    steps: list[str]
    pushes: list[str]


def _parts(state: State, actions: Sequence[str]) -> list[_Part]:
    marked = []
    for action in actions:
        marked.append((action, moved(state.player, action) in state.boxes))
        state = apply(state, action)
    parts, steps = [], list[str]()
    for (way, pushes), group in groupby(marked):
        ways = [way for way, _ in group]
        if pushes:
            parts.append(_Part(steps, ways))
            steps = []
        else:
            steps = steps + ways
    return parts


def _tell(state: State, actions: Sequence[str]) -> Iterator[list[Claim]]:
    """Yield where things are; then for each push why, where from, the walk, and what it brings."""
    single = len(state.boxes) == 1
    first = [grid(len(state.walls), len(state.walls[0]))]
    if single:
        (box,), (target,) = state.boxes, state.targets
        first += [claim("start", player=state.player, box=box, target=target), offset(box, target)]
    else:
        facts = {"player": state.player, "boxes": state.boxes, "targets": state.targets}
        first.append(Claim("start several", facts))
    yield first
    for steps, pushes in _parts(state, actions):
        way, n = pushes[0], len(pushes)
        stand = _after(state, steps).player
        box = moved(stand, way)
        line = [*_why(state, box, way)] if single else []
        line.append(claim("stance", box=box, way=way, stand=stand, side=BACK[way]))
        line += _walked(state, stand, steps)
        before, state = state, _after(state, [*steps, *pushes])
        end = moved(state.player, way)
        many = {"n": n} if n > 1 else {}
        kind = "push" if n > 1 else "push once"
        line.append(Claim(kind, {"way": way, **many, "box": end, "player": state.player}))
        line += _brought(before, state) if single else []
        line += [claim("on target")] * (end in state.targets)
        yield line
    yield [claim("done", n=len(actions))]


def _after(state: State, actions: Sequence[str]) -> State:
    for action in actions:
        state = apply(state, action)
    return state


def _why(state: State, box: Cell, way: str) -> Iterator[Claim]:
    """Yield why the one box isn't pushed nearer to its target, where it goes another way."""
    wanted = nearer(box, state.targets[0])
    if way in wanted:
        return
    for other in wanted:
        ahead, stand = moved(box, other), moved(box, BACK[other])
        if not floor(state.walls, ahead):
            yield claim("ahead is wall", way=other, wall=ahead)
        elif not floor(state.walls, stand):
            yield claim("stand is wall", way=other, wall=stand)
        elif steps_to(state, stand, boxes=True) is None:
            yield claim("stand is cut off", way=other, stand=stand)
        elif cornered(state, ahead):
            yield claim("corner", way=other, cell=ahead)
    yield claim("away", way=way)


def _walked(state: State, stand: Cell, steps: Sequence[str]) -> Iterator[Claim]:
    """Yield the walk to where a push begins, and what makes it longer than it looks."""
    if not steps:
        yield claim("there")
        return
    n, without = len(steps), steps_to(state, stand, boxes=False)
    direct = straight(state.player, stand)
    if without is not None and without < n:
        yield claim("box between", n=n, m=without)
    elif direct < n:
        yield claim("walls between", n=n, m=direct)
    legs = [Leg(run.way, len(run.cells), run.end) for run in runs(state.player, steps)]
    yield claim("walk", legs=tuple(legs))


def _brought(before: State, state: State) -> Iterator[Claim]:
    """Yield whether the one box has come into the row or column of its target."""
    (old,), (new,), (target,) = before.boxes, state.boxes, state.targets
    for axis, kind in enumerate(("in row", "in column")):
        if new[axis] == target[axis] != old[axis] and new != target:
            yield claim(kind)


def _takes(state: State, one: Claim) -> list[str]:
    if one.kind == "walk":
        return [leg.way for leg in one.facts["legs"] for _ in range(min(leg.n, MOST))]
    if one.kind in ("push", "push once"):
        return [one.facts["way"]] * min(one.facts.get("n", 1), MOST)
    return []


_NARRATION: Narration[State, str] = Narration(
    _tell,
    PHRASES,
    _takes,
    HOLDS,
)


def narration() -> Narration[State, str]:
    """Return how pushes are told."""
    return _NARRATION
