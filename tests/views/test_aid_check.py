"""Drawn aids judged: true ones in every family, disturbed ones, and each kind of mistake."""

from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from puzzles import family
from puzzles.reading import check_aid
from puzzles.sokoban import rules as sokoban
from render.canvas import Picture
from render.drawings.aid_check import MISSING, RIGHT, UNCLEAR, WRONG
from tests.views.boards import BOARDS, KLOTSKI, MAZE, PARKING, SOKOBAN, Board

Pixels = NDArray[np.uint8]


def rgb(picture: Picture) -> Pixels:
    return picture.palette[picture.pixels]


def drawn(board: Board, cell: int = 64) -> Pixels:
    return rgb(family(board.family).draw_aid(board.state, cell))


def plain(board: Board) -> Pixels:
    return rgb(family(board.family).draw(board.state, 64))


def smaller(image: Image.Image) -> Image.Image:
    return image.resize((image.width * 3 // 5, image.height * 3 // 5), Image.Resampling.BICUBIC)


def jpeg(image: Image.Image) -> Image.Image:
    data = BytesIO()
    image.save(data, "JPEG", quality=40)
    return Image.open(data).convert("RGB")


def noisy(image: Image.Image) -> Image.Image:
    pixels = np.asarray(image) + np.random.default_rng(1).normal(0, 20, (*image.size[::-1], 3))
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def shifted(image: Image.Image) -> Image.Image:
    return image.transform(image.size, Image.Transform.AFFINE, (1, 0, 4, 0, 1, -3))


def turned(image: Image.Image) -> Image.Image:
    return image.rotate(1, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255))


def blurred(image: Image.Image) -> Image.Image:
    return image.filter(ImageFilter.GaussianBlur(0.8))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)
def test_a_true_aid_is_right_in_all(board: Board) -> None:
    for cell in (64, 40, 100):
        seen = check_aid(family(board.family), drawn(board, cell), board.state)
        assert (seen.lines, seen.stray, seen.added, seen.changed) == (1, 0, [], [])
        assert set(seen.labels.values()) == {RIGHT}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)
def test_a_board_without_aid_lacks_all_of_it(board: Board) -> None:
    seen = check_aid(family(board.family), plain(board), board.state)
    assert (seen.lines, seen.stray, seen.added, seen.changed) == (0, 0, [], [])
    assert set(seen.labels.values()) == {MISSING}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)
@pytest.mark.parametrize("disturb", [smaller, jpeg, noisy, shifted, turned, blurred])
def test_what_disturbs_a_picture_is_no_mistake(
    board: Board, disturb: Callable[[Image.Image], Image.Image]
) -> None:
    image = disturb(Image.fromarray(drawn(board)))
    seen = check_aid(family(board.family), np.asarray(image), board.state)
    assert seen.lines > 0.85
    assert (seen.stray, seen.added) == (0, [])
    assert WRONG not in seen.labels.values()
    assert list(seen.labels.values()).count(RIGHT) >= 0.9 * len(seen.labels)
    assert len(seen.changed) <= 2


def test_sokoban_labels_no_wall() -> None:
    seen = check_aid(family("sokoban"), drawn(SOKOBAN), SOKOBAN.state)
    assert not set(seen.labels) & set(sokoban.parse(sokoban.format(SOKOBAN.state), {}).walls)


def test_labels_where_none_were_asked_for() -> None:
    """A piece of wall taken away, and its cell labelled."""
    opened = sokoban.parse(sokoban.format(SOKOBAN.state).replace("#-----#", "#------"), {})
    seen = check_aid(family("sokoban"), drawn(Board("sokoban", opened, [])), SOKOBAN.state)
    assert seen.added == [(4, 6)]
    assert (4, 6) in seen.changed
    assert set(seen.labels.values()) == {RIGHT}


def test_a_line_that_is_missing_and_one_too_many() -> None:
    """The maze has 5 rows and 7 columns: 4 * 7 + 6 * 5 = 58 pieces of line."""
    image, true = drawn(MAZE), plain(MAZE)
    image[60:68] = true[60:68]
    seen = check_aid(family("maze"), image, MAZE.state)
    assert (seen.lines, seen.stray) == ((58 - 7) / 58, 0)
    image[:, 95:97] = (255, 0, 48)
    assert check_aid(family("maze"), image, MAZE.state).stray == 1


def test_a_grid_of_another_size_is_not_there() -> None:
    """Lines at four fifths of a cell, as a model draws that counts one column too many."""
    image = plain(KLOTSKI)
    for at in range(51, 320, 51):
        image[at - 1 : at + 1] = (255, 0, 48)
        image[:, at - 1 : at + 1] = (255, 0, 48)
    seen = check_aid(family("klotski"), image, KLOTSKI.state)
    assert seen.lines < 0.3
    assert seen.stray > 5


def test_labels_of_other_cells_are_wrong() -> None:
    """Coordinates of the neighbour, as with columns counted from another end."""
    image, true = drawn(PARKING), plain(PARKING)
    row = slice(4 * 64, 5 * 64)
    one, other = (slice(c * 64 + 2, c * 64 + 62) for c in (1, 2))
    image[row, one], image[row, other] = image[row, other].copy(), image[row, one].copy()
    image[2:62, 4 * 64 + 2 : 5 * 64 - 2] = true[2:62, 4 * 64 + 2 : 5 * 64 - 2]
    seen = check_aid(family("parking"), image, PARKING.state)
    assert seen.labels.pop((4, 1)) == seen.labels.pop((4, 2)) == WRONG
    assert seen.labels.pop((0, 4)) == MISSING
    assert set(seen.labels.values()) == {RIGHT}


def test_scrawl_is_unclear() -> None:
    image = drawn(MAZE)
    ink = np.random.default_rng(3).integers(0, 2, (8, 20, 1), np.uint8) * 220
    image[152:168, 332:372] = ink.repeat(2, 0).repeat(2, 1)
    seen = check_aid(family("maze"), image, MAZE.state)
    assert [cell for cell, label in seen.labels.items() if label == UNCLEAR] == [(2, 5)]


def test_a_board_that_is_not_kept_is_named() -> None:
    """The box moved to the right under the aid: its cell and the next are others."""
    moved = sokoban.parse(sokoban.format(SOKOBAN.state).replace("#-$-*-#", "#--$*-#"), {})
    seen = check_aid(family("sokoban"), drawn(Board("sokoban", moved, [])), SOKOBAN.state)
    assert seen.changed == [(2, 2), (2, 3)]
    assert seen.lines == 1


@pytest.mark.parametrize("board", [MAZE, KLOTSKI], ids=lambda board: board.family)
def test_a_solution_drawn_beneath_an_aid_is_no_part_of_it(board: Board) -> None:
    """What is as red as the lines, or as pink as hints, is a change all the same."""
    room = family(board.family)
    aid, bare = drawn(board), plain(board)
    solved = rgb(room.draw_solution(board.state, board.actions, 64))
    seen = check_aid(room, np.where((aid != bare).any(2, keepdims=True), aid, solved), board.state)
    assert seen.lines == 1
    assert set(seen.labels.values()) == {RIGHT}
    drawn_on = _marked(solved, bare)
    assert len(seen.changed) > len(drawn_on) / 2
    assert set(seen.changed) <= drawn_on


def test_a_red_stroke_across_three_cells_is_a_change() -> None:
    image = drawn(MAZE)
    image[160:164, 40:200] = (255, 0, 48)
    assert check_aid(family("maze"), image, MAZE.state).changed == [(2, 0), (2, 1), (2, 2)]


def _marked(image: Pixels, bare: Pixels) -> set[tuple[int, int]]:
    """The cells in which a picture is another than the bare board."""
    return {(int(y) // 64, int(x) // 64) for y, x in np.argwhere((image != bare).any(2))}
