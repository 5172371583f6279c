"""Move hints: every chip inside its box, none over another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.canvas import Picture
from render.chips import CHIP, CHIP_COLOURS, put_chips, slots
from render.palette import Paints

PAINTS = Paints([(0, 0, 0), *CHIP_COLOURS])


@given(st.integers(1, 40), st.integers(30, 200), st.integers(30, 200), st.floats(1.2, 2.5))
def test_chips_stay_in_their_box_and_apart(
    count: int, height: int, width: int, aspect: float
) -> None:
    spots, size = slots(count, (7, 11, height, width), aspect, 64)
    taken = np.zeros((height, width), int)
    for y, x in spots:
        top, left = y - 7, x - 11
        assert 0 <= top <= height - size
        assert 0 <= left <= width - int(size * aspect)
        taken[top : top + size, left : left + int(size * aspect)] += 1
    assert taken.max() == 1
    assert len(spots) == count


def test_chips_read_row_by_row() -> None:
    spots, _ = slots(5, (0, 0, 60, 100), 1.5, 64)
    assert spots == sorted(spots)


def chip(number: int, direction: str) -> bytes:
    picture = Picture(np.zeros((40, 80), np.uint8), PAINTS.colours)
    put_chips(picture, [(number, direction)], (4, 4, 32, 72), 64, PAINTS)
    assert (picture.pixels == PAINTS.index(CHIP)).any()
    assert not picture.pixels[:4].any()
    return picture.pixels.tobytes()


def test_numbers_and_directions_show() -> None:
    looks = {chip(n, d) for n in range(1, 35) for d in ("up", "down", "left", "right")}
    assert len(looks) == 34 * 4


def test_a_direction_that_is_none_is_an_error() -> None:
    with pytest.raises(KeyError):
        chip(1, "sideways")
