"""Boards that are others beneath what is drawn on them, in pictures that are not to the pixel."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from puzzles import family
from puzzles.drawing import read_drawing
from render.drawings.flaws import Flaw
from tests.views.forging import RGB, jpeg, noisy, resized, shown, stroked

CELL = 64
ROOM = "########\n#@-----#\n#------#\n#---$.-#\n########"
WALK = ["down", "down", "right", "right", "right"]
ROUTE = "SA.##.##\n##.B.C##\n.#.#####\n.#D..E.G"
ALONG = ["right", "right", "down", "down", "down", "right", "right", "right", "right", "right"]
OTHERS: list[tuple[str, str, list[Any], str]] = [
    ("sokoban", ROOM, WALK, ROOM.replace("#@-----#\n#------#", "#------#\n#----@-#")),
    ("sokoban", ROOM, WALK, ROOM.replace("$.-", "-.$")),
    ("path", ROUTE, ALONG, ROUTE.replace("D", "A").replace("SA", "SD")),
    ("path", ROUTE, ALONG, ROUTE.replace("E", ".")),
    ("path", ROUTE, ALONG, ROUTE.replace("C", "F")),
]
PHOTOS: dict[str, Callable[[RGB], RGB]] = {
    "jpeg": lambda image: jpeg(image, 60),
    "smaller": lambda image: resized(image, 270),
    "noisy": lambda image: noisy(image, 12),
}


def drawn_over(room: Any, state: Any, actions: list[Any], other: RGB) -> RGB:
    """Return the drawing of ``actions`` on ``state``, put over another board."""
    plain = shown(room.draw(state, CELL))
    solved = shown(room.draw_solution(state, actions, CELL))
    return np.where((plain != solved).any(axis=2)[..., None], solved, other)


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize(("name", "board", "actions", "other"), OTHERS)
def test_another_board_is_not_taken_for_this_one(
    name: str, board: str, actions: list[Any], other: str, photo: str
) -> None:
    room: Any = family(name)
    state = room.parse(board, {})
    beneath = shown(room.draw(room.parse(other, {}), CELL))
    right, wrong = (
        read_drawing(room, PHOTOS[photo](drawn_over(room, state, actions, one)), state)
        for one in (shown(room.draw(state, CELL)), beneath)
    )
    assert right.flaw is None, right
    assert wrong.flaw in (Flaw.OTHER_PICTURE, Flaw.UNCERTAIN), wrong


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize("gone", ["player", "tile"])
def test_what_is_gone_beneath_a_line_is_missed(gone: str, photo: str) -> None:
    """A person sees at once that the line begins at nothing."""
    name, board, actions, at, plain = {
        "player": ("sokoban", ROOM, WALK, (1, 1), (1, 4)),
        "tile": ("onet", "A.C\nA.B\nC.B", [((0, 0), (1, 0)), ((1, 2), (2, 2))], (1, 0), (0, 1)),
    }[gone]
    room: Any = family(name)
    state = room.parse(board, {})
    if name == "onet":
        actions = list(room.parse_answer([[list(one) for one in pair] for pair in actions]))
    image = shown(room.draw(state, CELL)).copy()
    (r, c), (r2, c2) = at, plain
    piece = image[r2 * CELL : (r2 + 1) * CELL, c2 * CELL : (c2 + 1) * CELL]
    image[r * CELL : (r + 1) * CELL, c * CELL : (c + 1) * CELL] = piece
    drawing = read_drawing(room, PHOTOS[photo](drawn_over(room, state, actions, image)), state)
    assert drawing.flaw in (Flaw.OTHER_PICTURE, Flaw.UNCERTAIN), drawing


def test_a_line_too_pale_to_be_red_is_no_reason_for_a_warning() -> None:
    room: Any = family("path")
    state = room.parse(ROUTE, {})
    plain = shown(room.draw(state, CELL))
    line = stroked(plain, CELL, [(0, 0), (0, 2), (3, 2), (3, 7)])
    pale = (0.2 * line + 0.8 * plain).astype(np.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for quality in (60, 5):
            assert read_drawing(room, jpeg(pale, quality), state).flaw is not None
