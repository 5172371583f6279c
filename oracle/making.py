"""What the workshop's process does: the work that needs the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from oracle.errors import NoWay, Refused, refusing
from oracle.limits import Limits
from puzzles.generate import Made, Recipe, generate_block
from puzzles.instance import Instance, identity
from puzzles.replay import check_solution
from puzzles.rooms import NAMES
from puzzles.rooms import family as room_of
from puzzles.solve import Solution, solve
from puzzles.steps import written
from solvers import Limit, Unsolvable


def make(recipe: Recipe, index: int) -> Instance:
    """Return instance ``index`` of ``recipe``."""
    block, place = divmod(index, recipe.block)
    with refusing():
        return _block(recipe.family, recipe.difficulty or "", recipe.seed, block)[place].instance


@lru_cache(maxsize=64)
def _block(family: str, difficulty: str, seed: int, block: int) -> list[Made]:
    return generate_block(Recipe(family, seed, difficulty), block)


def settle(family: str, board: str, rules: Mapping[str, Any], limits: Limits) -> Instance:
    """Return the instance of ``board`` with its exact optimum."""
    room = room_of(family)
    state = _parsed(family, board, rules)
    if room.is_solved(state):
        raise Refused("the board is solved already")
    found = _solved(family, state, limits)
    answer = room.answer_of(state, found.actions)
    check_solution(room, state, answer)
    difficulty = room.difficulty(found.length)
    board, rules = room.format(state), room.rules_of(state)
    return Instance(
        id=identity(family, difficulty, board, rules),
        family=family,
        difficulty=difficulty,
        board=board,
        rules=rules,
        optimal_length=found.length,
        answer=room.format_answer(answer),
    )


def way(family: str, board: str, rules: Mapping[str, Any], limits: Limits) -> list[Any]:
    """Return the actions of a shortest solution as JSON values."""
    room = room_of(family)
    found = _solved(family, _parsed(family, board, rules), limits)
    return [written(room.step, action) for action in found.actions]


def answered(instance: Instance, limits: Limits) -> Instance:
    """Return ``instance`` with an optimal answer."""
    room = room_of(instance.family)
    state = _parsed(instance.family, instance.board, instance.rules)
    actions = _solved(instance.family, state, limits, instance.metric).actions
    answer = room.format_answer(room.answer_of(state, actions))
    return instance.model_copy(update={"answer": answer})


def rehearse(limits: Limits) -> None:
    """Do a little of everything, so that all is loaded."""
    for name in NAMES:
        one = make(Recipe(name, 0, next(iter(room_of(name).buckets))), 0)
        settle(name, one.board, one.rules, limits)


def _parsed(family: str, board: str, rules: Mapping[str, Any]) -> Any:
    with refusing():
        return room_of(family).parse(board, rules)


def _solved(family: str, state: Any, limits: Limits, metric: str = "cell") -> Solution:
    limit = Limit(limits.states, limits.state_bytes)
    with refusing():  # SearchLimit is a ValueError
        try:
            return solve(room_of(family), state, limit, metric=metric)
        except Unsolvable as error:
            raise NoWay(str(error)) from None
