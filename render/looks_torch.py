"""``render.looks`` for the cells of many pictures at once, on any device."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from render import lab as colours
from render.looks import _CAP, _SHORTLIST, Looks

_TOGETHER = 1 << 25
"""Numbers held together where cells are compared pixel by pixel."""


class Likenesses(NamedTuple):
    """``render.looks.Likeness`` of many cells: what is (cells, ...) there is (..., cells) here."""

    look: Tensor
    gap: Tensor
    strange: Tensor
    margin: Tensor
    evidence: Tensor


class TorchLooks:
    """``Looks``, held on a device."""

    def __init__(self, looks: Looks, device: torch.device):
        def held(array: object) -> Tensor:
            return torch.as_tensor(array, device=device)

        self._looks, self._device = looks, device
        self._others: dict[float, TorchLooks] = {}
        self.detail = looks.detail
        self.parts, self.patches = held(looks.parts), held(looks.patches)
        self.tiles = held(looks.tiles).permute(0, 3, 1, 2).float()
        self._squares = self.patches.square().sum(1)
        self._nearness = held(looks._apart).rsqrt()
        self._linear, self._to_shares, self._to_lab = map(
            held, (colours._LINEAR, colours._TO_SHARES, colours._TO_LAB)
        )
        by_part = [(looks.parts == part).nonzero()[0].tolist() for part in sorted({*looks.parts})]
        longest = max(map(len, by_part))
        self._of_part = held([part + part[:1] * (longest - len(part)) for part in by_part])

    def softened(self, blur: float) -> TorchLooks:
        """Return the looks as ``Looks.softened`` has them, made once; these if 0."""
        if blur == 0:
            return self
        if blur not in self._others:
            self._others[blur] = TorchLooks(self._looks.softened(blur), self._device)
        return self._others[blur]

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
        tiles = self.tiles[look].unflatten(1, size).permute(0, 3, 1, 4, 2, 5)
        return tiles.flatten(4, 5).flatten(2, 3)

    def look(self, patches: Tensor) -> Tensor:
        """Return the nearest looks of patches (..., d)."""
        return self._far(patches).argmin(-1)

    def gap(self, patches: Tensor, look: Tensor) -> Tensor:
        """Return how far patches (..., d) are off given looks."""
        return (patches - self.patches[look]).square().mean(-1).sqrt()

    def nearest(self, patches: Tensor) -> Likenesses:
        """Do what ``Looks.nearest`` does, with patches (..., d)."""
        far = self._far(patches)
        best, look = far.min(-1, keepdim=True)
        look = look[..., 0]
        apart = patches - self.patches[look]
        gap = apart.square().mean(-1).sqrt()
        strange = apart.unflatten(-1, (-1, 3)).square().sum(-1) > _CAP**2
        same = self.parts == self.parts[look][..., None]
        nearness = self._nearness[look]
        evidence = (far - best).masked_fill_(same, torch.inf).mul_(nearness)
        sure = evidence.amin(-1) / (2 * gap + 0.5)
        return Likenesses(look, gap, strange, evidence.mul_(nearness).amin(-1), sure)

    def _far(self, patches: Tensor) -> Tensor:
        far = torch.addmm(self._squares, patches.flatten(0, -2), self.patches.T, alpha=-2)
        return far.unflatten(0, patches.shape[:-1]).add_(patches.square().sum(-1, keepdim=True))

    def nearest_beneath(self, patches: Tensor, hidden: Tensor) -> Likenesses:
        """Do what ``Looks.nearest_beneath`` does, with patches (cells, d)."""
        each = (_SHORTLIST + len(self._of_part)) * patches.shape[1]
        together = max(1, _TOGETHER // each)
        chunks = zip(patches.split(together), hidden.split(together), strict=True)
        parts = [self._beneath(patch, ~covered) for patch, covered in chunks]
        return Likenesses(*map(torch.cat, zip(*parts, strict=True)))

    def _beneath(self, patches: Tensor, shown: Tensor) -> Likenesses:
        chosen = self._shortlist(patches, shown)
        seen = shown.float()
        looks = self.patches[chosen].unflatten(-1, (-1, 3))
        squares = (looks - patches.unflatten(-1, (-1, 3))[:, None]).square().sum(-1)
        costs = (squares.clamp_max(_CAP**2) @ seen[..., None])[..., 0]
        least, best = costs.min(1, keepdim=True)
        mine = best[..., None, None].expand(-1, 1, *looks.shape[2:])
        apart = (looks - looks.gather(1, mine)).square().sum(-1).clamp_max(_CAP**2).sum(-1)
        look = chosen.gather(1, best)
        own = squares.gather(1, mine[..., 0])[:, 0]
        strange = own > _CAP**2
        fits = seen * ~strange
        gap = ((own * fits).sum(1) / (3 * fits.sum(1).clamp_min(1))).sqrt()
        same = self.parts[chosen] == self.parts[look]
        nearness = apart.clamp_min(1e-3).rsqrt()
        evidence = (costs - least).masked_fill_(same, torch.inf) * nearness
        margin, sure = (evidence * nearness).amin(1), evidence.amin(1) / (2 * gap + 0.5)
        return Likenesses(look[:, 0], gap, strange & shown, margin, sure)

    def _shortlist(self, patches: Tensor, shown: Tensor) -> Tensor:
        """Return the nearest looks of each cell, and of every part the nearest: (cells, n)."""
        weight = shown.float().repeat_interleave(3, dim=1)
        far = weight @ self.patches.square().T - 2 * (weight * patches) @ self.patches.T
        nearest = far.topk(min(_SHORTLIST, far.shape[1]), dim=1, largest=False).indices
        first = far[:, self._of_part].argmin(-1, keepdim=True)
        of_part = self._of_part.expand(len(far), -1, -1).gather(2, first)[..., 0]
        return torch.cat([nearest, of_part], dim=1).sort(1).values
