"""The route and the labels that it passes, told step by step."""

from collections.abc import Iterator, Sequence
from typing import Any

from puzzles import wayfinding
from puzzles.directions import walk
from puzzles.family import Cell
from puzzles.narration import Claim, Facts, Narration, Scene, claim, grid
from puzzles.path.rules import State, answer_of
from puzzles.wayfinding_claims import HOLDS
from puzzles.wayfinding_said import phrases

_PHRASES = {
    **phrases("marker"),
    "start": (
        "The route begins at the orange triangle, {agent:cell}, and ends at the blue one, "
        "{goal:cell}.",
        "The start is at {agent:cell} and the goal at {goal:cell}.",
    ),
    "labels": (
        "The labels: {labels:places}.",
        "There are the labels {labels:places}.",
        "I see {labels:places}.",
    ),
    "hit": (
        "There it passes {hit:places}.",
        "This passes {hit:places}.",
        "Here the route meets {hit:places}.",
    ),
    "arrived": (
        "That is the goal, {n:# step} from the start.",
        "There the goal is reached, after {n:# step}.",
    ),
    "order": (
        "So the labels passed are, in order, {names:names}.",
        "In order, the route has met {names:names}.",
    ),
    "none": ("No label lies on the route.", "The route has met no label."),
    "off": (
        "Not on the route: {names:names}.",
        "Off the route and left out: {names:names}.",
    ),
}


def _tell(state: State, actions: Sequence[str]) -> Iterator[list[Claim]]:
    """Yield where things are, the parts of the route with their labels, and what they add up to."""
    first = [
        grid(len(state.walls), len(state.walls[0])),
        claim("start", agent=state.agent, goal=state.goal),
        wayfinding.offset(state.agent, state.goal),
    ]
    if state.labels:
        first.append(claim("labels", labels=state.labels))
    yield first
    cell = state.agent
    for line in wayfinding.tell(state.walls, state.agent, state.goal, actions):
        steps = [step for one in line for step in wayfinding.takes(one)]
        cell, *cells = walk(cell, steps)
        hit = _hit(state, cells)
        yield [*line, claim("hit", hit=hit)] if hit else line
        cell = cells[-1]
    yield [claim("arrived", n=len(actions)), *_sum(state, actions)]


def _hit(state: State, cells: Sequence[Cell]) -> tuple[tuple[str, Cell], ...]:
    """Return the labels on ``cells`` with their places, in the order of the cells."""
    letters = {cell: letter for letter, cell in state.labels}
    return tuple((letters[cell], cell) for cell in cells if cell in letters)


def _sum(state: State, actions: Sequence[str]) -> Iterator[Claim]:
    passed = tuple(answer_of(state, actions))
    yield claim("order", names=passed) if passed else claim("none")
    off = tuple(letter for letter, _ in state.labels if letter not in passed)
    if off:
        yield claim("off", names=off)


def _hits(scene: Scene[State, str], facts: Facts) -> Any:
    """Whether the labels lie on the last part of the route, in this order."""
    cells = walk(scene.before.agent, scene.actions[scene.since : scene.at])
    return bool(facts["hit"] == _hit(scene.state, cells[1:]))


def _order(scene: Scene[State, str], facts: Facts) -> Any:
    return list(facts.get("names", ())) == answer_of(scene.states[0], scene.actions)


def _off(scene: Scene[State, str], facts: Facts) -> Any:
    passed = answer_of(scene.states[0], scene.actions)
    others = [letter for letter, _ in scene.state.labels if letter not in passed]
    return list(facts["names"]) == others


_NARRATION: Narration[State, str] = Narration(
    _tell,
    _PHRASES,
    takes=lambda state, one: wayfinding.takes(one),
    holds={
        **HOLDS,
        "labels": lambda scene, facts: facts["labels"] == scene.state.labels,
        **{"hit": _hits, "order": _order, "none": _order, "off": _off},
    },
)


def narration() -> Narration[State, str]:
    """Return how a route is told."""
    return _NARRATION
