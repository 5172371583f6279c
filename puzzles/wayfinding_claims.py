"""What is told of a walk through corridors, held against the walls."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from puzzles.directions import DIRECTIONS, moved, walk
from puzzles.family import Cell
from puzzles.narration import Facts, Scene
from puzzles.walking import legal_steps
from puzzles.wayfinding import BACK, Walls, dead_end, distances, floor, lies, nearer, on_board

Check = Callable[[Scene[Any, Any], Facts], Any]


class Walker(Protocol):
    """A state of a family with a walker: its walls, where it is, and where it is to come."""

    @property
    def walls(self) -> Walls: ...
    @property
    def agent(self) -> Cell: ...
    @property
    def goal(self) -> Cell: ...


class Spot(NamedTuple):
    """Where the walker is; where it has come from; and what no dead end holds (``dead_end``)."""

    walls: Walls
    at: Cell
    goal: Cell
    came: Cell | None
    kept: set[Cell]


def _spot(scene: Scene[Walker, Any], taken: int) -> Spot:
    """Return where the walker is when so many steps are taken."""
    state = scene.states[taken]
    came = scene.states[taken - 1].agent if taken else None
    route = _route(scene.states[0].agent, tuple(scene.actions))
    return Spot(state.walls, state.agent, state.goal, came, {state.goal, *route})


@lru_cache(maxsize=16)
def _route(start: Cell, actions: tuple[str, ...]) -> frozenset[Cell]:
    return frozenset(walk(start, actions))


def _on_the_spot(test: Callable[[Spot, Facts], Any]) -> Check:
    return lambda scene, facts: test(_spot(scene, scene.at), facts)


def _start(scene: Scene[Walker, Any], facts: Facts) -> Any:
    return (facts["agent"], facts["goal"]) == (scene.state.agent, scene.state.goal)


def _go(scene: Scene[Walker, Any], facts: Facts) -> Any:
    return facts["n"] > 0 and scene.states[scene.at + facts["n"]].agent == facts["to"]


def _corridor(scene: Scene[Walker, Any], facts: Facts) -> Any:
    at = scene.at
    for leg in facts["legs"]:
        spot = _spot(scene, at)
        at += leg.n
        if leg.n < 1 or scene.states[at].agent != leg.to:
            return False
        if not _only(spot, {"at": spot.at, "way": leg.way}):
            return False
    return scene.state.agent == facts["at"]


def _arrived(scene: Scene[Walker, Any], facts: Facts) -> Any:
    return facts["n"] == scene.at and scene.state.agent == scene.state.goal


def _lies(spot: Spot, facts: Facts) -> Any:
    return lies(spot.at, spot.goal, facts)


def _only(spot: Spot, facts: Facts) -> Any:
    """Whether one way is open, apart from that which the walk has come by."""
    new = [way for way in legal_steps(spot.walls, spot.at) if moved(spot.at, way) != spot.came]
    return facts["at"] == spot.at and new == [facts["way"]]


def _walled(spot: Spot, facts: Facts) -> Any:
    toward, wall = facts["toward"], facts["wall"]
    return (
        _only(spot, facts)
        and toward in nearer(spot.at, spot.goal)
        and wall == moved(spot.at, toward)
        and on_board(spot.walls, wall)
        and not floor(spot.walls, wall)
    )


def _dead(spot: Spot, facts: Facts) -> Any:
    beside = moved(spot.at, facts["way"])
    is_so = facts["at"] == spot.at and facts["first"] == beside
    n = dead_end(spot.walls, spot.at, facts["way"], spot.kept)
    return is_so and facts.get("n", 1) == n > 0


def _tempting(spot: Spot, facts: Facts) -> Any:
    return _dead(spot, facts) and facts["way"] in nearer(spot.at, spot.goal)


def _longer(spot: Spot, facts: Facts) -> Any:
    known = distances(spot.walls, spot.goal)
    return (
        facts["first"] == moved(spot.at, facts["way"])
        and known.get(facts["first"]) == facts["far"]
        and known[spot.at] - 1 == facts["near"] < facts["far"]
    )


def _passed(spot: Spot, facts: Facts) -> Any:
    """Whether dead ends begin in cells beside the walk."""
    return all(
        any(
            near in spot.kept and dead_end(spot.walls, near, BACK[way], spot.kept)
            for way in DIRECTIONS
            for near in [moved(cell, way)]
        )
        for cell in facts["cells"]
    )


_OF_SPOTS: dict[str, Callable[[Spot, Facts], Any]] = {
    **dict.fromkeys(("offset", "offset rows", "offset columns"), _lies),
    **{"only": _only, "walled": _walled, "longer": _longer},
    **{"dead": _dead, "dead cell": _dead, "tempting": _tempting, "tempting cell": _tempting},
    **{"passed": _passed, "passed one": _passed},
}
HOLDS: dict[str, Check] = {
    **{kind: _on_the_spot(test) for kind, test in _OF_SPOTS.items()},
    **{"start": _start, "go": _go, "corridor": _corridor, "arrived": _arrived},
}
"""Whether a claim of such a kind is true, in a scene whose states are as ``Walker`` says."""
