"""Parts of blocks: told apart by their looks, and made into boards or refused."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from puzzles.draws import Draws
from puzzles.exchange import Source
from puzzles.family import InvalidBoard
from puzzles.klotski import FAMILY
from puzzles.klotski.mend import mended
from puzzles.klotski.read import Part, Parts, assemble, numbered, part_of, parts, rules
from puzzles.klotski.read import changed as changed_from
from puzzles.klotski.rules import State, apply, legal_actions, parse
from puzzles.klotski.specimens import specimens
from puzzles.klotski.view import draw
from puzzles.reading import read
from render.read import UnreadableImage
from tests.klotski.boards import any_board
from tests.looks import learned, looked_up

ODD = [
    ("ATTB\nATTB\n.CC.\nDEF.\nDGGH", [3, 1]),
    ("TT.\nTT.\nABC", [1, 1]),
    ("T..ABBB", [0, 2]),
    ("T\nT\n.\n.", [2, 0]),
    ("TTT..A\nT.T.BA\nTTT..A\n..CCDD\n..CCDD", [0, 3]),
    (".TAAA..\nTTA.A..\nT.AAA..\n.......", [1, 5]),
    ("AA.TT\nA..TT\nBBCCC\n.BCDC\n..CCC", [3, 0]),
]
BOARDS = [parse(board, {"goal": goal}) for board, goal in ODD]


def rebuilt(seen: Parts) -> State:
    return parse(assemble(seen), rules(seen))


@pytest.mark.parametrize("state", BOARDS)
def test_assembling_undoes_parts(state: State) -> None:
    assert rebuilt(parts(state)) == state


def test_assembling_undoes_parts_of_random_trays() -> None:
    for key in range(300):
        state = any_board(Draws("parts", key), 9)
        assert rebuilt(parts(state)) == state


def test_what_a_small_tray_shows() -> None:
    """Joined up, right, down, left are 1, 2, 4, 8; ticks are 1, 2 above and 4, 8 below."""
    shown = parts(parse("TTA\n..A", {"goal": [1, 0]}))
    assert shown.dtype == np.int16
    blue, honey = 1, 2
    expected = [
        [Part(blue, 2), Part(blue, 8), Part(honey, 4)],
        [Part(0, 0, 1 + 4), Part(0, 0, 2 + 8), Part(honey, 1)],
    ]
    assert shown.tolist() == [[numbered(part) for part in row] for row in expected]
    home = parts(parse("TTA\n..A", {"goal": [0, 0]}))
    assert home[0].tolist() == [
        numbered(part) for part in (Part(blue, 2, 0, True), Part(blue, 8, 0, True), Part(honey, 4))
    ]


@pytest.fixture(scope="module", params=[32, 64])
def size(request: pytest.FixtureRequest) -> Any:
    return request.param, learned(specimens({}), draw, parts, request.param)


def test_pictures_are_read_exactly_along_solutions(size: Any, reference: Path) -> None:
    cell, known = size
    for line in (reference / "vgau" / "klotski.jsonl").read_text().splitlines():
        (entry,) = FAMILY.formats["vgau"].read(Source(Path("file"), line))
        state = entry.state
        for action in FAMILY.parse_answer(json.loads(line)["solution"]):
            assert rebuilt(looked_up(known, draw(state, cell), cell)) == state
            state = apply(state, action)
        assert rebuilt(looked_up(known, draw(state, cell), cell)) == state


def test_published_boards_and_walks_from_them_are_read_exactly(reference: Path) -> None:
    known = learned(specimens({}), draw, parts, 32)
    draws = Draws("walks")
    with (reference / "klotski.csv").open() as file:
        rows = list(csv.DictReader(file))[::12]
    for row in rows:
        state = parse(row["board"].replace("/", "\n"), {"goal": [3, 1]})
        for _ in range(15):
            assert rebuilt(looked_up(known, draw(state, 32), 32)) == state
            state = apply(state, draws.choice(legal_actions(state)))


def test_odd_trays_are_read_exactly(size: Any) -> None:
    cell, known = size
    for state in BOARDS:
        assert rebuilt(looked_up(known, draw(state, cell), cell)) == state


def refused(seen: Parts) -> str:
    with pytest.raises(InvalidBoard) as error:
        assemble(seen)
    return str(error.value)


TRAY = BOARDS[0]
CREAM = 4


def changed(cells: Mapping[tuple[int, int], Part]) -> Parts:
    seen = parts(TRAY)
    for at, part in cells.items():
        seen[at] = numbered(part)
    return seen


def test_t_missing_is_named() -> None:
    gone = changed({at: Part() for at in ((0, 1), (0, 2), (1, 1), (1, 2))})
    assert refused(gone) == "klotski: the board has no block T"


def test_a_second_t_is_named() -> None:
    said = "klotski: a second block T at (2,3); the first is at (0,1)"
    assert refused(changed({(2, 3): Part(1)})) == said


def test_half_a_block_is_named() -> None:
    said = "klotski: the block at (0,0) is cut off at (1,0)"
    assert refused(changed({(1, 0): Part()})) == said


def test_a_block_that_lies_on_another_is_named() -> None:
    said = "klotski: the block at (0,3) is cut off at (1,3)"
    assert refused(changed({(1, 3): Part(CREAM)})) == said


def test_a_block_that_leaves_the_tray_is_named() -> None:
    said = "klotski: the block at (4,3) is cut off at (5,3)"
    assert refused(changed({(4, 3): Part(2, 4)})) == said


def test_a_block_in_the_colour_of_another_shape_is_named() -> None:
    said = "klotski: the block at (4,3) has not the colour of its shape"
    assert refused(changed({(4, 3): Part(2)})) == said


def test_a_block_in_another_wood_is_mended_by_its_shape() -> None:
    assert (mended(changed({(4, 3): Part(2)})) == parts(TRAY)).all()
    assert (mended(parts(TRAY)) == parts(TRAY)).all()


def unknown_in(seen: Parts) -> list[tuple[int, int]]:
    return [(int(r), int(c)) for r, c in zip(*(seen < 0).nonzero(), strict=True)]


def test_a_join_that_is_not_answered_is_unknown_on_both_sides() -> None:
    assert unknown_in(mended(changed({(1, 0): Part()}))) == [(0, 0), (1, 0)]
    assert unknown_in(mended(changed({(2, 0): Part(2, 2)}))) == [(2, 0), (2, 1)]
    assert unknown_in(mended(changed({(4, 3): Part(2, 4)}))) == [(4, 3)]


def test_a_mark_of_another_goal_is_mended() -> None:
    """TRAY's goal is at (3,1): its ticks are in (3,1), (3,2), (4,1) and (4,2)."""
    for at in ((2, 0), (3, 1)):
        part = Part(0, 0, 4)
        seen = changed({at: part}) if at == (2, 0) else parts(TRAY)
        seen[3, 1] = parts(TRAY)[3, 1] if at == (2, 0) else parts(TRAY)[3, 1] - 2
        assert (mended(seen) == parts(TRAY)).all()


def test_what_is_unknown_goes_with_anything() -> None:
    for state in BOARDS:
        true = parts(state)
        for at in np.ndindex(true.shape):
            seen = true.copy()
            seen[at] = -1
            assert (mended(seen) == seen).all(), at


def test_a_rare_wood_needs_as_many_blocks_as_come_before_it() -> None:
    """In T..ABBB, B is the one rare block there is room for, so that it has the first rare wood.

    The second is most like that of upright blocks.
    """
    seen = parts(BOARDS[2])
    seen[0, 3] = -1
    assert unknown_in(mended(seen)) == [(0, 3)]
    seen[0, 4:] += numbered(Part(1))
    assert unknown_in(mended(seen)) == [(0, 3)]
    assert [part_of(int(part)).wood for part in mended(seen)[0, 4:]] == [Part(2).wood] * 3


def test_a_cell_that_is_not_known_is_named() -> None:
    seen = parts(TRAY)
    seen[2, 0] = -1
    assert refused(seen) == "klotski: what lies at (2,0) can't be told"


def test_more_blocks_than_names() -> None:
    seen = np.full((8, 8), numbered(Part(CREAM)), np.int16)
    seen[0, 0] = numbered(Part(1))
    said = "klotski: the board has 63 blocks besides T, and there are names for 61"
    assert refused(seen) == said


def test_the_goal_is_read_from_its_marks() -> None:
    assert rules(parts(TRAY)) == {"goal": [3, 1]}
    assert rules(parts(parse(ODD[0][0], {"goal": [0, 1]}))) == {"goal": [0, 1]}
    one_tick = parts(TRAY)
    for at in ((3, 1), (3, 2), (4, 1)):
        one_tick[at] = parts(parse(ODD[0][0], {"goal": [0, 1]}))[at]
    assert rules(one_tick) == {"goal": [3, 1]}


def test_marks_that_are_missing_or_contradict_each_other_are_named() -> None:
    none = changed({at: Part() for at in ((3, 1), (3, 2), (4, 1), (4, 2))})
    with pytest.raises(InvalidBoard, match=r"klotski: nothing marks where T has to come to"):
        rules(none)
    two = changed({(2, 0): Part(0, 0, 1)})
    with pytest.raises(InvalidBoard, match=r"klotski: the marks put T's goal at \(2,0\) and"):
        rules(two)


def test_what_no_move_changes_is_named() -> None:
    def now(board: str, goal: tuple[int, int] = (2, 0)) -> str:
        before = parse("TTA\nTTA\n...\nBB.", {"goal": [2, 0]})
        return changed_from(before, parse(board, {"goal": list(goal)}))

    assert now("TT.\nTTA\n..A\n.BB") == ""
    assert now("TTA\nTTA\n...\nBB.\n...") == "4x3 cells have become 5x3"
    assert now("TTA\nTTA\n...\nBB.", (2, 1)) == "the goal of T is at (2,1), not at (2,0)"
    assert now("TTA\nTTA\n..C\nBBC") == "the number of 2x1 blocks is 2, not 1"
    assert now("TT.\nTT.\n...\nBB.") == "the number of 2x1 blocks is 0, not 1"
    assert now("TTA\n..A\n...\nBB.") == "T is 1x2, not 2x2"


def unreadable(picture: NDArray[np.uint8], **known: Any) -> str:
    with pytest.raises(UnreadableImage) as error:
        read(FAMILY, picture, **known)
    return str(error.value)


def pixels(state: State, cell: int = 64) -> NDArray[np.uint8]:
    picture = draw(state, cell)
    return picture.palette[picture.pixels]


def test_pictures_are_read_with_the_goal_that_they_show() -> None:
    for state in BOARDS:
        size = len(state.board), len(state.board[0])
        assert read(FAMILY, pixels(state, 48), size=size) == state


def test_a_picture_that_is_no_drawing_of_its_goal_is_refused() -> None:
    """Its ticks lie elsewhere than the rules say."""
    said = unreadable(pixels(TRAY), size=(5, 4), rules={"goal": [3, 0]})
    assert said == "what stands at (3,0) does not go with the rest of the board"


def test_forged_pictures_are_named() -> None:
    """With T painted over; with half a block painted over; with T pasted over another block."""
    size = {"size": (5, 4)}
    shown = "what the picture shows is no board: klotski: "
    empty = pixels(TRAY)[128:192, :64]
    forged = pixels(TRAY)
    forged[:128, 64:192] = np.tile(empty, (2, 2, 1))
    assert unreadable(forged, **size) == shown + "the board has no block T"
    forged = pixels(TRAY)
    forged[64:128, :64] = empty
    assert unreadable(forged, **size) == shown + "the block at (0,0) is cut off at (1,0)"
    forged = pixels(TRAY)
    forged[64:192, :128] = forged[:128, 64:192]
    assert unreadable(forged, **size) == shown + "the block at (0,0) is cut off at (1,0)"


def test_what_does_not_go_with_the_rest_is_named_with_all_that_is_another() -> None:
    """A block is pasted with a mark of T's goal on it, and another painted over."""
    forged = pixels(TRAY)
    forged[128:192, :64] = forged[192:256, 128:192]
    forged[256:, 192:] = forged[128:192, 192:]
    said = unreadable(forged, reference=TRAY)
    assert said.startswith("what stands at (2,0) does not go with the rest of the board")
    assert said.endswith("(other than before: (2,0), (4,3))")


def test_a_block_pasted_twice_is_read_and_named() -> None:
    forged = pixels(TRAY)
    forged[192:256, 192:] = forged[256:, 192:]
    state = read(FAMILY, forged, size=(5, 4))
    assert changed_from(TRAY, state) == "the number of 1x1 blocks is 4, not 3"
