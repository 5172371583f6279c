"""How boards are seen in many pictures at once, and how sure that is."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import max_pool2d

from render.boards.align_torch import whole
from render.boards.looks_torch import TorchLooks, lab
from render.boards.marks import GRIDDED, REDDER, REDDER_BOUNDS, grid
from render.boards.views import CLEAN, FOREIGN, Size
from render.palette import AID_RED


class Places(NamedTuple):
    """Where boards lie, and how soft they are: what ``Views`` begin with."""

    matrix: Tensor
    bend: Tensor
    blur: Tensor

    @classmethod
    def of(cls, pictures: Tensor, nodes: Size) -> Places:
        """Return those of boards that fill their pictures."""
        matrix = whole(len(pictures), pictures.device)
        return cls(
            matrix,
            matrix.new_zeros(len(matrix), 2, *nodes),
            torch.zeros(len(matrix), dtype=torch.long, device=matrix.device),
        )

    def at(self, rows: Tensor) -> Places:
        """Return those of some of the pictures."""
        return Places(*(part[rows] for part in self))


class Views(NamedTuple):
    """``boards.views.View`` of many pictures.

    matrix, bend
        Where each lies, as ``boards.align_torch`` has it.
    blur
        Numbers (N,) of the BLURS that the looks are seen through.
    colours
        The boards in CIELAB.
    look, gap, strange, margin, evidence
        Their ``Likenesses``.
    """

    matrix: Tensor
    bend: Tensor
    blur: Tensor
    board: Tensor
    colours: Tensor
    mosaic: Tensor
    look: Tensor
    gap: Tensor
    strange: Tensor
    margin: Tensor
    evidence: Tensor

    @property
    def place(self) -> Places:
        """Where the boards lie."""
        return Places(*self[:3])

    @property
    def misfit(self) -> Tensor:
        """Mean square (N,) of what cells differ by, none counting for more than a foreign one."""
        return self.gap.clamp_max(2 * FOREIGN).square().mean(1)

    @property
    def clean(self) -> Tensor:
        """Which pictures (N,) are drawings, or nearly, so that nothing need be done to them."""
        return (self.gap.amax(1) <= CLEAN) & (self.margin.amin(1) >= 0.5)

    def at(self, rows: Tensor) -> Views:
        """Return those of some of the pictures."""
        return Views(*(part[rows] for part in self))

    def put(self, rows: Tensor, others: Views) -> Views:
        """Return these with ``others`` in some rows."""
        pairs = zip(self, others, strict=True)
        return Views(*(mine.index_copy(0, rows, theirs) for mine, theirs in pairs))

    def better(self, others: Views) -> Views:
        """Return of each picture the view that fits best; of two alike this."""
        chosen = others.misfit < self.misfit
        pairs = zip(self, others, strict=True)
        return Views(*(torch.where(chosen.view(-1, *[1] * (a.ndim - 1)), b, a) for a, b in pairs))


class Marks:
    """``boards.marks``: what may be of a drawn way, or of the grid and its labels."""

    def __init__(self, looks: TorchLooks, size: Size):
        self._detail, device = looks.detail, looks.tiles.device
        red = lab(torch.tensor(AID_RED, device=device).view(1, 3, 1, 1).float())[0, 1:]
        self._hue = red / red.norm()
        shape = size[0] * looks.detail, size[1] * looks.detail
        self._grid = torch.as_tensor(grid(shape, looks.detail)).to(device)

    def __call__(self, views: Views) -> Tensor:
        """Return which pixels (N, H, W) of boards show something else than what lies there."""
        red = self._reddish(views.board, views.colours)
        own = self._reddish(views.mosaic, lab(views.mosaic))
        return torch.where(self._has_grid(red)[:, None, None], self._grid, red & ~own)

    def gridded(self, views: Views) -> Tensor:
        """Return which boards (N,) lie beneath a grid."""
        return self._has_grid(self._reddish(views.board, views.colours))

    def _reddish(self, boards: Tensor, colours: Tensor) -> Tensor:
        most = boards[:, 1].maximum(boards[:, 2])
        a, b = colours[:, 1], colours[:, 2]
        chroma = a * self._hue[0] + b * self._hue[1]
        across = (a * self._hue[1] - b * self._hue[0]).abs()
        red = (chroma > 18) & (across < 0.85 * chroma)
        red &= boards[:, 0] > most + (255 - most).clamp_max(REDDER)
        return max_pool2d(red[:, None].float(), 3, 1, 1)[:, 0] > 0

    def _has_grid(self, red: Tensor) -> Tensor:
        detail, bounds, middles = self._detail, [], []
        half = detail // 2
        for along in (red, red.mT):
            lines = along[:, detail - 1 : -1 : detail] | along[:, detail::detail]
            bounds.append(lines.float().mean(2))
            lines = along[:, half - 1 :: detail] | along[:, half::detail]
            middles.append(lines.float().mean(2))
        share, inner = (torch.cat(shares, dim=1).mean(1) for shares in (bounds, middles))
        return (share > GRIDDED) & (share > REDDER_BOUNDS * inner)
