"""The colours of a picture brought into line with a drawing's: a gain and an offset a channel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.boards.warping import RGB

Table = NDArray[np.uint8]
"""(256, 3): what each level of each channel becomes."""
_NEAR = (80.0, 40.0, 20.0, 8.0)
"""Levels that agreeing pixels may be apart, at each step of a colour fit: first all take part."""
_ENDS = (0.02, 0.98)
_SAMPLED = 2500
"""Pixels that are enough to fit colours by."""
_VARIED = 8.0
"""Levels that a channel must vary by for its gain to be known."""
_GAINS, _OFFSET = (0.6, 1.7), 80.0
"""What a colour cast may be; a picture in quite other colours is another picture."""
_LEVELS = np.arange(256)[:, None]
SAME: Table = np.repeat(_LEVELS, 3, axis=1).astype(np.uint8)
"""Leaves all colours as they are."""


def fitted(image: RGB, board: RGB) -> RGB:
    """Return ``image`` in the colours of ``board``, of the same size."""
    return tinted(image, tint(image, board))


def tinted(image: RGB, table: Table) -> RGB:
    """Return a picture whose levels a table replaces."""
    if table is SAME:
        return image
    return np.stack([table[:, k][image[..., k]] for k in range(3)], axis=-1)


def tint(image: RGB, board: RGB) -> Table:
    """Return what brings ``image`` into the colours of ``board``, of the same size.

    From the means and deviations of the pixels that agree: a slope by least squares would be too
    small wherever there is noise, or a board not quite in line, and make the picture greyer with
    every fit.
    """
    # An odd step meets every column of a cell, whose sides are powers of two.
    step = -(-image.shape[0] * image.shape[1] // _SAMPLED) | 1
    seen, true = (
        np.ascontiguousarray(a.reshape(-1, 3)[::step].T, np.float32) for a in (image, board)
    )
    gain, offset = np.ones(3), np.zeros(3)
    for near in _NEAR:
        gap = seen * gain.astype(np.float32)[:, None] + offset.astype(np.float32)[:, None]
        gap = np.abs(gap - true).max(axis=0)
        agree = gap <= max(near, 2 * float(np.median(gap)))
        x, y = seen.compress(agree, axis=1), true.compress(agree, axis=1)
        count = x.shape[1]
        mean_x, mean_y = x.mean(axis=1), y.mean(axis=1)
        x, y = x - mean_x[:, None], y - mean_y[:, None]
        spread, of_true, both = (
            np.einsum("ij,ij->i", *pair) / count for pair in ((x, x), (y, y), (x, y))
        )
        if min(spread.max(), of_true.max()) < _VARIED**2:
            return SAME  # a plain ground could be taken for any other
        slope = np.clip(np.sqrt(of_true / np.maximum(spread, 1e-9)), *_GAINS)
        gain = np.where((spread > _VARIED**2) & (both > 0), slope, 1.0).astype(float)
        offset = np.clip(mean_y - gain * mean_x, -_OFFSET, _OFFSET)
    return np.clip(_LEVELS * gain + offset + 0.5, 0, 255).astype(np.uint8)


def apart(some: Table, other: Table) -> int:
    """Return by how many levels two tables differ at most."""
    return int(np.abs(some.astype(np.int16) - other).max())


def stretched(image: RGB, tiles: RGB) -> RGB:
    """Return ``image`` with each channel as dark and as bright as ``tiles`` (..., 3) are.

    A first guess at the colours of a picture whose parts aren't known.
    """
    low, high = np.quantile(image[::4, ::4].reshape(-1, 3), _ENDS, axis=0)
    dark, bright = np.quantile(tiles.reshape(-1, 3), _ENDS, axis=0)
    gain = np.clip((bright - dark) / np.maximum(high - low, 1.0), *_GAINS)
    table = np.clip(bright + (_LEVELS - high) * gain, 0, 255).astype(np.uint8)
    return tinted(image, table)
