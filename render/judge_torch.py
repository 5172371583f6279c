"""What stands in the cells of many pictures at once, once these are in line with their looks."""

from __future__ import annotations

import torch
from torch import Tensor

from render.align_torch import fitted
from render.looks_torch import Likenesses, TorchLooks
from render.read import _ALIKE, _BLURS, _CLEAN, _COVERED, _FOREIGN, _SOFTER, SURE, Size
from render.views_torch import Marks, Views, confidence


def judged(views: Views, looks: TorchLooks, marks: Marks, size: Size) -> tuple[Tensor, Tensor]:
    """Return the looks of all cells (N, cells), and how sure they are, as ``render.read`` does.

    The cells of a picture that is no board have no confidence.
    """
    look, sure = _beneath(views, looks, marks)
    rows = (sure < SURE).any(1).nonzero()[:, 0]
    if len(rows):  # what was covered may have spoilt the colours
        again = views.at(rows)
        mosaic = looks.mosaic(look[rows], size)
        board = fitted(again.board, mosaic)
        colours = looks.lab(board)
        again = Views(
            again.matrix, again.field, board, colours, mosaic, *looks.nearest(looks.cut(colours))
        )
        views = views.put(rows, again)
        look_again, sure_again = _beneath(again, looks, marks)
        look = look.index_copy(0, rows, look_again)
        sure = sure.index_copy(0, rows, sure_again)
    other = (views.misfit > _CLEAN**2) & (_correlation(views, looks, marks) < _ALIKE)
    few = (sure >= SURE).float().mean(1) < 0.5
    return look, sure.masked_fill((other | few)[:, None], 0)


def _correlation(views: Views, looks: TorchLooks, marks: Marks) -> Tensor:
    """Return how well what is seen and what should be seen go together in brightness."""
    shown = (~marks(views.colours)).flatten(1).float()
    total = shown.sum(1, keepdim=True).clamp_min(1)
    a, b = (one[:, 0].flatten(1) for one in (views.colours, looks.lab(views.mosaic)))
    a, b = ((one - (one * shown).sum(1, keepdim=True) / total) * shown for one in (a, b))
    aa, bb, ab = ((p * q).sum(1) / total[:, 0] for p, q in ((a, a), (b, b), (a, b)))
    return torch.where((aa >= 1) & (bb >= 1), ab / (aa * bb).clamp_min(1e-9).sqrt(), 0.0)


def _beneath(views: Views, looks: TorchLooks, marks: Marks) -> tuple[Tensor, Tensor]:
    """Look again, as softly as the pictures are, at the cells that something may cover."""
    patches, seen = looks.cut(views.colours), views.likeness
    blur = _blurs(patches, seen, looks)
    for softer in _BLURS:
        rows = (blur == softer).nonzero()[:, 0]
        if len(rows):
            soft = looks.softened(softer).nearest(patches[rows])
            pairs = zip(seen, soft, strict=True)
            seen = Likenesses(*(mine.index_copy(0, rows, theirs) for mine, theirs in pairs))
    sure, look = confidence(seen, seen.strange), seen.look
    odd = seen.strange.float().mean(2)
    doubtful = (odd > _COVERED / 2) | (seen.gap > _FOREIGN / 2)
    marked = looks.cut(marks(views.colours)[:, None])
    for softer in (0.0, *_BLURS):
        at = (doubtful & (blur == softer)[:, None]).nonzero(as_tuple=True)
        if len(at[0]):
            hidden = _frame(int(softer + 0.5), looks).expand(len(at[0]), -1)
            again = looks.softened(softer).nearest_beneath(patches[at], hidden)
            look = look.index_put(at, again.look)
            sure = sure.index_put(at, confidence(again, again.strange & ~marked[at]))
    return look, sure


def _blurs(patches: Tensor, seen: Likenesses, looks: TorchLooks) -> Tensor:
    """Return the Gaussian blurs (N,), in pixels of a look, that pictures look best through."""
    plain = (seen.strange.float().mean(2) < _COVERED).float()
    gaps = [looks.softened(blur).gap(patches, seen.look) for blur in (0.0, *_BLURS)]
    misfits = torch.stack([(gap.square() * plain).sum(1) for gap in gaps], dim=1)
    misfits[:, 0] *= _SOFTER
    blurs = torch.tensor((0.0, *_BLURS), device=patches.device)[misfits.argmin(1)]
    return torch.where((gaps[0] * plain).amax(1) > _CLEAN, blurs, 0.0)


def _frame(edge: int, looks: TorchLooks) -> Tensor:
    """Return which pixels (d,) of a cell lie so near to its edge."""
    frame = looks.tiles.new_ones(looks.detail, looks.detail, dtype=torch.bool)
    frame[edge : looks.detail - edge, edge : looks.detail - edge] = False
    return frame.flatten()
