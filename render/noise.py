"""Gaussian noise, the same on every machine and with every version of numpy."""

import numpy as np

from render.canvas import Picture

_MEAN, _SPREAD = 128, 64
_BYTES_MEAN, _BYTES_SPREAD = 1020, 209
"""Mean and standard deviation of a sum of eight random bytes, which is close to normal."""


def noise(height: int, width: int, seed: int) -> Picture:
    """Grey noise (height, width) of mean 128 and standard deviation 64, cut off at 0 and 255.

    The bytes are those of SplitMix64 (Steele, Lea and Flood 2014), pixel by pixel.
    """
    z = np.arange(1, height * width + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z += np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    sums = z.view(np.uint8).reshape(-1, 8).sum(axis=1, dtype=np.int64)
    levels = _MEAN + (sums - _BYTES_MEAN) * _SPREAD // _BYTES_SPREAD
    pixels = np.clip(levels, 0, 255).astype(np.uint8).reshape(height, width)
    return Picture(pixels, np.repeat(np.arange(256, dtype=np.uint8), 3).reshape(256, 3))
