"""LPIPS, the learned perceptual distance of two pictures, where its weights are present."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import nan
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from render.fidelity.differences import RGB

Features = NDArray[np.float32]
"""(C, H, W)."""
SHIFT, SCALE = (-0.030, -0.088, -0.188), (0.458, 0.448, 0.450)
"""Of red, green and blue between -1 and 1, as the published weights take them."""
LEAST = 64
"""Pixels a side below which nothing is left of a picture behind the last layer."""
EPSILON = 1e-10
COMMAND = "puzzles metrics fetch-lpips"


class NoWeights(ValueError):
    """There are no weights of LPIPS, or their file holds something else; the message names it."""


class Layer(NamedTuple):
    """A convolution of AlexNet, and what a difference behind it weighs.

    kernel, bias, weight
        (out, in, k, k), (out,) and (out,).
    pooled
        Whether what comes in is pooled first.
    """

    kernel: Features
    bias: Features
    weight: Features
    stride: int
    padding: int
    pooled: bool


LAYERS = (
    # name, shape of the kernel, stride, padding, pooled first
    ("features.0", (64, 3, 11, 11), 4, 2, False),
    ("features.3", (192, 64, 5, 5), 1, 2, True),
    ("features.6", (384, 192, 3, 3), 1, 1, True),
    ("features.8", (256, 384, 3, 3), 1, 1, False),
    ("features.10", (256, 256, 3, 3), 1, 1, False),
)


def place() -> Path:
    """Return where the weights are looked for."""
    cache = os.environ.get("PUZZLES_CACHE")
    return (Path(cache) if cache else Path.home() / ".cache" / "puzzles") / "lpips.npz"


def present() -> bool:
    """Whether there are weights; raise NoWeights where their file holds something else."""
    return place().is_file() and bool(network(place()))


def lpips(drawn: RGB, true: RGB) -> float:
    """Return the distance of two pictures of one size; 0 where they are the same.

    It is that of Zhang, Isola, Efros, Shechtman and Wang (2018) with AlexNet, version 0.1. It is
    nan of pictures with a side below 64 pixels. Raises NoWeights.
    """
    layers = network(place())
    if min(true.shape[:2]) < LEAST:
        return nan
    total = 0.0
    both = (_behind(layers, picture) for picture in (drawn, true))
    for layer, one, two in zip(layers, *both, strict=True):
        gap = ((one - two) ** 2).mean(axis=(1, 2))
        total += float(layer.weight @ gap)
    return total


@lru_cache(maxsize=1)
def network(path: Path) -> tuple[Layer, ...]:
    """Return the layers whose weights a file holds; raise NoWeights."""
    if not path.is_file():
        raise NoWeights(f"the weights of LPIPS are not at {path}; {COMMAND!r} gets them")
    try:
        with np.load(path) as held:
            return tuple(_layer(held, at) for at in range(len(LAYERS)))
    except Exception as error:  # what numpy says of a broken file depends on how it is broken
        raise NoWeights(f"{path} does not hold the weights of LPIPS: {error}") from None


def _layer(held: Mapping[str, NDArray[np.float32]], at: int) -> Layer:
    name, shape, stride, padding, pooled = LAYERS[at]
    kernel, bias = held[f"{name}.weight"], held[f"{name}.bias"]
    weight = held[f"lin{at}.model.1.weight"]
    if kernel.shape != shape or bias.shape != shape[:1] or weight.size != shape[0]:
        raise ValueError(f"{name} is of another shape")
    kernel, bias, weight = (part.astype(np.float32) for part in (kernel, bias, weight.ravel()))
    return Layer(kernel, bias, weight, stride, padding, pooled)


def _behind(layers: tuple[Layer, ...], picture: RGB) -> Iterator[Features]:
    """Yield the features behind each layer, every place scaled to length 1."""
    scaled = picture.astype(np.float32).transpose(2, 0, 1) / 127.5 - 1
    shift, scale = (np.array(part, np.float32)[:, None, None] for part in (SHIFT, SCALE))
    features = (scaled - shift) / scale
    for layer in layers:
        features = _convolved(_pooled(features) if layer.pooled else features, layer)
        yield features / (np.sqrt((features**2).sum(axis=0)) + EPSILON)


def _convolved(features: Features, layer: Layer) -> Features:
    """Return the convolution, negative values cut off; by rows of the kernel, to spare memory."""
    (out, _, side, _), stride = layer.kernel.shape, layer.stride
    padded = np.pad(features, [(0, 0), *[(layer.padding, layer.padding)] * 2])
    windows = sliding_window_view(padded, (side, side), axis=(1, 2))[:, ::stride, ::stride]
    rows, cols = windows.shape[1:3]
    total = np.repeat(layer.bias[:, None], rows * cols, axis=1)
    for r in range(side):
        part = windows[:, :, :, r].transpose(0, 3, 1, 2).reshape(-1, rows * cols)
        total += layer.kernel[:, :, r].reshape(out, -1) @ part
    return np.maximum(total, 0).reshape(out, rows, cols)


def _pooled(features: Features) -> Features:
    """Return the maxima of 3 by 3 places, every second each way."""
    for axis in (1, 2):
        moved = features.swapaxes(0, axis)
        count = (len(moved) - 1) // 2
        thirds = (moved[at : at + 2 * count : 2] for at in range(3))
        one, two, three = (part[:count] for part in thirds)
        features = np.maximum(np.maximum(one, two), three).swapaxes(0, axis)
    return features
