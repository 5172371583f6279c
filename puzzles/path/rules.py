"""The path puzzle: its state, the one route, and the labels that the route passes.

The marker moves like a maze's agent. The answer, though, names the labels of the route in order,
and it is replayed along the only route there is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from puzzles.directions import STEPS, quoted
from puzzles.family import Cell, InvalidBoard, MalformedAnswer
from puzzles.notation import compact, find, known_rules, marked, only, rows_of
from puzzles.path.route import route_of, second_way
from puzzles.steps import keyed, listed
from puzzles.symmetry import smallest
from puzzles.verdict import Reason, Replay
from puzzles.walking import legal_steps, step
from puzzles.walking import parse_step as parse_steps

RULE_OPTIONS: dict[str, Any] = {}

LABELS = "".join(letter for letter in ascii_uppercase if letter not in "SG")
_UNDER = LABELS.lower()
"""Marks of the marker on a label: the label's letter in lower case."""
MARKS = "#.SG*" + LABELS + _UNDER
_SEPARATORS = re.compile(r"[,;]|[-=]{1,3}>|[→⇒➔➜]| and ", re.IGNORECASE)
_QUOTES = "\"'`“”‘’"
_PLAIN = str.maketrans(dict.fromkeys("SG*Aa", "."))
_NAMELESS = str.maketrans(dict.fromkeys(LABELS, "A") | dict.fromkeys(_UNDER, "a"))


@dataclass(frozen=True, slots=True)
class State:
    """Rows of ``#`` (wall) and ``.`` (floor), the cells of marker, goal and labels (by letter)."""

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
    rows = rows_of(board, MARKS, "path")
    nameless = [row.translate(_NAMELESS) for row in rows]
    agent, goal = only(nameless, "S*a", "marker", "path"), only(nameless, "G*", "goal", "path")
    labels: dict[str, Cell] = {}
    for r, c in find(nameless, "Aa"):
        letter = rows[r][c].upper()
        if letter in labels:
            row, column = labels[letter]
            raise InvalidBoard(
                f"path: a second label {letter} at ({r},{c}); the first is at ({row},{column})"
            )
        labels[letter] = (r, c)
    walls = tuple(row.translate(_PLAIN) for row in nameless)
    second = second_way(walls, agent, goal)
    if second:
        r, c = second
        raise InvalidBoard(f"path: a second way from the marker to the goal leads over ({r},{c})")
    return State(walls, agent, goal, tuple(sorted(labels.items())))


def notation(state: State) -> tuple[str, ...]:
    """Return the board as rows of text."""
    return _drawn(state, [(cell, letter) for letter, cell in state.labels])


def _drawn(state: State, labels: list[tuple[Cell, str]]) -> tuple[str, ...]:
    marker = "*" if state.agent == state.goal else "S"
    for cell, letter in labels:
        if cell == state.agent:
            marker = letter.lower()
    return tuple(marked(state.walls, [*labels, (state.goal, "G"), (state.agent, marker)]))


def format(state: State) -> str:
    """Return the board as ``parse`` reads it."""
    return "\n".join(notation(state))


def canonical(state: State) -> bytes:
    """Return the smallest notation among the board's rotations and mirror images, without names.

    No two labels have the same name, so what is left when names don't matter is where they stand.
    """
    rows = _drawn(state, [(cell, "A") for _, cell in state.labels])
    return smallest(rows).encode()


def legal_actions(state: State) -> list[str]:
    """Return the actions that ``apply`` takes, in a fixed order."""
    return legal_steps(state.walls, state.agent)


def apply(state: State, action: str) -> State:
    """Return the state after the marker's step; raise IllegalAction where it can't be taken."""
    return replace(state, agent=step(state.walls, state.agent, action))


def is_solved(state: State) -> bool:
    """Return whether the goal holds."""
    return state.agent == state.goal


def answer_of(state: State, actions: Sequence[str]) -> list[str]:
    """Return the labels that a walk passes, in order; the one that it starts on has been passed."""
    letters = {cell: letter for letter, cell in state.labels}
    (r, c), passed = state.agent, []
    for action in actions:
        row, column = STEPS[action]
        r, c = r + row, c + column
        if (r, c) in letters:
            passed.append(letters[r, c])
    return passed


def replay(state: State, answer: Sequence[str]) -> Replay:
    """Follow the route for as long as ``answer`` names the labels that it passes.

    The state is that of the marker on the last label named rightly, or on the goal where all are.
    """
    route = route_of(state.walls, state.agent, state.goal)
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
    return Replay(State(state.walls, state.goal, state.goal, state.labels), len(answer))


def _marker_on(state: State, passed: Sequence[Cell]) -> State:
    return replace(state, agent=passed[-1]) if passed else state


def parse_answer(value: Any) -> list[str]:
    """Return the labels named by ``value``: text, or a list of strings; they may be in any case.

    In text they are separated by commas, arrows, spaces or "and". Raises MalformedAnswer where
    something else than single letters is named.
    """
    if isinstance(value, str):
        text = value.strip().removesuffix(".")
        if text[:1] + text[-1:] in ("[]", "()", "{}"):
            text = text[1:-1]
        items: list[Any] = _SEPARATORS.sub(" ", " ".join(text.split())).split()
    elif isinstance(value, list):
        items = value
    else:
        raise MalformedAnswer(f"expected the labels passed, not {quoted(value)}")
    return [_label(at, item) for at, item in enumerate(items)]


def _label(at: int, item: Any) -> str:
    letter = item.strip().strip(_QUOTES) if isinstance(item, str) else ""
    if len(letter) != 1 or not (letter.isascii() and letter.isalpha()):
        raise MalformedAnswer(f"item {at} is {quoted(item)}, not a single letter")
    return letter.upper()


def format_answer(answer: Sequence[str]) -> str:
    """Return the answer that names these labels, in wire format."""
    return f"<answer>{','.join(answer)}</answer>"


def parse_step(value: Any) -> list[str]:
    """Return the directions that ``value`` names, as ``walking.parse_step`` reads them.

    A letter alone may be a label as well as a direction, and is malformed.
    """
    for item in listed(value):
        if isinstance(item, str) and len(item.strip()) == 1 and item.strip().isalpha():
            raise MalformedAnswer(f"{quoted(item)} may be a label or a direction")
    return parse_steps(value)


def parse_hits(value: Any) -> list[str]:
    """Return the labels that a step, a JSON value, says are newly passed; raise MalformedAnswer."""
    (item,) = listed(value)
    hits = keyed(item, "move").get("hit_labels") if isinstance(item, dict) else None
    return [] if hits is None else parse_answer(hits)


def format_step(action: str, items: Sequence[Any] | None) -> str:
    """Return the JSON of one step and of the labels that it passes; without them for None."""
    hits = {} if items is None else {"hit_labels": list(items)}
    return compact({"move": action, **hits})
