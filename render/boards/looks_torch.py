"""``boards.looks`` for the cells of many pictures at once, on any device."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from render import lab as colours
from render.boards.looks import CAP, OTHERS, Looks
from render.boards.settle import BLURS

_TOGETHER = 1 << 25
"""Distances that are held together."""


class Likenesses(NamedTuple):
    """``boards.looks.Likeness`` of cells (N, cells)."""

    look: Tensor
    gap: Tensor
    strange: Tensor
    margin: Tensor
    evidence: Tensor


class TorchLooks:
    """``Looks`` held on a device, with what they look like through each of the blurs."""

    def __init__(self, looks: Looks, device: torch.device):
        self.detail, self.tiles = looks.detail, self._planes(looks, device)
        self.looks, self._device = looks, device
        self._patches, self._parts = self._held(looks.patches), self._held(looks.parts)
        axes = looks.axes()
        self._mean, self._basis = self._held(axes.mean), self._held(axes.basis)
        self._points, self._squares = self._held(axes.points), self._held(axes.squares)
        self._soft: dict[int, TorchLooks] = {0: self}

    def _held(self, array: object) -> Tensor:
        return torch.as_tensor(array).to(self._device)

    @staticmethod
    def _planes(looks: Looks, device: torch.device) -> Tensor:
        return torch.as_tensor(looks.tiles).to(device).permute(0, 3, 1, 2)

    def coarse(self) -> TorchLooks:
        """Return the looks at half the detail."""
        return TorchLooks(self.looks.coarse(), self._device)

    def softened(self, number: int) -> TorchLooks:
        """Return the looks through one of the blurs, by its number; 0 is none."""
        if number not in self._soft:
            soft = self.looks.softened(BLURS[number])
            self._soft[number] = TorchLooks(soft, self._device)
        return self._soft[number]

    def mosaic(self, look: Tensor, size: tuple[int, int]) -> Tensor:
        """Return the pictures (N, 3, H, W) of looks (N, cells)."""
        tiles: Tensor = self.tiles[look].float().unflatten(1, size).permute(0, 3, 1, 4, 2, 5)
        return tiles.flatten(4, 5).flatten(2, 3)

    def gap(self, patches: Tensor, look: Tensor) -> Tensor:
        """Return how far patches (..., d) are off given looks."""
        return (patches - self._patches[look]).square_().mean(-1).sqrt_()

    def look(self, patches: Tensor) -> Tensor:
        """Return the nearest looks (N, cells) of patches (N, cells, d)."""
        flat = patches.flatten(0, 1).split(self._at_once())
        return torch.cat([self._far(some).argmin(1) for some in flat]).view(patches.shape[:2])

    def nearest(self, patches: Tensor) -> Likenesses:
        """Do what ``Looks.nearest`` does, with patches (N, cells, d)."""
        found = [self._likeness(some) for some in patches.flatten(0, 1).split(self._at_once())]
        return Likenesses(
            *(torch.cat(part).unflatten(0, patches.shape[:2]) for part in zip(*found, strict=True))
        )

    def _at_once(self) -> int:
        return max(1, _TOGETHER // len(self._points))

    def _far(self, patches: Tensor) -> Tensor:
        """Return the square distances (cells, looks)."""
        rest = patches - self._mean
        far = torch.addmm(self._squares, rest @ self._basis, self._points.T, alpha=-2)
        return far.add_(rest.square_().sum(1, keepdim=True)).clamp_min_(0)

    def _likeness(self, patches: Tensor) -> tuple[Tensor, ...]:
        far = self._far(patches)
        best, look = far.min(1, keepdim=True)
        others = far.masked_fill_(self._parts == self._parts[look], torch.inf)
        ahead, chosen = others.topk(min(OTHERS, len(self._points)), largest=False, sorted=False)
        ahead, look = ahead - best, look[:, 0]
        apart = (self._points[chosen] - self._points[look][:, None]).square_().sum(-1)
        apart = apart.clamp_min_(1e-3)
        gap = (best[:, 0] / patches.shape[1]).sqrt_()
        evidence = (ahead / apart.sqrt()).amin(1) / (2 * gap + 0.5)
        off = (patches - self._patches[look]).square_().unflatten(1, (-1, 3)).sum(-1)
        strange = off > CAP**2
        return look, gap, strange, (ahead / apart).amin(1), evidence


def cut(pictures: Tensor, detail: int) -> Tensor:
    """Return the cells (N, cells, d) of pictures (N, n, H, W)."""
    count, channels, height, width = pictures.shape
    rows, cols = height // detail, width // detail
    split = pictures.reshape(count, channels, rows, detail, cols, detail)
    return split.permute(0, 2, 4, 3, 5, 1).reshape(count, rows * cols, -1)


def lab(pictures: Tensor) -> Tensor:
    """Return pictures (N, 3, H, W) of whole levels in CIELAB."""
    linear, to_shares, to_lab = _lab(pictures.device)
    shares = linear.index_select(0, pictures.flatten().int()).view(len(pictures), 3, -1)
    shares = to_shares @ shares
    dark = 7.787 * shares + 16 / 116
    roots = torch.where(shares > colours.DARK, shares.clamp_min(1e-9).pow_(1 / 3), dark)
    out = to_lab @ roots
    out[:, 0] -= 16
    return out.view_as(pictures)


@lru_cache(maxsize=16)
def _lab(device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    held = (colours.LINEAR, colours.TO_SHARES, colours.TO_LAB)
    linear, to_shares, to_lab = (torch.as_tensor(np.asarray(one)).to(device) for one in held)
    return linear, to_shares, to_lab
