"""Pictures in tensors: checked, and brought to a size, as Pillow does it, on any device."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

Size = tuple[int, int]

_OVER = 0.5
"""How far beyond 0 and 1 a decoder of latents may shoot; that much is cut off."""
_BLOCK = 16
"""Pixels that are made together: they come of the same stretch of the picture."""


def checked(images: Any) -> Tensor:
    """Return pictures as a batch (N, 3, H, W) or (N, H, W, 3), uint8 or floats.

    Raises ValueError for what is neither that nor floats from 0 to 1.
    """
    if not isinstance(images, Tensor):
        raise ValueError(f"pictures come as a torch tensor, not as {type(images).__name__}")
    if images.ndim != 4 or 3 not in (images.shape[1], images.shape[3]):
        shape = tuple(images.shape)
        raise ValueError(f"pictures come as a batch (N, 3, H, W) or (N, H, W, 3), not {shape}")
    if images.dtype == torch.uint8:
        return images
    if not images.is_floating_point():
        raise ValueError(f"pictures are uint8, or floats from 0 to 1, not {images.dtype}")
    if images.numel():
        low, high = (float(end) for end in images.detach().aminmax())
        if not (low >= -_OVER and high <= 1 + _OVER):  # nan compares with nothing
            raise ValueError(f"pictures of floats go from 0 to 1, not from {low:g} to {high:g}")
    return images


def whole_levels(images: Tensor) -> Tensor:
    """Return a batch that was ``checked`` as whole levels: uint8 as it is, else float32."""
    return images if images.dtype == torch.uint8 else levels(images.float() * 255)


def size_of(images: Tensor) -> Size:
    """Return the height and the width of a batch."""
    height, width = images.shape[2:] if images.shape[1] == 3 else images.shape[1:3]
    return height, width


def planes(images: Tensor) -> Tensor:
    """Return a batch as (N, 3, H, W)."""
    return images if images.shape[1] == 3 else images.permute(0, 3, 1, 2)


def levels(values: Tensor) -> Tensor:
    """Return values as whole levels from 0 to 255."""
    return (values + 0.5).floor_().clamp_(0, 255)


def resized(images: Tensor, size: Size) -> Tensor:
    """Return a batch of whole levels as (N, 3, height, width), float32, of that size.

    Averaged where it gets smaller, else interpolated; the same as ``boards.align`` makes of each,
    to one level.
    """
    count = len(images)
    first = images.shape[1] == 3
    images = images.reshape(-1, *images.shape[2:], 1) if first else images  # (B, H, W, n)
    height, width = images.shape[1:3]
    fold = width // size[1]
    if fold and (size[0] * fold, size[1] * fold) == (height, width):
        images = _folded(_folded(images, 1, fold), 2, fold)
        images = _planes(images, count).float() / (fold * fold)
    else:
        smaller = size[0] <= height and size[1] <= width
        images = _planes(_resampled(images.float(), size[0], smaller), count)
        images = _resampled(images.flatten(0, 1).mT, size[1], smaller).mT
        images = images.unflatten(0, (count, 3))
    return levels(images)


def _planes(images: Tensor, count: int) -> Tensor:
    """Return (N, H, W, 3) or (3 N, H, W, 1) as (N, 3, H, W)."""
    if images.shape[3] == 1:
        return images.view(count, 3, *images.shape[1:3])
    return images.permute(0, 3, 1, 2)


def _folded(images: Tensor, dim: int, fold: int) -> Tensor:
    """Return the sums of so many rows or columns."""
    if fold == 1:
        return images
    parts = images.unflatten(dim, (-1, fold)).unbind(dim + 1)
    total: Tensor = parts[0]
    if images.dtype == torch.uint8:
        total = total.to(torch.int16 if fold * fold * 255 < 1 << 15 else torch.int32)
    for part in parts[1:]:
        total = total + part
    return total


def _resampled(images: Tensor, after: int, smaller: bool) -> Tensor:
    """Return pictures (B, H, ...) of another height."""
    flat = images.flatten(2)
    out = [
        weights @ flat[:, start:end]
        for start, end, weights in _resampling(images.shape[1], after, smaller, images.device)
    ]
    resampled: Tensor = torch.cat(out, dim=1).unflatten(2, images.shape[2:])
    return resampled


@lru_cache(maxsize=64)
def _resampling(
    before: int, after: int, smaller: bool, device: torch.device
) -> list[tuple[int, int, Tensor]]:
    """Return stretches of ``before`` pixels, and what some of ``after`` pixels take of each.

    Hamming windows and cubics of Pillow, so that both readers see the same.
    """
    scale = max(1.0, before / after)
    centre = (np.arange(after)[:, None] + 0.5) * before / after
    x = np.abs(np.arange(before) + 0.5 - centre) / scale
    if smaller:
        weights = np.where(x < 1, np.sinc(x) * (0.54 + 0.46 * np.cos(np.pi * x)), 0)
    else:
        near, far = (1.5 * x - 2.5) * x * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
        weights = np.where(x < 1, near, np.where(x < 2, far, 0))
    weights /= weights.sum(1, keepdims=True)
    out = []
    for start in range(0, after, _BLOCK):
        block = weights[start : start + _BLOCK]
        used = np.flatnonzero(block.any(axis=0))
        low, high = int(used[0]), int(used[-1]) + 1
        held = torch.as_tensor(block[:, low:high], dtype=torch.float32).to(device)
        out.append((low, high, held))
    return out


@contextmanager
def in_full(kind: str) -> Iterator[None]:
    """Multiply matrices of single precision in full, whatever else is set."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        with torch.autocast(kind, enabled=False):
            yield
    finally:
        torch.set_float32_matmul_precision(before)
