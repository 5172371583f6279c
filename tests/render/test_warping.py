"""Pictures resampled: with OpenCV and without it alike, and so are the boards that are read."""

import numpy as np
import pytest
from PIL import Image

from puzzles import family, make
from puzzles.reading import read
from puzzles.replay import initial
from render.boards import warping

pytest.importorskip("cv2")
FAMILIES = ("maze", "sokoban", "path", "onet", "parking", "klotski")


def both(monkeypatch: pytest.MonkeyPatch, change: object, *given: object) -> list[np.ndarray]:
    out = []
    for switch in (True, False):
        monkeypatch.setattr(warping, "opencv", switch)
        out.append(np.asarray(change(*given), float))  # type: ignore[operator]
    return out


def test_both_ways_differ_by_a_level_or_so(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    image = np.kron(random.integers(0, 256, (9, 9, 3), np.uint8), np.ones((16, 16, 1), np.uint8))
    matrix = np.array([[1.1, 0.03, -6.0], [-0.02, 0.9, 9.0]])
    one, other = both(monkeypatch, warping.transformed, image, matrix, (150, 140))
    assert np.abs(one - other).mean() < 0.5
    y, x = np.mgrid[:10, :10] * 15.0
    nodes = np.stack([x, y]) + random.normal(0, 2, (2, 10, 10))
    one, other = both(monkeypatch, warping.meshed, image, nodes, (144, 144))
    assert np.abs(one - other).mean() < 0.5


@pytest.mark.parametrize("name", FAMILIES)
def test_boards_are_read_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    room = family(name)
    state = initial(make(name, next(iter(room.buckets)), 1, seed=811)[0])
    picture = room.draw(state, 64)
    turned = Image.fromarray(picture.palette[picture.pixels]).rotate(
        0.6, Image.Resampling.BICUBIC, fillcolor="white"
    )
    for switch in (True, False):
        monkeypatch.setattr(warping, "opencv", switch)
        assert read(room, np.asarray(turned), size=room.size) == state
