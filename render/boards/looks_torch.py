"""``boards.looks`` for the cells of many pictures at once, on any device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import max_pool2d

from render import lab as colours
from render.boards.beneath import _ASIDE, _MOST, _NEAREST, _STIFF, _TELLING
from render.boards.looks import _CAP, _OTHERS, Looks
from render.boards.settle import _BLURS

BLURS = (0.0, *_BLURS)
"""Gaussian blurs, in pixels of a look, that looks are held through."""
_TOGETHER = 1 << 23
"""Numbers held together where cells are compared pixel by pixel."""


class Likenesses(NamedTuple):
    """``boards.looks.Likeness`` of cells (N, cells)."""

    look: Tensor
    gap: Tensor
    strange: Tensor
    margin: Tensor
    evidence: Tensor


class TorchLooks:
    """``Looks`` through each of BLURS, held on a device.

    Looks are numbered through all blurs: a look has the number of the one that it blurs, and that
    of its blur times ``count``.
    """

    def __init__(self, looks: Looks, device: torch.device):
        def held(array: object) -> Tensor:
            return torch.as_tensor(array).to(device)

        blurred = [looks.softened(blur) if blur else looks for blur in BLURS]
        self.detail, self.count = looks.detail, len(looks.parts)
        self.tiles = held(np.concatenate([some.tiles for some in blurred])).permute(0, 3, 1, 2)
        self.patches = held(np.concatenate([some.patches for some in blurred]))
        self.parts = held(looks.parts).repeat(len(BLURS))
        self._sides = held(looks.sides).float()
        self._squares = self.patches.square().sum(1)
        self._linear, self._to_shares, self._to_lab = map(
            held, (colours._LINEAR, colours._TO_SHARES, colours._TO_LAB)
        )
        tiles = self.patches.view(-1, self.detail, self.detail, 3)
        planes = tiles.permute(0, 3, 1, 2)  # of each pixel, the most and the least that is beside
        self._most, self._least = (
            (sign * max_pool2d(sign * planes, 3, 1, 1)).permute(0, 2, 3, 1).flatten(1, 2)
            for sign in (1, -1)
        )
        self._slopes = [slope.flatten(1, 2) for slope in torch.gradient(tiles, dim=(1, 2))]

    def lab(self, pictures: Tensor) -> Tensor:
        """Return pictures (N, 3, H, W) of whole levels in CIELAB."""
        linear = self._linear.index_select(0, pictures.flatten().long())
        shares = self._to_shares @ linear.view(len(pictures), 3, -1)
        dark = 7.787 * shares + 16 / 116
        roots = torch.where(shares > colours._DARK, shares.clamp_min(1e-9).pow_(1 / 3), dark)
        out = self._to_lab @ roots
        out[:, 0] -= 16
        return out.view_as(pictures)

    def cut(self, pictures: Tensor) -> Tensor:
        """Return the cells (N, cells, d) of pictures (N, n, H, W)."""
        count, channels, height, width = pictures.shape
        rows, cols = height // self.detail, width // self.detail
        split = pictures.reshape(count, channels, rows, self.detail, cols, self.detail)
        return split.permute(0, 2, 4, 3, 5, 1).reshape(count, rows * cols, -1)

    def mosaic(self, look: Tensor, size: tuple[int, int]) -> Tensor:
        """Return the pictures (N, 3, H, W) of looks (N, cells)."""
        tiles: Tensor = self.tiles[look].float().unflatten(1, size).permute(0, 3, 1, 4, 2, 5)
        return tiles.flatten(4, 5).flatten(2, 3)

    def through(self, look: Tensor, blur: Tensor | int) -> Tensor:
        """Return looks through others of BLURS, by their numbers."""
        return look % self.count + self.count * blur

    def gap(self, patches: Tensor, look: Tensor) -> Tensor:
        """Return how far patches (..., d) are off given looks."""
        return (patches - self.patches[look]).square().mean(-1).sqrt()

    def look(self, patches: Tensor, blur: Tensor) -> Tensor:
        """Return the nearest looks (N, cells) of patches (N, cells, d) through blurs (N,)."""
        cells = patches.shape[1]
        blur = blur.repeat_interleave(cells)
        near = self._far(patches.flatten(0, 1), blur).argmin(1)
        return self.through(near, blur).view(-1, cells)

    def nearest(self, patches: Tensor, blur: Tensor) -> Likenesses:
        """Do what ``Looks.nearest`` does, with patches (N, cells, d) through blurs (N,)."""
        cells = patches.shape[1]
        flat, blur = patches.flatten(0, 1), blur.repeat_interleave(cells)
        pieces = self._together(_OTHERS, flat, self._far(flat, blur), blur)
        found = [self._likeness(*piece) for piece in pieces]
        return Likenesses(
            *(torch.cat(part).unflatten(0, (-1, cells)) for part in zip(*found, strict=True))
        )

    def nearest_beneath(
        self, patches: Tensor, hidden: Tensor, covered: Tensor, edges: Tensor, blur: Tensor
    ) -> Likenesses:
        """Do what ``beneath.nearest_beneath`` does, with patches (cells, d), blurs (cells,)."""
        shown = (~hidden).float()
        cap = torch.where(covered, _CAP**2, _MOST**2)
        pieces = self._together(_NEAREST + _OTHERS, patches, shown, cap, edges, blur)
        found = [self._beneath(*piece) for piece in pieces]
        return Likenesses(*map(torch.cat, zip(*found, strict=True)))

    def _together(self, looks: int, *of_cells: Tensor) -> Iterator[tuple[Tensor, ...]]:
        """Yield pieces of what cells have, so small that all looks compared fit into memory."""
        count = max(1, _TOGETHER // (looks * self.patches.shape[1]))
        return zip(*(one.split(count) for one in of_cells), strict=True)

    def _far(self, patches: Tensor, blur: Tensor) -> Tensor:
        """Return the square distances (cells, count) to looks through blurs (cells,)."""
        out = patches.new_empty(len(patches), self.count)
        for number in blur.unique().tolist():
            looks = slice(number * self.count, (number + 1) * self.count)
            rows = (blur == number).nonzero()[:, 0]
            some = patches if len(rows) == len(patches) else patches[rows]
            far = torch.addmm(self._squares[looks], some, self.patches[looks].T, alpha=-2)
            out = far if len(rows) == len(patches) else out.index_copy_(0, rows, far)
        return out.add_(patches.square().sum(1, keepdim=True))

    def _likeness(self, patches: Tensor, far: Tensor, blur: Tensor) -> tuple[Tensor, ...]:
        best, look = far.min(1, keepdim=True)
        others = far.masked_fill(self.parts[: self.count] == self.parts[look], torch.inf)
        nearest = others.topk(min(_OTHERS, self.count), dim=1, largest=False, sorted=False)
        look = self.through(look[:, 0], blur)
        own = self.patches[look]
        apart = self.patches[self.through(nearest.indices, blur[:, None])] - own[:, None]
        apart = apart.square_().sum(-1).clamp_min(1e-3)
        ahead, off = nearest.values - best, (patches - own).square_()
        gap = off.mean(1).sqrt()
        evidence = (ahead / apart.sqrt()).amin(1) / (2 * gap + 0.5)
        strange = off.unflatten(1, (-1, 3)).sum(-1) > _CAP**2
        return look, gap, strange, (ahead / apart).amin(1), evidence

    def _beneath(
        self, patches: Tensor, shown: Tensor, cap: Tensor, edges: Tensor, blur: Tensor
    ) -> tuple[Tensor, ...]:
        far = self._far_beneath(patches, shown, blur)
        far = far.masked_fill_(edges.float() @ self._sides.T > 0, torch.inf)
        chosen = self._shortlist(far, blur)
        looks = self.patches[chosen].unflatten(2, (-1, 3))
        rest = patches.unflatten(1, (-1, 3))[:, None] - looks
        squares = self._moved(rest, shown, chosen).square_().sum(-1)  # (cells, n, pixels)
        costs = (squares.minimum(cap[:, None]) @ shown[..., None])[..., 0]
        least, at = costs.min(1)
        cells = torch.arange(len(at), device=at.device)
        best, own = chosen[cells, at], squares[cells, at]
        gaps = (looks - looks[cells, at][:, None]).square_().sum(-1).minimum(cap[:, None])
        apart = (gaps @ shown[..., None])[..., 0].clamp_min(1e-3)
        strange = (own > _CAP**2) & self._stranger(patches, best)
        fits = shown * ~strange
        gap = ((own * fits).sum(1) / (3 * fits.sum(1).clamp_min(1))).sqrt()
        same = self.parts[chosen] == self.parts[best][:, None]
        ahead = (costs - least[:, None]).masked_fill(same, torch.inf)
        # Where most of what tells two looks apart can't be seen, the rest is little evidence.
        telling = (_TELLING * apart / (gaps.sum(-1) + 1e-3)).clamp_max(1)
        evidence = (ahead * telling / apart.sqrt()).amin(1) / (2 * gap + 0.5)
        return best, gap, strange & (shown > 0), (ahead / apart).amin(1), evidence

    def _stranger(self, patches: Tensor, look: Tensor) -> Tensor:
        """Return which pixels look quite different from all that the looks have there or beside."""
        seen = patches.unflatten(1, (-1, 3))
        gap = torch.maximum(self._least[look] - seen, seen - self._most[look]).clamp_min_(0)
        return gap.square_().sum(-1) > _CAP**2

    def _shortlist(self, far: Tensor, blur: Tensor) -> Tensor:
        """Return looks (cells, n): the nearest, and the nearest of other parts than the first's."""
        near = far.topk(min(_NEAREST + 1, self.count), dim=1, largest=False).indices
        same = self.parts[: self.count] == self.parts[near[:, :1]]
        others = far.masked_fill_(same, torch.inf)
        others = others.topk(min(_OTHERS + 1, self.count), dim=1, largest=False).indices
        return self.through(torch.cat([near, others], dim=1), blur[:, None])

    def _far_beneath(self, patches: Tensor, shown: Tensor, blur: Tensor) -> Tensor:
        """Return ``_far``, but for what is the same for all looks, of the pixels that are shown."""
        weight = shown.repeat_interleave(3, dim=1)
        out = patches.new_empty(len(patches), self.count)
        for number in blur.unique().tolist():
            looks = self.patches[number * self.count : (number + 1) * self.count]
            rows = (blur == number).nonzero()[:, 0]
            some = weight[rows]
            far = some @ looks.square().T - 2 * (some * patches[rows]) @ looks.T
            out.index_copy_(0, rows, far)
        return out

    def _moved(self, rest: Tensor, shown: Tensor, chosen: Tensor) -> Tensor:
        """Return what is left of differences (cells, n, pixels, 3) when the looks may move."""
        down, across = (slope[chosen] for slope in self._slopes)
        weight = shown[:, None, :, None]

        def total(a: Tensor, b: Tensor) -> Tensor:
            return (a * b).sum((2, 3))

        own, other = down * weight, across * weight
        stiff = _STIFF * rest.shape[2]
        yy, xy, xx = total(own, down) + stiff, total(own, across), total(other, across) + stiff
        yt, xt = total(own, rest), total(other, rest)
        area = yy * xx - xy * xy
        y = ((xx * yt - xy * xt) / area).clamp_(-_ASIDE, _ASIDE)[..., None, None]
        x = ((yy * xt - xy * yt) / area).clamp_(-_ASIDE, _ASIDE)[..., None, None]
        return rest - y * down - x * across
