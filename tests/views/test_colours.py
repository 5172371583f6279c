"""Colours: aids far from all that boards show, pieces far from each other (CIEDE2000)."""

import importlib
from itertools import combinations

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

import puzzles.klotski.view as klotski
import puzzles.onet.view as onet
import puzzles.parking.view as parking
from puzzles import NAMES
from render.chips import CHIP, CHIP_INK
from render.palette import AID_RED, HALO, INK, Colour

APART = 40
RED_CAR = parking.BODIES[ord("R") - ord("A")]


def difference(a: Colour, b: Colour) -> float:
    pair = rgb2lab(np.array([[a, b]], np.uint8))
    return float(deltaE_ciede2000(pair[0, 0], pair[0, 1]))


def luminance(colour: Colour) -> float:
    linear = [(c / 3294.6) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Colour, b: Colour) -> float:
    """The ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("family", [name for name in NAMES if name != "onet"])
def test_the_red_of_aids_is_far_from_every_board_colour(family: str) -> None:
    """Only the red car comes near: rules say that it is red, and its lines cross at one place."""
    for colour in importlib.import_module(f"puzzles.{family}.view").COLOURS:
        if colour != RED_CAR:
            assert difference(colour, AID_RED) >= APART, f"{family} {colour}"


def test_the_red_of_aids_is_far_from_where_it_runs_on_onet() -> None:
    """Fruit may be red, but lines run between cards."""
    for colour in (onet.GROUND, onet.CARD, onet.CARD_SHADE, onet.DARK_CARD):
        assert difference(colour, AID_RED) >= APART, f"{colour}"
    picture = onet.draw(onet.State(("ABCDEFGHI", "JKLMNOPQR", "STUVWXYZa")), 64)
    rgb = picture.palette[picture.pixels].reshape(3, 64, 9, 64, 3)
    rim = np.concatenate([rgb[:, [0, -1]].reshape(-1, 3), rgb[:, :, :, [0, -1]].reshape(-1, 3)])
    assert set(map(tuple, rim.tolist())) == {onet.GROUND}


def test_chips_are_far_from_what_they_lie_on() -> None:
    for colour in klotski.WOODS:
        assert difference(colour, CHIP) >= APART
    for colour in parking.BODIES:
        assert difference(colour, CHIP) >= (APART if colour != RED_CAR else 29)
    assert difference(CHIP, CHIP_INK) >= APART


def test_coordinates_are_black_on_light() -> None:
    assert contrast(INK, HALO) > 12


def test_one_vehicle_is_red_and_all_are_apart() -> None:
    for a, b in combinations(parking.BODIES, 2):
        assert difference(a, b) > 10
    for colour in parking.BODIES:
        assert colour == RED_CAR or difference(colour, RED_CAR) > 36
        assert difference(colour, parking.TARMAC) > 15


def test_letters_of_vehicles_can_be_read() -> None:
    for body in parking.BODIES:
        roof = parking._roof(body)
        ink = parking.DARK if parking._is_light(roof) else HALO
        assert contrast(roof, ink) > 3, f"{body}"


def test_lines_of_pairs_differ_and_stand_out() -> None:
    for a, b in combinations(onet.PAIRS, 2):
        assert difference(a, b) > 13
    for colour in onet.PAIRS:
        for ground in (onet.GROUND, onet.CARD, onet.CASING):
            assert difference(colour, ground) > 25


def test_markers_are_not_red() -> None:
    maze, path = (importlib.import_module(f"puzzles.{name}.view") for name in ("maze", "path"))
    for colour in (maze.AGENT, maze.GOAL, path.START, path.GOAL, klotski.GOAL, parking.EXIT):
        assert difference(colour, AID_RED) >= APART


def test_shapes_of_blocks_have_their_own_colours() -> None:
    for a, b in combinations(klotski.WOODS[:4], 2):
        assert difference(a, b) > 17
    for a, b in combinations(klotski.WOODS, 2):
        assert difference(a, b) > 8
