"""Colours in CIELAB, where distances are what an eye sees."""

import numpy as np
from numpy.typing import NDArray

RGB = NDArray[np.uint8]
Lab = NDArray[np.float32]

_LEVELS = np.arange(256, dtype=np.float64) / 255
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4)
_LINEAR = _LINEAR.astype(np.float32)
_TO_XYZ = np.array(  # IEC 61966-2-1, each row divided by the white of D65
    [
        [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883],
    ],
    np.float32,
)


def lab(picture: RGB) -> Lab:
    """Return L*, a* and b* of (..., 3) sRGB pixels, under D65."""
    xyz = _LINEAR[picture] @ _TO_XYZ.T
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (xyz * (24389 / 27) + 16) / 116)
    out = np.empty(f.shape, np.float32)
    out[..., 0] = 116 * f[..., 1] - 16
    out[..., 1] = 500 * (f[..., 0] - f[..., 1])
    out[..., 2] = 200 * (f[..., 1] - f[..., 2])
    return out
