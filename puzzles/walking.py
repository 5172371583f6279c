"""One step of a walker on walls and floor: the law of maze and path, and half of Sokoban's."""

from collections.abc import Callable, Sequence
from typing import Any

from puzzles.controls import Controls, Direction, Gesture, Numbering
from puzzles.directions import DIRECTIONS, STEPS, moved, parse_direction, quoted
from puzzles.family import Cell, IllegalAction, Late, MalformedAnswer, StepFormat
from puzzles.notation import compact
from puzzles.prose import moves_in
from puzzles.steps import keyed, known, listed, times
from puzzles.verdict import Reason

WALL = "#"


def legal_steps(walls: Sequence[str], cell: Cell) -> list[str]:
    """Return the directions in which the neighbour of ``cell`` is floor."""
    result = []
    for direction in DIRECTIONS:
        r, c = moved(cell, direction)
        if 0 <= r < len(walls) and 0 <= c < len(walls[0]) and walls[r][c] != WALL:
            result.append(direction)
    return result


def step(walls: Sequence[str], cell: Cell, direction: str) -> Cell:
    """Return the neighbour of ``cell``; raise IllegalAction where it isn't floor."""
    if direction not in STEPS:
        raise IllegalAction(Reason.UNKNOWN_ACTION, f"{quoted(direction)} is not a direction")
    r, c = moved(cell, direction)
    if not (0 <= r < len(walls) and 0 <= c < len(walls[0])):
        raise IllegalAction(
            Reason.OUT_OF_BOUNDS, f"{direction} from {cell} leaves the board at {r, c}"
        )
    if walls[r][c] == WALL:
        raise IllegalAction(
            Reason.HITS_WALL, f"{direction} from {cell} runs into the wall at {r, c}"
        )
    return r, c


def parse_directions(value: Any) -> list[str]:
    """Return the directions in ``value``; a word that names none of them stays as it is.

    Raises MalformedAnswer where ``value`` is not a list of strings.
    """
    if not isinstance(value, list):
        raise MalformedAnswer(f"expected a list of directions, not {quoted(value)}")
    for at, word in enumerate(value):
        if not isinstance(word, str):
            raise MalformedAnswer(f"item {at} is {quoted(word)}, not a direction")
    return [parse_direction(word) for word in value]


def format_directions(answer: Sequence[str]) -> str:
    """Return the answer that names these directions, in wire format."""
    return f"<ANSWER_JSON>{compact(list(answer))}</ANSWER_JSON>"


def parse_step(value: Any) -> list[str]:
    """Return the directions that ``value`` names, such as ``{"move": "up"}`` or ``"up"``.

    Raises MalformedAnswer for another shape, IllegalAction for a word that is no direction.
    """
    words: list[Any] = []
    for item in listed(value):
        fields = keyed(item, "move")
        if not isinstance(fields, dict):
            words.append(fields)
        elif "move" in fields:
            words += [fields["move"]] * times(fields, ("move", "hit_labels"))
        else:
            raise MalformedAnswer(f"{quoted(item)} has no 'move'")
    return [known(word) for word in parse_directions(words)]


def format_step(action: str, items: Sequence[Any] | None) -> str:
    """Return the JSON of one step; it has no items."""
    return compact({"move": action})


STEP: StepFormat[str] = StepFormat(parse_step, format_step, moves_in)
"""How a walker's step is written."""


def move(direction: Direction) -> dict[str, Any]:
    """Move one cell.

    Args:
        direction: Where to move: up, right, down or left.
    """
    return {"move": direction}


NUMBERING: Numbering[str] = Numbering(
    count=lambda size: len(DIRECTIONS),
    action=lambda size, number: DIRECTIONS[number],
    number=lambda size, action: DIRECTIONS.index(action),
    codes=Late("puzzles.observe").directions,
)
"""A walker's steps as numbers: up, right, down, left."""


def controls(
    walker: Callable[[Any], Cell],
    legend: str,
    observe: Callable[..., None],
    tool: Callable[..., Any] = move,
) -> Controls[Any, str]:
    """Return how a walker is moved; ``walker`` says in which cell of a state it stands."""

    def gesture(state: Any, action: str) -> Gesture:
        return Gesture(walker(state), action)

    def action(state: Any, gesture: Gesture) -> str:
        return gesture.direction or ""

    return Controls("walk", gesture, action, tool, NUMBERING, legend, observe)
