"""Onet: kinds that a glance tells apart, and one line a pair."""

from itertools import combinations
from string import ascii_letters, ascii_uppercase

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

import puzzles.onet.view as view
from puzzles.onet import rules
from render.canvas import Picture
from tests.views.boards import ONET


def tiles(kinds: str, cell: int) -> np.ndarray:
    """(kinds, cell, cell, 3) Lab tiles."""
    picture = view.draw(rules.State((kinds,)), cell)
    rgb = picture.palette[picture.pixels].reshape(cell, len(kinds), cell, 3).swapaxes(0, 1)
    return rgb2lab(rgb)


def test_kinds_differ_in_colour_and_shape() -> None:
    """At 32 pixels, where either icon is: a mean CIEDE2000 of 15, of the first eighteen 18."""
    shown = tiles(ascii_uppercase, 32)
    card = rgb2lab(np.array(view.CARD, np.uint8).reshape(1, 1, 3))
    drawn = (abs(shown - card) > 1).any(-1)
    drawn[:, [0, 1, 2, -3, -2, -1]] = drawn[:, :, [0, 1, 2, -3, -2, -1]] = False  # cards' rims
    for a, b in combinations(range(26), 2):
        apart = deltaE_ciede2000(shown[a], shown[b])[drawn[a] | drawn[b]].mean()
        assert apart > (15 if b >= 18 else 18), f"{ascii_uppercase[a]} and {ascii_uppercase[b]}"


def test_small_letters_stand_on_another_card() -> None:
    picture = view.draw(rules.State((ascii_letters,)), 24)
    looks = {picture.pixels[:, k * 24 : k * 24 + 24].tobytes() for k in range(52)}
    assert len(looks) == 52


def test_empty_cells_are_plain() -> None:
    picture = view.draw(rules.State(("A.", "..", ".A")), 40)
    for r, c in ((0, 1), (1, 0), (1, 1), (2, 0)):
        tile = picture.pixels[r * 40 : r * 40 + 40, c * 40 : c * 40 + 40]
        assert len(np.unique(tile)) == 1


def line(picture: Picture, at: int) -> np.ndarray:
    return (picture.palette[picture.pixels] == view.PAIRS[at]).all(-1)


def test_every_pair_has_its_own_line_from_tile_to_tile() -> None:
    picture = view.draw_solution(ONET.state, ONET.actions, 64)
    for at, pair in enumerate(ONET.actions):
        shown = line(picture, at)
        for r, c in pair:
            assert shown[r * 64 : r * 64 + 64, c * 64 : c * 64 + 64].any(), f"{at} at {r, c}"


def test_a_line_runs_where_its_link_is_legal_when_its_turn_comes() -> None:
    state = rules.parse("ABBA", {"max_turns": 0})
    pairs = [rules.Pair((0, 1), (0, 2)), rules.Pair((0, 0), (0, 3))]
    picture = view.draw_solution(state, pairs, 64)
    assert line(picture, 1).any(axis=0).nonzero()[0].tolist()[0] < 32
    assert line(picture, 1)[:32].any() or line(picture, 1)[32:].any()
    assert line(picture, 0).sum() > 200, "the second line leaves the first one in sight"


@pytest.mark.parametrize("cell", [32, 64])
def test_a_link_outside_the_board_follows_its_edge(cell: int) -> None:
    state, pair = rules.State(("ABA", "BCC"), 2, True), rules.Pair((0, 0), (0, 2))
    assert rules.link(state, *pair) == [(0, 0), (-1, 0), (-1, 2), (0, 2)]
    picture = view.draw_solution(state, [pair], cell)
    shown = line(picture, 0)
    assert shown[: cell // 4, cell : 2 * cell].any(axis=0).all()
    assert not shown[cell:].any()


def test_more_pairs_than_colours_still_draw() -> None:
    rows = tuple(f"{k}{k}" for k in ascii_letters[:20])
    pairs = [rules.Pair((r, 0), (r, 1)) for r in range(20)]
    picture = view.draw_solution(rules.State(rows), pairs, 24)
    assert line(picture, 1).reshape(20, 24, 48).any(axis=(1, 2)).nonzero()[0].tolist() == [1, 19]
