"""Ways: bands of one width along rows and columns."""

import numpy as np
import pytest

from render.palette import Paints
from render.strokes import centres, polyline, stroke_width

PAINTS = Paints([(0, 0, 0)], overlays=[(255, 0, 0)])
WASH = PAINTS.wash((255, 0, 0))
RED = PAINTS.index((255, 0, 0))


def drawn(points: list[tuple[float, float]], cell: int, width: int) -> list[str]:
    pixels = np.zeros((2 * cell, 3 * cell), np.uint8)
    polyline(pixels, points, cell, width, WASH)
    return ["".join(".#"[int(index > 0)] for index in row) for row in pixels]


def test_a_way_runs_from_centre_to_centre() -> None:
    assert drawn(centres([(0, 0), (0, 2), (1, 2)]), 4, 2) == [
        "............",
        ".##########.",
        ".##########.",
        ".........##.",
        ".........##.",
        ".........##.",
        ".........##.",
        "............",
    ]


@pytest.mark.parametrize("cell", [16, 24, 32, 48, 64, 100, 128])
def test_a_way_is_10_to_15_percent_of_a_cell_wide(cell: int) -> None:
    assert 0.1 <= stroke_width(cell) / cell <= 0.15
    pixels = np.zeros((cell, 3 * cell), np.uint8)
    polyline(pixels, centres([(0, 0), (0, 2)]), cell, stroke_width(cell), WASH)
    column = np.flatnonzero(pixels[:, cell] == RED)
    assert len(column) == stroke_width(cell)
    assert abs(column.mean() + 0.5 - cell / 2) <= 0.5


def test_the_order_of_points_does_not_matter() -> None:
    way = centres([(1, 0), (0, 0), (0, 2), (1, 2)])
    assert drawn(way, 16, 3) == drawn(way[::-1], 16, 3)


def test_a_way_may_leave_the_picture() -> None:
    rows = drawn([(-0.5, 0.5), (0.5, 0.5), (0.5, 3.5)], 8, 2)
    assert rows[3].startswith("#####")
    assert rows[-1][3:5] == "##"


def test_a_slanted_way_is_refused() -> None:
    with pytest.raises(ValueError, match="slanted"):
        drawn([(0.5, 0.5), (1.5, 1.5)], 8, 2)
