"""Sokoban: its state, its actions and their notation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from puzzles.directions import STEPS, moved
from puzzles.family import Cell, IllegalAction, InvalidBoard
from puzzles.notation import find, known_rules, marked, only, rows_of, stopped
from puzzles.symmetry import all_eight
from puzzles.verdict import Reason, Replay
from puzzles.walking import WALL, legal_steps, step

RULE_OPTIONS: dict[str, Any] = {}
_FLOOR = str.maketrans(" _", "--")
_FILLED, _FILLED_FOLD = 100_000, 16
"""A board may be filled up to so many cells, or to so many times the length of its text."""


@dataclass(frozen=True, slots=True)
class State:
    """Rows of ``#`` (wall) and ``-`` (floor), the player's cell, the boxes and the targets.

    Boxes and targets are sorted and equally many; a box has no name of its own.
    """

    walls: tuple[str, ...]
    player: Cell
    boxes: tuple[Cell, ...]
    targets: tuple[Cell, ...]


def parse(board: str, rules: Mapping[str, Any]) -> State:
    """Return the state that ``board``, in XSB notation, shows; raise InvalidBoard.

    A space and ``_`` are floor too, and rows that are cut short are filled up with floor.
    """
    known_rules(rules, RULE_OPTIONS, "sokoban")
    lines = board.replace("\r\n", "\n").strip("\n").translate(_FLOOR).split("\n")
    width = max(map(len, lines))
    if len(lines) * width > max(_FILLED, _FILLED_FOLD * len(board)):
        raise InvalidBoard(
            f"sokoban: a board of {len(lines)} rows, the longest of {width} cells, is nearly empty"
        )
    rows = rows_of("\n".join(line.ljust(width, "-") for line in lines), "#-@+$*.", "sokoban")
    player = only(rows, "@+", "player", "sokoban")
    boxes, targets = find(rows, "$*"), find(rows, ".+*")
    if not boxes:
        raise InvalidBoard("sokoban: the board has no box")
    if len(boxes) != len(targets):
        raise InvalidBoard(
            f"sokoban: {len(boxes)} boxes ({_places(boxes)}) but {len(targets)} targets "
            f"({_places(targets)})"
        )
    walls = tuple("".join(WALL if mark == WALL else "-" for mark in row) for row in rows)
    return State(walls, player, tuple(boxes), tuple(targets))


def _places(cells: Sequence[Cell]) -> str:
    """Name the first cells of a list that may be long."""
    named = ", ".join(f"({r},{c})" for r, c in cells[:4])
    return named + ", ..." * (len(cells) > 4) if cells else "none"


def notation(state: State) -> tuple[str, ...]:
    """Return the board as rows of text."""
    marks = dict.fromkeys(state.targets, ".")
    marks.update((box, "*" if box in marks else "$") for box in state.boxes)
    marks[state.player] = "+" if state.player in marks else "@"
    return tuple(marked(state.walls, marks.items()))


def format(state: State) -> str:
    """Return the board as ``parse`` reads it."""
    return "\n".join(notation(state))


def canonical(state: State) -> bytes:
    """Return the smallest notation among the board's rotations and mirror images."""
    return "\n".join(min(all_eight(notation(state)))).encode()


def legal_actions(state: State) -> list[str]:
    """Return the actions that ``apply`` takes, in a fixed order."""
    return [
        direction
        for direction in legal_steps(state.walls, state.player)
        if _gives_way(state, moved(state.player, direction), direction)
    ]


def _gives_way(state: State, cell: Cell, direction: str) -> bool:
    """Is ``cell`` without a box, or can its box be pushed on in ``direction``?"""
    return cell not in state.boxes or (
        direction in legal_steps(state.walls, cell) and moved(cell, direction) not in state.boxes
    )


def apply(state: State, action: str) -> State:
    """Return the state after ``action``; raise IllegalAction where it can't be taken."""
    cell = step(state.walls, state.player, action)
    if cell not in state.boxes:
        return State(state.walls, cell, state.boxes, state.targets)
    r, c = moved(cell, action)
    what = f"{action} from {state.player} pushes the box at {cell}"
    if not (0 <= r < len(state.walls) and 0 <= c < len(state.walls[0])):
        raise IllegalAction(Reason.OUT_OF_BOUNDS, f"{what} off the board to {r, c}")
    if state.walls[r][c] == WALL:
        raise IllegalAction(Reason.BLOCKED, f"{what} into the wall at {r, c}")
    if (r, c) in state.boxes:
        raise IllegalAction(Reason.BLOCKED, f"{what} into the box at {r, c}")
    boxes = tuple(sorted((r, c) if box == cell else box for box in state.boxes))
    return State(state.walls, cell, boxes, state.targets)


def is_solved(state: State) -> bool:
    """Return whether the goal holds."""
    return state.boxes == state.targets


def replay(state: State, answer: Sequence[str]) -> Replay:
    """Play ``answer`` as ``apply`` would, faster."""
    walls, (row, column), boxes = state.walls, state.player, set(state.boxes)
    rows, columns = len(walls), len(walls[0])
    at = 0
    for action in answer:
        move = STEPS.get(action)
        if not move:
            break
        r, c = row + move[0], column + move[1]
        if not (0 <= r < rows and 0 <= c < columns) or walls[r][c] == WALL:
            break
        if (r, c) in boxes:
            r2, c2 = r + move[0], c + move[1]
            if not (0 <= r2 < rows and 0 <= c2 < columns) or walls[r2][c2] == WALL:
                break
            if (r2, c2) in boxes:
                break
            boxes.remove((r, c))
            boxes.add((r2, c2))
        row, column = r, c
        at += 1
    end = State(walls, (row, column), tuple(sorted(boxes)), state.targets)
    return Replay(end, at) if at == len(answer) else stopped(apply, end, at, answer[at])
