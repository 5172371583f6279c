"""Parts that make no board are mended or doubted; parts of a picture that have moved are found."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from puzzles import family
from puzzles.reading import looks, parts_of
from render.boards.align import whole
from render.boards.looks import UNKNOWN, Likeness
from render.boards.place import Place, bent
from render.boards.sense import consistent, doubted
from render.boards.views import Judged, View, view_at
from render.boards.vouch import vouched

MAZE = "#########\n#S..#...#\n#.#.#.#.#\n#.#...#G#\n#########"
PATH = "SA.#B\n##.#.\nD...C\nG#E#."
SIZE = 5, 9


def view(*, second_agent: bool = False) -> tuple[NDArray[np.uint8], View]:
    room, known = family("maze"), looks("maze", "{}")
    drawn = room.draw(room.parse(MAZE, {}), 48)
    pixels = np.array(drawn.palette[drawn.pixels])
    if second_agent:
        pixels[48:96, 96:144] = pixels[48:96, 48:96]
    shape = SIZE[0] * known.detail, SIZE[1] * known.detail
    return pixels, view_at(pixels, known, Place(whole(shape, pixels.shape[:2])), shape)


def mend(name: str, parts: NDArray[np.int16]) -> NDArray[np.int16]:
    reading = family(name).reading
    assert reading is not None
    assert reading.mended is not None
    return reading.mended(parts)


@pytest.mark.parametrize(
    ("name", "board", "unknown"),
    [
        ("path", PATH, []),
        ("path", PATH.replace("C", "B"), [(0, 4), (2, 4)]),
        ("path", PATH.replace("E", "Z"), [(3, 2)]),
        ("path", PATH.replace("E", "G"), [(3, 0), (3, 2)]),
        ("maze", MAZE, []),
        ("maze", MAZE.replace("...#\n#.#.#.#", "..S#\n#.#.#.#"), [(1, 1), (1, 7)]),
        ("sokoban", "#####\n#@-@#\n#-$.#\n#####", [(1, 1), (1, 3)]),
    ],
)
def test_what_there_is_but_one_of_is_unknown_where_there_are_two(
    name: str, board: str, unknown: list[tuple[int, int]]
) -> None:
    seen = parts_of(board.split("\n"))
    out = mend(name, seen)
    assert list(zip(*(out == UNKNOWN).nonzero(), strict=True)) == unknown
    assert (out[out != UNKNOWN] == seen[out != UNKNOWN]).all()


@pytest.mark.parametrize(("sure", "kept"), [(0.3, 0), (0.59, 0), (0.61, 0.61), (0.9, 0.9)])
def test_two_agents_are_doubted_unless_they_are_firm(sure: float, kept: float) -> None:
    _, seen = view()
    parts = parts_of(MAZE.replace("...#\n#.#.#.#", "..S#\n#.#.#.#").split("\n"))
    confidence = np.full(parts.size, 0.95, np.float32)
    confidence[[9 + 1, 9 + 7]] = sure
    found = Judged(seen.likeness.look, confidence, seen.likeness.look)
    told = doubted(seen, found, parts, lambda p: mend("maze", p)).reshape(SIZE)
    assert told[1, 1] == told[1, 7] == pytest.approx(kept)
    assert (np.delete(told.ravel(), [10, 16]) == np.float32(0.95)).all()


def test_a_cell_in_doubt_is_told_where_what_else_it_could_be_does_not_go_with_the_rest() -> None:
    """The goal, half of it hidden by noise, could be a second agent, or floor."""
    pixels, seen = view()
    image = pixels.shape[0], pixels.shape[1]
    true = parts_of(MAZE.split("\n")).ravel()
    goal = int((true == ord("G")).argmax())
    agent = int((true == ord("S")).argmax())
    confidence = np.ones(true.size, np.float32)
    confidence[goal] = 0.15
    rival = seen.likeness.look.copy()
    rival[goal] = seen.likeness.look[agent]
    found = Judged(seen.likeness.look, confidence, rival)
    told = vouched(image, seen, found, lambda parts: mend("maze", parts), 1.0)
    assert told.confidence[goal] > 0.5
    assert (told.look == found.look).all()
    alone = vouched(image, seen, found, np.copy, 1.0)  # anything goes with anything
    assert alone.confidence[goal] == np.float32(0.15)


def test_what_a_cell_looks_like_is_struck_out_only_where_that_is_chance() -> None:
    """A second agent, in doubt by more than chance; and a floor taken for one, by less."""
    agent, floor = 10, 9 + 2
    rival = view()[1].likeness.look
    for sure, now in ((0.15, "S"), (0.01, ".")):
        pixels, seen = view(second_agent=now == "S")
        image = pixels.shape[0], pixels.shape[1]
        look = seen.likeness.look.copy()
        assert seen.looks.parts[look[agent]] == ord("S")
        look[floor] = look[agent]
        confidence = np.ones(look.size, np.float32)
        confidence[floor] = sure
        found = Judged(look, confidence, rival)
        told = vouched(image, seen, found, lambda parts: mend("maze", parts), 1.0)
        assert chr(seen.looks.parts[told.look[floor]]) == now
        assert (told.confidence[floor] >= 0.2) == (now == ".")


def test_what_is_left_of_a_cell_must_go_with_the_rest() -> None:
    """A cell of which nothing goes with the rest: what is not struck out is not told for that."""
    pixels, seen = view()
    floor, look = 9 + 2, seen.likeness.look
    confidence = np.ones(look.size, np.float32)
    confidence[floor] = 0.15

    def none_there(parts: NDArray[np.int16]) -> NDArray[np.int16]:
        out = parts.copy()
        out.flat[floor] = UNKNOWN
        return out

    found = Judged(look, confidence, look)
    told = vouched((pixels.shape[0], pixels.shape[1]), seen, found, none_there, 1.0)
    assert told.look[floor] == look[floor]
    assert told.confidence[floor] == 0


def test_colours_are_fitted_until_the_parts_agree() -> None:
    """Parts that are mended one after another."""
    pixels, seen = view()
    true = parts_of(MAZE.split("\n"))
    look = seen.likeness.look.copy()
    cells = np.flatnonzero(true.ravel() == ord("."))[:6]
    look[cells] = look[0]  # floors taken for walls
    gap = seen.likeness.gap.copy()
    gap[cells] = 20.0
    strange, margin, evidence = (getattr(seen.likeness, n) for n in Likeness._fields[2:5])
    wrong = seen._replace(likeness=Likeness(look, gap, strange, margin, evidence, look))
    fits = consistent(pixels, wrong, lambda parts: np.where(parts != true, true, parts))
    assert (fits.looks.parts[fits.likeness.look].reshape(SIZE) == true).all()


def test_a_misread_cell_is_read_as_what_would_make_a_board_where_that_fits_better() -> None:
    pixels, seen = view()
    true = parts_of(MAZE.split("\n"))
    look, gap = seen.likeness.look.copy(), seen.likeness.gap.copy()
    look[10], gap[10] = look[0], 20.0  # the agent taken for a wall
    strange, margin, evidence = (getattr(seen.likeness, n) for n in Likeness._fields[2:5])
    wrong = seen._replace(likeness=Likeness(look, gap, strange, margin, evidence, look))
    assert (seen.looks.parts[look].reshape(SIZE) != true).sum() == 1
    out = consistent(pixels, wrong, lambda parts: true)
    assert (out.looks.parts[out.likeness.look].reshape(SIZE) == true).all()
    assert consistent(pixels, wrong, np.copy) is wrong


def test_what_is_seen_outweighs_what_would_make_a_board() -> None:
    pixels, seen = view()
    other = parts_of(MAZE.replace("S", ".").split("\n"))
    out = consistent(pixels, seen, lambda parts: other)
    shown = out.looks.parts[out.likeness.look].reshape(SIZE)
    assert (shown == parts_of(MAZE.split("\n"))).all()


@pytest.mark.parametrize("moved", [(0.0, 0.0), (0.7, 0.0), (0.0, -0.6), (0.5, 0.4)])
def test_nodes_move_to_where_the_board_is_seen(moved: tuple[float, float]) -> None:
    """A texture moved by (x, y) pixels, of which one step finds most."""
    noise = np.random.default_rng(6).normal(0, 1, (96, 128))
    true = (60 * ndimage.gaussian_filter(noise, 2) / 0.14 + 128).astype(np.float32)
    board = ndimage.shift(true, moved[::-1], order=3, mode="nearest").astype(np.float32)
    place = bent(board, true, np.ones(board.shape, bool), Place(np.eye(2, 3)), 8)
    assert place.bend is not None
    assert place.bend.shape == (13, 17, 2)
    assert np.abs(place.bend[2:-2, 2:-2] - moved).max() < 0.15


def test_nodes_of_a_plain_board_stay() -> None:
    plain = np.full((64, 64), 90, np.float32)
    place = bent(plain, plain, np.ones((64, 64), bool), Place(np.eye(2, 3)), 8)
    assert place.bend is not None
    assert not place.bend.any()
