"""What every family's pictures have in common."""

import importlib
from typing import Any

import numpy as np
import pytest

from render.glyphs import label
from render.grid import label_size, line_width
from render.palette import AID_RED, HALO, INK, LEVELS
from tests.views.boards import BOARDS, Board


def view(board: Board) -> Any:
    return importlib.import_module(f"puzzles.{board.family}.view")


def rules(board: Board) -> Any:
    return importlib.import_module(f"puzzles.{board.family}.rules")


def extent(board: Board) -> tuple[int, int]:
    rows = rules(board).format(board.state).split("\n")
    return len(rows), len(rows[0])


def rgb(picture: Any) -> np.ndarray:
    return picture.palette[picture.pixels]


def labelled(board: Board) -> np.ndarray:
    """Which cells get coordinates: all, in Sokoban those that are no wall."""
    rows = rules(board).format(board.state).split("\n")
    return np.array([[board.family != "sokoban" or mark != "#" for mark in row] for row in rows])


each_board = pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)


@each_board
@pytest.mark.parametrize("cell", [16, 17, 32, 50, 64, 128])
def test_a_picture_is_the_board_edge_to_edge(board: Board, cell: int) -> None:
    rows, cols = extent(board)
    module = view(board)
    for picture in (
        module.draw(board.state, cell),
        module.draw_aid(board.state, cell),
        module.draw_solution(board.state, board.actions, cell),
    ):
        assert picture.pixels.shape == (rows * cell, cols * cell)
        assert picture.pixels.dtype == picture.palette.dtype == np.uint8
        assert picture.pixels.max() < len(picture.palette) <= 256


@each_board
def test_cells_are_64_pixels_unless_told(board: Board) -> None:
    module = view(board)
    assert np.array_equal(rgb(module.draw(board.state)), rgb(module.draw(board.state, 64)))


@each_board
def test_drawing_leaves_no_trace(board: Board) -> None:
    module = view(board)
    before = rgb(module.draw(board.state, 32))
    module.draw_aid(board.state, 32).pixels[:] = 0
    module.draw_solution(board.state, board.actions, 32).pixels[:] = 0
    module.draw(board.state, 32).pixels[:] = 0
    assert np.array_equal(rgb(module.draw(board.state, 32)), before)


@each_board
@pytest.mark.parametrize("cell", [32, 64])
def test_an_aid_adds_lines_and_coordinates_and_nothing_else(board: Board, cell: int) -> None:
    plain, aided = (rgb(f(board.state, cell)) for f in (view(board).draw, view(board).draw_aid))
    rows, cols = extent(board)
    changed = (plain != aided).any(-1)
    on_line = np.zeros_like(changed)
    for at in range(1, rows):
        on_line[at * cell - line_width(cell) // 2 :][: line_width(cell)] = True
    for at in range(1, cols):
        on_line[:, at * cell - line_width(cell) // 2 :][:, : line_width(cell)] = True
    beside = changed & ~on_line
    ys = np.nonzero(beside)[0]
    assert (abs(ys % cell - cell / 2) <= 0.26 * cell).all()
    cells = beside.reshape(rows, cell, cols, cell).any(axis=(1, 3))
    assert cells.tolist() == labelled(board).tolist()
    if board.family == "klotski":
        assert not (aided[cell] == AID_RED).all(-1).all(), "klotski's lines are dashed"
    red = (aided == AID_RED).all(-1)
    assert not (red & ~on_line).any()
    # Dashes; and lines that pause where they would cross the name of a vehicle.
    dashes = {"klotski": 0.35, "parking": 0.85}.get(board.family, 0.9)
    for at in range(1, rows):
        assert red[at * cell].mean() > dashes
    for at in range(1, cols):
        assert red[:, at * cell].mean() > dashes


@each_board
@pytest.mark.parametrize("cell", [32, 64])
def test_coordinates_can_be_read_on_every_cell(board: Board, cell: int) -> None:
    """The glyphs stand whole in black; round them is their halo, save where a letter stands."""
    rows, cols = extent(board)
    aided = rgb(view(board).draw_aid(board.state, cell))
    size = label_size(rows, cols, cell)
    for (r, c), wanted in np.ndenumerate(labelled(board)):
        tile = aided[r * cell : (r + 1) * cell, c * cell : (c + 1) * cell]
        ink, light = (tile == INK).all(-1), (tile == HALO).all(-1)
        text = label(f"({r},{c})", size)
        solid, halo = text == 2 + LEVELS, text == 2
        places = [
            (y, x)
            for y in range(cell - text.shape[0] + 1)
            for x in range(cell - text.shape[1] + 1)
            if ink[y : y + text.shape[0], x : x + text.shape[1]][solid].all()
            and light[y : y + text.shape[0], x : x + text.shape[1]][halo].mean() > 0.7
        ]
        assert bool(places) == wanted, f"{board.family} at {r, c}"


@each_board
def test_a_solution_is_drawn_over_an_unmoved_board(board: Board) -> None:
    plain = rgb(view(board).draw(board.state, 64))
    solved = rgb(view(board).draw_solution(board.state, board.actions, 64))
    assert 0 < (plain != solved).any(-1).mean() < 0.25
    untouched = view(board).draw_solution(board.state, [], 64)
    if board.family in ("onet", "parking", "klotski"):
        assert np.array_equal(rgb(untouched), plain)
