"""``boards.place`` for many pictures at once, on any device: boards whose parts may have wandered.

Places are (x, y) from -1 to 1, from edge to edge: a board that fills its picture lies at the
identity, whatever the resolution. Nothing here waits for the device.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from scipy import ndimage
from torch import Tensor
from torch.nn.functional import grid_sample, pad

from render.boards.decode_torch import levels
from render.boards.place import FAR, LEAP, NARROW, OUTLIER, STIFF, WIDE, WIDELY, Size


def places(matrix: Tensor, size: Size, bend: Tensor | None = None) -> Tensor:
    """Return where the pixels of boards (height, width) lie in pictures: (N, H, W, 2).

    bend
        (N, 2, m, n): how far each of m rows of n evenly spaced nodes, from edge to edge, has moved
        from where the matrix puts it, x and y.
    """
    height, width = size
    y = (torch.arange(height, device=matrix.device)[:, None] * 2 + 1) / height - 1
    x = (torch.arange(width, device=matrix.device) * 2 + 1) / width - 1
    at = matrix.new_empty(len(matrix), height, width, 2)
    along, down, start = (part[..., None, None] for part in matrix.unbind(2))  # (N, 2, 1, 1)
    for axis in (0, 1):
        shift = start[:, axis] + down[:, axis] * y
        torch.add(along[:, axis] * x, shift, out=at[..., axis])
    if bend is not None:
        moved = (matrix[:, :, :2] @ bend.flatten(2)).view_as(bend)
        rows, cols = (
            _between(n, side, bend.device) for n, side in zip(bend.shape[2:], size, strict=True)
        )
        at += (rows @ moved @ cols.T).permute(0, 2, 3, 1)
    return at


@lru_cache(maxsize=32)
def _between(nodes: int, pixels: int, device: torch.device) -> Tensor:
    """Return what each of so many pixels takes of each node: (pixels, nodes)."""
    at = (np.arange(pixels)[:, None] + 0.5) * (nodes - 1) / pixels
    weights = np.maximum(0, 1 - np.abs(at - np.arange(nodes)))
    return torch.as_tensor(weights, dtype=torch.float32).to(device)


def inside(matrix: Tensor, bend: Tensor, size: Size) -> Tensor:
    """Return which pixels (N, H, W) of boards the pictures show."""
    at = places(matrix, size, bend)
    return (at[..., 0].abs() < 1) & (at[..., 1].abs() < 1)


def sampled(pictures: Tensor, at: Tensor) -> Tensor:
    """Return what pictures (N, n, H, W) show at places; beyond them their edges go on."""
    return grid_sample(pictures, at, "bilinear", "border", align_corners=False)


def warped(pictures: Tensor, matrix: Tensor, shape: Size, bend: Tensor) -> Tensor:
    """Return the boards of ``shape`` that lie in pictures (N, 3, H, W), cut out and set right."""
    fold = 2 if pictures.shape[2] > shape[0] else 1
    size = fold * shape[0], fold * shape[1]
    seen = sampled(pictures, places(matrix, size, bend))
    if fold > 1:
        seen = seen[..., ::2, :] + seen[..., 1::2, :]
        seen = (seen[..., ::2] + seen[..., 1::2]) / 4
    return levels(seen)


def bent(boards: Tensor, true: Tensor, shown: Tensor, bend: Tensor) -> Tensor:
    """Return bends after one step towards where boards look like ``true``: ``boards.place.bent``.

    boards, true, shown
        (N, h, w): luminances of boards as they are cut out and as they should be, and what of them
        is seen.
    """
    height, width = boards.shape[1:]
    high, wide = bend.shape[2] - 1, bend.shape[3] - 1
    dy, dx = torch.gradient((boards + true) / 2, dim=(1, 2))
    gap = true - boards
    telling = shown * (dx * dx + dy * dy)
    told = (gap * gap * telling).sum((1, 2), keepdim=True)
    told = told / (telling.sum((1, 2), keepdim=True) + 1e-6)
    spread = OUTLIER * told.sqrt() + 4
    weight = shown / (1 + (gap / spread).square())
    terms = torch.stack([dx * dx, dx * dy, dy * dy, dx * gap, dy * gap], dim=1) * weight[:, None]
    block = height // high
    sums = terms.unflatten(3, (wide, -1)).sum(4).unflatten(2, (high, -1)).sum(3)
    around = pad(sums, (1, 1, 1, 1))
    at_nodes = around[..., 1:, 1:] + around[..., :-1, 1:]
    at_nodes = at_nodes + around[..., 1:, :-1] + around[..., :-1, :-1]
    near, far = (
        _spreading(high + 1, by, boards.device)
        @ at_nodes
        @ _spreading(wide + 1, by, boards.device).T
        for by in (NARROW, WIDE)
    )
    xx, xy, yy, xt, yt = (near + WIDELY * far).unbind(1)
    xx, yy = xx + STIFF * block, yy + STIFF * block
    solved = torch.stack([yy * xt - xy * yt, xx * yt - xy * xt], dim=1)
    moved = (solved / (xx * yy - xy * xy)[:, None]).clamp(-LEAP, LEAP)
    pixel = 2 / torch.tensor([[[width]], [[height]]], device=boards.device)
    return (bend / pixel + moved).clamp(-FAR * block, FAR * block) * pixel


def _spread(sums: Tensor, by: float) -> Tensor:
    rows, cols = (_spreading(nodes, by, sums.device) for nodes in sums.shape[2:])
    return rows @ sums @ cols.T


@lru_cache(maxsize=32)
def _spreading(nodes: int, by: float, device: torch.device) -> Tensor:
    """Return the matrix that spreads what nodes know as ``scipy.ndimage.gaussian_filter`` does."""
    matrix = ndimage.gaussian_filter1d(np.eye(nodes), by, axis=0)
    return torch.as_tensor(matrix, dtype=torch.float32).to(device)
