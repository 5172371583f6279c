"""Numbers and arrows are read from their shade, at any size."""

import numpy as np
import pytest

from render.chips import aspect_of, pointed, written
from render.drawings.numerals import SIDES, read_marker


@pytest.mark.parametrize("high", [9, 13, 20, 41])
def test_all_hints_are_read(high: int) -> None:
    for number in (*range(1, 31), 47, 99, 158):
        wide = int(high * aspect_of(number))
        for side in SIDES:
            ink = np.maximum(written(number, high, wide), pointed(number, side, high, wide)) / 4
            read = read_marker(ink.astype(np.float32), high, (high / 2, wide / 2))
            assert (read.number, read.side) == (number, side)
            assert read.margin > 0.1


def test_what_is_no_hint_is_like_none() -> None:
    noise = np.random.default_rng(2).random((20, 40)).astype(np.float32)
    assert read_marker(noise, 20, (10, 20)).correlation < 0.6
    assert read_marker(np.zeros((20, 40), np.float32), 20, (10, 20)).margin < 0.1
