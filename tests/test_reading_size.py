"""Sizes of boards that nobody has told: right, or not told."""

import numpy as np
import pytest
from numpy.typing import NDArray

from puzzles import family, make
from puzzles.reading import read
from puzzles.replay import optimal_actions
from puzzles.sights import see_board
from render.boards.extent import border, met, repeated, sizes
from render.read import UnreadableImage
from tests.views.forging import shown

RGB = NDArray[np.uint8]
RINGED = """\
##########
#S.......#
#.######.#
#.#....#.#
#.#.##.#.#
#...#..#.#
#.###.##.#
#.#....#.#
#...##..G#
##########"""
OPEN = "S....\n.##..\n.#...\n...#.\n..#.G"


def drawn(board: str, cell: int = 48) -> RGB:
    room = family("maze")
    picture = room.draw(room.parse(board, {}), cell)
    return np.asarray(picture.palette[picture.pixels])


def framed(pixels: RGB, rows: int, cols: int, colour: tuple[int, int, int]) -> RGB:
    out = np.empty((pixels.shape[0] + 2 * rows, pixels.shape[1] + 2 * cols, 3), np.uint8)
    out[:] = colour
    out[rows:-rows, cols:-cols] = pixels
    return out


@pytest.mark.parametrize(
    "change",
    [
        lambda pixels: pixels,
        lambda pixels: framed(pixels, 36, 28, (30, 30, 90)),
        lambda pixels: framed(pixels, 40, 40, (255, 255, 255)),
        lambda pixels: framed(pixels, 40, 40, (0, 0, 0)),
        lambda pixels: pixels[5:-4, 4:-6],
    ],
    ids=["as drawn", "dark blue", "white", "black", "cropped"],
)
def test_a_ring_of_walls_is_no_border(change) -> None:  # type: ignore[no-untyped-def]
    room = family("maze")
    assert read(room, change(drawn(RINGED))) == room.parse(RINGED, {})


def test_a_border_in_the_colour_of_walls_is_not_counted() -> None:
    """The 10x10 board lies in half a cell of what may be walls: of 10, or of 12 cut off."""
    wall = tuple(drawn(RINGED)[0, 0])
    with pytest.raises(UnreadableImage, match="the size of the board can't be told for certain"):
        read(family("maze"), framed(drawn(RINGED), 24, 24, wall))
    state = family("maze").parse(RINGED, {})
    assert read(family("maze"), framed(drawn(RINGED), 24, 24, wall), size=(10, 10)) == state


def test_a_board_without_a_ring_stays_as_large_as_it_is() -> None:
    room = family("maze")
    for colour in ((30, 30, 90), (0, 0, 0)):
        assert read(room, framed(drawn(OPEN), 36, 36, colour)) == room.parse(OPEN, {})


def lattice(rows: int, cols: int, cell: int) -> RGB:
    """Grey cells that lines divide."""
    out = np.full((rows * cell, cols * cell, 3), 200, np.uint8)
    out[::cell] = out[:, ::cell] = 40
    return out


@pytest.mark.parametrize(("rows", "cols"), [(7, 5), (5, 7), (12, 12), (3, 11)])
def test_the_likeliest_size_is_that_of_the_grid(rows: int, cols: int) -> None:
    found = sizes(lattice(rows, cols, 40))
    assert (rows, cols) in found[:4]
    assert len(found) == len(set(found))


def test_what_changes_where_cells_meet_says_how_many_they_are() -> None:
    apart = (np.arange(239) + 1 + 15) % 30 - 15  # from where one of 8 cells of 30 ends
    changes = 10 * np.exp(-((apart / 2) ** 2))
    for scores in (met(changes), repeated(changes)):
        assert max(scores, key=lambda n: scores[n]) == 8


def test_borders_are_told_at_each_side() -> None:
    inner = np.random.default_rng(4).integers(0, 256, (50, 60, 3)).astype(np.uint8)
    out = np.full((100, 100, 3), 9, np.uint8)
    out[20:70, 25:85] = inner
    assert border(out) == (20, 30, 25, 15)
    assert border(inner) == (0, 0, 0, 0)


def test_an_edge_drawn_on_is_no_row_of_the_board() -> None:
    room = family("sokoban")
    picture = room.draw(room.parse("#####\n#@$.#\n#---#\n#####", {}), 48)
    pixels = np.pad(picture.palette[picture.pixels], ((0, 0), (40, 40), (0, 0)), mode="edge")
    with pytest.raises(UnreadableImage, match="the size"):
        read(room, pixels)


EMPTY = "\n".join(["." * 6] * 6)


@pytest.mark.parametrize("colour", [(232, 222, 204), (240, 205, 190), (215, 222, 214)])
def test_an_empty_board_is_read_in_a_cast_and_in_noise(colour: tuple[int, int, int]) -> None:
    room, random = family("onet"), np.random.default_rng(3)
    pixels = np.clip(random.normal(colour, 12, (300, 300, 3)), 0, 255).astype(np.uint8)
    state = room.parse(EMPTY, {})
    assert read(room, pixels, size=(6, 6), rules=room.rules_of(state)) == state
    with pytest.raises(UnreadableImage, match="the size"):
        read(room, pixels)


@pytest.mark.parametrize("colour", [(255, 255, 255), (0, 0, 0), (120, 160, 200)])
def test_a_plain_picture_is_no_empty_board(colour: tuple[int, int, int]) -> None:
    pixels = np.full((300, 300, 3), colour, np.uint8)
    with pytest.raises(UnreadableImage, match="no board"):
        read(family("onet"), pixels, size=(6, 6))


def test_two_tiles_say_where_a_board_has_moved() -> None:
    room = family("onet")
    state = room.parse("K.....\n.....K\n" + "\n".join(["." * 6] * 4), {})
    picture = room.draw(state, 64)
    pixels = np.asarray(picture.palette[picture.pixels])[5:, 6:]
    pixels = np.pad(pixels, ((0, 5), (0, 6), (0, 0)), mode="edge")
    assert read(room, pixels, size=(6, 6)) == state


def test_a_size_that_was_guessed_amiss_is_asked_for() -> None:
    (board,) = make("maze", "easy", 1)
    room = family("maze")
    start = room.parse(board.board, board.rules)
    drawn = shown(room.draw_solution(start, optimal_actions(board), 64))
    told = see_board(room, drawn)
    assert told.seen is not None
    assert told.reason.endswith("can't be told; if the board is not of 30x30 cells, say its size")
    assert see_board(room, drawn, size=(10, 10)).state == start
