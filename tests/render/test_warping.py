"""Pictures resampled: with OpenCV and without it alike."""

import numpy as np
import pytest

from render.boards import warping

pytest.importorskip("cv2", reason="the extra cv is not installed")


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
