"""What may lie over a board: a drawn way, or the grid with its labels."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from render.boards.warping import RGB
from render.grid import label_mask
from render.lab import lab
from render.palette import AID_RED

Mask = NDArray[np.bool_]
GRIDDED = 0.35
"""Share of the boundaries between cells that are red where there is a grid."""
REDDER = 16
"""Levels that a reddish colour has more of red than of green and blue, at least."""
REDDER_BOUNDS = 1.5
"""How much more of a grid's boundaries is reddish than of the middles of its cells, at least."""

_RED = lab(np.array(AID_RED, np.uint8))[1:]
_HUE = _RED / np.hypot(*_RED)


def reddish(board: RGB) -> Mask:
    """Return which pixels (H, W) are of the aids' red, or beside one that is."""
    most = np.maximum(board[..., 1], board[..., 2])
    few = np.minimum(np.uint8(REDDER), 255 - most)  # CIELAB is slow
    marks = board[..., 0] > most + few
    some = np.flatnonzero(marks)  # of a flat mask numpy finds the few that are true soonest
    a, b = lab(board.reshape(-1, 3)[some])[:, 1:].T
    chroma, across = a * _HUE[0] + b * _HUE[1], np.abs(a * _HUE[1] - b * _HUE[0])
    marks.reshape(-1)[some] = (chroma > 18) & (across < 0.85 * chroma)
    return wider(marks)


@lru_cache(maxsize=16)
def grid(shape: tuple[int, int], detail: int) -> Mask:
    """Return which pixels of a board are of a grid's lines and labels; what else is red isn't."""
    rows, cols = shape[0] // detail, shape[1] // detail
    fine = label_mask(rows, cols, 4 * detail)
    labels = fine.reshape(rows * detail, 4, cols * detail, 4).max(axis=(1, 3)).astype(bool)
    lines = np.zeros_like(labels)
    lines[::detail] = lines[:, ::detail] = True
    return wider(labels | lines)


def has_grid(marks: Mask, detail: int) -> bool:
    """Return whether most of the boundaries between cells are red, and redder than their middles.

    Noise is reddish everywhere.
    """
    bounds, middles = [], []
    for along in (marks, marks.T):
        bounds.append((along[detail - 1 : -1 : detail] | along[detail::detail]).mean(axis=1))
        middle = detail // 2
        middles.append((along[middle - 1 :: detail] | along[middle::detail]).mean(axis=1))
    if not max(map(len, bounds)):
        return False
    share = float(np.concatenate(bounds).mean())
    return share > GRIDDED and share > REDDER_BOUNDS * float(np.concatenate(middles).mean())


def wider(mask: Mask) -> Mask:
    """Return a mask grown by a pixel each way."""
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    mask = wide.copy()
    wide[:, 1:] |= mask[:, :-1]
    wide[:, :-1] |= mask[:, 1:]
    return wide
