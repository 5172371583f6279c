"""Cells in doubt, looked at more closely: small letters, blur, noise, what lies beyond a rim."""

import numpy as np
import pytest
from PIL import Image, ImageFilter

from puzzles import family
from puzzles.reading import read_cells
from render.boards.looks import UNKNOWN
from render.boards.marks import has_grid, reddish

ROOM = family("path")
BOARD = ROOM.parse("#D...\nA.#.#\n..#Ge\n.B###\nC....", {})
TRUE = ROOM.reading.parts(BOARD)  # type: ignore[union-attr]


def drawn() -> np.ndarray:
    picture = ROOM.draw(BOARD, 64)
    return picture.palette[picture.pixels]


def spoilt(blur: float, noise: float) -> np.ndarray:
    soft = np.asarray(Image.fromarray(drawn()).filter(ImageFilter.GaussianBlur(blur)))
    gaps = np.random.default_rng(5).normal(0, noise, soft.shape)
    return np.clip(soft + gaps + 0.5, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("blur", "noise"), [(2.5, 0), (2.5, 25), (0.1, 45)])
def test_letters_are_told_through_blur_and_noise(blur: float, noise: float) -> None:
    assert (read_cells(ROOM, spoilt(blur, noise), size=TRUE.shape).parts == TRUE).all()


def test_a_mark_that_is_no_letter_is_unknown() -> None:
    pixels = spoilt(2.5, 5)
    pixels[3 * 64 + 10 : 3 * 64 + 24, 64 + 10 : 64 + 24] = 22  # a block in the place of B
    seen = read_cells(ROOM, pixels, size=TRUE.shape).parts
    assert seen[3, 1] == UNKNOWN
    seen[3, 1] = TRUE[3, 1]
    assert (seen == TRUE).all()


def test_noise_is_no_grid() -> None:
    noise = np.random.default_rng(5).normal(0, 60, (320, 320, 3))
    reds = reddish(np.clip(128 + noise, 0, 255).astype(np.uint8))
    assert reds.mean() > 0.35
    assert not has_grid(reds, 32)
    picture = ROOM.draw_aid(BOARD, 32)
    assert has_grid(reddish(picture.palette[picture.pixels]), 32)


KLOTSKI = family("klotski")


@pytest.mark.parametrize(("wide", "share"), [(3, 0.4), (5, 1.0)])
def test_what_lies_beyond_the_rim_is_no_reason_to_doubt_a_cell(wide: int, share: float) -> None:
    board = KLOTSKI.parse("ABCDEF\nGBHDEI\nGJHKKI\nLJTTMN\nOOTTMP\nQR.SS.", {})
    picture = KLOTSKI.draw(board, 64)
    pixels = picture.palette[picture.pixels].astype(float)
    pixels[-wide:] = (1 - share) * pixels[-wide:] + share * 255
    soft = Image.fromarray(pixels.astype(np.uint8)).filter(ImageFilter.GaussianBlur(2))
    true = KLOTSKI.reading.parts(board)  # type: ignore[union-attr]
    assert (read_cells(KLOTSKI, np.asarray(soft), size=true.shape).parts == true).all()
