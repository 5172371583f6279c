"""Pictures by formula, for measures of pictures to be tried on."""

import numpy as np

from render.fidelity.differences import RGB


def squares(seed: int, rows: int, cols: int) -> RGB:
    """A picture of squares of 16 pixels a side, each of a colour by chance."""
    shape = -(-rows // 16), -(-cols // 16), 3
    colours = np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)
    return colours.repeat(16, 0).repeat(16, 1)[:rows, :cols]


def noisy(picture: RGB, seed: int, by: int) -> RGB:
    """The picture with up to ``by`` levels more or less in each channel."""
    noise = np.random.default_rng(seed).integers(-by, by + 1, picture.shape)
    return (picture + noise).clip(0, 255).astype(np.uint8)
