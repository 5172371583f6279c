"""Structural similarity of two pictures of one size, at one scale and at five."""

from __future__ import annotations

from math import nan, prod

import numpy as np
from numpy.typing import NDArray

from render.fidelity.differences import RGB

Grey = NDArray[np.float64]
"""(H, W) luminance from 0 to 255."""
WINDOW = 11
"""Side in pixels of the Gaussian window."""
_SIGMA = 1.5
_STEADY = (0.01 * 255) ** 2, (0.03 * 255) ** 2
"""What keeps the quotients of luminance and of contrast steady where little is seen."""
_VIEWED = 256
"""Pixels that the shorter side is brought near to before pictures are compared at one scale."""
WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
"""Of the five scales, from the finest; found by their authors in trials with people."""
LEAST = WINDOW << (len(WEIGHTS) - 1)
"""Pixels a side below which the window does not fit into the coarsest scale: 176."""


def ssim(drawn: RGB, true: RGB) -> float:
    """Return the mean structural similarity of two pictures of one size, at most 1.

    It is that of Wang, Bovik, Sheikh and Simoncelli (2004), of the luminance (ITU-R 601): Gaussian
    window of sigma 1.5 and 11 pixels, K1 = 0.01, K2 = 0.03. As they advise, both pictures are made
    smaller before: ``round(shorter side / 256)`` pixels each way are averaged into one. Colour
    plays no part but by its luminance. Of pictures smaller than the window it is nan.
    """
    if min(true.shape[:2]) < WINDOW:
        return nan
    times = max(1, int(min(true.shape[:2]) / _VIEWED + 0.5))
    return _similarity(_luminance(drawn, times), _luminance(true, times))[0]


def ms_ssim(drawn: RGB, true: RGB) -> float:
    """Return the multi-scale structural similarity of two pictures of one size, 0 to 1.

    It is that of Wang, Simoncelli and Bovik (2003), of the luminance in full size: contrast and
    structure at five scales, each half as large as the one before (pixels are averaged two by two;
    a last odd row or column stands for itself), luminance at the coarsest, to the powers of
    ``WEIGHTS``. A scale whose mean is negative, as of a negative picture, makes it 0, for it has
    no such power. Of pictures with a side below 176 pixels it is nan: with fewer scales, or other
    weights, it would be another measure.
    """
    if min(true.shape[:2]) < LEAST:
        return nan
    means = []
    for scale in range(len(WEIGHTS)):
        whole, structure = _similarity(*(_luminance(one, 1, scale) for one in (drawn, true)))
        means.append(structure if scale < len(WEIGHTS) - 1 else whole)
    powers = (max(mean, 0.0) ** weight for mean, weight in zip(means, WEIGHTS, strict=True))
    return float(prod(powers))


def _luminance(picture: RGB, times: int, halved: int = 0) -> Grey:
    """Return the luminance, in 256 levels as is usual, so many times smaller and then halved."""
    from PIL import Image

    grey = Image.fromarray(picture).convert("L").convert("F").reduce(times)
    for _ in range(halved):
        grey = grey.reduce(2)
    return np.asarray(grey, np.float64)


def _similarity(one: Grey, two: Grey) -> tuple[float, float]:
    """Return the mean similarity, and that of its part of contrast and structure alone.

    Only places where the whole window lies inside the picture count.
    """
    mean_one, mean_two = _smooth(one), _smooth(two)
    squares, product = mean_one**2 + mean_two**2, mean_one * mean_two
    spread = _smooth(one**2 + two**2) - squares
    together = _smooth(one * two) - product
    luminance = (2 * product + _STEADY[0]) / (squares + _STEADY[0])
    structure = (2 * together + _STEADY[1]) / (spread + _STEADY[1])
    return float((luminance * structure).mean()), float(structure.mean())


def _smooth(values: Grey) -> Grey:
    from scipy.ndimage import gaussian_filter

    edge = WINDOW // 2
    smooth: Grey = gaussian_filter(values, _SIGMA, radius=edge)[edge:-edge, edge:-edge]
    return smooth
