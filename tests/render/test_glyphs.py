"""Glyphs: all that a board needs, each unlike every other, at every size."""

from itertools import combinations
from string import ascii_letters, digits

import numpy as np
import pytest

from render.canvas import coverage
from render.glyphs import CHARACTERS, glyph, label, width, write
from render.palette import LEVELS
from render.shapes import Plane

NEEDED = ascii_letters + digits + "(),↑↓←→"
INK = 2 + LEVELS


def drawn(character: str, cell: int) -> np.ndarray:
    return coverage(write(Plane(1, 1, cell), character, 0.5, 0.45, 0.62, 0.2), cell)


def test_every_character_that_boards_need_is_there() -> None:
    assert set(NEEDED) <= set(CHARACTERS)


@pytest.mark.parametrize("cell", [16, 24, 64])
def test_no_two_characters_look_alike(cell: int) -> None:
    pictures = {c: drawn(c, cell).astype(int) for c in NEEDED}
    for a, b in combinations(NEEDED, 2):
        apart = int(np.abs(pictures[a] - pictures[b]).sum()) / LEVELS
        assert apart > 0.1 * min(pictures[a].sum(), pictures[b].sum()) / LEVELS, f"{a} and {b}"


def test_an_upper_case_letter_fills_its_height() -> None:
    for character in "AEHKMNTXZ147":
        rows = np.flatnonzero((drawn(character, 100) > 0).any(axis=1))
        assert 60 <= rows[-1] - rows[0] + 1 - 0.2 * 62 <= 64, character


def test_a_space_leaves_room_and_no_mark() -> None:
    assert not label(" ", 15).any()
    assert label("1 1", 15).shape[1] > label("11", 15).shape[1]


def test_a_text_is_as_wide_as_its_glyphs_and_spaces() -> None:
    assert width("I", 0.5) == glyph("I").width
    assert width("12", 0.5) == pytest.approx(glyph("1").width + 0.5 + glyph("2").width)


def test_a_label_is_ink_inside_a_halo() -> None:
    text = label("(3,12)", 15)
    ink, ring = text == INK, text > 0
    assert 0.08 < ink.mean() < 0.5
    for shift in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        assert ring[np.roll(ink, shift, (0, 1))].all(), "ink touches the ground"
    assert not ring[[0, -1]].all()


@pytest.mark.parametrize("size", [5, 8, 15, 30])
def test_labels_differ(size: int) -> None:
    texts = [label(f"({r},{c})", size) for r in range(10) for c in range(10)]
    assert len({text.tobytes() + bytes(text.shape) for text in texts}) == 100


def test_a_character_that_is_not_drawn_is_named() -> None:
    with pytest.raises(ValueError, match="no glyph for 'é'"):
        glyph("é")
