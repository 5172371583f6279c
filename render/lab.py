"""CIELAB: colours as far apart as they look."""

import numpy as np
from numpy.typing import NDArray

_LEVELS = np.arange(256) / 255
LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4)
LINEAR = LINEAR.astype(np.float32)
_TO_XYZ = np.array(
    [
        [0.412453, 0.357580, 0.180423],
        [0.212671, 0.715160, 0.072169],
        [0.019334, 0.119193, 0.950227],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])  # D65, 2 degrees
TO_SHARES = (_TO_XYZ / _WHITE[:, None]).astype(np.float32)
TO_LAB = np.array([[0, 116, 0], [500, -500, 0], [0, 200, -200]], np.float32)
DARK = 0.008856
_STEPS = 1 << 18
_TO_STEPS = np.ascontiguousarray(_STEPS * TO_SHARES.T)
_SHARES = np.arange(_STEPS + 2) / _STEPS
_ROOTS = np.where(_SHARES > DARK, np.cbrt(_SHARES), 7.787 * _SHARES + 16 / 116).astype(np.float32)

_AT_ONCE = 1 << 13
"""Colours of which all that is on the way stays in the cache."""


def lab(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return sRGB colours (..., 3) of 8 bits as L*, a* and b* (D65)."""
    colours = rgb.reshape(-1, 3)
    out = np.empty(colours.shape, np.float32)
    for piece in (slice(k, k + _AT_ONCE) for k in range(0, len(colours), _AT_ONCE)):
        shares = LINEAR.take(colours[piece]) @ _TO_STEPS
        shares += np.float32(0.5)
        np.matmul(_ROOTS.take(shares.astype(np.int32)), TO_LAB.T, out=out[piece])
    out[:, 0] -= 16
    return out.reshape(rgb.shape)
