"""Parking in words."""

from collections.abc import Mapping
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from puzzles.controls import Controls, Direction, Gesture, Numbering
from puzzles.directions import DIRECTIONS
from puzzles.family import AnswerFormat, Late, Words
from puzzles.notation import taken
from puzzles.parking.rules import Slide, State, format_answer, notation
from puzzles.phrases import grid, markers

_EXAMPLES = tuple(
    format_answer([Slide(*slide.split()) for slide in slides.split(", ")])
    for slides in (
        "A up, R right",
        "B down, B down, R right, R right",
        "R left, E up, E up, R right",
        "C left, D up, R right, R right, R right",
        "R left, F down, F down, R left, G up, R right",
        "R right, A down, A down, B left, R right, R right, R right",
        "D up, D up, R right, R right, C right, E up, R right, R right, R right",
        "B left, A down, A down, R right, R right, R right, F up, R right, R right, R right",
    )
)

_WORDS = Words(
    title="Parking",
    legend=(
        "The board is a parking lot seen from above, with a light rim; small crosses mark the "
        "corners of its cells. Each vehicle is a coloured bar over two or more cells of one row or "
        "column with its letter on it; the red one is the car R. Upper and lower case are "
        "different vehicles. Dark cells are empty; light solid blocks, if any, are walls. The exit "
        "is the green mark on the right edge of the board, in the row of R; a green arrow in the "
        "last cell of that row points to it, and is hidden while a vehicle stands there."
    ),
    rules=(
        "One action moves one vehicle by one cell: a vehicle that lies in a row moves left or "
        "right, a vehicle that stands in a column moves up or down. The cell that it enters must "
        "be empty and on the board. No vehicle turns, leaves its row or column, or passes another."
    ),
    goal=(
        "Bring R to the exit, so that its right end is in the last column, with as few actions as "
        "possible."
    ),
    answer=(
        "Write the actions in order, each as an object with the letter of the vehicle and the "
        "direction in lower case, as a JSON list in the tag ANSWER_JSON; a vehicle that moves by "
        "several cells takes as many objects."
    ),
    examples=_EXAMPLES,
    step=(
        'Write the action as <STEP_JSON>{"car":"LETTER","direction":"DIRECTION"}</STEP_JSON>, '
        "where LETTER is the letter of the vehicle and DIRECTION is up, right, down or left."
    ),
    keep="the vehicles, their letters, the crosses, the walls, the rim and the exit with its arrow",
    change=(
        "Only the vehicle that is named moves, by one cell; the cell that it leaves is empty, and "
        "shows the arrow of the exit if that is there."
    ),
    aid=grid(),
    drawing=markers("vehicle"),
)


def words(rules: Mapping[str, Any]) -> Words:
    """Return the words; no rule changes them."""
    return _WORDS


ANSWER = AnswerFormat(tag="ANSWER_JSON", key="solution", joint="},{")


def slide(car: str, direction: Direction) -> dict[str, Any]:
    """Slide a vehicle by one cell along its axis.

    Args:
        car: The letter of the vehicle.
        direction: Where it goes: up or down, or left or right.
    """
    return {"car": car, "direction": direction}


def _gesture(state: State, action: Slide) -> Gesture:
    (car,) = (car for car in state.vehicles if car.name == action.car)
    return Gesture((car.row, car.col), action.direction)


def _action(state: State, gesture: Gesture) -> Slide:
    return Slide(taken(notation(state), gesture.cell, ".#"), gesture.direction or "")


_LETTERS = ascii_uppercase + ascii_lowercase
NUMBERING: Numbering[Slide] = Numbering(
    count=lambda size: 4 * len(_LETTERS),
    action=lambda size, number: Slide(_LETTERS[number // 4], DIRECTIONS[number % 4]),
    number=lambda size, action: 4 * _LETTERS.find(action.car) + DIRECTIONS.index(action.direction),
    codes=Late("puzzles.parking").observe.numbers,
)
"""4 * letter + direction: the letters A to Z are 0 to 25, then come a to z."""
CONTROLS: Controls[State, Slide] = Controls(
    *("slide", _gesture, _action, slide),
    *(NUMBERING, ".#" + _LETTERS, Late("puzzles.parking").observe.observe),
)
