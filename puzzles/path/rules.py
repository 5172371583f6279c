"""The path puzzle: its state, the one route, and the labels that the route passes.

The marker moves like a maze's agent. The answer, though, names the labels of the route in order,
and it is replayed along the only route there is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from puzzles.directions import moved, quoted
from puzzles.family import Cell, InvalidBoard, MalformedAnswer
from puzzles.notation import find, known_rules, marked, only, rows_of
from puzzles.symmetry import all_eight
from puzzles.verdict import Reason, Replay
from puzzles.walking import legal_steps, step

RULE_OPTIONS: dict[str, Any] = {}

LABELS = "".join(letter for letter in ascii_uppercase if letter not in "SG")
_UNDER = LABELS.lower()
"""Marks of the marker on a label: the label's letter in lower case."""
_MARKER = "S*" + _UNDER
_SEPARATORS = re.compile(r"[,;]|[-=]+>|[→⇒➔➜]|\s+and\s+", re.IGNORECASE)
_QUOTES = "\"'`“”‘’"
_PLAIN = str.maketrans(dict.fromkeys("SG*" + LABELS + _UNDER, "."))
_NAMELESS = str.maketrans(dict.fromkeys(LABELS, "A") | dict.fromkeys(_UNDER, "a"))


@dataclass(frozen=True, slots=True)
class State:
    """Rows of ``#`` (wall) and ``.`` (floor), the marker's cell and the goal's, labels by letter."""

    walls: tuple[str, ...]
    agent: Cell
    goal: Cell
    labels: tuple[tuple[str, Cell], ...]


def parse(board: str, rules: Mapping[str, Any]) -> State:
    """Return the state that ``board`` shows.

    Raises InvalidBoard where it is not a board of this family, or where more than one simple
    route joins marker and goal. A board without a route is read: it is unsolvable.
    """
    known_rules(rules, RULE_OPTIONS, "path")
    rows = rows_of(board, "#.SG*" + LABELS + _UNDER, "path")
    agent, goal = only(rows, _MARKER, "marker", "path"), only(rows, "G*", "goal", "path")
    labels: dict[str, Cell] = {}
    for r, c in find(rows, LABELS + _UNDER):
        letter = rows[r][c].upper()
        if letter in labels:
            row, column = labels[letter]
            raise InvalidBoard(
                f"path: a second label {letter} at ({r},{c}); the first is at ({row},{column})"
            )
        labels[letter] = (r, c)
    walls = tuple(row.translate(_PLAIN) for row in rows)
    state = State(walls, agent, goal, tuple(sorted(labels.items())))
    second = _second_way(state)
    if second:
        raise InvalidBoard(f"path: a second way from the marker to the goal leads over {second}")
    return state


def notation(state: State) -> tuple[str, ...]:
    """Return the board as rows of text."""
    marks = [(cell, letter) for letter, cell in state.labels]
    under = {cell: letter.lower() for cell, letter in marks}
    under[state.goal] = "*"
    marks.append((state.goal, "G"))
    marks.append((state.agent, under.get(state.agent, "S")))
    return tuple(marked(state.walls, marks))


def format(state: State) -> str:
    return "\n".join(notation(state))


def canonical(state: State) -> bytes:
    """Return the smallest notation among the board's rotations and mirror images, without names.

    No two labels have the same name, so what is left when names don't matter is where they stand.
    """
    rows = tuple(row.translate(_NAMELESS) for row in notation(state))
    return "\n".join(min(all_eight(rows))).encode()


def legal_actions(state: State) -> list[str]:
    return legal_steps(state.walls, state.agent)


def apply(state: State, action: str) -> State:
    """Return the state after the marker's step; raise IllegalAction where it can't be taken."""
    return replace(state, agent=step(state.walls, state.agent, action))


def is_solved(state: State) -> bool:
    return state.agent == state.goal


def answer_of(state: State, actions: Sequence[str]) -> list[str]:
    """Return the labels that a walk passes, in order; the one that it starts on has been passed."""
    letters = {cell: letter for letter, cell in state.labels}
    cell, passed = state.agent, []
    for action in actions:
        cell = moved(cell, action)
        if cell in letters:
            passed.append(letters[cell])
    return passed


def replay(state: State, answer: Sequence[str]) -> Replay:
    """Follow the route for as long as ``answer`` names the labels that it passes.

    The state is that of the marker on the last label named rightly, or on the goal where all are.
    """
    route = route_of(state)
    if not route:
        detail = "no route joins the marker and the goal"
        return Replay(state, 0, None, Reason.WRONG_LABELS, detail)
    letters = {cell: letter for letter, cell in state.labels}
    passed = [cell for cell in route[1:] if cell in letters]
    for at, label in enumerate(answer):
        if at == len(passed) or label != letters[passed[at]]:
            known = label in letters.values()
            where = "the next one on the route" if known else "on the board"
            detail = f"label {quoted(label)} (index {at}) is not {where}"
            return Replay(_marker_on(state, passed[:at]), at, at, Reason.WRONG_LABELS, detail)
    if len(answer) < len(passed):
        detail = f"labels are missing: the route passes more than {len(answer)}"
        state = _marker_on(state, passed[: len(answer)])
        return Replay(state, len(answer), None, Reason.WRONG_LABELS, detail)
    return Replay(replace(state, agent=state.goal), len(answer))


def _marker_on(state: State, passed: Sequence[Cell]) -> State:
    return replace(state, agent=passed[-1]) if passed else state


def route_of(state: State) -> list[Cell]:
    """Return the cells of the route from the marker to the goal, both included; [] without one."""
    text, stride = _flat(state.walls)
    return [(at // stride - 1, at % stride) for at in _route(text, stride, state)]


def _flat(walls: Sequence[str]) -> tuple[str, int]:
    """Return the board as one string whose cells have four neighbours each, and its row length."""
    stride = len(walls[0]) + 1
    edge = "\n" * stride
    return edge + "\n".join(walls) + "\n" + edge, stride


def _route(text: str, stride: int, state: State) -> list[int]:
    """Search from the goal, so that the steps found lead from the marker to it."""
    start = (state.agent[0] + 1) * stride + state.agent[1]
    goal = (state.goal[0] + 1) * stride + state.goal[1]
    onward, ahead = {goal: goal}, [goal]
    while start not in onward:
        if not ahead:
            return []
        cell = ahead.pop()
        for near in (cell - stride, cell + 1, cell + stride, cell - 1):
            if text[near] == "." and near not in onward:
                onward[near] = cell
                ahead.append(near)
    route = [start]
    while route[-1] != goal:
        route.append(onward[route[-1]])
    return route


def _second_way(state: State) -> Cell | None:
    """Return a cell where another simple route leaves the first or comes back to it, if any.

    The route is the only one if, without its steps, no two of its cells are connected: then each
    step is a bridge. So whatever is connected to a cell of the route is marked as that cell's.
    """
    text, stride = _flat(state.walls)
    route = _route(text, stride, state)
    owner = {cell: at for at, cell in enumerate(route)}
    ahead = list(route)
    while ahead:
        cell = ahead.pop()
        at = owner[cell]
        for near in (cell - stride, cell + 1, cell + stride, cell - 1):
            if text[near] != ".":
                continue
            other = owner.setdefault(near, at)
            
    return None
