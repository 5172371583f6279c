"""What may lie over a board: a drawn way, or the grid with its labels."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from render.grid import label_mask
from render.lab import lab
from render.palette import AID_RED
from render.warping import RGB

Mask = NDArray[np.bool_]


def marked(board: RGB, detail: int) -> Mask:
    """Return which pixels (H, W) may be of a drawn way, or of the grid and its labels."""
    marks = reddish(board)
    return grid((board.shape[0], board.shape[1]), detail) if has_grid(marks, detail) else marks


def reddish(board: RGB) -> Mask:
    """Return which pixels (H, W) are of the aids' red, or beside one that is."""
    colours = lab(board)
    red = lab(np.array(AID_RED, np.uint8))
    hue = red[1:] / np.hypot(*red[1:])
    chroma = colours[..., 1:] @ hue
    across = np.abs(colours[..., 1] * hue[1] - colours[..., 2] * hue[0])
    marks: Mask = wider((chroma > 18) & (across < 0.85 * chroma))
    return marks


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
    """Return whether most of the boundaries between cells are red."""
    shares = []
    for along in (marks, marks.T):
        for at in range(detail, along.shape[0], detail):
            shares.append(along[at - 1 : at + 1].any(axis=0).mean())
    return bool(np.mean(shares or [0]) > 0.35)


def wider(mask: Mask) -> Mask:
    """Return a mask grown by a pixel each way."""
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    mask = wide.copy()
    wide[:, 1:] |= mask[:, :-1]
    wide[:, :-1] |= mask[:, 1:]
    return wide
