"""The maze: its state, its actions and their notation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from puzzles.family import Cell
from puzzles.notation import known_rules, marked, only, rows_of, stopped
from puzzles.symmetry import smallest
from puzzles.verdict import Replay
from puzzles.walking import WALL, legal_steps, step

RULE_OPTIONS: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class State:
    """Rows of ``#`` (wall) and ``.`` (floor), the agent's cell and the goal's."""

    walls: tuple[str, ...]
    agent: Cell
    goal: Cell


def parse(board: str, rules: Mapping[str, Any]) -> State:
    """Return the state that ``board`` shows; raise InvalidBoard where it is not a maze."""
    known_rules(rules, RULE_OPTIONS, "maze")
    rows = rows_of(board, "#.SG*", "maze")
    agent, goal = only(rows, "S*", "agent", "maze"), only(rows, "G*", "goal", "maze")
    return State(tuple(marked(rows, [(agent, "."), (goal, ".")])), agent, goal)


def notation(state: State) -> tuple[str, ...]:
    """Return the board as rows of text."""
    if state.agent == state.goal:
        return tuple(marked(state.walls, [(state.agent, "*")]))
    return tuple(marked(state.walls, [(state.agent, "S"), (state.goal, "G")]))


def format(state: State) -> str:
    """Return the board as ``parse`` reads it."""
    return "\n".join(notation(state))


def canonical(state: State) -> bytes:
    """Return the smallest notation among the board's rotations and mirror images."""
    return smallest(notation(state)).encode()


def legal_actions(state: State) -> list[str]:
    """Return the actions that ``apply`` takes, in a fixed order."""
    return legal_steps(state.walls, state.agent)


def apply(state: State, action: str) -> State:
    """Return the state after ``action``; raise IllegalAction where it can't be taken."""
    return replace(state, agent=step(state.walls, state.agent, action))


def is_solved(state: State) -> bool:
    """Return whether the goal holds."""
    return state.agent == state.goal


def replay(state: State, answer: Sequence[str]) -> Replay:
    """Play ``answer`` as ``apply`` would, faster: on one text, with walls all around."""
    stride = len(state.walls[0]) + 1
    edge = WALL * stride
    framed = edge + WALL.join(state.walls) + edge
    steps: dict[str, int] = {"up": -stride, "right": 1, "down": stride, "left": -1}
    cell = (state.agent[0] + 1) * stride + state.agent[1]
    for at, delta in enumerate(map(steps.get, answer)):
        if delta is None or framed[cell + delta] == WALL:
            return stopped(apply, _at(state, cell, stride), at, answer[at])
        cell += delta
    return Replay(_at(state, cell, stride), len(answer))


def _at(state: State, cell: int, stride: int) -> State:
    return State(state.walls, (cell // stride - 1, cell % stride), state.goal)
