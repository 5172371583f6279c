"""``boards.align`` for many pictures at once, on any device: nothing here waits for it.

Places are those of ``boards.place_torch``.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

from render.boards.align import OUTLIER, TOGETHER, folds
from render.boards.decode_torch import levels
from render.boards.extent import ASPECT, LEAST
from render.boards.place_torch import places, sampled
from render.boards.tint import ENDS, GAINS, NEAR, OFFSET, PLAINLY, SAMPLED, VARIED

Size = tuple[int, int]

_STEPS = (12, 8, 5)
"""Steps of a registration at each level, the coarsest first; more bring no more."""
_GREY = (0.299, 0.587, 0.114)


def whole(count: int, device: torch.device) -> Tensor:
    """Return the matrices (count, 2, 3) of boards that fill their pictures."""
    return torch.eye(2, 3, device=device).repeat(count, 1, 1)


def grey(pictures: Tensor) -> Tensor:
    """Return the luminance (N, H, W) of pictures (N, 3, H, W)."""
    red, green, blue = pictures.unbind(1)
    return _GREY[0] * red + _GREY[1] * green + _GREY[2] * blue


def bordered(pictures: Tensor, shape: Size, size: Size) -> tuple[Tensor, Tensor]:
    """Return where boards lie within borders of one colour, (N, 2, 3), and whether they do (N,).

    shape, size
        Height and width of the pictures as they came; rows and columns of the boards.
    """
    height, width = pictures.shape[2:]
    top, bottom = (_plain(side) for side in (pictures, pictures.flip(2)))
    left, right = (_plain(side) for side in (pictures.mT, pictures.mT.flip(2)))
    high, wide = height - top - bottom, width - left - right
    zero = torch.zeros_like(wide)
    across = torch.stack([wide, zero, left - right], dim=1) / width
    down = torch.stack([zero, high, top - bottom], dim=1) / height
    ratio = (shape[0] / height * size[1]) / (shape[1] / width * size[0])
    off = (high.clamp_min(1) / wide.clamp_min(1) * ratio).log().abs()
    found = (off < ASPECT) & (high.minimum(wide) >= LEAST) & (top + bottom + left + right > 0)
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

    As ``boards.align.register``, with a fixed number of steps.

    pictures, boards
        Luminances (N, h, w), all of one size.
    shown
        (N, h, w): what takes part.
    """
    start, correlation = matrix, matrix[:, 0, 0]
    by = folds((boards.shape[1], boards.shape[2]))[-1 if near else 0 :]
    for fold, steps in zip(by, _STEPS[-len(by) :], strict=True):
        seen, true, weight = (
            avg_pool2d(one[:, None], fold)[:, 0] for one in (pictures, boards, shown.float())
        )
        matrix, correlation = _fit(seen, true, (weight > 0.99).float(), matrix, steps)
    return torch.where((correlation >= TOGETHER)[:, None, None], matrix, start)


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
        seen = sampled(pictures[:, None], at)
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
    spread = OUTLIER * told.sqrt() + 1e-6
    share = (spread / gap.abs().clamp_min(1e-6)).clamp_max(1)
    return gap, correlation, weight * share * share


def fitted(pictures: Tensor, boards: Tensor) -> Tensor:
    """Return pictures (N, 3, H, W) in the colours of boards of the same size, as ``boards.tint``.

    A gain and an offset a channel, from the means and deviations of the pixels that agree; only an
    offset where they are plain.
    """
    step = -(-pictures.shape[2] * pictures.shape[3] // SAMPLED) | 1
    seen, true = (one.flatten(2)[:, :, ::step] for one in (pictures, boards))
    gain, offset = torch.ones_like(seen[..., :1]), torch.zeros_like(seen[..., :1])
    off = offset  # of a plain ground, which could be taken for any other
    plain = torch.zeros_like(seen[:, :1, :1], dtype=torch.bool)
    for near in NEAR:
        gap = (seen * gain + offset - true).abs().amax(1, keepdim=True)
        middle = gap.median(2, keepdim=True).values
        agree = (gap <= (2 * middle).clamp_min(near)).float()
        total = agree.sum(2, keepdim=True).clamp_min(1)
        mean_x, mean_y = ((one * agree).sum(2, keepdim=True) / total for one in (seen, true))
        x, y = (seen - mean_x) * agree, (true - mean_y) * agree
        xx, xy, yy = ((p * q).sum(2, keepdim=True) / total for p, q in ((x, x), (x, y), (y, y)))
        off = torch.where(plain, off, mean_y - mean_x)
        varied = torch.minimum(xx.amax(1, keepdim=True), yy.amax(1, keepdim=True))
        plain = plain | (varied < VARIED**2)
        slope = (yy / xx.clamp_min(1e-9)).sqrt().clamp(*GAINS)
        gain = torch.where((xx > VARIED**2) & (xy > 0), slope, 1.0)
        offset = (mean_y - gain * mean_x).clamp(-OFFSET, OFFSET)
    off = torch.where(off.abs().amax(1, keepdim=True) <= PLAINLY, off, 0.0)
    gain, offset = torch.where(plain, 1.0, gain), torch.where(plain, off, offset)
    return levels(pictures * gain[..., None] + offset[..., None])


def stretched(pictures: Tensor, tiles: Tensor) -> Tensor:
    """Return pictures with each channel as dark and as bright as in tiles (looks, 3, d, d)."""
    seen = pictures[:, :, ::4, ::4].flatten(2).sort(2).values
    known = tiles.transpose(0, 1).flatten(1).sort(1).values
    low, high = (seen[..., round(end * (seen.shape[2] - 1)), None] for end in ENDS)
    dark, bright = (known[:, round(end * (known.shape[1] - 1)), None] for end in ENDS)
    gain = ((bright - dark) / (high - low).clamp_min(1)).clamp(*GAINS)
    return levels(bright[..., None] + (pictures - high[..., None]) * gain[..., None] - 0.5)
