"""Ways drawn by hand into a maze: what is right, and everything that can be wrong with a line."""

import numpy as np
import pytest

from puzzles import family
from puzzles.drawing import Drawing
from puzzles.drawing import read_drawing as read
from puzzles.maze.drawing import read_drawing
from puzzles.maze.rules import parse
from puzzles.maze.view import draw
from puzzles.sights import see_drawing
from render.drawings.flaws import Flaw
from tests.views.forging import RGB, jpeg, shown, stroked

STATE = parse(
    "##########\n#S..#....#\n##.##.##.#\n#...G.#..#\n#.#..##..#\n#......#.#\n##########", {}
)
WAY = [(1, 1), (1, 2), (3, 2), (3, 4)]
ANSWER = ["right", "down", "down", "right", "right"]
Points = list[tuple[float, float]]


def drawn(
    cell: int, *lines: Points, width: float = 1 / 8, colour: tuple[int, int, int] = (255, 0, 48)
) -> RGB:
    image = shown(draw(STATE, cell))
    for line in lines:
        image = stroked(image, cell, line, width, colour)
    return image.copy()


@pytest.mark.parametrize("cell", [25, 40, 64])
@pytest.mark.parametrize("width", [0.05, 0.125, 0.3, 0.45])
def test_lines_of_any_width_are_read(cell: int, width: float) -> None:
    assert read_drawing(drawn(cell, WAY, width=width), STATE) == Drawing(ANSWER)


@pytest.mark.parametrize("colour", [(255, 0, 0), (200, 20, 20), (230, 30, 60)])
def test_reds_are_red(colour: tuple[int, int, int]) -> None:
    assert read_drawing(drawn(48, WAY, colour=colour), STATE) == Drawing(ANSWER)


def test_a_line_may_wobble_overshoot_and_run_from_goal_to_start() -> None:
    wobbling = [(1.1, 0.95), (0.9, 2.1), (2, 1.9), (3.1, 2.05), (2.92, 3), (3.05, 4.1)]
    assert read_drawing(drawn(48, wobbling), STATE) == Drawing(ANSWER)
    assert read_drawing(drawn(48, [*WAY[:-1], (3, 4.3)]), STATE) == Drawing(ANSWER)
    assert read_drawing(drawn(48, WAY[::-1]), STATE) == Drawing(ANSWER)


FORGERIES: dict[str, tuple[Flaw, list[Points]]] = {
    "through a wall cell": (Flaw.CROSSES_WALL, [[(1, 1), (1, 4), (3, 4)]]),
    "round the corner through a wall": (
        Flaw.CROSSES_WALL,
        [[(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4)]],
    ),
    "a gap between two cells": (Flaw.GAP, [[(1, 1), (1, 2), (3, 2), (3, 2.4)], [(3, 2.6), (3, 4)]]),
    "a gap within a cell": (Flaw.GAP, [[(1, 1), (1, 2), (2.75, 2)], [(3, 2), (3, 4)]]),
    "a gap near a cell's centre": (
        Flaw.GAP,
        [[(1, 1), (1, 2), (2.1, 2)], [(2.35, 2), (3, 2), (3, 4)]],
    ),
    "a gap of a cell": (Flaw.GAP, [WAY[:3], [(3, 3), (3, 4)]]),
    "a corner left out": (Flaw.GAP, [[(1, 1), (1, 2), (2, 2)], [(3, 3), (3, 4)]]),
    "three pieces": (
        Flaw.GAP,
        [[(1, 1), (1, 2), (1.4, 2)], [(1.6, 2), (3, 2), (3, 2.4)], [(3, 2.6), (3, 4)]],
    ),
    "a branch": (Flaw.BRANCH, [WAY, [(3, 2), (3, 1)]]),
    "half a branch": (Flaw.BRANCH, [WAY, [(3, 2), (3, 1.35)]]),
    "a loop": (Flaw.BRANCH, [[(3, 3), (5, 3), (5, 1), (3, 1), (3, 3)]]),
    "to and fro": (Flaw.BRANCH, [[(1, 1), (1, 3), (1, 2), (3, 2), (3, 4)]]),
    "a diagonal": (Flaw.SLANTED, [[(1, 1), (1, 2), (2, 2), (3, 3), (3, 4)]]),
    "straight to the goal": (Flaw.SLANTED, [[(1, 1), (3, 4)]]),
    "a second line": (Flaw.SEVERAL, [WAY, [(1, 7), (1, 8), (2, 8)]]),
    "a gap, and a second line": (
        Flaw.SEVERAL,
        [WAY[:3], [(3, 3), (3, 4)], [(1, 7), (1, 8), (2, 8)]],
    ),
    "a spot elsewhere": (Flaw.SEVERAL, [WAY, [(5, 2), (5, 2.3)]]),
    "off the board at the start": (Flaw.OFF_BOARD, [WAY, [(1, 1), (1, -1)]]),
    "off the board at the bottom": (Flaw.OFF_BOARD, [[(1, 1), (1, 2), (3, 2), (3, 3), (7, 3)]]),
    "from the wrong cell": (Flaw.WRONG_START, [[(1, 2), (3, 2), (3, 4)]]),
    "to the wrong cell": (Flaw.WRONG_END, [[(1, 1), (1, 2), (3, 2), (3, 3)]]),
}


@pytest.mark.parametrize("cell", [32, 50, 64])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_forgeries_are_named(forgery: str, cell: int) -> None:
    flaw, lines = FORGERIES[forgery]
    image = drawn(cell, *lines)
    assert read_drawing(image, STATE).flaw is flaw
    assert read_drawing(jpeg(image, 75), STATE).flaw is flaw


@pytest.mark.parametrize("colour", [(0, 80, 255), (255, 140, 0), (255, 0, 255), (10, 10, 10)])
def test_other_colours_are_not_red(colour: tuple[int, int, int]) -> None:
    assert read_drawing(drawn(48, WAY, colour=colour), STATE).flaw is Flaw.WRONG_COLOUR


@pytest.mark.parametrize("pixels", [0, 1, 2])
def test_one_pixel_on_a_wall_is_one_too_many(pixels: int) -> None:
    """A broad line beside the middle of its row, whose edge comes to the wall above."""
    cell, way = 50, [(1, 1), (1, 2), (3, 2), (3, 4)]
    image = drawn(cell, way)
    image[cell - pixels : cell + 20, 80:120] = (255, 0, 48)
    found = read_drawing(image, STATE)
    assert (found.flaw is Flaw.CROSSES_WALL) == (pixels > 0), found


def test_a_wrong_end_keeps_what_can_be_read() -> None:
    found = read_drawing(drawn(48, [(1, 1), (1, 2), (3, 2)]), STATE)
    assert found.answer == ["right", "down", "down"]
    assert found.detail == "the line ends at (3, 2), not at (3, 4)"


def test_the_skeleton_of_the_ink_takes_the_same_way() -> None:
    """An independent opinion: scikit-image thins the line; the cells along it are those read."""
    from skimage.morphology import skeletonize

    cell = 48
    image, board = drawn(cell, WAY).astype(int), shown(draw(STATE, cell)).astype(int)
    thin = skeletonize(np.abs(image - board).max(axis=-1) > 60)
    cells = {(int(y) // cell, int(x) // cell) for y, x in np.argwhere(thin)}
    assert cells == {(1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (3, 4)}


@pytest.mark.parametrize("through", ["png", "jpeg"])
def test_what_else_is_drawn_is_named_and_the_answer_kept(through: str) -> None:
    image = stroked(drawn(48, WAY), 48, [(1, 7), (1, 8)], 0.3, (0, 90, 255))
    found = read(family("maze"), image if through == "png" else jpeg(image, 80), STATE)
    assert (found.answer, found.flaw) == (ANSWER, Flaw.SEVERAL)
    assert "(1, 7)" in found.detail


def test_a_wall_that_is_gone_makes_another_picture() -> None:
    image, cell = drawn(48, WAY), 48
    image[4 * cell : 5 * cell, 5 * cell : 6 * cell] = image[cell + 24, 7 * cell + 24]
    found = read(family("maze"), image, STATE)
    assert found.flaw is Flaw.OTHER_PICTURE
    assert "(4, 5)" in found.detail


def test_a_faint_line_is_uncertain() -> None:
    """From (3,2) on it has a third of the red of the rest."""
    cell = 48
    image, board = drawn(cell, WAY).astype(float), shown(draw(STATE, cell))
    pale = board + 0.33 * (image - board)
    image[3 * cell :] = pale[3 * cell :]
    pixels = np.rint(image).astype(np.uint8)
    found = read_drawing(pixels, STATE)
    assert found.flaw is Flaw.UNCERTAIN, found
    said = see_drawing(family("maze"), pixels, STATE, 5).record()
    assert (said["readable"], said["feasible"], said["optimal"]) == (False, None, None)


@pytest.mark.parametrize(("pixels", "wall"), [(2, False), (12, True)])
def test_in_a_photo_a_quarter_of_a_cell_on_a_wall_is_too_much(pixels: int, wall: bool) -> None:
    cell = 50
    image = drawn(cell, WAY)
    image[cell - pixels : cell + 20, 80:120] = (255, 0, 48)
    assert (read_drawing(jpeg(image, 85), STATE).flaw is Flaw.CROSSES_WALL) == wall
