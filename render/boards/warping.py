"""Pictures resampled: by OpenCV where it is there, else by Pillow, which takes longer.

The two differ by a level or so. Points are continuous: pixel i of a row covers i to i + 1, so that
its centre is at i + 0.5 and a picture of another size is the same picture times a factor.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

cv2: Any
try:
    import cv2
except ImportError:  # the extra cv
    cv2 = None
else:
    cv2.setNumThreads(1)  # a board is too small to share: many are read at a time

RGB = NDArray[np.uint8]
"""(H, W, 3) pixels."""
Grey = NDArray[np.float32]
Matrix = NDArray[np.float64]
"""(2, 3): from (x, y, 1) in a board to (x, y) in a picture."""
opencv = cv2 is not None
"""Whether OpenCV is used."""
_CENTRE = 0.5
_REACH = 4.0
"""Standard deviations from which on a blur is nothing."""


def transformed(image: NDArray[Any], matrix: Matrix, shape: tuple[int, int]) -> NDArray[Any]:
    """Return (height, width) pixels of a picture, each from where a matrix says it lies.

    Beyond the picture its edge goes on; a grey one (H, W) is black there.
    """
    height, width = shape
    if opencv:
        shift = matrix[:, :2].sum(axis=1) * _CENTRE - _CENTRE
        moved = np.column_stack([matrix[:, :2], matrix[:, 2] + shift])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        edge = cv2.BORDER_REPLICATE if image.ndim == 3 else cv2.BORDER_CONSTANT
        out: NDArray[Any] = cv2.warpAffine(image, moved, (width, height), None, flags, edge)
        return out
    if image.ndim == 3:
        image, pad = padded(image)
        matrix = matrix + np.array([[0, 0, pad], [0, 0, pad]])
    how = Image.Transform.AFFINE
    data = tuple(matrix.ravel())
    return np.asarray(
        Image.fromarray(image).transform((width, height), how, data, Image.Resampling.BILINEAR)
    )


def meshed(image: RGB, nodes: NDArray[np.float64], shape: tuple[int, int]) -> RGB:
    """Return (height, width) pixels of a picture that is bent.

    nodes
        (2, m, n): where in the picture (x, y) m rows of n evenly spaced points lie; what is between
        them is interpolated, and beyond the picture its edge goes on.
    """
    height, width = shape
    if opencv:
        x, y = spread(nodes.transpose(1, 2, 0), shape) - np.float32(_CENTRE)
        out: RGB = cv2.remap(image, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
        return out
    image, pad = padded(image)
    x, y = nodes + pad
    rows, cols = (
        np.rint(np.linspace(0, side, n)).astype(int)
        for side, n in zip(shape, nodes.shape[1:], strict=True)
    )
    mesh = []
    for r, (top, bottom) in enumerate(pairwise(rows)):
        for c, (left, right) in enumerate(pairwise(cols)):
            corners = ((r, c), (r + 1, c), (r + 1, c + 1), (r, c + 1))
            quad = [float(v) for at in corners for v in (x[at], y[at])]
            mesh.append(((left, top, right, bottom), tuple(quad)))
    how = Image.Transform.MESH
    return np.asarray(
        Image.fromarray(image).transform((width, height), how, mesh, Image.Resampling.BILINEAR)
    )


def paired(image: RGB) -> RGB | None:
    """Return the means of each pixel with the next ones at its right and below, soon if at all."""
    if not opencv:
        return None
    out: RGB = cv2.blur(image, (2, 2), None, (0, 0), cv2.BORDER_REPLICATE)
    return out


def spread(nodes: NDArray[Any], shape: tuple[int, int]) -> Grey:
    """Return what evenly spaced nodes (m, n, 2) say of the pixels between them, (2, H, W)."""
    down, across = (_between(n, side) for n, side in zip(nodes.shape, shape, strict=False))
    return np.stack([down @ nodes[..., k].astype(np.float32) @ across.T for k in (0, 1)])


def _between(nodes: int, side: int) -> Grey:
    """Return the weights (side, nodes) of evenly spaced nodes for the pixels between them."""
    at = (np.arange(side) + _CENTRE) * (nodes - 1) / side
    away = np.abs(at[:, None] - np.arange(nodes))
    weights: Grey = np.maximum(1 - away, 0).astype(np.float32)
    return weights


def padded(image: RGB) -> tuple[RGB, int]:
    """Return a picture whose edge goes on for so many pixels."""
    pad = 2 + max(image.shape) // 8
    return np.pad(image, ((pad, pad), (pad, pad), (0, 0)), mode="edge"), pad


def reduced(image: NDArray[Any], fold: int) -> NDArray[Any]:
    """Return a picture so many times smaller, its pixels averaged."""
    if fold == 1:
        return image
    if opencv and not (image.shape[0] % fold or image.shape[1] % fold):
        size = image.shape[1] // fold, image.shape[0] // fold
        out: NDArray[Any] = cv2.resize(image, size, None, 0, 0, cv2.INTER_AREA)
        return out
    return np.asarray(Image.fromarray(image).reduce(fold))


def resized(image: RGB, size: tuple[int, int]) -> RGB:
    """Return a picture of (width, height): averaged where it gets smaller, else interpolated."""
    if size == image.shape[1::-1]:
        return image
    (width, height), fold = size, image.shape[1] // size[0]
    if fold and (width * fold, height * fold) == image.shape[1::-1]:
        if fold == 2:  # OpenCV rounds two by two as Pillow does
            return reduced(image, fold)
        return np.asarray(Image.fromarray(image).reduce(fold))
    smaller = width <= image.shape[1] and height <= image.shape[0]
    # Pillow's BOX takes whole pixels only, and so moves things by half of one.
    how = Image.Resampling.HAMMING if smaller else Image.Resampling.BICUBIC
    return np.asarray(Image.fromarray(image).resize(size, how))


def blurred(picture: NDArray[np.float32], blur: float) -> NDArray[np.float32]:
    """Return a picture, (H, W) or (H, W, 3), through a Gaussian blur of so many of its pixels."""
    if not blur:
        return picture
    if opencv:
        size = 2 * int(_REACH * blur + 0.5) + 1
        out: NDArray[np.float32] = cv2.GaussianBlur(
            picture, (size, size), blur, None, blur, cv2.BORDER_REPLICATE
        )
        return out
    out = ndimage.gaussian_filter(
        picture, (blur, blur, 0)[: picture.ndim], mode="nearest", truncate=_REACH
    )
    return out


def looked_up(image: RGB, table: RGB) -> RGB:
    """Return a picture with its levels replaced by those of a table (256, 3)."""
    if opencv:
        out: RGB = cv2.LUT(image, table[None])
        return out
    return np.stack([table[:, k][image[..., k]] for k in range(3)], axis=-1)


def grey_of(rgb: RGB) -> Grey:
    """Return the luminances of a picture."""
    return np.asarray(Image.fromarray(rgb).convert("L"), np.float32)
