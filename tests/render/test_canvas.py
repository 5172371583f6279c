"""Canvases: tiles laid, sprites stamped, washes clipped."""

import numpy as np

from render.canvas import Painting, Sprite, blend, characters, lay, stamp
from render.palette import LEVELS, Paints

BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def test_tiles_lie_where_the_board_says() -> None:
    tiles = np.array([[[0, 0], [0, 0]], [[1, 2], [3, 4]]], np.uint8)
    assert lay(tiles, np.array([[1, 0, 1]])).tolist() == [[1, 2, 0, 0, 1, 2], [3, 4, 0, 0, 3, 4]]


def test_a_sprite_covers_only_its_mask() -> None:
    pixels = np.zeros((2, 3), np.uint8)
    stamp(pixels, Sprite(np.full((1, 2), 7, np.uint8), np.array([[True, False]])), 1, 1)
    assert pixels.tolist() == [[0, 0, 0], [0, 7, 0]]


def test_a_wash_is_clipped_at_every_side() -> None:
    wash = np.arange(2)[:, None] * 9 * np.ones((1, 256), np.uint8)
    levels = np.ones((3, 3), np.uint8)
    for y, x, count in ((-2, -2, 1), (1, 1, 1), (-2, 0, 2), (5, 0, 0), (0, -7, 0)):
        pixels = np.zeros((2, 2), np.uint8)
        blend(pixels, levels, wash.astype(np.uint8), y, x)
        assert np.count_nonzero(pixels) == count


def test_painting_blends_at_edges_and_can_be_repeated_on_another_ground() -> None:
    first = Painting(4, WHITE)
    first.fill(first.plane.box(0, 0, 0.625, 2), BLACK)
    assert first.rgb[0, :, 0].tolist() == [0, 0, 128, 255]
    assert first.mask[0].tolist() == [True, True, True, False]
    second = first.over(Painting(4, (100, 100, 100)))
    assert second.rgb[0, :, 0].tolist() == [0, 0, 50, 100]
    paints = Paints([WHITE, BLACK], [first.rgb])
    assert paints.colours[first.bake(paints).pixels].tolist() == first.rgb.tolist()


def test_levels_are_between_none_and_all() -> None:
    painting = Painting(9, WHITE).fill(Painting(9, WHITE).plane.disc(0.5, 0.5, 0.4), BLACK)
    assert set(np.unique(painting.rgb)) <= {(255 * k + 2) // LEVELS for k in range(LEVELS + 1)}


def test_characters_of_a_board_that_is_not_square() -> None:
    assert characters(("#.S", "..G")).tolist() == [[35, 46, 83], [46, 46, 71]]
