"""Encodings: what is read back is what was drawn."""

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.canvas import Picture
from render.encode import gif, image, png


def picture(height: int, width: int, colours: int, seed: int = 0) -> Picture:
    rng = np.random.default_rng(seed)
    rgb = rng.integers(0, 256, (colours, 3)).astype(np.uint8)
    return Picture(rng.integers(0, colours, (height, width)).astype(np.uint8), rgb)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 256))
def test_a_png_holds_the_pixels(height: int, width: int, colours: int) -> None:
    drawn = picture(height, width, colours)
    read = Image.open(BytesIO(png(drawn)))
    assert (read.format, read.mode, read.size) == ("PNG", "P", (width, height))
    assert np.array_equal(np.asarray(read.convert("RGB")), drawn.palette[drawn.pixels])
    assert np.array_equal(np.asarray(read), drawn.pixels)


def test_an_image_holds_the_pixels() -> None:
    drawn = picture(5, 9, 30)
    shown = image(drawn)
    assert shown.mode == "P"
    assert np.array_equal(np.asarray(shown.convert("RGB")), drawn.palette[drawn.pixels])


def test_a_gif_holds_every_picture() -> None:
    drawn = [picture(6, 8, 12, seed) for seed in (1, 2, 3)]
    read = Image.open(BytesIO(gif(drawn, 250)))
    assert (read.n_frames, read.info["loop"]) == (3, 0)
    times = []
    for frame in range(3):
        read.seek(frame)
        times.append(read.info["duration"])
    assert times == [1000, 250, 1000]
    for frame, expected in enumerate(drawn):
        read.seek(frame)
        assert np.array_equal(np.asarray(read.convert("RGB")), expected.palette[expected.pixels])


def test_an_animation_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        gif([], 100)
