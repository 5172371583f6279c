"""Shapes: their fields are distances, negative inside, and exact where the answer is visible."""

import numpy as np
import pytest

from render.canvas import coverage
from render.palette import LEVELS
from render.shapes import Plane, bend, meet, ring, union


def covered(field: np.ndarray, cell: int) -> list[str]:
    return [
        "".join(".#"[int(level > LEVELS // 2)] for level in row) for row in coverage(field, cell)
    ]


def test_a_box_covers_its_pixels() -> None:
    box = Plane(1, 2, 4).box(0.5, 0.25, 1.5, 0.75)
    assert covered(box, 4) == ["........", "..####..", "..####..", "........"]


def test_a_disc_is_round() -> None:
    disc = Plane(1, 1, 6).disc(0.5, 0.5, 0.55)
    assert covered(disc, 6) == [".####.", "######", "######", "######", "######", ".####."]


def test_a_polygon_is_filled_whichever_way_it_runs() -> None:
    corners = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
    plane = Plane(1, 1, 4)
    assert covered(plane.polygon(corners) - 0.1, 4) == ["...#", "..##", ".###", "####"]
    assert np.array_equal(plane.polygon(corners), plane.polygon(corners[::-1]))


def test_a_line_has_its_width_and_round_ends() -> None:
    field = Plane(1, 3, 8).line([(0.5, 0.5), (2.5, 0.5)], 0.5)
    assert field.min() < -0.18
    assert [(row > 0).all() for row in field] == [
        True,
        True,
        False,
        False,
        False,
        False,
        True,
        True,
    ]
    assert field[3, 0] == pytest.approx(np.sqrt(0.4375**2 + 0.0625**2) - 0.25)


def test_an_upright_ellipse_of_equal_axes_is_a_disc() -> None:
    plane = Plane(1, 1, 16)
    assert np.allclose(plane.ellipse(0.5, 0.5, 0.3, 0.3, 0.7), plane.disc(0.5, 0.5, 0.3), atol=1e-9)


def test_sets_of_shapes() -> None:
    plane = Plane(1, 4, 1)
    left, right = plane.box(0, 0, 2, 1), plane.box(1, 0, 3, 1)
    assert covered(union(left, right), 1) == ["###."]
    assert covered(meet(left, right), 1) == [".#.."]
    assert covered(meet(left, -right), 1) == ["#..."]
    assert covered(ring(plane.box(0, -5, 4, 5), 1), 1) == ["#..#"]


def test_a_curve_keeps_its_ends_and_bends_half_way_to_its_control() -> None:
    points = bend((0, 0), (1, 2), (2, 0), steps=2)
    assert points == [(0, 0), (1, 1), (2, 0)]
