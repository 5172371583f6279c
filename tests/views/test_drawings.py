"""Drawn solutions read back: our own exactly, those of others to what they are."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from puzzles import NAMES, Instance, family
from puzzles.drawing import Drawing, read_drawing
from puzzles.generate import Recipe, generate
from puzzles.parking.rules import Slide
from puzzles.parking.view import paints_of
from puzzles.replay import initial, optimal_actions
from render.canvas import stamp
from render.chips import chip
from render.drawings.flaws import Flaw
from tests.views.boards import BOARDS, ONET, PARKING
from tests.views.forging import (
    RGB,
    blurred,
    framed,
    jpeg,
    moved,
    noisy,
    resized,
    shown,
    stroked,
    tinted,
    turned,
    waved,
)

CELLS = (32, 64, 100)
AS_OTHERS: dict[str, Callable[[RGB], RGB]] = {
    "jpeg 50": lambda image: jpeg(image, 50),
    "noise 10": lambda image: noisy(image, 10),
    "1000 pixels": lambda image: resized(image, 1000),
    "600 pixels and jpeg 60": lambda image: jpeg(resized(image, 600), 60),
    "moved by two pixels": lambda image: moved(image, 2, -1),
    "blur": lambda image: blurred(image, 0.8),
    "turned by a degree": lambda image: turned(image, 1.0),
    "a frame": lambda image: framed(image, 6),
    "a cast": lambda image: tinted(image, (1.05, 1.0, 0.93), 4),
    "warped by a pixel and a half": lambda image: waved(image, 1.5),
    "a little of all": lambda image: jpeg(
        noisy(tinted(moved(resized(image, 700), 1, 1), (1.0, 1.03, 0.97), -3), 4), 85
    ),
}


def read(name: str, image: RGB, state: Any) -> Drawing:
    return read_drawing(family(name), image, state)


def made(name: str, level: str, count: int) -> Iterator[Instance]:
    recipe = Recipe(family=name, difficulty=level, seed=11)
    return (generate(recipe, index).instance for index in range(count))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_our_own_drawings_read_back_to_an_optimal_answer(name: str, level: str) -> None:
    room = family(name)
    for instance, cell in zip(made(name, level, 3), CELLS, strict=True):
        state = initial(instance)
        picture = room.draw_solution(state, optimal_actions(instance), cell)
        drawing = read(name, shown(picture), state)
        assert drawing.flaw is None, (drawing, instance.board)
        assert drawing.answer is not None
        played = room.replay(state, drawing.answer)
        assert played.reason is None
        assert room.is_solved(played.state)
        if room.counts_actions:
            assert len(drawing.answer) == instance.optimal_length


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)
def test_the_very_actions_are_read_where_there_is_one_order(board: Any) -> None:
    room = family(board.family)
    drawing = read(
        board.family, shown(room.draw_solution(board.state, board.actions, 64)), board.state
    )
    expected = room.answer_of(board.state, board.actions)
    if board.family == "onet":
        assert sorted(drawing.answer or ()) == sorted(expected)
    elif board.family == "sokoban":  # its actions end without a solution
        assert drawing.flaw is Flaw.NO_WALK
    else:
        assert (drawing.answer, drawing.flaw) == (expected, None)


@pytest.mark.parametrize("change", AS_OTHERS)
@pytest.mark.parametrize("name", NAMES)
def test_drawings_survive_what_happens_to_pictures(name: str, change: str) -> None:
    room = family(name)
    (instance,) = made(name, "easy", 1)
    state = initial(instance)
    picture = shown(room.draw_solution(state, optimal_actions(instance), 64))
    drawing = read(name, AS_OTHERS[change](picture), state)
    assert drawing.flaw is None, drawing
    assert room.is_solved(room.replay(state, drawing.answer or ()).state)


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_cell_beneath_is_named(name: str) -> None:
    """One cell is replaced by another that looks different, where nothing is drawn."""
    room, cell = family(name), 64
    (instance,) = made(name, "easy", 1)
    state = initial(instance)
    board = shown(room.draw(state, cell))
    drawn = shown(room.draw_solution(state, optimal_actions(instance), cell))
    tiles, bare = {}, []
    for r, c in np.ndindex(board.shape[0] // cell, board.shape[1] // cell):
        area = np.s_[r * cell : (r + 1) * cell, c * cell : (c + 1) * cell]
        tiles[r, c] = area
        if np.array_equal(board[area], drawn[area]):
            bare.append((r, c))
    coarse = {at: board[area][::8, ::8].astype(int) for at, area in tiles.items()}
    far = [(float(abs(coarse[a] - coarse[b]).mean()), a, b) for a in bare for b in tiles]
    _, there, other = max(far)
    drawn = drawn.copy()
    drawn[tiles[there]] = board[tiles[other]]
    for image in (drawn, jpeg(drawn, 60)):
        found = read(name, image, state)
        assert found.flaw is Flaw.OTHER_PICTURE, found
        assert str(there) in found.detail


def test_markers_anywhere_on_a_piece_and_of_any_size() -> None:
    """The car below the exit's row goes up by one marker, left of where ours would be."""
    state, room = PARKING.state, family("parking")
    picture = room.draw(state, 64)
    for (number, side), (y, x), high in (
        ((1, "down"), (70, 262), 40),
        ((2, "right"), (77, 80), 31),
    ):
        marker = chip(number, side, high, int(high * 1.4), paints_of(64))
        stamp(picture.pixels, marker, y, x)
    expected = [Slide("C", "down"), Slide("R", "right")]
    for image in (shown(picture), jpeg(shown(picture), 80)):
        found = read("parking", image, state)
        assert (found.answer, found.flaw) == (expected, None), found


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)
def test_a_board_without_a_drawing_has_none(board: Any) -> None:
    image = shown(family(board.family).draw(board.state, 48))
    assert read(board.family, image, board.state).flaw is Flaw.NONE_DRAWN


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)
def test_another_picture_is_refused(board: Any) -> None:
    rows, cols = (side // 48 for side in family(board.family).draw(board.state, 48).pixels.shape)
    noise = np.random.default_rng(3).integers(0, 256, (rows * 48, cols * 48, 3)).astype(np.uint8)
    assert read(board.family, noise, board.state).flaw is Flaw.OTHER_PICTURE


def test_onet_lines_in_other_colours_and_by_hand() -> None:
    state = ONET.state
    board = shown(family("onet").draw(state, 64))
    image = stroked(board, 64, [(1, 0), (2, 0)], colour=(250, 40, 200))
    image = stroked(image, 64, [(2, 1), (2, 2)], colour=(30, 200, 60))
    assert read("onet", image, state).answer == [((1, 0), (2, 0)), ((2, 1), (2, 2))]


@pytest.mark.parametrize(
    ("points", "flaw"),
    [
        ([(0, 1), (0, 4)], Flaw.NOT_A_PAIR),
        ([(1, 0), (1, 2)], Flaw.NOT_A_PAIR),
        ([(0, 0), (2, 0), (2, 4), (0, 4)], Flaw.NO_ORDER),
        ([(1, 0), (1, 1), (0, 1), (0, 2), (2, 2), (2, 0)], Flaw.TURNS),
        ([(0, 1), (0, 3), (2, 3), (2, 4), (1, 4)], Flaw.TURNS),
    ],
)
def test_onet_lines_that_are_no_links(points: list[tuple[int, int]], flaw: Flaw) -> None:
    board = shown(family("onet").draw(ONET.state, 64))
    image = stroked(board, 64, points, colour=(255, 0, 255))
    assert read("onet", image, ONET.state).flaw is flaw


def test_onet_lines_have_as_many_turns_as_the_rules_allow() -> None:
    rows, points = "ABBA\nA..A", [(0, 0), (1, 0), (1, 3), (0, 3)]
    for allowed, flaw in ((1, Flaw.TURNS), (2, Flaw.NO_ORDER)):
        state = family("onet").parse(rows, {"max_turns": allowed})
        image = stroked(shown(family("onet").draw(state, 64)), 64, points, colour=(255, 0, 255))
        assert read("onet", image, state).flaw is flaw


@pytest.mark.parametrize("cut", [12, 24, 40])
def test_an_onet_line_with_a_gap_in_plain_sight_is_broken(cut: int) -> None:
    state = family("onet").parse("A..A\n.BB.", {"max_turns": 2, "outside": False})
    board = shown(family("onet").draw(state, 64))
    whole = stroked(board, 64, [(0, 0), (0, 3)], colour=(255, 128, 0))
    assert read("onet", whole, state).answer == [((0, 0), (0, 3))]
    middle = np.s_[:64, 128 - cut // 2 : 128 + cut // 2]
    image = whole.copy()
    image[middle] = board[middle]
    assert read("onet", image, state).flaw is Flaw.GAP


def test_hints_that_are_numbered_wrongly() -> None:
    state, cell = PARKING.state, 64
    room = family("parking")
    whole = shown(room.draw_solution(state, PARKING.actions, cell))
    without = whole.copy()
    plain = shown(room.draw(state, cell))
    car = next(car for car in state.vehicles if car.name == PARKING.actions[0].car)
    area = slice(car.row * cell, (car.row + 2) * cell), slice(car.col * cell, (car.col + 1) * cell)
    without[area] = plain[area]
    drawing = read("parking", without, state)
    assert (drawing.flaw, drawing.detail) == (Flaw.NUMBERING, "there is no hint with number 1")
    beside = whole.copy()
    beside[-40:-10, 10:40] = (255, 0, 184)
    assert read("parking", beside, state).flaw is Flaw.SEVERAL


def test_a_number_that_stands_twice_is_named() -> None:
    room, cell = family("parking"), 64
    down, right, _ = PARKING.actions
    first = shown(room.draw_solution(PARKING.state, [down], cell)).copy()
    plain = shown(room.draw(PARKING.state, cell))
    other = shown(room.draw_solution(PARKING.state, [right], cell))
    first[other != plain] = other[other != plain]
    drawing = read("parking", first, PARKING.state)
    assert drawing.flaw is Flaw.NUMBERING
    assert drawing.detail == "number 1 stands on C and on R"


def test_a_hint_that_is_painted_over_is_uncertain() -> None:
    room, cell = family("parking"), 64
    plain = shown(room.draw(PARKING.state, cell))
    image = shown(room.draw_solution(PARKING.state, PARKING.actions[:1], cell)).copy()
    y, x = (at[(image != plain).any(axis=-1)] for at in np.mgrid[: len(image), : image.shape[1]])
    image[y.min() + 4 : y.max() - 3, x.min() + 4 : (x.min() + x.max()) // 2] = (250, 120, 0)
    assert read("parking", image, PARKING.state).flaw is Flaw.UNCERTAIN


def test_a_picture_is_read_from_its_bytes_and_refused_with_a_reason() -> None:
    room, board = family("maze"), BOARDS[0]
    image = shown(room.draw_solution(board.state, board.actions, 40))
    out = BytesIO()
    Image.fromarray(image).save(out, "PNG")
    assert read_drawing(room, out.getvalue(), board.state) == Drawing(board.actions)
    assert read_drawing(room, b"no picture", board.state).flaw is Flaw.OTHER_PICTURE
    assert read_drawing(room, image[:, ::-1], board.state).flaw is Flaw.OTHER_PICTURE
