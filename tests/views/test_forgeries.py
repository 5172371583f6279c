"""Pictures that show what can't be: each is caught, and what is wrong is named, and where."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from puzzles import family
from puzzles.drawing import read_drawing
from puzzles.draws import Draws
from puzzles.sights import see_board
from render.drawings.flaws import Flaw
from tests.random_boards import random_boards
from tests.views.forging import RGB, jpeg, noisy, resized, shown, stroked

Cell = tuple[int, int]
CELL = 48
BEFORE = {
    "maze": "########\n#S..#..#\n##.##..#\n#....G.#\n########",
    "sokoban": "########\n#@--#--#\n#-$---.#\n#--$-.-#\n########",
    "path": "SA.##.##\n##.B.C##\n.#.#####\n.#D..E.G",
    "onet": "ABCDA\nEC.BD\nE.FF.",
    "parking": "BB..CD\nRR..CD\n..EE..\nF..#..\nF.GGG.",
    "klotski": "ATTB\nATTB\nCDDE\nCFGE\nH..I",
}
AS_OTHERS: dict[str, Callable[[RGB], RGB]] = {
    "as drawn": lambda image: image,
    "jpeg": lambda image: jpeg(image, 60),
    "noisy": lambda image: noisy(image, 8),
    "larger": lambda image: resized(image, 500),
}


def put(*moves: tuple[Cell, Cell]) -> Callable[[RGB], RGB]:
    """Return what copies cells, all of them as they were at first, over others."""

    def forge(image: RGB) -> RGB:
        out = image.copy()
        for (r, c), (r2, c2) in moves:
            piece = image[r * CELL : (r + 1) * CELL, c * CELL : (c + 1) * CELL]
            out[r2 * CELL : (r2 + 1) * CELL, c2 * CELL : (c2 + 1) * CELL] = piece
        return out

    return forge


class Forgery(NamedTuple):
    """A picture made from that of another ``board``, or with cells put over others."""

    family: str
    what: str
    said: str
    board: str | None = None
    forge: Callable[[RGB], RGB] = put()


def now(name: str, what: str, board: str, said: str) -> Forgery:
    return Forgery(name, what, said, board)


def with_(name: str, what: str, said: str, *moves: tuple[Cell, Cell]) -> Forgery:
    return Forgery(name, what, said, None, put(*moves))


NO_ACTION = "no one legal action changes"
FORGERIES = [
    with_(
        "maze",
        "the agent teleported",
        f"{NO_ACTION} (1,1), (3,4) so",
        ((1, 1), (3, 4)),
        ((3, 4), (1, 1)),
    ),
    with_("maze", "two agents", "a second agent at (3,3); the first is at (1,1)", ((1, 1), (3, 3))),
    with_("maze", "no agent", "no agent", ((1, 2), (1, 1))),
    with_("maze", "two goals", "a second goal at (3,5); the first is at (2,6)", ((3, 5), (2, 6))),
    now(
        "maze",
        "the goal moved",
        "########\n#S..#..#\n##.##.G#\n#......#\n########",
        "the goal is at (2,6), not at (3,5)",
    ),
    now(
        "maze",
        "a wall removed",
        "########\n#S.....#\n##.##..#\n#....G.#\n########",
        "the wall at (1,4) is gone",
    ),
    now(
        "maze",
        "a wall added",
        "########\n#S..#..#\n##.##..#\n#..#.G.#\n########",
        "the wall at (3,3) is new",
    ),
    now(
        "maze",
        "a step and a wall removed",
        "########\n#.S.#..#\n##..#..#\n#....G.#\n########",
        "the wall at (2,3) is gone",
    ),
    now(
        "maze",
        "two steps at once",
        "########\n#..S#..#\n##.##..#\n#....G.#\n########",
        f"{NO_ACTION} (1,1), (1,3) so",
    ),
    with_("sokoban", "a box duplicated", "3 boxes", ((2, 2), (2, 4))),
    with_("sokoban", "two players", "second player at (3,2)", ((1, 1), (3, 2))),
    with_("sokoban", "the player lost", "no player", ((1, 2), (1, 1))),
    now(
        "sokoban",
        "a box moved by nobody",
        "########\n#@--#--#\n#-$---.#\n#---$.-#\n########",
        f"{NO_ACTION} (3,3), (3,4) so",
    ),
    now(
        "sokoban",
        "a target moved",
        "########\n#@--#--#\n#-$----#\n#--$-..#\n########",
        "the target at (2,6) is gone",
    ),
    now(
        "sokoban",
        "a wall removed and a box moved",
        "########\n#@-----#\n#--$--.#\n#--$-.-#\n########",
        "the wall at (1,4) is gone",
    ),
    now(
        "path",
        "the marker teleported",
        ".A.##.##\n##.B.C##\n.#.#####\n.#D.SE.G",
        f"{NO_ACTION} (0,0), (3,4) so",
    ),
    with_("path", "two markers", "second marker", ((0, 0), (3, 3))),
    now(
        "path",
        "a label moved",
        "SA.##.##\n##.B.C##\n.#.#####\n.#DE...G",
        "label E is at (3,3), not at (3,5)",
    ),
    now(
        "path",
        "a label of another letter",
        "SA.##.##\n##.F.C##\n.#.#####\n.#D..E.G",
        "label B at (1,3) is gone",
    ),
    now(
        "path",
        "a wall added on the way",
        "SA.##.##\n##.B.C##\n.#.#####\n.#D#.E.G",
        "the wall at (3,3) is new",
    ),
    with_("path", "a second way", "(other than before: (2,4))", ((1, 4), (2, 4))),
    with_("onet", "a tile of another kind", "kind B has an odd number of tiles", ((0, 1), (0, 0))),
    now(
        "onet",
        "two tiles of another kind",
        "ABCDA\nBC.BD\nB.FF.",
        "the tile at (1,0) is of kind B, not E",
    ),
    now(
        "onet",
        "a pair that appears",
        "ABCDA\nECGBD\nEGFF.",
        "a tile of kind G has appeared at (1,2)",
    ),
    now(
        "onet",
        "two pairs at once",
        "ABCDA\n.C.BD\n.....",
        f"{NO_ACTION} (1,0), (2,0), (2,2), (2,3)",
    ),
    now("onet", "a pair without a link", "ABC.A\nEC.B.\nE.FF.", f"{NO_ACTION} (0,3), (1,4) so"),
    now(
        "parking",
        "a vehicle of another letter",
        "BB..CD\nRR..CD\n..HH..\nF..#..\nF.GGG.",
        "vehicle E is gone",
    ),
    now(
        "parking",
        "a longer vehicle",
        "BB..CD\nRR..CD\n..EEE.\nF..#..\nF.GGG.",
        "vehicle E is no longer horizontal and 2 cells long but horizontal and 3 cells long",
    ),
    now(
        "parking",
        "a vehicle that left its row",
        "BB..CD\nRR..CD\n......\nF..#EE\nF.GGG.",
        "vehicle E has left its row",
    ),
    now(
        "parking",
        "a wall removed",
        "BB..CD\nRR..CD\n..EE..\nF.....\nF.GGG.",
        "the wall at (3,3) is gone",
    ),
    now(
        "parking",
        "two vehicles at once",
        "BB..CD\nRR..CD\n.EE...\nF..#..\nFGGG..",
        f"{NO_ACTION} (2,1), (2,2), (2,3), (4,1)",
    ),
    with_("parking", "half a vehicle", "vehicle E at (2,2) is cut off at (2,3)", ((2, 0), (2, 3))),
    with_("parking", "no red car", "no red car", ((2, 0), (1, 0)), ((2, 0), (1, 1))),
    with_(
        "parking",
        "a front of another colour",
        "cut off at (2,3) by the front of a car",
        ((1, 1), (2, 3)),
    ),
    now(
        "klotski",
        "a block lost",
        "ATTB\nATTB\nCDDE\nCFGE\n...I",
        "the number of 1x1 blocks is 3, not 4 (other than before: (4,0))",
    ),
    now(
        "klotski",
        "a block grown",
        "ATTB\nATTB\nCDDE\nCFGE\nHH.I",
        "the number of 1x1 blocks is 3, not 4 (other than before: (4,0), (4,1))",
    ),
    now(
        "klotski",
        "a jump",
        "ATTB\nATTB\nCDDE\nC.GE\nH.FI",
        f"{NO_ACTION} (3,1), (4,2) so",
    ),
    with_(
        "klotski",
        "a mark of the goal at another place",
        "what stands at (4,0) does not go with the rest of the board",
        ((4, 1), (4, 0)),
    ),
    now("klotski", "two blocks at once", "ATTB\nATTB\nCDDE\nC..E\nHFGI", NO_ACTION),
    with_("klotski", "half a block", "is cut off at", ((4, 1), (2, 2))),
]


def said(name: str, image: RGB, before: Any) -> str:
    """Return what is said to be wrong with a picture made from the state ``before``."""
    sight = see_board(family(name), image, before)
    if sight.since is None:
        assert not sight.readable
        return sight.reason
    assert not sight.since.same
    assert sight.since.step.action is None
    return sight.since.step.fault


@pytest.mark.parametrize("change", AS_OTHERS)
@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: f"{one.family}: {one.what}")
def test_a_forgery_is_caught_and_named(forgery: Forgery, change: str) -> None:
    room = family(forgery.family)
    before = room.parse(BEFORE[forgery.family], {})
    shows = before if forgery.board is None else room.parse(forgery.board, {})
    image = forgery.forge(shown(room.draw(shows, CELL)))
    assert forgery.said in said(forgery.family, AS_OTHERS[change](image), before)


@pytest.mark.parametrize("name", BEFORE)
def test_any_cell_put_over_another_is_caught(name: str) -> None:
    """Whatever is copied where, the picture is never taken for the board, nor for a legal step.

    Unless it is one: a copy of the floor over the last box of a pair, say.
    """
    room: Any = family(name)
    draws = Draws("forgery", name)
    named = tried = 0
    for state in random_boards(name, 6, ("forgeries", name), 300):
        parts = room.reading.parts(state)
        image = shown(room.draw(state, CELL))
        cells = draws.shuffled([(r, c) for r in range(len(parts)) for c in range(len(parts[0]))])
        pairs = [(a, b) for a, b in pairwise(cells) if parts[a] != parts[b]]
        for a, b in pairs[:4]:
            sight = see_board(room, put((a, b))(image), state)
            tried += 1
            if sight.since is None:
                named += f"({b[0]},{b[1]})" in sight.reason
            else:
                assert b in sight.since.cells
                assert sight.since.step.action is None
                named += f"({b[0]},{b[1]})" in sight.since.step.fault
    assert tried >= 10
    assert named >= 0.8 * tried


LONG = {
    "maze": ("######\n#S...#\n####.#\n#G...#\n######", [(1, 1), (1, 4), (3, 4), (3, 1)]),
    "sokoban": ("######\n#@---#\n####-#\n#.$--#\n######", [(1, 1), (1, 4), (3, 4), (3, 3)]),
    "path": ("######\n#SA..#\n####B#\n#GC..#\n######", [(1, 1), (1, 4), (3, 4), (3, 1)]),
}


@pytest.mark.parametrize("cell", [32, 50, 64, 100])
@pytest.mark.parametrize("name", LONG)
def test_a_way_that_runs_on_a_wall_by_a_pixel_is_caught(name: str, cell: int) -> None:
    room = family(name)
    board, corners = LONG[name]
    state = room.parse(board, {})
    plain = shown(room.draw(state, cell))
    image = stroked(plain, cell, corners)
    good = read_drawing(room, image, state)
    assert good.flaw is None, good
    assert room.is_solved(room.replay(state, good.answer or ()).state)
    over = image.copy()
    over[cell + cell // 2 : 2 * cell + 1, 2 * cell : 3 * cell] = (255, 0, 48)
    drawing = read_drawing(room, over, state)
    assert (drawing.flaw, drawing.detail) == (
        Flaw.CROSSES_WALL,
        "the line lies on the wall at (2, 2)",
    )


@pytest.mark.parametrize("name", LONG)
def test_a_way_straight_through_a_wall_is_caught(name: str) -> None:
    room = family(name)
    board, corners = LONG[name]
    state = room.parse(board, {})
    image = stroked(shown(room.draw(state, 64)), 64, [corners[0], (1, 3), (3, 3), *corners[3:]])
    for change in AS_OTHERS.values():
        drawing = read_drawing(room, change(image), state)
        assert drawing.flaw is Flaw.CROSSES_WALL
        assert "(2, 3)" in drawing.detail
