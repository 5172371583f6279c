"""The colours of a picture brought into line with a drawing's: a gain and an offset a channel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.boards.warping import RGB, looked_up

Table = NDArray[np.uint8]
"""(256, 3): what each level of each channel becomes."""
NEAR = (80.0, 40.0, 20.0, 8.0)
"""Levels that agreeing pixels may be apart, at each step of a colour fit: first all take part."""
ENDS = (0.02, 0.98)
SAMPLED = 2500
"""Pixels that are enough to fit colours by."""
VARIED = 8.0
"""Levels that a channel must vary by for its gain to be known."""
PLAINLY = 56.0
"""Levels that a plain ground may be off: more would take white for it."""
GAINS, OFFSET = (0.6, 1.7), 80.0
"""What a colour cast may be; a picture in quite other colours is another picture."""
_GREY = np.float32(128)
_PAIRS = [[0, 1, 0], [0, 1, 1]]
"""Of which means, of picture and board, the products go with those of squares and of both."""
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
    return looked_up(image, table)


def tint(image: RGB, board: RGB) -> Table:
    """Return what brings ``image`` into the colours of ``board``, of the same size.

    From the means and deviations of the pixels that agree: a slope by least squares would be too
    small wherever there is noise, or a board not quite in line, and make the picture greyer with
    every fit.
    """
    # An odd step meets every column of a cell, whose sides are powers of two.
    step = -(-image.shape[0] * image.shape[1] // SAMPLED) | 1
    seen, true = (
        np.ascontiguousarray(a.reshape(-1, 3)[::step].T, np.float32) for a in (image, board)
    )
    x, y = seen - _GREY, true - _GREY  # so that squares lose nothing
    moments = np.concatenate([x, y, x * x, y * y, x * y])
    gain, offset = np.ones(3), np.zeros(3)
    for near in NEAR:
        gaps = seen * gain.astype(np.float32)[:, None]
        gaps += offset.astype(np.float32)[:, None]
        gaps -= true
        red, green, blue = np.abs(gaps, out=gaps)
        gap = np.maximum(np.maximum(red, green), blue)
        within = near
        if 2 * np.count_nonzero(gap <= near / 2) <= len(gap):  # else the median is less, too
            within = max(near, 2 * _median(gap))
        agree = (gap <= within).astype(np.float32)
        means = (moments @ agree / agree.sum()).reshape(5, 3)
        mean_x, mean_y = means[:2]
        spread, of_true, both = means[2:] - means[_PAIRS].prod(axis=0)
        if min(spread.max(), of_true.max()) < VARIED**2:
            # A plain ground could be taken for any other.
            plain = mean_y - mean_x
            return _table(np.ones(3), plain) if np.abs(plain).max() <= PLAINLY else SAME
        slope = np.clip(np.sqrt(np.maximum(of_true, 0) / np.maximum(spread, 1e-9)), *GAINS)
        gain = np.where((spread > VARIED**2) & (both > 0), slope, 1.0).astype(float)
        mean_x, mean_y = mean_x + _GREY, mean_y + _GREY
        offset = np.clip(mean_y - gain * mean_x, -OFFSET, OFFSET)
    return _table(gain, offset)


def _median(numbers: NDArray[np.float32]) -> float:
    """Return the median, as numpy finds it soonest."""
    half = len(numbers) // 2
    ordered = np.partition(numbers, (half - 1, half))
    if len(numbers) % 2:
        return float(ordered[half])
    return float((ordered[half - 1] + ordered[half]) / 2)


def _table(gain: NDArray[np.floating], offset: NDArray[np.floating]) -> Table:
    table: Table = np.clip(_LEVELS * gain + offset + 0.5, 0, 255).astype(np.uint8)
    return table


def apart(some: Table, other: Table) -> int:
    """Return by how many levels two tables differ at most."""
    return int(np.abs(some.astype(np.int16) - other).max())


def stretched(image: RGB, tiles: RGB) -> RGB:
    """Return ``image`` with each channel as dark and as bright as ``tiles`` (..., 3) are.

    A first guess at the colours of a picture whose parts aren't known.
    """
    low, high = np.quantile(image[::4, ::4].reshape(-1, 3), ENDS, axis=0)
    dark, bright = np.quantile(tiles.reshape(-1, 3), ENDS, axis=0)
    gain = np.clip((bright - dark) / np.maximum(high - low, 1.0), *GAINS)
    table = np.clip(bright + (_LEVELS - high) * gain, 0, 255).astype(np.uint8)
    return tinted(image, table)
