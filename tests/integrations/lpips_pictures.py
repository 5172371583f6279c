"""Pairs of pictures made of our own drawings, for LPIPS to be held to the package lpips."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from protocols.aids import Aids
from puzzles import NAMES
from puzzles.generate import Recipe, generate
from puzzles.replay import initial, optimal_actions
from render.fidelity.differences import RGB, pixels

CELL = 40
SEED = 20180111
_BLUR, _SHIFT, _NOISE = 5, 3, 40


def pairs() -> Iterator[tuple[str, RGB, RGB]]:
    """Yield names, pictures and the true drawings that they are compared with: five a family."""
    for name in NAMES:
        instance = generate(Recipe(family=name, difficulty="easy", seed=SEED), 0).instance
        aids, state = Aids(CELL), initial(instance)
        true = pixels(aids.solution(instance, optimal_actions(instance)).png)
        yield f"{name}, board", pixels(aids.board(instance, state).png), true
        yield f"{name}, grid", pixels(aids.board(instance, state, aug=True).png), true
        yield f"{name}, noise", _noisy(true), true
        yield f"{name}, blur", _blurred(true), true
        yield f"{name}, shift", np.roll(true, _SHIFT, (0, 1)), true


def _noisy(picture: RGB) -> RGB:
    """Return the picture with up to 40 levels more or less in each channel."""
    noise = np.random.default_rng(SEED).integers(-_NOISE, _NOISE + 1, picture.shape)
    return (picture + noise).clip(0, 255).astype(np.uint8)


def _blurred(picture: RGB) -> RGB:
    """Return the means of 5 by 5 pixels, in whole numbers so that they are the same anywhere."""
    edge, (rows, cols, _) = _BLUR // 2, picture.shape
    wide = np.pad(picture.astype(np.int64), [(edge, edge), (edge, edge), (0, 0)], mode="edge")
    total: NDArray[np.int64] = sum(
        wide[r : r + rows, c : c + cols] for r in range(_BLUR) for c in range(_BLUR)
    )
    return (total // _BLUR**2).astype(np.uint8)
