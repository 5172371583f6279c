"""What the built-in players know of a board: shortest solutions from any state, and estimates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from protocols.protocol import named
from protocols.stepwise import Walk
from puzzles.family import Family, IllegalAction
from puzzles.instance import Instance
from puzzles.replay import initial, optimal_actions
from puzzles.rooms import family
from puzzles.solve import solve
from solvers import SearchLimit, Unsolvable

_FIXED = named("oracle-vcot")
"""A protocol whose round cap depends on family and difficulty alone."""


def cap(instance: Instance) -> int:
    """Return the most actions that a player without a plan takes: the fixed round cap."""
    return Walk(instance, _FIXED).cap


def legal_part(room: Family[Any, Any], state: Any, actions: list[Any]) -> list[Any]:
    """Return ``actions`` up to the first that is illegal; no picture shows more."""
    for at, action in enumerate(actions):
        try:
            state = room.apply(state, action)
        except IllegalAction:
            return actions[:at]
    return actions


def ahead(instance: Instance, taken: Sequence[Any]) -> tuple[Any, ...]:
    """Return a shortest solution from where the legal actions ``taken`` have led.

    It is the instance's for as long as they follow it, so that the length in slides stays right.
    Empty in a goal, and where none can be reached.
    """
    plan, done = _optimum(instance.line()), len(taken)
    if plan[:done] == tuple(taken):
        return plan[done:]
    room, state = family(instance.family), initial(instance)
    for action in taken:
        state = room.apply(state, action)
        if plan and plan[0] == action:
            plan = plan[1:]
        else:
            plan = _solved(instance.family, instance.metric, state)[0]
    return plan


@lru_cache(maxsize=1024)
def _optimum(line: str) -> tuple[Any, ...]:
    return tuple(optimal_actions(Instance.model_validate_json(line)))


@lru_cache(maxsize=4096)
def _solved(name: str, metric: str, state: Any) -> tuple[tuple[Any, ...], float]:
    """Return the actions of a shortest solution and its length, () and infinity without one."""
    try:
        found = solve(family(name), state, metric=metric)
    except Unsolvable:
        return (), inf
    return tuple(found.actions), found.length


def distance(instance: Instance, state: Any) -> float:
    """Return how far ``state`` is from the goal; infinity where that is beyond the search."""
    try:
        return _solved(instance.family, instance.metric, state)[1]
    except SearchLimit:
        return inf


def idle(instance: Instance, state: Any) -> Any | None:
    """Return an action for where none is wanted: one that stays as near to the goal as can be."""
    room = family(instance.family)
    legal = room.legal_actions(state)
    if not room.is_solved(state):
        return legal[0] if legal else None
    return min(legal, key=lambda a: distance(instance, room.apply(state, a)), default=None)


def nearest(room: Family[Any, Any], state: Any, seen: set[Any]) -> Any | None:
    """Return the action to the state, not among ``seen``, that the heuristic likes best."""
    after = [(action, room.apply(state, action)) for action in room.legal_actions(state)]
    new = [(estimate(room, state), action) for action, state in after if state not in seen]
    return min(new, key=lambda pair: pair[0])[1] if new else None


def estimate(room: Family[Any, Any], state: Any) -> int:
    heuristic = room.systems["cell"].heuristic
    if heuristic is None:
        return 0
    level, words = room.pack(state)
    out = np.zeros(1, np.int32)
    heuristic(level, words[None], out)
    return int(out[0])
