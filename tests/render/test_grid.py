"""The grid aid: n - 1 lines each way at even distances, and coordinates that can be read."""

import numpy as np
import pytest

from render.canvas import Picture
from render.glyphs import label
from render.grid import AID_COLOURS, aid, label_size, line_width
from render.palette import AID_RED, HALO, INK, LEVELS, Paints

GROUNDS = ((250, 246, 238), (20, 20, 24), (90, 160, 90))
PAINTS = Paints([*GROUNDS, *AID_COLOURS], overlays=[HALO])
RED = PAINTS.index(AID_RED)


def plain(rows: int, cols: int, cell: int, ground: int = 0) -> Picture:
    return Picture(np.full((rows * cell, cols * cell), ground, np.uint8), PAINTS.colours)


SIZES = [(3, 5, 64), (10, 10, 32), (4, 3, 33), (2, 7, 16)]


@pytest.mark.parametrize(("rows", "cols", "cell"), SIZES)
def test_lines_stand_at_every_boundary(rows: int, cols: int, cell: int) -> None:
    red = aid(plain(rows, cols, cell), cell, PAINTS).pixels == RED
    for n, along in ((rows, red.all(axis=1)), (cols, red.all(axis=0))):
        edges = np.flatnonzero(np.diff(along.astype(int)) == 1) + 1
        assert edges.tolist() == [k * cell - line_width(cell) // 2 for k in range(1, n)]
        assert along.sum() == (n - 1) * line_width(cell)


def test_dashed_lines_are_broken_evenly() -> None:
    red = aid(plain(3, 2, 64), 64, PAINTS, dashed=True).pixels == RED
    line = red[64]
    assert 0.4 < line.mean() < 0.6
    assert not red.all(axis=1).any()
    assert (line == line[::-1]).mean() > 0.9


@pytest.mark.parametrize("ground", range(3))
@pytest.mark.parametrize("cell", [24, 32, 64, 128])
def test_every_cell_shows_its_coordinates_on_any_ground(ground: int, cell: int) -> None:
    rows, cols = 3, 12
    pixels = aid(plain(rows, cols, cell, ground), cell, PAINTS).pixels
    ink, size = PAINTS.index(INK), label_size(rows, cols, cell)
    for r in range(rows):
        for c in range(cols):
            got = pixels[r * cell : (r + 1) * cell, c * cell : (c + 1) * cell] == ink
            want = label(f"({r},{c})", size) == 2 + LEVELS
            assert trimmed(got).tolist() == trimmed(want).tolist()
            ys, xs = np.nonzero(got)
            assert abs(xs.mean() - cell / 2) < 0.06 * cell + 1
            assert abs(ys.mean() - cell / 2) < 0.06 * cell + 1


def trimmed(mask: np.ndarray) -> np.ndarray:
    ys, xs = np.nonzero(mask)
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def test_only_the_cells_asked_for_are_labelled() -> None:
    asked = np.array([[True, False], [False, True], [False, False]])
    pixels = aid(plain(3, 2, 40, 1), 40, PAINTS, labelled=asked).pixels
    ink = (pixels == PAINTS.index(HALO)).reshape(3, 40, 2, 40).any(axis=(1, 3))
    assert ink.tolist() == asked.tolist()


def test_the_plain_picture_is_left_alone() -> None:
    picture = plain(3, 3, 32)
    aid(picture, 32, PAINTS)
    assert not picture.pixels.any()


@pytest.mark.parametrize("cell", range(16, 40))
def test_labels_fit_their_cells(cell: int) -> None:
    pixels = aid(plain(2, 101, cell, 1), cell, PAINTS).pixels
    assert pixels.shape == (2 * cell, 101 * cell)
