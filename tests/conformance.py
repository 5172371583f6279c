"""What every family must satisfy in a state: rules and kernels say the same."""

from typing import Any

import numpy as np

from puzzles.draws import Draws
from puzzles.family import Family, IllegalAction


def kernel_successors(room: Family[Any, Any], state: Any) -> dict[Any, Any]:
    """Return what the kernels make of ``state``: action -> successor."""
    level, words = room.pack(state)
    system = room.systems["cell"]
    most = max(1, system.branching(level))
    succ = np.zeros((most, len(words)), np.uint64)
    origin, moves = np.full(most, -1), np.zeros(most, np.int32)
    n = system.expand(level, words[None], succ, origin, moves)
    assert n <= most
    assert not origin[:n].any()
    found = {
        room.decode(level, int(code)): room.unpack(level, row)
        for code, row in zip(moves[:n], succ[:n], strict=True)
    }
    assert len(found) == n, "two successors by one action"
    for successor, row in zip(found.values(), succ[:n], strict=True):
        assert np.array_equal(room.repack(level, successor), row)
    return found


def check_state(room: Family[Any, Any], state: Any) -> None:
    """Hold the kernels, the notation and the packing of ``state`` to the rules."""
    level, words = room.pack(state)
    assert room.unpack(level, words) == state
    assert room.parse(room.format(state), room.rules_of(state)) == state
    goal = np.zeros(1, np.bool_)
    room.systems["cell"].is_goal(level, words[None], goal)
    assert goal[0] == room.is_solved(state)
    expected = {action: room.apply(state, action) for action in room.legal_actions(state)}
    assert kernel_successors(room, state) == expected


def random_play(room: Family[Any, Any], state: Any, draws: Draws, steps: int) -> list[Any]:
    """Return the states of a random walk from ``state``, itself first."""
    states = [state]
    for _ in range(steps):
        actions = room.legal_actions(states[-1])
        if not actions:
            break
        states.append(room.apply(states[-1], draws.choice(actions)))
    return states


def folded(room: Family[Any, Any], state: Any, actions: list[Any]) -> tuple[Any, int, str]:
    """Return the last legal state, the number of legal actions and the reason, by ``apply``."""
    for at, action in enumerate(actions):
        try:
            state = room.apply(state, action)
        except IllegalAction as error:
            return state, at, str(error.reason)
    return state, len(actions), ""
