"""How close one picture comes to another: the places that change, the outlines, the colours."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image as Opened

RGB = NDArray[np.uint8]
"""(H, W, 3) pixels."""
Mask = NDArray[np.bool_]
"""(H, W)."""
_SUBSAMPLED = 2
"""Pixels each way that share their colour in JPEG and WebP: what a thin line has of it is right
only on average."""
_CHANGED = 48
"""Levels of 255, in some channel, by which a place must differ to count as changed: more than
re-encoding and smoothed edges do, less than any mark on any ground."""
_TOLERANCE = 320
"""A place may lie one pixel off for so many pixels of the longest side."""
_STEP = 64
"""Levels of 255, in some channel, by which a step starts an outline; half goes on with one. At 32,
noise and JPEG make outlines of the texture of boards; at 96, some of their lines have none."""
_STEEPNESS = 2.5
"""What smoothing and the Sobel filter make of a step of height 1."""


class ColourDifference(NamedTuple):
    """CIEDE2000 over the places of a picture: 1 is about the least that people see."""

    mean: float
    p95: float


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
    return _f1(_changed(drawn, before), _changed(true, before))


def edge_f1(drawn: RGB, true: RGB) -> float:
    """Return how well the outlines in two pictures of one size lie in the same places.

    Outlines are those of Canny (1986), in each channel of the places (two pixels by two): a step of
    64 levels of 255 starts one, a step of 32 continues it; sigma is one place. Precision and recall
    are those of ``change_f1``, with its tolerance. Neither the colours on either side nor what was
    there before plays a part, so that it sees walls, lines, cells and pieces that are missing,
    added or moved in a picture drawn all anew, whatever its tint. Where there is no outline to be
    drawn it is 1 if none has been, else 0.
    """
    return _f1(_edges(drawn), _edges(true))


def colour_difference(drawn: RGB, true: RGB) -> ColourDifference:
    """Return how far the colours of two pictures of one size are apart, place by place.

    It is the CIEDE2000 of the means of two pixels by two, as sRGB under D65: its mean over all
    places, and its 95th percentile. A cast shows in both; a line in another colour hardly in
    either, for it covers little.
    """
    from skimage import color

    difference: Callable[..., NDArray[np.float64]] = color.deltaE_ciede2000
    gaps = difference(*(color.rgb2lab(_places(picture)) for picture in (true, drawn)))
    return ColourDifference(float(gaps.mean()), float(np.percentile(gaps, 95)))


def _f1(done: Mask, due: Mask) -> float:
    """Return the F1 of the places ``done`` and those ``due``, either within a tolerance."""
    if not done.any() or not due.any():
        return float(done.any() == due.any())
    reach = max(1, max(due.shape) // _TOLERANCE)
    precision = (done & _wider(due, reach)).sum() / done.sum()
    recall = (due & _wider(done, reach)).sum() / due.sum()
    both = precision + recall
    return float(2 * precision * recall / both) if both else 0.0


def _places(picture: RGB) -> RGB:
    from PIL import Image

    return np.asarray(Image.fromarray(picture).reduce(_SUBSAMPLED))


def _changed(picture: RGB, before: RGB) -> Mask:
    gap = np.maximum(picture, before) - np.minimum(picture, before)
    changed: Mask = gap > _CHANGED
    return changed[..., 0] | changed[..., 1] | changed[..., 2]


def _edges(picture: RGB) -> Mask:
    from skimage import feature

    canny: Callable[..., Mask] = feature.canny
    channels = _places(picture).transpose(2, 0, 1) / 255
    high = _STEP * _STEEPNESS / 255
    one, two, three = (canny(channel, 1, high / 2, high) for channel in channels)
    return one | two | three


def _wider(mask: Mask, reach: int) -> Mask:
    """Return ``mask`` with every pixel grown to a square that reaches so far each way."""
    for axis in range(2):
        mask = mask.swapaxes(0, axis)
        grown = mask.copy()
        for off in range(1, reach + 1):
            grown[off:] |= mask[:-off]
            grown[:-off] |= mask[off:]
        mask = grown.swapaxes(0, axis)
    return mask
