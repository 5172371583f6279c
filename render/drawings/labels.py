"""Which coordinates are written in the cells of a picture: each cell against the label of each."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.grid import label_levels

WRITTEN = (32, 40, 64, 100)
"""Pixels of the cells at which labels may have been written."""
_SWAY = 2
"""Pixels by which a label may lie off its place, each way."""


def likeness_of_labels(
    grey: NDArray[np.float32], rows: int, cols: int, cell: int
) -> NDArray[np.float32]:
    """Return how well each cell of a board correlates with each label, (cells, labels), up to 1.

    ``grey`` is the board, ``cell`` pixels a cell. Takes time by the square of the cells.
    """
    likeness = np.full((rows * cols, rows * cols), -1, np.float32)
    for form in _forms(rows, cols, cell):
        for y in range(-_SWAY, _SWAY + 1):
            for x in range(-_SWAY, _SWAY + 1):
                spots = _spots(grey, (rows, cols, cell), form, (y, x))
                likeness = np.maximum(likeness, _likeness(spots, form))
    return likeness


class _Form(NamedTuple):
    """All labels of a board, as written at one size of cells: (labels, pixels) of a box in a cell.

    ``ink`` is 0 to 1; ``zone`` is 1 where a label has ink or halo.
    """

    box: tuple[slice, slice]
    ink: NDArray[np.float32]
    zone: NDArray[np.float32]


@lru_cache(maxsize=8)
def _forms(rows: int, cols: int, to: int) -> list[_Form]:
    """The labels at each of WRITTEN, brought to one size: glyphs keep to pixels, so they differ."""
    return [_form(rows, cols, cell, to) for cell in WRITTEN]


def _form(rows: int, cols: int, cell: int, to: int) -> _Form:
    levels, y, x = label_levels(rows, cols, cell)
    levels = levels.transpose(0, 2, 1, 3).reshape(-1, levels.shape[1], levels.shape[3])
    cells = np.zeros((2, len(levels), cell, cell), np.float32)
    room = slice(None), slice(y, y + levels.shape[1]), slice(x, x + levels.shape[2])
    cells[0][room] = np.maximum(levels.astype(np.float32) - 2, 0) / 4
    cells[1][room] = levels > 0
    flat = cells.reshape(-1, cell, cell)
    scaled = np.stack([_scaled(one, to) for one in flat]).reshape(2, -1, to, to)
    used = scaled[1].any(axis=0)
    down, across = used.any(axis=1).nonzero()[0], used.any(axis=0).nonzero()[0]
    box = slice(int(down[0]), int(down[-1]) + 1), slice(int(across[0]), int(across[-1]) + 1)
    ink, zone = (part[:, box[0], box[1]].reshape(len(levels), -1) for part in scaled)
    return _Form(box, ink, (zone > 0.5).astype(np.float32))


def _scaled(cell: NDArray[np.float32], to: int) -> NDArray[np.float32]:
    how = Image.Resampling.BOX if len(cell) > to else Image.Resampling.BILINEAR
    return np.asarray(Image.fromarray(cell).resize((to, to), how), np.float32)


def _spots(
    grey: NDArray[np.float32], size: tuple[int, int, int], form: _Form, by: tuple[int, int]
) -> NDArray[np.float32]:
    """Where labels stand, (cells, pixels), so far from their place; outside the edge goes on."""
    rows, cols, to = size
    padded = np.pad(grey, _SWAY, mode="edge")[_SWAY + by[0] :, _SWAY + by[1] :]
    cut = padded[: rows * to, : cols * to].reshape(rows, to, cols, to)
    return cut.transpose(0, 2, 1, 3)[:, :, form.box[0], form.box[1]].reshape(rows * cols, -1)


def _likeness(spots: NDArray[np.float32], form: _Form) -> NDArray[np.float32]:
    """Correlations (cells, labels) of what is seen with labels, each over its ink and halo."""
    zone, ink = form.zone, form.ink * form.zone
    total = zone.sum(axis=1)
    dark = -(ink - (ink.sum(axis=1) / total)[:, None]) * zone
    seen = spots @ zone.T
    spread = np.maximum((spots * spots) @ zone.T - seen * seen / total, 1)
    strength = np.sqrt((dark * dark).sum(axis=1))
    flat = 100 * total  # ten levels of contrast: less is like nothing
    out: NDArray[np.float32] = (spots @ dark.T) / (np.sqrt(spread + flat) * strength)
    return out
