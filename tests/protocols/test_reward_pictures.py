"""Attempts to be paid for pictures that don't show a solution of the board they were to show."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from protocols.reward import MIX, drawn
from puzzles import Instance, family, make
from puzzles.replay import initial, optimal_actions
from render.encode import png


def picture(instance: Instance, actions: Any = None) -> Any:
    room, state = family(instance.family), initial(instance)
    shown = room.draw(state, 48) if actions is None else room.draw_solution(state, actions, 48)
    return shown.palette[shown.pixels]


def file(pixels: Any, **options: Any) -> bytes:
    out = BytesIO()
    Image.fromarray(pixels).save(out, options.pop("format", "PNG"), **options)
    return out.getvalue()


HARD = Instance(
    family="maze", board="########\n#S#...G#\n#.#.####\n#...#..#\n########", optimal_length=9
)


def test_a_picture_of_an_easier_board() -> None:
    easier = HARD.model_copy(update={"board": HARD.board.replace("#S#...G#", "#S....G#")})
    image = picture(easier, ["right"] * 5)
    found = drawn(file(image), HARD)
    assert not found.feasible
    assert MIX(found) == 0
    honest = picture(HARD, optimal_actions(HARD))
    assert drawn(file(honest), HARD).optimal
    moved = honest.copy()
    moved[48:96, 48:96], moved[48:96, 96:144] = honest[48:96, 96:144], honest[48:96, 48:96]
    assert not drawn(file(moved), HARD).feasible


@pytest.mark.parametrize("shade", [8, 24, 60])
def test_a_wall_that_is_painted_over_lightly(shade: int) -> None:
    # The line leads through a wall that has almost the colour of the floor.
    easier = HARD.model_copy(update={"board": HARD.board.replace("#S#...G#", "#S....G#")})
    image = picture(easier, ["right"] * 5).astype(int)
    wall = picture(HARD)[48:96, 96:144].astype(int)
    patch = image[48:96, 96:144]
    image[48:96, 96:144] = patch + (wall - patch) * shade // 255
    assert not drawn(file(image.astype(np.uint8)), HARD).feasible


def test_what_lies_behind_a_picture_is_not_seen() -> None:
    honest, bare = picture(HARD, optimal_actions(HARD)), picture(HARD)
    hidden = np.dstack([honest, np.zeros(honest.shape[:2], np.uint8)])  # wholly transparent
    assert not drawn(file(hidden), HARD).feasible
    first_right = file(honest, format="GIF", save_all=True, append_images=[Image.fromarray(bare)])
    assert not drawn(first_right, HARD).feasible
    both = np.concatenate([honest, bare], axis=1)  # a collage
    assert not drawn(file(both), HARD).feasible
    assert not drawn(file(np.tile(honest, (2, 2, 1))), HARD).feasible
    twice = honest.copy()
    lines = picture(HARD, ["down"])
    twice[96:] = lines[96:]
    assert MIX(drawn(file(twice), HARD)) < 0.5


@pytest.mark.parametrize("name", ["maze", "sokoban", "onet", "parking"])  # others take long to read
def test_the_picture_of_another_instance(name: str) -> None:
    one, other = make(name, "easy", 2, seed=6)
    found = drawn(png(family(name).draw_solution(initial(other), optimal_actions(other), 48)), one)
    assert not found.feasible
    assert MIX(found) == 0


@pytest.mark.parametrize(
    "image",
    [
        *(None, 5, b"", b"<svg/>", "/nowhere.png", [[1, 2], [3]], {"bytes": b"x"}),
        *(np.zeros((0, 0, 3), np.uint8), np.zeros((5, 0)), np.array([[None]])),
        *(np.full((480, 480, 3), np.nan), np.zeros((1, 480, 480, 3), np.uint8)),
        *(file(np.zeros((1, 1, 3), np.uint8)), file(picture(HARD))[:99]),
    ],
)
def test_what_is_no_picture_of_the_board_is_worth_nothing(image: Any) -> None:
    assert drawn(image, HARD) == (False, False, False, 0, 0, False, "other_picture")
