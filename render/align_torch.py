"""``render.align`` for many pictures at once, on any device.

Places are (x, y) from -1 to 1, from edge to edge: a board that fills its picture lies at the
identity, whatever the resolution. Nothing here waits for the device.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, sqrt

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import affine_grid, avg_pool2d, conv2d, grid_sample, interpolate

from render.align import _ENDS, _GAINS, _NEAR, _OFFSET, _OUTLIER, _SAMPLED, _VARIED, _folds

Size = tuple[int, int]

_STEPS = (12, 8, 5)
"""Steps of a registration at each level, the coarsest first; more bring no more."""
_BENDS = 4
_DAMPING = 0.05
_FURTHEST = 0.1
"""Of half a side, how far points may have moved besides."""
_GREY = (0.299, 0.587, 0.114)


def whole(count: int, device: torch.device) -> Tensor:
    """Return the matrices (count, 2, 3) of boards that fill their pictures."""
    return torch.eye(2, 3, device=device).repeat(count, 1, 1)


def grey(pictures: Tensor) -> Tensor:
    """Return the luminance (N, H, W) of pictures (N, 3, H, W)."""
    red, green, blue = pictures.unbind(1)
    return _GREY[0] * red + _GREY[1] * green + _GREY[2] * blue


def levels(values: Tensor) -> Tensor:
    """Return values as whole levels from 0 to 255."""
    return (values + 0.5).floor_().clamp_(0, 255)


def resized(pictures: Tensor, size: Size) -> Tensor:
    """Return pictures (N, 3, H, W) of (height, width), as ``render.align`` makes them."""
    height, width = pictures.shape[2:]
    if size == (height, width):
        return pictures
    fold = width // size[1]
    if fold and (size[0] * fold, size[1] * fold) == (height, width):
        return levels(avg_pool2d(pictures, fold))
    smaller = size[0] <= height and size[1] <= width
    across = _resampling(width, size[1], smaller, pictures.device)
    down = _resampling(height, size[0], smaller, pictures.device)
    return levels(down @ levels(pictures @ across.T))


@lru_cache(maxsize=64)
def _resampling(before: int, after: int, smaller: bool, device: torch.device) -> Tensor:
    """Return what each of ``after`` pixels takes of each of ``before``: (after, before).

    Hamming windows or cubics of Pillow, so that both readers see the same.
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
    return torch.as_tensor(weights, dtype=torch.float32, device=device)


def warped(pictures: Tensor, matrix: Tensor, shape: Size, field: Tensor | None = None) -> Tensor:
    """Return the boards of ``shape`` that lie in pictures (N, 3, H, W), cut out and set right.

    field
        (N, 2, rows, columns): by how much the points of a board have moved besides.
    """
    fold = 2 if pictures.shape[2] > shape[0] else 1
    size = fold * shape[0], fold * shape[1]
    at = affine_grid(matrix, [len(pictures), 3, *size], align_corners=False)
    if field is not None:
        at = at + _moves(matrix, field, size)
    seen = grid_sample(pictures, at, "bilinear", "border", align_corners=False)
    return levels(avg_pool2d(seen, fold) if fold > 1 else seen)


def register(
    pictures: Tensor, boards: Tensor, shown: Tensor, matrix: Tensor, near: bool = False
) -> tuple[Tensor, Tensor]:
    """Return where boards lie in pictures, (N, 2, 3), and their correlations (N,).

    As ``render.align.register``, with a fixed number of steps.

    pictures, boards
        Luminances (N, h, w), all of one size.
    shown
        (N, h, w): what takes part.
    """
    correlation = matrix[:, 0, 0]
    folds = _folds(tuple(boards.shape[1:]))[-1 if near else 0 :]
    for fold, steps in zip(folds, _STEPS[-len(folds) :], strict=True):
        seen, true, weight = (
            avg_pool2d(one[:, None], fold)[:, 0] for one in (pictures, boards, shown.float())
        )
        matrix, correlation = _fit(seen, true, (weight > 0.99).float(), matrix, steps)
    return matrix, correlation


def _fit(
    pictures: Tensor, boards: Tensor, shown: Tensor, matrix: Tensor, steps: int
) -> tuple[Tensor, Tensor]:
    count, height, width = boards.shape
    here = affine_grid(whole(1, boards.device), [1, 1, height, width], align_corners=False)
    x, y = here[0, ..., 0], here[0, ..., 1]
    dy, dx = torch.gradient(boards, dim=(1, 2))
    dx, dy = dx * (width / 2), dy * (height / 2)
    descent = torch.stack([dx * x, dx * y, dx, dy * x, dy * y, dy], dim=1).flatten(2)
    edge = 1 - torch.tensor([1 / width, 1 / height], device=boards.device)
    damped = 1 + 1e-6 * torch.eye(6, device=boards.device)
    correlation = matrix[:, 0, 0]
    for _ in range(steps):
        at = affine_grid(matrix, [count, 1, height, width], align_corners=False)
        seen = grid_sample(pictures[:, None], at, "bilinear", "border", align_corners=False)
        inside = (at.abs() < edge).all(-1)
        gap, correlation, weight = compare(
            seen.flatten(1), boards.flatten(1), (shown * inside).flatten(1)
        )
        weighted = descent * weight[:, None]
        hessian = (weighted @ descent.mT) * damped
        change, _ = torch.linalg.solve_ex(hessian, weighted @ gap[..., None])
        matrix = _changed(matrix, change[..., 0], correlation)
    return matrix, correlation


def _changed(matrix: Tensor, change: Tensor, correlation: Tensor) -> Tensor:
    """Return matrices after the inverse of ``change`` (N, 6), where there is sense in it."""
    change = change.unflatten(1, (2, 3))
    a, b, c, d = change[:, 0, 0] + 1, change[:, 0, 1], change[:, 1, 0], change[:, 1, 1] + 1
    area = a * d - b * c
    back = torch.stack([d, -b, -c, a], dim=1).unflatten(1, (2, 2)) / area[:, None, None]
    turned = matrix[:, :, :2] @ back
    after = torch.cat([turned, matrix[:, :, 2:] - turned @ change[:, :, 2:]], dim=2)
    sound = (area.abs() >= 0.25) & (correlation > 0) & after.isfinite().all(2).all(1)
    return torch.where(sound[:, None, None], after, matrix)


def compare(seen: Tensor, true: Tensor, weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gaps of greys (N, pixels) in one brightness, correlations (N,), new weights."""

    def mean(values: Tensor) -> Tensor:
        return (values * weight).sum(1, keepdim=True) / total

    total = weight.sum(1, keepdim=True).clamp_min(1)
    a, b = seen - mean(seen), true - mean(true)
    aa, bb = mean(a * a), mean(b * b)
    told = (total >= 16) & (aa > 1e-6) & (bb > 1e-6)
    correlation = torch.where(told, mean(a * b) / (aa * bb).clamp_min(1e-12).sqrt(), 0)[:, 0]
    gap = a * (bb / aa.clamp_min(1e-6)).sqrt() - b
    spread = _OUTLIER * mean(gap * gap).sqrt() + 1e-6
    share = (spread / gap.abs().clamp_min(1e-6)).clamp_max(1)
    return gap, correlation, weight * share * share


def bent(pictures: Tensor, boards: Tensor, shown: Tensor, matrix: Tensor, field: Tensor) -> Tensor:
    """Return by how much the points of boards have moved besides, (N, 2, rows, columns).

    Lucas-Kanade of the translation of each cell together with those around it.

    pictures, boards, shown
        As for ``register``.
    field
        What is known of it.
    """
    count, height, width = boards.shape
    detail = height // field.shape[2]
    dy, dx = torch.gradient(boards, dim=(1, 2))
    dx, dy = dx * (width / 2), dy * (height / 2)
    for _ in range(_BENDS):
        at = affine_grid(matrix, [count, 1, height, width], align_corners=False)
        at = at + _moves(matrix, field, (height, width))
        seen = grid_sample(pictures[:, None], at, "bilinear", "border", align_corners=False)
        inside = shown * (at.abs() < 1).all(-1)
        gap, _, weight = compare(seen.flatten(1), boards.flatten(1), inside.flatten(1))
        gap, weight = gap.view_as(boards), weight.view_as(boards)
        products = torch.stack([dx * dx, dx * dy, dy * dy, dx * gap, dy * gap], dim=1)
        sums = _around(avg_pool2d(products * weight[:, None], detail))
        field = (field - _solved(sums)).clamp(-_FURTHEST, _FURTHEST)
    return field


def _around(sums: Tensor) -> Tensor:
    """Return sums (N, n, rows, columns) over the cells around each, the nearer the more."""
    line = torch.tensor([1.0, 2.0, 1.0], device=sums.device)
    kernel = (line[:, None] * line).expand(sums.shape[1], 1, 3, 3)
    return conv2d(sums, kernel, padding=1, groups=sums.shape[1])


def _solved(sums: Tensor) -> Tensor:
    """Return the moves (N, 2, rows, columns) of sums dxx, dxy, dyy, and dx and dy times the gap."""
    xx, xy, yy, x, y = sums.unbind(1)
    damping = _DAMPING * (xx + yy).mean((1, 2), keepdim=True) + 1e-6
    xx, yy = xx + damping, yy + damping
    area = xx * yy - xy * xy
    return torch.stack([yy * x - xy * y, xx * y - xy * x], dim=1) / area[:, None]


def _moves(matrix: Tensor, field: Tensor, size: Size) -> Tensor:
    """Return how far a field moves points (N, H, W, 2) in the pictures."""
    moved = interpolate(field, size, mode="bilinear", align_corners=False)
    return torch.einsum("nij,njhw->nhwi", matrix[:, :, :2], moved)


def fitted(pictures: Tensor, boards: Tensor) -> Tensor:
    """Return pictures (N, 3, H, W) in the colours of boards of the same size, as ``render.align``.

    A gain and an offset a channel, by least squares on the pixels that agree.
    """
    step = ceil(sqrt(pictures.shape[2] * pictures.shape[3] / _SAMPLED))
    seen, true = (one[:, :, ::step, ::step].flatten(2) for one in (pictures, boards))
    gain, offset = torch.ones_like(seen[..., :1]), torch.zeros_like(seen[..., :1])
    plain = torch.zeros_like(seen[:, :1, :1], dtype=torch.bool)
    for near in _NEAR:
        gap = (seen * gain + offset - true).abs().amax(1, keepdim=True)
        middle = gap.sort(2).values[..., gap.shape[2] // 2, None]
        agree = (gap <= (2 * middle).clamp_min(near)).float()
        total = agree.sum(2, keepdim=True).clamp_min(1)
        mean_x, mean_y = ((one * agree).sum(2, keepdim=True) / total for one in (seen, true))
        x, y = (seen - mean_x) * agree, (true - mean_y) * agree
        xx, xy, yy = ((p * q).sum(2, keepdim=True) / total for p, q in ((x, x), (x, y), (y, y)))
        varied = torch.minimum(xx.amax(1, keepdim=True), yy.amax(1, keepdim=True))
        plain = plain | (varied < _VARIED**2)
        gain = torch.where(xx > _VARIED**2, (xy / xx.clamp_min(1e-9)).clamp(*_GAINS), 1.0)
        offset = (mean_y - gain * mean_x).clamp(-_OFFSET, _OFFSET)
    fit = levels(pictures * gain[..., None] + offset[..., None])
    return torch.where(plain[..., None], pictures, fit)


def stretched(pictures: Tensor, tiles: Tensor) -> Tensor:
    """Return pictures with each channel as dark and as bright as in tiles (looks, 3, d, d)."""
    seen = pictures[:, :, ::4, ::4].flatten(2).sort(2).values
    known = tiles.transpose(0, 1).flatten(1).sort(1).values
    low, high = (seen[..., round(end * (seen.shape[2] - 1)), None] for end in _ENDS)
    dark, bright = (known[:, round(end * (known.shape[1] - 1)), None] for end in _ENDS)
    gain = ((bright - dark) / (high - low).clamp_min(1)).clamp(*_GAINS)
    return levels(bright[..., None] + (pictures - high[..., None]) * gain[..., None] - 0.5)
