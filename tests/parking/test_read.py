"""Parts of vehicles: told apart by their looks, and made into boards or refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from puzzles.draws import Draws
from puzzles.exchange import Source
from puzzles.family import InvalidBoard
from puzzles.parking import FAMILY
from puzzles.parking.mend import mended
from puzzles.parking.read import NUMBERS, Part, Parts, assemble, parts
from puzzles.parking.read import changed as changed_from
from puzzles.parking.rules import Vehicle, apply, format
from puzzles.parking.specimens import specimens
from puzzles.parking.view import draw
from puzzles.reading import read
from render.read import UnreadableImage
from tests.looks import learned, looked_up
from tests.parking.boards import ODD, lot, scattered

LENGTHS = """\
.....#....
RR.aaa.AAA
BBBB..bbbb
..CCCCCC..
ddddddddd.
E.F.G.H.e.
E.F.G.H.e.
..F.G.H.e.
....G.H...
......H..."""
BOARDS = [*ODD, LENGTHS, "RR", "BBRRR", ".RR\n..B\nAAB"]


@pytest.mark.parametrize("board", BOARDS)
def test_assembling_undoes_parts(board: str) -> None:
    assert assemble(parts(lot(board))) == board


def test_assembling_undoes_parts_of_random_lots() -> None:
    for key in range(200):
        state = scattered(2 + key % 7, 3 + key % 8, key % 5, 14, 7, Draws("parts", key))
        assert lot(assemble(parts(state))) == state


def test_what_a_small_lot_shows() -> None:
    front, back = "the front of a truck", "the back of a car"
    shown = parts(lot("RR.\n#BB\nAAA"))
    assert shown.dtype == np.int16
    assert shown[0, 0] == NUMBERS[Part(back, "R", True)]
    assert shown[0, 2] == NUMBERS[Part("an empty cell", exit=True)]
    assert shown[1, 0] == NUMBERS[Part("a wall")]
    assert shown[2, 2] == NUMBERS[Part(front, "A", True)]
    assert shown[2, 1] == NUMBERS[Part("the second cell of a truck", "A", True)]


def test_a_cell_without_a_letter_shows_only_the_colour() -> None:
    """``t`` is coloured like ``A``: only the halves of its letter tell them apart."""
    one, other = parts(lot("RR..\nAAAA")), parts(lot("RR..\ntttt"))
    assert (one != other).tolist() == [[False] * 4, [True, True, False, False]]


@pytest.fixture(scope="module", params=[32, 64])
def size(request: pytest.FixtureRequest) -> Any:
    return request.param, learned(specimens({}), draw, parts, request.param)


def test_pictures_are_read_exactly_along_solutions(size: Any, reference: Path) -> None:
    cell, known = size
    for line in (reference / "vgau" / "parking.jsonl").read_text().splitlines():
        (entry,) = FAMILY.formats["vgau"].read(Source(Path("file"), line))
        state = entry.state
        for action in FAMILY.parse_answer(json.loads(line)["solution"]):
            assert assemble(looked_up(known, draw(state, cell), cell)) == format(state)
            state = apply(state, action)


def test_odd_lots_are_read_exactly(size: Any) -> None:
    cell, known = size
    for board in BOARDS:
        assert assemble(looked_up(known, draw(lot(board), cell), cell)) == board


def test_every_cell_of_a_random_lot_has_been_learned() -> None:
    known = learned(specimens({}), draw, parts, 24)
    for key in range(200):
        state = scattered(1 + key % 8, 3 + key % 9, key % 6, 12, 6, Draws("looks", key))
        assert (looked_up(known, draw(state, 24), 24) == parts(state)).all()


def refused(seen: Parts) -> str:
    with pytest.raises(InvalidBoard) as error:
        assemble(seen)
    return str(error.value)


def changed(board: str, cells: dict[tuple[int, int], Part]) -> Parts:
    seen = parts(lot(board))
    for at, part in cells.items():
        seen[at] = NUMBERS[part]
    return seen


LOT = "RR...\n.AAA.\n.B...\n.B.CC"


def test_half_a_car_is_named() -> None:
    gone = changed(LOT, {(3, 4): Part("an empty cell")})
    assert refused(gone) == "parking: vehicle C at (3,3) is cut off at (3,4) by an empty cell"
    gone = changed(LOT, {(1, 1): Part("an empty cell")})
    said = "parking: the second cell of a truck, A at (1,2) lacks the cell behind it"
    assert refused(gone) == said
    gone = changed(LOT, {(2, 1): Part("an empty cell")})
    assert refused(gone) == "parking: the front of a car, B at (3,1) lacks the cell behind it"


def test_a_car_that_stands_in_another_is_named() -> None:
    over = {(1, 2): Part("the back of a car", "D"), (2, 2): Part("the front of a car", "D")}
    said = "parking: vehicle A at (1,1) is cut off at (1,2) by the back of a car, D"
    assert refused(changed(LOT, over)) == said


def test_a_car_that_leaves_the_board_is_named() -> None:
    out = changed(LOT, {(0, 4): Part("the back of a car", "D", True, exit=True)})
    said = "parking: vehicle D at (0,4) is cut off at (0,5) by the edge of the board"
    assert refused(out) == said


def test_a_second_car_of_one_name_is_named() -> None:
    twice = {
        (2, 3): Part("the back of a car", "C", True),
        (2, 4): Part("the front of a car", "C", True),
    }
    said = "parking: vehicle C at (3,3) is called like the one at (2,3)"
    assert refused(changed(LOT, twice)) == said


def test_two_red_cars_are_refused_and_none() -> None:
    red = [Part(kind, "R", True) for kind in ("the back of a car", "the front of a car")]
    twice = changed(LOT, {(2, 2): red[0], (2, 3): red[1]})
    assert refused(twice) == "parking: vehicle R at (2,2) is called like the one at (0,0)"
    none = changed(LOT, {(0, 0): Part("an empty cell"), (0, 1): Part("an empty cell")})
    assert refused(none) == "parking: the board has no red car R"


def test_a_red_car_that_has_left_the_row_of_the_exit_is_named() -> None:
    """The frame of a model that moves R down and leaves the exit where it was."""
    state = lot(LOT)
    moved = parts(replace(state, vehicles=(Vehicle("R", 2, 3, 2, True), *state.vehicles[1:])))
    moved[0, 4], moved[2, 4] = (
        NUMBERS[Part("an empty cell", exit=True)],
        moved[2, 4] - len(NUMBERS) // 2,
    )
    said = "parking: the exit is at (0,4), not at (2,4) in the row of the red car"
    assert refused(moved) == said


def test_a_letter_of_two_halves_is_unknown() -> None:
    """H and a have one colour: the vehicle is sure, its name is not."""
    seen = changed(LOT.replace("C", "H"), {(3, 4): Part("the front of a car", "a", True)})
    said = "the letter of the vehicle at (3,3) can't be told: one half is of H, the other of a"
    assert refused(seen) == f"parking: {said}"


def test_a_cell_that_is_not_known_is_named() -> None:
    seen = parts(lot(LOT))
    seen[2, 3] = -1
    assert refused(seen) == "parking: what stands at (2,3) can't be told"


def test_what_is_unknown_goes_with_anything() -> None:
    for board in ODD:
        true = parts(lot(board))
        assert (mended(true) == true).all()
        for at in np.ndindex(true.shape):
            seen = true.copy()
            seen[at] = -1
            assert (mended(seen) == seen).all(), (board, at)


def test_a_vehicle_that_is_cut_off_is_unknown_with_what_cuts_it_off() -> None:
    seen = changed("AA.\n.RR", {(0, 1): Part("an empty cell")})
    out = mended(seen)
    assert out[0].tolist() == [-1, -1, seen[0, 2]]
    assert (out[1] == seen[1]).all()


def test_what_no_move_changes_is_named() -> None:
    before = lot("RR..#\nA.BBB\nA....")

    def now(board: str) -> str:
        return changed_from(before, lot(board))

    assert now("RR..#\nABBB.\nA....") == ""
    assert now("RR..#\nA.BBB\nA....\n.....") == "3x5 cells have become 4x5"
    assert now("RR...\nA.BBB\nA....") == "the wall at (0,4) is gone"
    assert now("RR#.#\nA.BBB\nA....") == "the wall at (0,2) is new"
    assert now("RR..#\nA....\nA....") == "vehicle B is gone"
    assert now("RR..#\nA.BBB\nA.CC.") == "vehicle C is new"
    assert now("RR..#\nA....\nA.BBB") == "vehicle B has left its row"
    assert now("RR..#\n.ABBB\n.A...") == "vehicle A has left its column"
    said = "vehicle B is no longer horizontal and 3 cells long but horizontal and 2 cells long"
    assert now("RR..#\nA.BB.\nA....") == said


def unreadable(picture: NDArray[np.uint8]) -> str:
    with pytest.raises(UnreadableImage) as error:
        read(FAMILY, picture, size=(4, 5))
    return str(error.value)


def pixels(board: str, *more: Vehicle) -> NDArray[np.uint8]:
    state = lot(board)
    picture = draw(replace(state, vehicles=(*state.vehicles, *more)), 64)
    return picture.palette[picture.pixels]


def test_pictures_are_read() -> None:
    for board in BOARDS[:-3]:
        state = lot(board)
        assert read(FAMILY, pixels(board), size=(state.rows, state.cols)) == state


def test_forged_pictures_are_named() -> None:
    shown = "what the picture shows is no board: parking: "
    forged = pixels(LOT)
    forged[192:, 256:] = forged[192:, 128:192]
    assert unreadable(forged) == shown + "vehicle C at (3,3) is cut off at (3,4) by an empty cell"
    said = "vehicle C at (3,3) is called like the one at (2,3)"
    assert unreadable(pixels(LOT, Vehicle("C", 2, 3, 2, True))) == shown + said
    forged = pixels(LOT)
    forged[64:192, 128:192] = pixels("RR...\n..D..\n..D..\n.....")[64:192, 128:192]
    said = "vehicle A at (1,1) is cut off at (1,2) by the back of a car, D"
    assert unreadable(forged) == shown + said
    over = unreadable(pixels(LOT, Vehicle("D", 1, 2, 2, False)))
    assert "(1,2)" in over  # around D the edges of A show
    forged = pixels(LOT)
    forged[:64, :128] = forged[:64, 128:256]
    assert unreadable(forged) == shown + "the board has no red car R"
