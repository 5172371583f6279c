"""Pictures read back: what is drawn is what is seen, whatever has happened to it on the way."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from puzzles import family
from puzzles.draws import Draws
from puzzles.reading import read, read_cells
from render.boards.looks import UNKNOWN
from render.encode import png
from render.read import UnreadableImage

RGB = NDArray[np.uint8]
READ = ["maze", "sokoban", "path", "onet", "parking", "klotski"]
BOARDS = {
    "maze": "#########\n#S..#...#\n#.#.#.#.#\n#.#...#G#\n#########",
    "sokoban": "########\n#@-$.-*#\n#--#---#\n########",
    "path": "SA.#B#I\n##.#.#C\nD...E.G\nF#H#J#.",
    "parking": "RR.a..\n#.Aa.E\nB.Aa.E\nB.CC..\n......\nDDD.FF",
    "klotski": "ATTB\nATTB\n.CC.\nDEF.\nDGGH",
    "onet": "ABCDEF\nGHIJKL\nMNOPQR\n.A.B.C\nDEFGHI\nJKLMNO\nPQR...\n...aa.",
}


def state_of(name: str) -> Any:
    return family(name).parse(BOARDS[name], {"goal": [3, 1]} if name == "klotski" else {})


def drawn(name: str, cell: int = 48, how: str = "draw") -> RGB:
    picture = getattr(family(name), how)(state_of(name), cell)
    return np.asarray(picture.palette[picture.pixels])


def jpeg(pixels: RGB, quality: int = 40) -> RGB:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality)
    return np.asarray(Image.open(out))


def resized(pixels: RGB, longest: int) -> RGB:
    height, width = pixels.shape[:2]
    scale = longest / max(height, width)
    size = round(width * scale), round(height * scale)
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC))


def blurred(pixels: RGB) -> RGB:
    return np.asarray(Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(1)))


def noisy(pixels: RGB) -> RGB:
    gaps = np.random.default_rng(3).normal(0, 12, pixels.shape)
    return np.clip(pixels + gaps, 0, 255).astype(np.uint8)


def tinted(pixels: RGB) -> RGB:
    return np.clip(pixels * [0.95, 0.9, 0.8] + [12, 4, 0], 0, 255).astype(np.uint8)


def turned(pixels: RGB, degrees: float = 1.0) -> RGB:
    image = Image.fromarray(pixels)
    return np.asarray(image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor="white"))


def moved(pixels: RGB) -> RGB:
    out = np.full_like(pixels, 255)
    out[4:, :-3] = pixels[:-4, 3:]
    return out


def bordered(pixels: RGB) -> RGB:
    return np.pad(pixels, ((14, 14), (14, 14), (0, 0)), constant_values=255)


def narrower(pixels: RGB) -> RGB:
    height, width = pixels.shape[:2]
    return np.asarray(Image.fromarray(pixels).resize((width * 98 // 100, height)))


CHANGES: dict[str, Callable[[RGB], RGB]] = {
    "as drawn": lambda pixels: pixels,
    "larger": lambda pixels: resized(pixels, 900),
    "narrower": lambda p: np.asarray(
        Image.fromarray(p).resize((p.shape[1] * 98 // 100, p.shape[0]))
    ),
    "jpeg": jpeg,
    "blurred": blurred,
    "noisy": noisy,
    "tinted": tinted,
    "turned": turned,
    "moved": moved,
    "cropped": lambda pixels: pixels[3:-2, 4:-1],
    "bordered": bordered,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", READ)
def test_a_picture_is_read_whatever_has_happened_to_it(name: str, change: str) -> None:
    state = state_of(name)
    size = family(name).reading.parts(state).shape  # type: ignore[union-attr]
    pixels = CHANGES[change](drawn(name, 64 if name == "path" else 48))
    assert read(family(name), pixels, size=size) == state


@pytest.mark.parametrize("cell", [32, 45, 64, 100])
@pytest.mark.parametrize("name", READ)
def test_what_is_drawn_is_read_at_every_size(name: str, cell: int) -> None:
    room, state = family(name), state_of(name)
    assert read(room, png(room.draw(state, cell)), state) == state
    size = room.reading.parts(state).shape  # type: ignore[union-attr]
    seen = read_cells(room, drawn(name, cell), size=size)
    assert (seen.confidence > 0.3).all()


@pytest.mark.parametrize("name", READ)
def test_parts_and_boards_are_inverse(name: str) -> None:
    reading = family(name).reading
    assert reading is not None
    assert reading.assemble(reading.parts(state_of(name))) == BOARDS[name]
    for specimen in reading.specimens({}):
        parts = reading.parts(specimen)
        assert parts.dtype == np.int16
        assert parts.min() >= 0


@pytest.mark.parametrize("name", READ)
def test_the_size_is_found_from_the_grid(name: str) -> None:
    state = state_of(name)
    assert read(family(name), drawn(name)) == state


@given(st.integers(0, 10_000))
def test_mazes_of_any_shape_are_read(seed: int) -> None:
    draws, room = Draws("read", seed), family("maze")
    rows, cols = 3 + draws.below(6), 3 + draws.below(6)
    board = [["#" if draws.below(2) else "." for _ in range(cols)] for _ in range(rows)]
    cells = draws.shuffled([(r, c) for r in range(rows) for c in range(cols)])
    for (r, c), mark in zip(cells, "SG", strict=False):
        board[r][c] = mark
    state = room.parse("\n".join(map("".join, board)), {})
    assert read(room, png(room.draw(state, 40)), size=(rows, cols)) == state


@pytest.mark.parametrize("name", [name for name in READ if name != "klotski"])
def test_a_covered_cell_is_unknown_and_the_others_are_read(name: str) -> None:
    """Not in klotski, where one colour may be the inside of a block."""
    room, state = family(name), state_of(name)
    truth = room.reading.parts(state)  # type: ignore[union-attr]
    for colour in ((128, 128, 128), (200, 30, 200), (20, 90, 160)):
        pixels = drawn(name).copy()
        pixels[48 : 2 * 48, 2 * 48 : 3 * 48] = colour
        seen = read_cells(room, pixels, size=truth.shape)
        assert seen.parts[1, 2] == UNKNOWN
        others = np.ones(truth.shape, bool)
        others[1, 2] = False
        assert (seen.parts[others] == truth[others]).all()
    with pytest.raises(UnreadableImage, match=r"what stands at \(1,2\) can't be told"):
        read(room, pixels, size=truth.shape)


@pytest.mark.parametrize("name", ["maze", "sokoban", "path"])
def test_a_drawn_way_does_not_disturb(name: str) -> None:
    room, state = family(name), state_of(name)
    actions = []
    after = state
    for _ in range(5):
        actions.append(room.legal_actions(after)[-1])
        after = room.apply(after, actions[-1])
    picture = room.draw_solution(state, actions, 64)
    assert read(room, png(picture), state) == state


@pytest.mark.parametrize("name", READ)
def test_a_board_is_read_beneath_its_aid(name: str) -> None:
    room, state = family(name), state_of(name)
    true = room.reading.parts(state)  # type: ignore[union-attr]
    seen = read_cells(room, drawn(name, 64, "draw_aid"), size=true.shape).parts
    told = seen != UNKNOWN
    assert (seen[told] == true[told]).all()
    # Labels hide half of a vehicle's letter here and there.
    assert told.all() or (name == "parking" and told.mean() > 0.8)


@pytest.mark.parametrize("name", READ)
def test_a_board_whose_parts_have_wandered_is_read(name: str) -> None:
    """A smooth field, up to 2 pixels at 64 a cell."""
    state, pixels = state_of(name), drawn(name, 64)
    height, width = pixels.shape[:2]
    y, x = np.mgrid[:height, :width].astype(float)
    down, across = y + 2 * np.sin(x / 45), x + 2 * np.sin(y / 52 + 1)
    at = np.clip(np.rint([down, across]).astype(int), 0, [[[height - 1]], [[width - 1]]])
    size = family(name).reading.parts(state).shape  # type: ignore[union-attr]
    assert read(family(name), pixels[at[0], at[1]], size=size) == state


@pytest.mark.parametrize("cast", [(0, 0, 0), (-2, 1, 3), (-8, -11, -5), (9, 9, 9), (-20, -8, 4)])
def test_a_board_of_one_colour_is_read_in_a_cast(cast: tuple[int, int, int]) -> None:
    room = family("onet")
    state = room.parse("\n".join(["......"] * 6), {})
    picture = room.draw(state, 48)
    pixels = (picture.palette[picture.pixels].astype(int) + cast).astype(np.uint8)
    seen = read_cells(room, pixels, size=(6, 6))
    assert room.reading is not None
    assert (seen.parts == room.reading.parts(state)).all()
    assert seen.confidence.max() <= 1 - max(map(abs, cast)) / 60  # it may be of something else


def test_forgeries_are_seen() -> None:
    room = family("maze")
    picture = room.draw(state_of("maze"), 48)
    pixels = picture.palette[picture.pixels].copy()
    pixels[48:96, 7 * 48 : 8 * 48] = pixels[48:96, 48:96]  # a second agent
    with pytest.raises(UnreadableImage, match=r"a second agent at \(1,7\)"):
        read(room, pixels, size=(5, 9))
    seen = read_cells(room, pixels, size=(5, 9))
    assert chr(seen.parts[1, 7]) == chr(seen.parts[1, 1]) == "S"


def blank() -> RGB:
    return np.full((480, 480, 3), 255, np.uint8)


def mist() -> RGB:
    coarse = np.random.default_rng(1).integers(0, 256, (9, 9, 3), np.uint8)
    return np.asarray(Image.fromarray(coarse).resize((480, 480), Image.Resampling.BICUBIC))


def grain() -> RGB:
    return np.random.default_rng(2).integers(0, 256, (480, 480, 3), np.uint8)


def page() -> RGB:
    image = Image.new("RGB", (480, 480), "white")
    for line in range(30):
        ImageDraw.Draw(image).text(
            (20, 16 * line), f"line {line} of a page with words " * 2, "black"
        )
    return np.asarray(image)


@pytest.mark.parametrize("other", [blank, mist, grain, page], ids=lambda make: str(make.__name__))
@pytest.mark.parametrize("name", READ)
def test_what_is_no_board_is_refused(name: str, other: Callable[[], RGB]) -> None:
    room = family(name)
    with pytest.raises(UnreadableImage):
        read(room, other(), size=room.size)


@pytest.mark.parametrize("name", READ)
def test_the_board_of_another_family_is_refused(name: str) -> None:
    for other in READ:
        if other != name:
            room, state = family(other), state_of(other)
            size = room.reading.parts(state).shape  # type: ignore[union-attr]
            with pytest.raises(UnreadableImage):
                read(family(name), drawn(other), size=size)


def test_what_is_no_picture_is_refused_in_a_sentence() -> None:
    room = family("maze")
    with pytest.raises(UnreadableImage, match="not an image that can be read"):
        read(room, b"no picture")
    with pytest.raises(UnreadableImage, match="20x20 pixels, too few to be read"):
        read(room, np.zeros((20, 20, 3), np.uint8))
    with pytest.raises(UnreadableImage, match="not the shape of a board of 10 rows and 10 columns"):
        read(room, np.zeros((100, 300, 3), np.uint8), size=(10, 10))
