"""``render.align`` for many pictures at once, on any device.

Places are (x, y) from -1 to 1, from edge to edge: a board that fills its picture lies at the
identity, whatever the resolution. Nothing here waits for the device.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, sqrt

import numpy as np
import torch
from scipy import ndimage
from torch import Tensor
from torch.nn.functional import avg_pool2d, grid_sample, pad

from render.align import _ENDS, _GAINS, _LEAST, _NEAR, _OFFSET, _OUTLIER, _SAMPLED, _VARIED, _folds
from render.decode_torch import levels
from render.extent import ASPECT
from render.place import _FAR, _LEAP, _NARROW, _STIFF, _WIDE, _WIDELY
from render.place import _OUTLIER as _EDGE_OUTLIER

Size = tuple[int, int]

_STEPS = (12, 8, 5)
"""Steps of a registration at each level, the coarsest first; more bring no more."""
_TOGETHER = 0.3
"""Correlation below which a registration has led nowhere."""
_SPARSE = 4
"""Of so many pixels one is enough to know the middle of all."""
_GREY = (0.299, 0.587, 0.114)


def whole(count: int, device: torch.device) -> Tensor:
    """Return the matrices (count, 2, 3) of boards that fill their pictures."""
    return torch.eye(2, 3, device=device).repeat(count, 1, 1)


def grey(pictures: Tensor) -> Tensor:
    """Return the luminance (N, H, W) of pictures (N, 3, H, W)."""
    red, green, blue = pictures.unbind(1)
    return _GREY[0] * red + _GREY[1] * green + _GREY[2] * blue


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
    return torch.as_tensor(weights, dtype=torch.float32, device=device)


def inside(matrix: Tensor, bend: Tensor, size: Size) -> Tensor:
    """Return which pixels (N, H, W) of boards the pictures show."""
    at = places(matrix, size, bend)
    return (at[..., 0].abs() < 1) & (at[..., 1].abs() < 1)


def _sampled(pictures: Tensor, at: Tensor) -> Tensor:
    """Return what pictures (N, n, H, W) show at places; beyond them their edges go on."""
    return grid_sample(pictures, at, "bilinear", "border", align_corners=False)


def warped(pictures: Tensor, matrix: Tensor, shape: Size, bend: Tensor) -> Tensor:
    """Return the boards of ``shape`` that lie in pictures (N, 3, H, W), cut out and set right."""
    fold = 2 if pictures.shape[2] > shape[0] else 1
    size = fold * shape[0], fold * shape[1]
    seen = _sampled(pictures, places(matrix, size, bend))
    if fold > 1:
        seen = seen[..., ::2, :] + seen[..., 1::2, :]
        seen = (seen[..., ::2] + seen[..., 1::2]) / 4
    return levels(seen)


def bordered(pictures: Tensor, size: Size) -> tuple[Tensor, Tensor]:
    """Return where boards lie within borders of one colour, (N, 2, 3), and whether they do (N,).

    size
        Rows and columns of the board.
    """
    height, width = pictures.shape[2:]
    top, bottom = (_plain(side) for side in (pictures, pictures.flip(2)))
    left, right = (_plain(side) for side in (pictures.mT, pictures.mT.flip(2)))
    high, wide = height - top - bottom, width - left - right
    zero = torch.zeros_like(wide)
    across = torch.stack([wide, zero, left - right], dim=1) / width
    down = torch.stack([zero, high, top - bottom], dim=1) / height
    off = (high.clamp_min(1) / wide.clamp_min(1) * (size[1] / size[0])).log().abs()
    found = (off < ASPECT) & (high.minimum(wide) > _LEAST) & (top + bottom + left + right > 0)
    return torch.stack([across, down], dim=1), found


def _plain(pictures: Tensor) -> Tensor:
    """Return how many rows (N,) at the top have the colour of the first."""
    ground = pictures[:, :, 0].sort(2).values[..., pictures.shape[3] // 2, None, None]
    off = ((pictures - ground).abs() > 24).any(1).float().mean(2) > 0.02
    return off.int().argmax(1).float()


def register(
    pictures: Tensor, boards: Tensor, shown: Tensor, matrix: Tensor, near: bool = False
) -> Tensor:
    """Return where boards lie in pictures, (N, 2, 3).

    As ``render.align.register``, with a fixed number of steps.

    pictures, boards
        Luminances (N, h, w), all of one size.
    shown
        (N, h, w): what takes part.
    """
    start, correlation = matrix, matrix[:, 0, 0]
    folds = _folds(tuple(boards.shape[1:]))[-1 if near else 0 :]
    for fold, steps in zip(folds, _STEPS[-len(folds) :], strict=True):
        seen, true, weight = (
            avg_pool2d(one[:, None], fold)[:, 0] for one in (pictures, boards, shown.float())
        )
        matrix, correlation = _fit(seen, true, (weight > 0.99).float(), matrix, steps)
    return torch.where((correlation >= _TOGETHER)[:, None, None], matrix, start)


def _fit(
    pictures: Tensor, boards: Tensor, shown: Tensor, matrix: Tensor, steps: int
) -> tuple[Tensor, Tensor]:
    height, width = boards.shape[1:]
    x, y = places(whole(1, boards.device), (height, width))[0].unbind(-1)
    dy, dx = torch.gradient(boards, dim=(1, 2))
    dx, dy = dx * (width / 2), dy * (height / 2)
    texture = (dx * dx / width**2 + dy * dy / height**2).flatten(1)
    descent = torch.stack([dx * x, dx * y, dx, dy * x, dy * y, dy], dim=1).flatten(2)
    damped = 1 + 1e-6 * torch.eye(6, device=boards.device)
    correlation = matrix[:, 0, 0]
    for _ in range(steps):
        at = places(matrix, (height, width))
        seen = _sampled(pictures[:, None], at)
        inside = (at[..., 0].abs() < 1 - 1 / width) & (at[..., 1].abs() < 1 - 1 / height)
        gap, correlation, weight = _compare(
            seen.flatten(1), boards.flatten(1), (shown * inside).flatten(1), texture
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


def _compare(
    seen: Tensor, true: Tensor, weight: Tensor, texture: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gaps of greys (N, pixels) in one brightness, correlations (N,), new weights."""

    def mean(values: Tensor) -> Tensor:
        return (values * weight).sum(1, keepdim=True) / total

    total = weight.sum(1, keepdim=True).clamp_min(1)
    a, b = seen - mean(seen), true - mean(true)
    aa, bb = mean(a * a), mean(b * b)
    told = (total >= 16) & (aa > 1e-6) & (bb > 1e-6)
    correlation = torch.where(told, mean(a * b) / (aa * bb).clamp_min(1e-12).sqrt(), 0)[:, 0]
    gap = a * (bb / aa.clamp_min(1e-6)).sqrt() - b
    telling = weight * texture
    told = (gap * gap * telling).sum(1, keepdim=True) / (telling.sum(1, keepdim=True) + 1e-6)
    spread = _OUTLIER * told.sqrt() + 1e-6
    share = (spread / gap.abs().clamp_min(1e-6)).clamp_max(1)
    return gap, correlation, weight * share * share


def bent(boards: Tensor, true: Tensor, shown: Tensor, bend: Tensor) -> Tensor:
    """Return bends after one step towards where boards look like ``true``: ``render.place.bent``.

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
    spread = _EDGE_OUTLIER * told.sqrt() + 4
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
        for by in (_NARROW, _WIDE)
    )
    xx, xy, yy, xt, yt = (near + _WIDELY * far).unbind(1)
    xx, yy = xx + _STIFF * block, yy + _STIFF * block
    solved = torch.stack([yy * xt - xy * yt, xx * yt - xy * xt], dim=1)
    moved = (solved / (xx * yy - xy * xy)[:, None]).clamp(-_LEAP, _LEAP)
    pixel = 2 / torch.tensor([[[width]], [[height]]], device=boards.device)
    return (bend / pixel + moved).clamp(-_FAR, _FAR) * pixel


def _spread(sums: Tensor, by: float) -> Tensor:
    rows, cols = (_spreading(nodes, by, sums.device) for nodes in sums.shape[2:])
    return rows @ sums @ cols.T


@lru_cache(maxsize=32)
def _spreading(nodes: int, by: float, device: torch.device) -> Tensor:
    """Return the matrix that spreads what nodes know as ``scipy.ndimage.gaussian_filter`` does."""
    matrix = ndimage.gaussian_filter1d(np.eye(nodes), by, axis=0)
    return torch.as_tensor(matrix, dtype=torch.float32, device=device)


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
        some = gap[..., ::_SPARSE].sort(2).values
        middle = some[..., some.shape[2] // 2, None]
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
