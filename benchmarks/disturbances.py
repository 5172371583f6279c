"""What happens to boards on their way through image models, endpoints and files.

Every disturbance is a function (pixels, strength, random) -> pixels of RGB pictures, the same for
the same random stream. The strengths were chosen by looking at pictures, before anything was read:
1 and 2 are what image models and endpoints do on a usual day and a person hardly minds, 3 is
clearly off, 4 is bad. Lengths are pixels of a board drawn at 64 pixels a cell (640 x 640 at 10x10).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from scipy import ndimage

RGB: TypeAlias = NDArray[np.uint8]
Random: TypeAlias = np.random.Generator
STRENGTHS = (1, 2, 3, 4)
CELL = 64

WARP = (1.0, 2.0, 4.0, 7.0)
"""How far the point that moves the most moves: editors redraw a board, and their lines wander."""
WAVELENGTH = 3.5 * CELL
"""Over which a warp goes one way and back: a few cells."""
ROTATION = (0.3, 0.7, 1.5, 3.0)
"""Degrees, either way, about the middle."""
SHIFT = (2.0, 4.0, 8.0, 14.0)
"""How far the whole moves, in any direction."""
CROP = (2.0, 4.0, 8.0, 14.0)
"""What is cut off at each side, at most; then half of the pictures are brought back to size."""
CAST = ((0.04, 4.0, 0.03), (0.08, 8.0, 0.06), (0.15, 16.0, 0.12), (0.25, 28.0, 0.25))
"""At most, a channel: gain, as a share; offset, in levels; exponent (gamma), as a share."""
BLUR = (0.7, 1.4, 2.5, 4.0)
"""Standard deviation: decoders of latents lose about a pixel, upscalers two and more."""
SIZE = ((512, 1024, 0.005), (384, 1448, 0.01), (256, 2048, 0.02), (192, 2048, 0.035))
"""Longest side, from and to; by how much one side grows against the other, at most."""
NOISE = (5.0, 12.0, 25.0, 45.0)
"""Standard deviation, in levels, of each channel of each pixel."""
JPEG = (80, 60, 40, 20)
"""Quality; colours are stored at half the size, as most writers do."""


def warp(pixels: RGB, strength: int, random: Random) -> RGB:
    """Move every point by a smooth random field."""
    height, width = pixels.shape[:2]
    coarse = 8  # the field is smooth: it is drawn small, and enlarged
    shape = 2, -(-height // coarse) + 1, -(-width // coarse) + 1
    sigma = WAVELENGTH / coarse / 4
    field = ndimage.gaussian_filter(random.normal(size=shape), (0, sigma, sigma), mode="wrap")
    field = field - field.mean(axis=(1, 2), keepdims=True)
    field *= WARP[strength - 1] / np.hypot(*field).max()
    y, x = np.mgrid[:height, :width].astype(np.float32)
    at = np.stack([y, x]) / coarse
    dy, dx = (ndimage.map_coordinates(side, at, order=1, mode="nearest") for side in field)
    return _sampled(pixels, y + dy, x + dx)


def rotation(pixels: RGB, strength: int, random: Random) -> RGB:
    """Turn the picture about its middle; its frame stays."""
    height, width = pixels.shape[:2]
    angle = np.deg2rad(ROTATION[strength - 1]) * random.choice((-1, 1))
    y, x = np.mgrid[:height, :width].astype(np.float32)
    y, x = y - (height - 1) / 2, x - (width - 1) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    down, across = cos * y - sin * x, sin * y + cos * x
    return _sampled(
        pixels, down + (height - 1) / 2, across + (width - 1) / 2, _ground(pixels, random)
    )


def shift(pixels: RGB, strength: int, random: Random) -> RGB:
    """Move the whole in any direction, by parts of pixels too."""
    angle = random.uniform(0, 2 * np.pi)
    dy, dx = SHIFT[strength - 1] * np.sin(angle), SHIFT[strength - 1] * np.cos(angle)
    y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]].astype(np.float32)
    return _sampled(pixels, y + np.float32(dy), x + np.float32(dx), _ground(pixels, random))


def crop(pixels: RGB, strength: int, random: Random) -> RGB:
    """Cut something off each side; half of the pictures are brought back to size."""
    top, bottom, left, right = np.rint(CROP[strength - 1] * random.uniform(0.25, 1, 4)).astype(int)
    height, width = pixels.shape[:2]
    cut = pixels[top : height - bottom, left : width - right]
    return _resized(cut, (width, height), random) if random.random() < 0.5 else cut


def cast(pixels: RGB, strength: int, random: Random) -> RGB:
    """Change every channel by a gain, an offset and an exponent of its own."""
    gain, offset, gamma = CAST[strength - 1]
    levels = np.linspace(0, 1, 256)[:, None] ** (1 + random.uniform(-gamma, gamma, 3))
    levels = levels * 255 * (1 + random.uniform(-gain, gain, 3))
    table = np.clip(levels + random.uniform(-offset, offset, 3) + 0.5, 0, 255).astype(np.uint8)
    return np.stack([table[pixels[..., k], k] for k in range(3)], axis=-1)


def blur(pixels: RGB, strength: int, random: Random) -> RGB:
    """Blur by a Gaussian."""
    return np.asarray(Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(BLUR[strength - 1])))


def size(pixels: RGB, strength: int, random: Random) -> RGB:
    """Make the picture another size, and a little wider or higher."""
    low, high, off = SIZE[strength - 1]
    longest = np.exp(random.uniform(np.log(low), np.log(high)))
    sides = np.array(pixels.shape[1::-1]) * np.exp(
        random.uniform(-off, off) * np.array([0.5, -0.5])
    )
    width, height = np.rint(sides * longest / sides.max()).astype(int)
    return _resized(pixels, (int(width), int(height)), random)


def noise(pixels: RGB, strength: int, random: Random) -> RGB:
    """Add Gaussian noise to every channel."""
    gaps = random.normal(0, NOISE[strength - 1], pixels.shape)
    return np.clip(pixels + gaps + 0.5, 0, 255).astype(np.uint8)


def jpeg(pixels: RGB, strength: int, random: Random) -> RGB:
    """Write the picture as JPEG, and read it."""
    out = BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=JPEG[strength - 1])
    return np.asarray(Image.open(out).convert("RGB"))


def _ground(pixels: RGB, random: Random) -> tuple[int, int, int] | None:
    """Return what comes into view beyond the edge: the edge drawn on (None), white, or black."""
    return (None, (255, 255, 255), (0, 0, 0))[random.choice(3, p=(0.5, 0.3, 0.2))]


def _sampled(
    pixels: RGB,
    y: NDArray[np.floating],
    x: NDArray[np.floating],
    ground: tuple[int, int, int] | None = None,
) -> RGB:
    """Return the picture seen at points; beyond its edge its last pixels go on, or the ground."""
    out = [
        ndimage.map_coordinates(
            pixels[..., k].astype(np.float32),
            (y, x),
            order=1,
            mode="nearest" if ground is None else "constant",
            cval=0 if ground is None else ground[k],
        )
        for k in range(3)
    ]
    return np.clip(np.stack(out, axis=-1) + 0.5, 0, 255).astype(np.uint8)


def _resized(pixels: RGB, to: tuple[int, int], random: Random) -> RGB:
    how = (Image.Resampling.BILINEAR, Image.Resampling.BICUBIC, Image.Resampling.LANCZOS)
    return np.asarray(Image.fromarray(pixels).resize(to, how[random.integers(3)]))


DISTURBANCES: dict[str, Callable[[RGB, int, Random], RGB]] = {
    "warp": warp,
    "rotation": rotation,
    "shift": shift,
    "crop": crop,
    "cast": cast,
    "blur": blur,
    "size": size,
    "noise": noise,
    "jpeg": jpeg,
}
"""In the order in which they come when several do: drawing, finish, then sending."""
SINGLES = tuple((name,) for name in DISTURBANCES)
PAIRS = tuple(combinations(DISTURBANCES, 2))
ALL = tuple(DISTURBANCES)


def disturbed(pixels: RGB, names: Sequence[str], strength: int, random: Random) -> RGB:
    """Return ``pixels`` after all the disturbances named, each in that strength."""
    for name in DISTURBANCES:
        if name in names:
            pixels = DISTURBANCES[name](pixels, strength, random)
    return pixels
