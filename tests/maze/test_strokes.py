"""Lines as models draw them into mazes: at any width, by an unsteady hand, in many reds."""

import numpy as np
import pytest
from PIL import Image, ImageFilter

from puzzles import family
from puzzles.drawing import read_drawing
from puzzles.generate import Recipe, generate
from puzzles.maze.rules import apply
from puzzles.replay import initial, optimal_actions
from render.drawings.flaws import Flaw
from tests.views.forging import RED, RGB, arrowed, by_hand, jpeg, shown, stroked

Point = tuple[float, float]
ROOM = family("maze")
REDS = [(255, 0, 48), (255, 0, 0), (220, 20, 30), (200, 30, 40), (240, 50, 70)]


def way(seed: int) -> tuple[object, list[str], list[Point]]:
    """Return a maze, the steps to its goal, and the cells that they pass."""
    recipe = Recipe(family="maze", difficulty="medium", seed=4_000 + seed)
    instance = generate(recipe, 0).instance
    state = initial(instance)
    steps, cells = list(optimal_actions(instance)), [state.agent]
    at = state
    for step in steps:
        at = apply(at, step)
        cells.append(at.agent)
    return state, steps, cells


def softened(image: RGB, board: RGB, pixels: float) -> RGB:
    """Blur what was drawn, and leave the board sharp."""
    apart = (image != board).any(axis=-1).astype(np.uint8) * 255
    share = np.asarray(Image.fromarray(apart).filter(ImageFilter.GaussianBlur(pixels)))
    share = share[..., None] / 255.0
    return np.rint(board * (1 - share) + np.array(RED) * share).astype(np.uint8)


@pytest.mark.parametrize("seed", range(8))
def test_a_line_by_hand_is_read(seed: int) -> None:
    random = np.random.default_rng(900 + seed)
    state, steps, cells = way(seed)
    width, cell = random.uniform(0.05, 0.3), int(random.choice([40, 64, 90]))
    room_left = 0.5 - width / 2 - 0.1  # beside the line, before it comes to a wall
    off = min(0.25, 0.6 * room_left)
    line = by_hand(cells, random, off, min(0.06, 0.2 * room_left))
    board = shown(ROOM.draw(state, cell))
    image = stroked(board, cell, line, width, REDS[seed % len(REDS)])
    for seen in (image, jpeg(image, 70)):
        found = read_drawing(ROOM, seen, state)
        assert (found.answer, found.flaw) == (steps, None), found


@pytest.mark.parametrize("seed", range(3))
def test_a_line_with_soft_edges_is_read(seed: int) -> None:
    state, steps, cells = way(10 + seed)
    board = shown(ROOM.draw(state, 64))
    image = softened(stroked(board, 64, cells, 0.15), board, 1.5 + seed / 2)
    found = read_drawing(ROOM, image, state)
    assert (found.answer, found.flaw) == (steps, None), found


@pytest.mark.parametrize("seed", range(3))
def test_dots_and_arrow_heads_at_its_ends_are_no_other_line(seed: int) -> None:
    state, steps, cells = way(20 + seed)
    line = stroked(shown(ROOM.draw(state, 64)), 64, cells)
    dotted = stroked(line, 64, cells[:1], 0.5)
    for image in (dotted, arrowed(dotted, 64, cells)):
        found = read_drawing(ROOM, image, state)
        assert (found.answer, found.flaw) == (steps, None), found


@pytest.mark.parametrize("seed", range(4))
def test_what_is_wrong_with_a_line_is_told(seed: int) -> None:
    state, _, cells = way(30 + seed)
    board = shown(ROOM.draw(state, 64))
    middle = len(cells) // 2
    corner = next(
        k
        for k in range(1, len(cells) - 1)
        if cells[k - 1][0] != cells[k + 1][0] and cells[k - 1][1] != cells[k + 1][1]
    )
    gap = stroked(board, 64, cells[: middle + 1])
    gap = stroked(gap, 64, cells[middle + 1 :])
    wrong = {
        Flaw.GAP: gap,
        Flaw.SLANTED: stroked(board, 64, [*cells[:corner], *cells[corner + 1 :]]),
        Flaw.WRONG_END: stroked(board, 64, cells[:-2]),
        Flaw.WRONG_START: stroked(board, 64, cells[2:]),
        Flaw.WRONG_COLOUR: stroked(board, 64, cells, colour=(0, 90, 255)),
    }
    for flaw, image in wrong.items():
        for seen in (image, jpeg(image, 75)):
            found = read_drawing(ROOM, seen, state)
            assert found.flaw is flaw, (flaw, found)
