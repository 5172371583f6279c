"""Lines that are cut through or faint, in pictures of any size."""

from typing import Any

import numpy as np
import pytest

from puzzles import family
from puzzles.drawing import Drawing, read_drawing
from puzzles.onet.rules import Pair
from render.drawings.flaws import Flaw
from tests.views.forging import RGB, arrowed, jpeg, shown, stroked

CELLS = (32, 50, 64, 100)
LONG = {
    "maze": ("######\n#S...#\n####.#\n#G...#\n######", [(1, 1), (1, 4), (3, 4), (3, 1)]),
    "sokoban": ("######\n#@---#\n####-#\n#.$--#\n######", [(1, 1), (1, 4), (3, 4), (3, 3)]),
    "path": ("######\n#SA..#\n####B#\n#GC..#\n######", [(1, 1), (1, 4), (3, 4), (3, 1)]),
}


def drawn(name: str, cell: int) -> tuple[Any, RGB, RGB]:
    """A state, its board, and the board with a whole line."""
    board, corners = LONG[name]
    state = family(name).parse(board, {})
    plain = shown(family(name).draw(state, cell))
    return state, plain, stroked(plain, cell, corners)


def faded(plain: RGB, line: RGB, cell: int, start: float, end: float, left: float) -> RGB:
    """Return a picture in which so much is left of the line in row 1, from column to column."""
    image = line.astype(float)
    part = slice(cell, 2 * cell), slice(round(start * cell), round(end * cell))
    image[part] = plain[part] + left * (image[part] - plain[part])
    return np.rint(image).astype(np.uint8)


def read(name: str, image: RGB, state: Any) -> Drawing:
    return read_drawing(family(name), image, state)


@pytest.mark.parametrize("at", [2.0, 2.25, 2.5, 3.0])
@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("name", LONG)
def test_a_gap_is_told_from_half_the_width_of_a_line_on(name: str, cell: int, at: float) -> None:
    state, plain, line = drawn(name, cell)
    first = round(at * cell) / cell  # gaps end between pixels
    narrow = faded(plain, line, cell, first, first + max(1, cell // 32) / cell, 0)
    assert read(name, narrow, state).flaw is None
    wide = faded(plain, line, cell, first, first + 0.1, 0)
    found = read(name, wide, state)
    assert found.flaw is Flaw.GAP
    assert found.detail.startswith("the line is broken")


@pytest.mark.parametrize("cell", CELLS)
def test_onets_lines_are_no_other(cell: int) -> None:
    room = family("onet")
    state = room.parse("ABBA\n....\nCDDC\nEFFE", {})
    pairs = [Pair((0, 1), (0, 2)), Pair((0, 0), (0, 3))]
    plain, line = shown(room.draw(state, cell)), shown(room.draw_solution(state, pairs, cell))
    for width, flaw in ((1 / 32, None), (0.14, Flaw.GAP)):
        image = line.copy()
        part = slice(0, cell), slice(cell, cell + round(width * cell))
        image[part] = plain[part]
        assert read_drawing(room, image, state).flaw is flaw


@pytest.mark.parametrize("ends", [(1.75, 2.75), (2.0, 3.0), (2.5, 3.5)])
@pytest.mark.parametrize("name", LONG)
def test_what_is_faint_is_neither_broken_nor_another_line(
    name: str, ends: tuple[float, float]
) -> None:
    state, plain, line = drawn(name, 64)
    for left, flaw in ((0, Flaw.GAP), (0.4, Flaw.UNCERTAIN), (0.7, None)):
        image = faded(plain, line, 64, *ends, left)
        for seen in (image, jpeg(image, 85)):
            assert read(name, seen, state).flaw is flaw, (left, flaw)


@pytest.mark.parametrize("left", [0.35, 0.4, 0.45])
def test_a_line_that_is_faint_all_along_is_uncertain(left: float) -> None:
    state, plain, line = drawn("maze", 64)
    image = np.rint(plain + left * (line.astype(float) - plain)).astype(np.uint8)
    assert read("maze", image, state).flaw is Flaw.UNCERTAIN


@pytest.mark.parametrize("size", [0.15, 0.25, 0.4])
@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("name", LONG)
def test_an_arrow_head_belongs_to_its_line(name: str, cell: int, size: float) -> None:
    state, _, line = drawn(name, cell)
    image = arrowed(line, cell, LONG[name][1], size)
    for seen in (image, jpeg(image, 75)):
        assert read(name, seen, state).flaw is None


@pytest.mark.parametrize("change", [np.copy, lambda image: jpeg(image, 85)])
def test_an_onet_line_below_another_is_not_taken_for_granted(change: Any) -> None:
    """Of the two in one row the lower one is hidden, all of it or its middle; others cross."""
    room = family("onet")
    state = room.parse("ABBA\n.CD.\n.CD.", {"max_turns": 2})
    over = [(0, 1), (0, 2)], (255, 0, 255)
    along = [(0, 0), (0, 3)], (0, 200, 0)
    beside = [([(1, 1), (2, 1)], (0, 0, 225)), ([(1, 2), (2, 2)], (255, 135, 0))]
    for lines in ([over, along], [along, over]):
        image = shown(room.draw(state, 64))
        for points, colour in (*lines, *beside):
            image = stroked(image, 64, points, colour=colour)
        seen = read_drawing(room, change(image), state)
        assert seen.flaw is Flaw.UNCERTAIN
        assert "below others" in seen.detail
    image = shown(room.draw(state, 64))
    for points, colour in (over, ([(0, 0), (1, 0), (1, 3), (0, 3)], (0, 200, 0)), *beside):
        image = stroked(image, 64, points, colour=colour)
    assert len(read_drawing(room, change(image), state).answer or ()) == 4
