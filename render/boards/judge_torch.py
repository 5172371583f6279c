"""What the cells of many boards are taken to be once they lie where they belong."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from render.boards.align_torch import fitted
from render.boards.judge import _COVERED, _FIRM, _MANY, SURE, Mend
from render.boards.looks import UNKNOWN
from render.boards.looks_torch import TorchLooks
from render.boards.place_torch import inside
from render.boards.settle import CLEAN, Size
from render.boards.views_torch import Marks, Views, confidence
from render.read import _ALIKE, _TRUSTED
from render.read import _DOUBTFUL as _TOO_LITTLE

_DOUBTFUL = 0.8


def judged(
    views: Views, looks: TorchLooks, marks: Marks, size: Size, mend: Mend | None
) -> tuple[Tensor, Tensor]:
    """Return the looks of all cells (N, cells), and how sure they are, as ``boards.judge`` does.

    The cells of a picture that is no board have no confidence.
    """
    look, sure = _judged(views, looks, marks)
    rows = (sure < SURE).any(1).nonzero()[:, 0]
    if len(rows):  # what was covered may have spoilt the colours
        mended = _mended(views.at(rows), look[rows], looks, size)
        views = views.put(rows, mended)
        again = _judged(mended, looks, marks)
        look, sure = (a.index_copy(0, rows, b) for a, b in zip((look, sure), again, strict=True))
    sure = doubted(looks.parts[look].unflatten(1, size), sure, views.clean, mend)
    alike = torch.where(views.misfit > CLEAN**2, _correlation(views, looks, marks), 1.0)
    sure = sure * ((alike - _TOO_LITTLE) / _TRUSTED).clamp(0, 1)[:, None]
    few = (sure >= SURE).float().mean(1) < 0.5
    return look, sure.masked_fill(((alike < _ALIKE) | few)[:, None], 0)


def doubted(parts: Tensor, sure: Tensor, clean: Tensor, mend: Mend | None) -> Tensor:
    """Return how sure cells are, (N, cells), with no confidence in those that make no board.

    Where ``boards.judge`` would look again in the colours of the board that the parts would make, a
    cell is left unknown.

    parts, clean
        (N, rows, columns), and which pictures are as they were drawn, (N,).
    """
    rows = (~clean | (sure < _FIRM).any(1)).nonzero()[:, 0]
    if mend is None or not len(rows):
        return sure
    seen = parts[rows].cpu().numpy()
    wanted = np.stack([mend(one) for one in seen])
    off, other = (
        torch.as_tensor(which).flatten(1).to(sure.device)
        for which in (wanted != seen, (wanted != seen) & (wanted != UNKNOWN))
    )
    disturbed = ~clean[rows, None]
    many = other.float().mean(1, keepdim=True) > _MANY
    doubtful = (off & ((sure[rows] < _FIRM) | (many & disturbed))) | (other & disturbed)
    return sure.index_copy(0, rows, sure[rows].masked_fill(doubtful, 0))


def _mended(views: Views, look: Tensor, looks: TorchLooks, size: Size) -> Views:
    """Return views in the colours of looks (N, cells)."""
    mosaic = looks.mosaic(look, size)
    board = fitted(views.board, mosaic)
    colours = looks.lab(board)
    seen = looks.nearest(looks.cut(colours), views.blur)
    return Views(views.matrix, views.bend, views.blur, board, colours, mosaic, *seen)


def _correlation(views: Views, looks: TorchLooks, marks: Marks) -> Tensor:
    """Return how well what is seen and what should be seen go together in brightness."""
    shown = (~marks(views.colours)).flatten(1).float()
    total = shown.sum(1, keepdim=True).clamp_min(1)
    a, b = (one[:, 0].flatten(1) for one in (views.colours, looks.lab(views.mosaic)))
    a, b = ((one - (one * shown).sum(1, keepdim=True) / total) * shown for one in (a, b))
    aa, bb, ab = ((p * q).sum(1) / total[:, 0] for p, q in ((a, a), (b, b), (a, b)))
    return torch.where((aa >= 1) & (bb >= 1), ab / (aa * bb).clamp_min(1e-9).sqrt(), 0.0)


def _judged(views: Views, looks: TorchLooks, marks: Marks) -> tuple[Tensor, Tensor]:
    odd = views.strange.float().mean(2)
    look, sure = views.look, confidence(views.likeness, views.strange)
    outside = ~inside(views.matrix, views.bend, (views.board.shape[2], views.board.shape[3]))
    out = looks.cut(outside[:, None])
    doubtful = (odd > _COVERED / 2) | (sure < _DOUBTFUL) | out.any(2)
    at = (doubtful & ~views.clean[:, None]).nonzero(as_tuple=True)
    if len(at[0]):
        marked = looks.cut(marks(views.colours)[:, None])[at]
        patches = looks.cut(views.colours)[at]
        edges = _edges(views.bend)[at[1]]
        again = looks.nearest_beneath(patches, out[at], marked, edges, views.blur[at[0]])
        look = look.index_put(at, again.look)
        sure = sure.index_put(at, confidence(again, again.strange & ~marked))
    return look, sure


def _edges(bend: Tensor) -> Tensor:
    """Return at which edges of the board (up, right, down, left) each cell lies, (cells, 4)."""
    rows, cols = bend.shape[2] // 2, bend.shape[3] // 2
    at = torch.arange(rows * cols, device=bend.device)
    r, c = at // cols, at % cols
    return torch.stack([r == 0, c == cols - 1, r == rows - 1, c == 0], dim=1)
