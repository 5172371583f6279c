"""Pictures of drawn solutions as others make them: lines by hand, and what happens to files."""

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter
from scipy import ndimage

RGB = NDArray[np.uint8]
RED = (255, 0, 48)
_FINE = 4


def shown(picture: Any) -> RGB:
    """Return a drawing of ours in RGB."""
    return picture.palette[picture.pixels]


def stroked(
    board: RGB,
    cell: int,
    points: Sequence[tuple[float, float]],
    width: float = 1 / 8,
    colour: tuple[int, int, int] = RED,
) -> RGB:
    """Return a picture with a line over (row, column) cell centres, ``width`` cells wide."""
    image = Image.fromarray(board)
    large = image.resize((image.width * _FINE, image.height * _FINE), Image.Resampling.NEAREST)
    pen, scale = ImageDraw.Draw(large), cell * _FINE
    spots = [((c + 0.5) * scale, (r + 0.5) * scale) for r, c in points]
    half = width * scale / 2
    pen.line(spots, fill=colour, width=max(1, round(2 * half)))
    for x, y in spots:
        pen.ellipse([x - half, y - half, x + half, y + half], fill=colour)
    return np.asarray(large.resize(image.size, Image.Resampling.BOX))


def by_hand(
    points: Sequence[tuple[float, float]], random: np.random.Generator, off: float, wobble: float
) -> list[tuple[float, float]]:
    """Return a line over (row, column) points as a hand draws it.

    All of it is up to ``off`` cells beside its place, and each point of it up to ``wobble``.
    """
    beside = random.uniform(-off, off, 2)
    out = list[tuple[float, float]]()
    for a, b in pairwise(np.array(points, float)):
        steps = max(1, round(4 * float(np.abs(b - a).max())))
        out += [tuple((a + (b - a) * k / steps).tolist()) for k in range(steps)]
    spots = np.array([*out, points[-1]]) + beside
    return [tuple(spot) for spot in (spots + random.uniform(-wobble, wobble, spots.shape)).tolist()]


def arrowed(
    board: RGB, cell: int, points: Sequence[tuple[float, float]], size: float = 0.25
) -> RGB:
    """Return a picture with an arrow head at the end of a line, ``size`` cells long."""
    (r, c), (r2, c2) = points[-2:]
    length = max(abs(r2 - r), abs(c2 - c))
    down, across = size * (r2 - r) / length, size * (c2 - c) / length
    image = board
    for turn in (-1, 1):
        barb = (r2 - down + turn * across, c2 - across + turn * down)
        image = stroked(image, cell, [barb, (r2, c2)])
    return image


def jpeg(image: RGB, quality: int) -> RGB:
    out = BytesIO()
    Image.fromarray(image).save(out, "JPEG", quality=quality)
    return np.asarray(Image.open(out))


def noisy(image: RGB, sigma: float) -> RGB:
    noise = np.random.default_rng(1).normal(0, sigma, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def resized(image: RGB, height: int) -> RGB:
    width = round(image.shape[1] * height / image.shape[0])
    return np.asarray(Image.fromarray(image).resize((width, height), Image.Resampling.LANCZOS))


def moved(image: RGB, down: int, across: int) -> RGB:
    return np.roll(image, (down, across), (0, 1))


def blurred(image: RGB, sigma: float) -> RGB:
    return np.asarray(Image.fromarray(image).filter(ImageFilter.GaussianBlur(sigma)))


def turned(image: RGB, degrees: float) -> RGB:
    picture = Image.fromarray(image)
    return np.asarray(picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=(90, 90, 90)))


def framed(image: RGB, pixels: int, colour: int = 255) -> RGB:
    return np.pad(image, ((pixels, pixels), (pixels, pixels), (0, 0)), constant_values=colour)


def tinted(image: RGB, gains: tuple[float, float, float], offset: float) -> RGB:
    return np.clip(image * np.array(gains) + offset, 0, 255).astype(np.uint8)


def waved(image: RGB, pixels: float, length: float = 150.0) -> RGB:
    """Move every point by up to so many pixels, one way and back over ``length``."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(float)
    down, across = y + pixels * np.sin(x / length * 6.3), x + pixels * np.sin(y / length * 6.3)
    sides = [
        ndimage.map_coordinates(
            image[..., k].astype(float), (down, across), order=1, mode="nearest"
        )
        for k in range(3)
    ]
    return np.stack(sides, axis=-1).astype(np.uint8)
