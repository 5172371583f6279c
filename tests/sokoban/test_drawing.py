"""A Sokoban player's line: walks over exactly what is drawn, as often as need be."""

import pytest

from puzzles.directions import STEPS
from puzzles.drawing import Drawing
from puzzles.sokoban import drawing
from puzzles.sokoban.rules import parse
from puzzles.sokoban.view import draw, draw_solution
from render.drawings.flaws import Flaw
from tests.views.forging import shown, stroked

CORRIDOR = parse("########\n#@-$--.#\n########", {})
THERE_AND_BACK = parse("#######\n#.$-@-#\n####--#\n#######", {})
RIGHT = ["right"] * 4


def test_the_last_push_may_be_drawn_or_not() -> None:
    board = shown(draw(CORRIDOR, 40))
    for end in (4, 5):
        image = stroked(board, 40, [(1, 1), (1, end)])
        assert drawing.read_drawing(image, CORRIDOR) == Drawing(RIGHT)


@pytest.mark.parametrize(
    ("end", "flaw"), [(3, Flaw.NO_WALK), (6, Flaw.NO_WALK), (7, Flaw.CROSSES_WALL)]
)
def test_a_line_too_short_or_too_long_is_no_walk(end: int, flaw: Flaw) -> None:
    image = stroked(shown(draw(CORRIDOR, 40)), 40, [(1, 1), (1, end)])
    assert drawing.read_drawing(image, CORRIDOR).flaw is flaw


def test_what_is_drawn_must_be_walked_on() -> None:
    """The detour to (1,5) solves too, and is in the answer; without it the walk is shorter."""
    board = shown(draw(THERE_AND_BACK, 40))
    short = drawing.read_drawing(stroked(board, 40, [(1, 4), (1, 3)]), THERE_AND_BACK)
    assert short == Drawing(["left", "left"])
    long = drawing.read_drawing(stroked(board, 40, [(1, 3), (1, 5)]), THERE_AND_BACK)
    assert long == Drawing(["right", "left", "left", "left"])


def test_only_the_last_step_may_leave_the_line() -> None:
    """Down from (1,3) solves; the piece to (2,3) could only be walked on after that."""
    state = parse("######\n#@--##\n##-$##\n###.##\n######", {})
    line = stroked(shown(draw(state, 40)), 40, [(1, 1), (1, 3)])
    assert drawing.read_drawing(line, state) == Drawing(["right", "right", "down"])
    more = stroked(line, 40, [(1, 2), (2, 2), (2, 3)])
    assert drawing.read_drawing(more, state).flaw is Flaw.NO_WALK


def test_a_single_push_is_a_dot() -> None:
    state = parse("#####\n#@$.#\n#####", {})
    assert drawing.read_drawing(shown(draw_solution(state, ["right"], 32)), state) == Drawing(
        ["right"]
    )


def test_a_line_from_elsewhere_has_the_wrong_start() -> None:
    image = stroked(shown(draw(CORRIDOR, 40)), 40, [(1, 2), (1, 4)])
    assert drawing.read_drawing(image, CORRIDOR).flaw is Flaw.WRONG_START


def test_a_tangle_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_STATES", 2)
    image = stroked(shown(draw(CORRIDOR, 40)), 40, [(1, 1), (1, 4)])
    assert drawing.read_drawing(image, CORRIDOR).flaw is Flaw.UNCERTAIN


def test_states_that_a_line_leads_to_are_not_all_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Boxes about which the player can walk freely have millions of states."""
    room = parse("######\n#@-.-#\n#-$--#\n#-$.-#\n#----#\n######", {})
    graph = {
        (r, c): [(r + d, c + e) for d, e in STEPS.values() if 0 < r + d < 5 and 0 < c + e < 5]
        for r in range(1, 5)
        for c in range(1, 5)
    }
    monkeypatch.setattr(drawing, "MOST_STATES", 50)
    with pytest.raises(drawing.Tangled, match="leads to more than 50 states"):
        drawing.shortest_walk(room, graph)
