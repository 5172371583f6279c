"""Boards of other sizes than the usual ones."""

import numpy as np
import pytest

import puzzles.klotski.view as klotski_view
import puzzles.maze.view as maze_view
import puzzles.onet.view as onet_view
import puzzles.parking.view as parking_view
from puzzles.klotski import rules as klotski
from puzzles.maze import rules as maze
from puzzles.onet import rules as onet
from puzzles.parking import rules as parking


def test_a_maze_of_hundreds_of_cells() -> None:
    walls = ("." * 230, "#" * 229 + ".") * 60
    state = maze.State(walls, (0, 0), (118, 229))
    assert maze_view.draw(state, 16).pixels.shape == (120 * 16, 230 * 16)
    assert maze_view.draw_aid(state, 16).pixels.shape == (120 * 16, 230 * 16)


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (1, 5), (7, 2)])
def test_small_boards(rows: int, cols: int) -> None:
    state = maze.State(("." * cols,) * rows, (0, 0), (rows - 1, cols - 1))
    assert maze_view.draw_aid(state, 24).pixels.shape == (rows * 24, cols * 24)
    cards = onet.State(("A" * cols,) * rows)
    assert onet_view.draw_aid(cards, 24).pixels.shape == (rows * 24, cols * 24)


def test_a_long_truck_and_a_lot_without_a_red_car() -> None:
    truck = parking.Vehicle("B", 1, 0, 9, True)
    with_walls = parking.State(3, 9, ((0, 0), (2, 8)), (truck,))
    picture = parking_view.draw(with_walls, 32)
    green = (picture.palette[picture.pixels] == parking_view.EXIT).all(-1)
    assert not green.any()
    assert picture.pixels.shape == (96, 288)


def test_the_exit_is_on_the_right_in_the_row_of_the_red_car() -> None:
    for row in range(3):
        car = parking.Vehicle("R", row, 0, 2, True)
        picture = parking_view.draw(parking.State(3, 6, (), (car,)), 32)
        green = (picture.palette[picture.pixels] == parking_view.EXIT).all(-1)
        ys, xs = np.nonzero(green)
        assert set(ys // 32) == {row}
        assert xs.max() == 6 * 32 - 1
        assert green[row * 32 + 16, -1]


@pytest.mark.parametrize(
    "board",
    [
        ("TTAA", "TTA.", "BBB.", ".B.C"),  # an L and a T
        ("T.A", "BAA", "BBA"),  # a target of one cell, an S, and a hook
        ("TTT.", "AAA.", "A.A.", "AAA."),  # a ring
    ],
)
def test_blocks_of_any_shape(board: tuple[str, ...]) -> None:
    cell = 32
    picture = klotski_view.draw(klotski.State(board, (0, 0)), cell)
    tray = (picture.palette[picture.pixels] == klotski_view.TRAY).all(-1)
    share = tray.reshape(len(board), cell, len(board[0]), cell).mean(axis=(1, 3))
    for (r, c), empty in np.ndenumerate(share):
        assert (empty == 1) == (board[r][c] == "."), f"{r, c}"
        assert empty == 1 or empty < 0.35
    blocks = klotski.blocks_of(board)
    for name, cells in blocks.items():
        for r, c in cells:
            if (r, c + 1) in cells:
                middle = tray[r * cell + cell // 2, c * cell + cell // 2 :][:cell]
                assert not middle.any(), f"{name} falls apart at {r, c}"
