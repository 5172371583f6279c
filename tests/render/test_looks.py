"""Cells compared with looks: by few axes as by all pixels."""

import numpy as np
import pytest

from puzzles.reading import looks
from render.boards.axes import least

FAMILIES = ("maze", "sokoban", "path", "onet", "parking", "klotski")


@pytest.mark.parametrize("name", FAMILIES)
def test_the_axes_tell_distances_as_all_pixels_do(name: str) -> None:
    known, random = looks(name, "{}"), np.random.default_rng(5)
    chosen = random.integers(0, len(known.parts), 24)
    patches = known.patches[chosen]
    patches = patches + random.normal(0, 5, patches.shape).astype(np.float32)
    true = np.stack([((known.patches - patch) ** 2).sum(axis=1) for patch in patches])
    told = known.distances(patches)
    side = patches.shape[1]
    assert np.abs(np.sqrt(told / side) - np.sqrt(true / side)).max() < 0.05
    assert (known.parts[true.argmin(axis=1)] == known.parts[known.nearest(patches).look]).all()


def test_the_least_are_found_in_groups() -> None:
    far = np.random.default_rng(2).random((7, 1003)).astype(np.float32)
    true = np.sort(np.argsort(far, axis=1)[:, :12], axis=1)
    assert (np.sort(least(far, 12), axis=1) == true).all()


def test_the_least_are_there_where_few_are_finite() -> None:
    far = np.full((3, 131), np.inf)
    far[:, 40] = 1
    found = least(far, 12)
    assert found.shape == (3, 12)
    assert found.max() < 131
    assert (found == 40).any(axis=1).all()


def test_soft_looks_are_smoother_and_coarse_ones_smaller() -> None:
    known = looks("maze", "{}")
    edges = [
        np.abs(np.diff(k.tiles.astype(int), axis=2)).mean() for k in (known, known.softened(1))
    ]
    assert edges[1] < 0.8 * edges[0]
    assert known.coarse().tiles.shape[1:] == (8, 8, 3)
    assert known.softened(1).plain() is known
