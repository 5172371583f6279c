"""CIELAB, held to scikit-image."""

import numpy as np
import pytest

from render.lab import lab


def test_colours_are_those_of_scikit_image() -> None:
    color = pytest.importorskip("skimage.color")
    random = np.random.default_rng(9).integers(0, 256, (500, 3), np.uint8)
    edges = np.array([[0, 0, 0], [255, 255, 255], [1, 1, 1], [255, 0, 0], [0, 0, 255]], np.uint8)
    colours = np.concatenate([random, edges])
    assert np.abs(lab(colours) - color.rgb2lab(colours)).max() < 0.02
