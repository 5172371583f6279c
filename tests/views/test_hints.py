"""Hints on pieces: on those that move, in order, with the piece still known."""

import numpy as np

import puzzles.klotski.view as klotski
import puzzles.parking.view as parking
from puzzles.klotski import rules as klotski_rules
from puzzles.parking import rules as parking_rules
from render.chips import CHIP
from tests.views.boards import KLOTSKI, PARKING


def chips(picture: object, rows: int, cols: int, cell: int = 64) -> list[str]:
    """Rows of `#` where a cell shows part of a chip."""
    colour = (picture.palette[picture.pixels] == CHIP).all(-1)
    shown = colour.reshape(rows, cell, cols, cell).any(axis=(1, 3))
    return ["".join(".#"[int(there)] for there in row) for row in shown]


def test_vehicles_that_move_carry_hints() -> None:
    assert parking_rules.format(PARKING.state) == "BB..C#\n.RR.C.\nDDD...\n#...E.\n....E."
    picture = parking.draw_solution(PARKING.state, PARKING.actions, 64)
    assert chips(picture, 5, 6) == ["....#.", ".##...", "......", "......", "......"]


def test_a_letter_stays_clear_of_ten_hints() -> None:
    state = parking_rules.parse("......\n.RR...\n......", {})
    actions = [parking_rules.Slide("R", way) for way in ["right", "left"] * 5]
    for cell in (32, 64):
        plain, solved = parking.draw(state, cell), parking.draw_solution(state, actions, cell)
        letter = np.s_[cell : 2 * cell, 2 * cell - cell // 5 : 2 * cell + cell // 5]
        assert np.array_equal(plain.pixels[letter], solved.pixels[letter])


def test_blocks_that_move_carry_hints_where_they_stand_first() -> None:
    assert klotski_rules.format(KLOTSKI.state) == "ATTB\nATTB\n.CC.\nDEF.\nDGGH"
    picture = klotski.draw_solution(KLOTSKI.state, KLOTSKI.actions, 64)
    shown = chips(picture, 5, 4)
    assert shown[2] == ".##."
    assert shown[3:] == ["....", "...."]
    assert {row[1:] for row in shown[:2]} == {"..."}
    assert "#" in shown[0][0] + shown[1][0]


def test_the_order_of_hints_shows() -> None:
    first, second, third = KLOTSKI.actions
    back = klotski_rules.Slide((2, 1), "right"), klotski_rules.Slide((2, 2), "left")
    one = klotski.draw_solution(KLOTSKI.state, [first, second, third], 64)
    other = klotski.draw_solution(KLOTSKI.state, [*back, first], 64)
    assert not np.array_equal(one.pixels, other.pixels)
