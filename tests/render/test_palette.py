"""Palettes: exact colours stay exact, and there are never more than 256."""

import numpy as np
import pytest

from render.palette import LEVELS, Paints, mix


def picture(*colours: tuple[int, int, int]) -> np.ndarray:
    return np.array([colours], np.int32)


def test_exact_colours_keep_their_values_and_the_palette_its_size() -> None:
    exact = [(i, 255 - i, i * 7 % 256) for i in range(200)]
    noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3), np.int32)
    paints = Paints(exact, [noise], [(255, 0, 0)])
    assert len(paints.colours) <= 256
    for colour in [*exact, (255, 0, 0)]:
        assert tuple(paints.colours[paints.index(colour)]) == colour


def test_frequent_blends_come_before_rare_ones() -> None:
    often, rare = (10, 20, 30), (200, 100, 0)
    paints = Paints([(0, 0, 0)], [picture(rare, often, often)])
    assert paints.colours.tolist() == [[0, 0, 0], list(often), list(rare)]


def test_a_pixel_takes_its_nearest_colour() -> None:
    paints = Paints([(0, 0, 0), (255, 255, 255), (200, 0, 0)])
    assert paints.indices(picture((10, 9, 8), (250, 250, 255), (150, 20, 20))).tolist() == [
        [0, 1, 2]
    ]


def test_a_wash_goes_from_what_is_below_to_the_colour() -> None:
    paints = Paints([(0, 0, 0), (100, 100, 100)], overlays=[(200, 40, 0)])
    wash = paints.wash((200, 40, 0))
    seen = [tuple(paints.colours[wash[level, 1]]) for level in range(LEVELS + 1)]
    assert seen == [mix((100, 100, 100), (200, 40, 0), level) for level in range(LEVELS + 1)]
    assert seen[0] == (100, 100, 100)
    assert seen[-1] == (200, 40, 0)


def test_too_many_exact_colours_are_refused() -> None:
    with pytest.raises(ValueError, match="257 exact colours"):
        Paints([(i % 256, i // 256, 0) for i in range(257)])
