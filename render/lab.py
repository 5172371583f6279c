"""CIELAB: colours as far apart as they look."""

import numpy as np
from numpy.typing import NDArray

_LEVELS = np.arange(256) / 255
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4)
_LINEAR = _LINEAR.astype(np.float32)
_TO_XYZ = np.array(
    [
        [0.412453, 0.357580, 0.180423],
        [0.212671, 0.715160, 0.072169],
        [0.019334, 0.119193, 0.950227],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])  # D65, 2 degrees
_TO_SHARES = (_TO_XYZ / _WHITE[:, None]).astype(np.float32)
_TO_LAB = np.array([[0, 116, 0], [500, -500, 0], [0, 200, -200]], np.float32)
_DARK = 0.008856
_STEPS = 1 << 18
_SHARES = np.arange(_STEPS + 2) / _STEPS
_ROOTS = np.where(_SHARES > _DARK, np.cbrt(_SHARES), 7.787 * _SHARES + 16 / 116).astype(np.float32)


def lab(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return sRGB colours (..., 3) of 8 bits as L*, a* and b* (D65)."""
    shares = _LINEAR[rgb] @ (_STEPS * _TO_SHARES.T)
    shares += np.float32(0.5)
    out: NDArray[np.float32] = _ROOTS[shares.astype(np.int32)] @ _TO_LAB.T
    out[..., 0] -= 16
    return out
