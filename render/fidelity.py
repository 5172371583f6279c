"""How close one picture comes to another: SSIM, and whether the same places have changed."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image as Opened

RGB = NDArray[np.uint8]
"""(H, W, 3) pixels."""
_WINDOW = 11
"""Side in pixels of SSIM's Gaussian window."""
_VIEWED = 256
"""Pixels that the shorter side is brought near to before structure is compared."""
_SUBSAMPLED = 2
"""Pixels each way that share their colour in JPEG and WebP: what a thin line has of it is right
only on average."""
_CHANGED = 48
"""Levels of 255, in some channel, by which a place must differ to count as changed: more than
re-encoding and smoothed edges do, less than any mark on any ground."""
_TOLERANCE = 320
"""A changed place may lie one pixel off for so many pixels of the longest side."""


def pixels(picture: bytes | Opened, size: tuple[int, int] | None = None) -> RGB:
    """Return the pixels of a picture, opened or in bytes.

    size
        Height and width to stretch it to, with bicubic interpolation.

    Raises OSError where it can't be decoded.
    """
    from PIL import Image

    if isinstance(picture, bytes):
        picture = Image.open(BytesIO(picture))
    rgb = picture.convert("RGB")
    if size is not None and rgb.size != size[::-1]:
        rgb = rgb.resize(size[::-1], Image.Resampling.BICUBIC)
    return np.asarray(rgb)


def ssim(drawn: RGB, true: RGB) -> float:
    """Return the mean structural similarity of two pictures of one size, at most 1.

    It is that of Wang, Bovik, Sheikh and Simoncelli (2004), of the luminance (ITU-R 601): Gaussian
    window of sigma 1.5 and 11 pixels, K1 = 0.01, K2 = 0.03. As they advise, both pictures are made
    smaller before: ``round(shorter side / 256)`` pixels each way are averaged into one. Colour
    plays no part but by its luminance. Of pictures smaller than the window it is nan.
    """
    from skimage import metrics

    if min(true.shape[:2]) < _WINDOW:
        return nan
    similarity: Callable[..., Any] = metrics.structural_similarity
    value = similarity(
        _luminance(drawn),
        _luminance(true),
        data_range=255,
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
    )
    return float(value)


def change_f1(drawn: RGB, true: RGB, before: RGB) -> float:
    """Return how well two pictures change the same places of a third, all of one size.

    A place is two pixels by two. It counts as changed where some channel of its mean differs from
    that of ``before`` by more than 48 of 255. Precision is the share of the places changed in
    ``drawn`` that lie within a tolerance of one changed in ``true``; recall the other way round; F1
    their harmonic mean. The tolerance is a pixel for every 320 of the longest side, and at least a
    place. Which colour a place has been given plays no part. Where nothing is to change it is 1 if
    nothing has, else 0.
    """
    drawn, true, before = map(_places, (drawn, true, before))
    done, due = _changed(drawn, before), _changed(true, before)
    if not done.any() or not due.any():
        return float(done.any() == due.any())
    reach = max(1, max(before.shape[:2]) // _TOLERANCE)
    precision = (done & _wider(due, reach)).sum() / done.sum()
    recall = (due & _wider(done, reach)).sum() / due.sum()
    both = precision + recall
    return float(2 * precision * recall / both) if both else 0.0


def _luminance(picture: RGB) -> NDArray[np.float32]:
    """Return the luminance, in 256 levels as is usual, and smaller as ``ssim`` has it."""
    from PIL import Image

    grey = Image.fromarray(picture).convert("L").convert("F")
    return np.asarray(grey.reduce(max(1, int(min(grey.size) / _VIEWED + 0.5))))


def _places(picture: RGB) -> RGB:
    from PIL import Image

    return np.asarray(Image.fromarray(picture).reduce(_SUBSAMPLED))


def _changed(picture: RGB, before: RGB) -> NDArray[np.bool_]:
    gap = np.maximum(picture, before) - np.minimum(picture, before)
    changed: NDArray[np.bool_] = gap > _CHANGED
    return changed[..., 0] | changed[..., 1] | changed[..., 2]


def _wider(mask: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """Return ``mask`` with every pixel grown to a square that reaches so far each way."""
    for axis in range(2):
        mask = mask.swapaxes(0, axis)
        grown = mask.copy()
        for off in range(1, reach + 1):
            grown[off:] |= mask[:-off]
            grown[:-off] |= mask[off:]
        mask = grown.swapaxes(0, axis)
    return mask
