"""Boards of every family read back along a solution; pictures of anything read or refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from puzzles import NAMES, family, make
from puzzles.reading import read, read_cells
from puzzles.replay import initial, optimal_actions
from render.encode import png
from render.read import UnreadableImage


@pytest.mark.parametrize("name", NAMES)
def test_states_along_a_solution_are_read_exactly(name: str) -> None:
    room = family(name)
    assert room.reading is not None
    instance = make(name, next(iter(room.buckets)), 1, seed=8_117)[0]
    states = [initial(instance)]
    for action in optimal_actions(instance):
        states.append(room.apply(states[-1], action))
    assert room.is_solved(states[-1])
    for state in states:
        size, rules = room.reading.parts(state).shape, room.rules_of(state)
        assert read(room, png(room.draw(state, 32)), size=size, rules=rules) == state


@settings(max_examples=10)
@given(
    name=st.sampled_from(NAMES),
    mode=st.sampled_from(["RGB", "L", "1", "RGBA"]),
    box=st.tuples(*[st.floats(0, 0.4)] * 4),
    size=st.tuples(st.integers(48, 512), st.integers(48, 512)),
    mirrored=st.booleans(),
    known=st.booleans(),
)
def test_any_picture_is_read_or_refused(
    name: str,
    mode: str,
    box: tuple[float, float, float, float],
    size: tuple[int, int],
    mirrored: bool,
    known: bool,
) -> None:
    room = family(name)
    state = initial(make(name, next(iter(room.buckets)), 1, seed=8_117)[0])
    picture = room.draw(state, 32)
    image = Image.fromarray(picture.palette[picture.pixels])
    left, top, right, bottom = box
    wide, high = image.size
    image = image.crop(
        (int(left * wide), int(top * high), int((1 - right) * wide), int((1 - bottom) * high))
    )
    image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if mirrored else image
    image = image.resize(size).convert(mode)
    pixels = np.asarray(image.convert("RGBA" if mode == "RGBA" else "RGB"))
    try:  # of all that may be raised, only this
        seen = read(room, image if mode in "L1" else pixels, size=room.size if known else None)
    except UnreadableImage:
        return
    assert not known or room.reading.parts(seen).shape == room.size  # type: ignore[union-attr]


@pytest.mark.parametrize("share", [0.9, 0.93, 0.945, 0.95, 0.97])
@pytest.mark.parametrize("cell", [48, 64])
def test_a_narrower_picture_is_read_or_refused_and_no_cell_is_wrong(
    share: float, cell: int
) -> None:
    room = family("path")
    state = initial(make("path", "easy", 1, seed=8_118)[0])
    assert room.reading is not None
    true = room.reading.parts(state)
    picture = room.draw(state, cell)
    image = Image.fromarray(picture.palette[picture.pixels])
    pixels = np.asarray(image.resize((round(share * image.width), image.height)))
    try:
        seen = read_cells(room, pixels, state).parts
    except UnreadableImage:
        assert share < 0.945
    else:
        assert ((seen == true) | (seen == -1)).all()
