"""Soft corners: which corners of which cells are rounded."""

import numpy as np

from render.corners import TILES, paint_tiles, soft_tiles

TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = 1, 2, 4, 8


def tiles(*rows: str) -> list[list[int]]:
    return soft_tiles(np.array([[mark == "#" for mark in row] for row in rows])).tolist()


def test_a_lone_wall_is_round_at_all_corners() -> None:
    assert tiles("...", ".#.", "...")[1][1] == 16 + 15


def test_a_wall_goes_on_beyond_the_board() -> None:
    assert tiles("#..", "...") == [[16 + BOTTOM_RIGHT, 0, 0], [0, 0, 0]]


def test_a_room_is_round_where_walls_meet() -> None:
    assert tiles("####", "#..#", "####")[1] == [
        16,
        TOP_LEFT + BOTTOM_LEFT,
        TOP_RIGHT + BOTTOM_RIGHT,
        16,
    ]


def test_a_gap_across_keeps_the_corner_open() -> None:
    assert tiles(".#", "#.")[1][1] == 0


def test_tiles_are_painted_as_numbered() -> None:
    floor, wall = (255, 255, 255), (0, 0, 0)
    painted = paint_tiles(20, floor, wall)
    assert len(painted) == TILES
    assert painted[0].rgb.min() == 255
    assert painted[16].rgb.max() == 0
    assert painted[TOP_RIGHT].rgb[0, -1].tolist() == [0, 0, 0]
    assert painted[TOP_RIGHT].rgb[0, 0].tolist() == [255, 255, 255]
    assert painted[16 + BOTTOM_LEFT].rgb[-1, 0].tolist() == [255, 255, 255]
