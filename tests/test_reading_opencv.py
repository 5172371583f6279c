"""Boards are read alike with OpenCV and without it."""

import numpy as np
import pytest

from benchmarks.ladder import cases, picture
from puzzles import NAMES, family
from puzzles.reading import read_cells
from render.boards import warping

pytest.importorskip("cv2", reason="the extra cv is not installed")

SEED = 65537
"""Its boards are not those on which anything was tuned."""


@pytest.mark.parametrize("names", [("rotation", "shift"), ("warp", "jpeg")], ids="-".join)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_cells_are_read_without_opencv(
    name: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    (case,) = cases(name, 1, SEED)
    image = picture(case, names, 2)
    assert warping.opencv
    with_it = read_cells(family(name), image, case.before)
    monkeypatch.setattr(warping, "opencv", False)
    monkeypatch.setattr(warping, "cv2", None)
    without = read_cells(family(name), image, case.before)
    assert np.array_equal(with_it.parts, without.parts)
    assert np.abs(with_it.matrix - without.matrix).max() < 1
