"""Boards found where they were put: by a matrix, and bent."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.boards.align import register, whole
from render.boards.place import Place, bent, cut_out, inside, nodes
from render.boards.warping import Grey


def board(seed: int) -> NDArray[np.uint8]:
    """Squares of many colours, 160 x 160."""
    cells = np.random.default_rng(seed).integers(0, 256, (10, 10, 3), np.uint8)
    return np.kron(cells, np.ones((16, 16, 1), np.uint8))


def grey(pixels: NDArray[np.uint8]) -> Grey:
    return np.asarray(Image.fromarray(pixels).convert("L"), np.float32)


def test_a_board_is_found_where_it_was_put() -> None:
    for seed in range(4):
        true = board(seed)
        angle = np.deg2rad((-1.5, 1.0, 0.4, -0.7)[seed])
        turn = 2 * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        matrix = np.hstack([turn, [[4.0 - seed], [seed + 2.0]]])
        back = np.linalg.inv(np.vstack([matrix, [0, 0, 1]]))[:2]
        image = Image.fromarray(true).transform(
            (330, 330), Image.Transform.AFFINE, tuple(back.ravel()), Image.Resampling.BILINEAR
        )
        start = whole((160, 160), (320, 320))
        found = register(np.asarray(image), true, start=start)
        corners = np.array([[8, 152, 8, 152], [8, 8, 152, 152], [1, 1, 1, 1]])
        assert np.abs(found.matrix @ corners - matrix @ corners).max() < 0.4
        assert found.correlation > 0.97


def test_a_bent_board_is_set_right() -> None:
    true = board(7)
    y, x = np.mgrid[:21, :21] / 20 * np.pi
    bend = np.stack([1.2 * np.sin(2 * y), 1.2 * np.cos(2 * x)], axis=-1).astype(np.float32)
    seen = cut_out(true, Place(whole((160, 160), (160, 160)), bend), (160, 160))
    place = Place(whole((160, 160), (160, 160)))
    shown = np.ones((160, 160), bool)
    before = now = np.abs(grey(seen) - grey(true)).mean()
    for _ in range(5):
        place = bent(grey(cut_out(seen, place, (160, 160))), grey(true), shown, place, 8)
        now = np.abs(grey(cut_out(seen, place, (160, 160))) - grey(true)).mean()
    assert now < 0.65 * before


def test_what_lies_outside_the_picture_is_known() -> None:
    place = Place(np.array([[2.0, 0, -20], [0, 2, 0]]), np.zeros((3, 3, 2), np.float32))
    shown = inside((100, 100), place, (50, 50))
    assert not shown[:, :10].any()
    assert shown[:, 10:].all()
    assert nodes(place, (50, 50))[:, 0, 0].tolist() == [-20, 0]
