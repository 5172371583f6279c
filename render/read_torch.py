"""Reading of boards of many pictures at once, on any device: the cells that ``render.read`` sees.

The way is that of ``render.read``: the nearest looks are laid to a board, place and colours are
brought into line with it, and the picture is looked at again. What is as it was drawn skips that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import max_pool2d

from render.align_torch import (
    bent,
    fitted,
    grey,
    levels,
    register,
    resized,
    warped,
    whole,
)
from render.grid import label_mask
from render.looks import UNKNOWN, Looks
from render.looks_torch import Likenesses, TorchLooks
from render.palette import AID_RED
from render.read import (
    _ALIKE,
    _BLURS,
    _CLEAN,
    _COVERED,
    _FOREIGN,
    _SOFTER,
    _SURE_EVIDENCE,
    LEAST,
    SURE,
    Size,
    UnreadableImage,
    _near,
)
from render.read import (
    _wider as _grown,
)

_AT_ONCE = 32
"""Pictures that are looked at together."""
_ROUNDS = 3
_BENT = 2
_OVER = 0.5
"""How far beyond 0 and 1 a decoder may shoot; that much is cut off."""


class SeenBoards(NamedTuple):
    """What pictures show, on their device.

    parts
        int16 (N, rows, columns); ``UNKNOWN`` where a cell can't be told, all of them in a picture
        that shows no board.
    confidence
        float32 (N, rows, columns), as ``render.read.Seen`` has it.
    """

    parts: Tensor
    confidence: Tensor


class _Views(NamedTuple):
    """``render.read._View`` of many pictures, at what ``matrix`` and ``field`` say."""

    matrix: Tensor
    field: Tensor
    board: Tensor
    look: Tensor
    gap: Tensor
    mosaic: Tensor

    @property
    def misfit(self) -> Tensor:
        return self.gap.clamp_max(2 * _FOREIGN).square().mean(1)

    def better(self, other: _Views) -> _Views:
        """Return of each picture the view that fits best; these where both do."""
        chosen = other.misfit < self.misfit
        pairs = zip(self, other, strict=True)
        return _Views(*(torch.where(chosen.view(-1, *[1] * (a.ndim - 1)), b, a) for a, b in pairs))


class BatchedReader:
    """Boards of one size, read by their looks.

    looks, size
        What cells look like; rows and columns.
    """

    def __init__(self, looks: Looks, size: Size, device: torch.device):
        self.looks, self.size = TorchLooks(looks, device), size
        self.shape = size[0] * looks.detail, size[1] * looks.detail
        red = self.looks.lab(torch.tensor(AID_RED, device=device).view(1, 3, 1, 1).float())
        self._hue = red[0, 1:, 0, 0] / red[0, 1:].norm()
        self._aid = torch.as_tensor(_aid(size, looks.detail), device=device)

    def __call__(self, images: Tensor) -> SeenBoards:
        """Return what pictures show, (N, 3, H, W) or (N, H, W, 3), uint8 or floats from 0 to 1.

        Raises ValueError for what is no such batch, UnreadableImage for pictures of another shape.
        """
        images = _batch(images)
        _check_shape(images, self.size)
        device = images.device.type
        with torch.inference_mode(), torch.autocast(device, enabled=False), _exact():
            parts = [self._seen(_levels(some)) for some in images.split(_AT_ONCE)]
            return SeenBoards(*map(torch.cat, zip(*parts, strict=True)))

    def _seen(self, pictures: Tensor) -> SeenBoards:
        looks = self.looks
        board = resized(pictures, self.shape)
        seen = looks.nearest(looks.cut(looks.lab(board)))
        parts, confidence = looks.parts[seen.look], _confidence(seen, seen.strange)
        clean = (seen.gap.amax(1) <= _CLEAN) & (seen.margin.amin(1) >= 0.5)
        rows = (~clean).nonzero()[:, 0]
        if len(rows):
            small = pictures[rows]
            if small.shape[2] > 2 * self.shape[0]:
                small = resized(small, (2 * self.shape[0], 2 * self.shape[1]))
            told, sure = self._judge(self.settle(small, whole(len(rows), rows.device)))
            parts = parts.index_copy(0, rows, told)
            confidence = confidence.index_copy(0, rows, sure)
        parts = torch.where(confidence >= SURE, parts, UNKNOWN)
        return SeenBoards(parts.unflatten(1, self.size), confidence.unflatten(1, self.size))

    def settle(self, pictures: Tensor, matrix: Tensor) -> _Views:
        """Bring pictures and looks into line."""
        field = matrix.new_zeros(len(matrix), 2, *self.size)
        best = view = self._view(pictures, matrix, field, fits=2)
        dim = grey(resized(pictures, self.shape))
        for step in range(_ROUNDS):
            shown, mosaic = ~self.marked(view.board), grey(view.mosaic)
            matrix, correlation = register(dim, mosaic, shown, matrix, near=step > 0)
            view = self._view(pictures, matrix, field, view.mosaic)
            best = best.better(view)
        for _ in range(_BENT):
            shown, mosaic = ~self.marked(best.board), grey(best.mosaic)
            field = bent(dim, mosaic, shown.float(), best.matrix, best.field)
            view = self._view(pictures, best.matrix, field, best.mosaic)
            best = best.better(view)
        return best

    def _view(
        self,
        pictures: Tensor,
        matrix: Tensor,
        field: Tensor,
        target: Tensor | None = None,
        fits: int = 1,
    ) -> _Views:
        looks = self.looks
        raw = warped(pictures, matrix, self.shape, field)
        board = raw if target is None else fitted(raw, target)
        look, gap = looks.looked(looks.cut(looks.lab(board)))
        mosaic = looks.mosaic(look, self.size)
        for _ in range(fits):
            board = fitted(raw, mosaic)
            look, gap = looks.looked(looks.cut(looks.lab(board)))
            mosaic = looks.mosaic(look, self.size)
        return _Views(matrix, field, board, look, gap, mosaic)

    def _judge(self, view: _Views) -> tuple[Tensor, Tensor]:
        """Return the parts and the confidence (N, cells) of what is seen."""
        look, confidence = self._beneath(view)
        rows = (confidence < SURE).any(1).nonzero()[:, 0]
        if len(rows):  # what was covered may have spoilt the colours
            mosaic = self.looks.mosaic(look[rows], self.size)
            board = fitted(view.board[rows], mosaic)
            of_look, gap = self.looks.looked(self.looks.cut(self.looks.lab(board)))
            again = _Views(*(part[rows] for part in view))
            again = again._replace(board=board, look=of_look, gap=gap, mosaic=mosaic)
            pairs = zip(view, again, strict=True)
            view = _Views(*(a.index_copy(0, rows, b) for a, b in pairs))
            look_again, sure = self._beneath(again)
            look = look.index_copy(0, rows, look_again)
            confidence = confidence.index_copy(0, rows, sure)
        strange = (view.misfit > _CLEAN**2) & (self._correlation(view) < _ALIKE)
        few = (confidence >= SURE).float().mean(1) < 0.5
        confidence = confidence.masked_fill((strange | few)[:, None], 0)
        return self.looks.parts[look], confidence

    def _correlation(self, view: _Views) -> Tensor:
        shown = (~self.marked(view.board)).flatten(1).float()
        total = shown.sum(1, keepdim=True).clamp_min(1)
        a, b = (self.looks.lab(one)[:, 0].flatten(1) for one in (view.board, view.mosaic))
        a, b = ((one - (one * shown).sum(1, keepdim=True) / total) * shown for one in (a, b))
        aa, bb = a.square().sum(1) / total[:, 0], b.square().sum(1) / total[:, 0]
        told = (a * b).sum(1) / total[:, 0] / (aa * bb).clamp_min(1e-9).sqrt()
        return torch.where((aa >= 1) & (bb >= 1), told, 0.0)

    def _beneath(self, view: _Views) -> tuple[Tensor, Tensor]:
        """Look again, as softly as the pictures are, at the cells that something may cover."""
        patches = self.looks.cut(self.looks.lab(view.board))
        seen = self.looks.nearest(patches)
        blur = self._blur(patches, seen)
        for softer in _BLURS:
            rows = (blur == softer).nonzero()[:, 0]
            if len(rows):
                seen = seen.put(rows, self.looks.softened(softer).nearest(patches[rows]))
        odd = seen.strange.float().mean(2)
        confidence, look = _confidence(seen, seen.strange), seen.look
        doubtful = (odd > _COVERED / 2) | (seen.gap > _FOREIGN / 2)
        marks = self.looks.cut(self.marked(view.board)[:, None])
        for softer in (0.0, *_BLURS):
            rows, cells = (doubtful & (blur == softer)[:, None]).nonzero(as_tuple=True)
            if not len(rows):
                continue
            hidden = self._frame(int(softer + 0.5)).expand(len(rows), -1)
            again = self.looks.softened(softer).nearest_beneath(patches[rows, cells], hidden)
            look = look.index_put((rows, cells), again.look)
            sure = _confidence(again, again.strange & ~marks[rows, cells])
            confidence = confidence.index_put((rows, cells), sure)
        return look, confidence

    def _blur(self, patches: Tensor, seen: Likenesses) -> Tensor:
        """Return the Gaussian blurs (N,), in pixels of a look, that pictures look best through."""
        plain = (seen.strange.float().mean(2) < _COVERED).float()
        gaps = [self.looks.softened(blur).gap(patches, seen.look) for blur in (0.0, *_BLURS)]
        misfits = torch.stack([(gap.square() * plain).sum(1) for gap in gaps], dim=1)
        misfits[:, 0] *= _SOFTER
        blurs = torch.tensor((0.0, *_BLURS), device=patches.device)[misfits.argmin(1)]
        return torch.where((gaps[0] * plain).amax(1) > _CLEAN, blurs, 0.0)

    def _frame(self, edge: int) -> Tensor:
        """Return which pixels (d,) of a cell lie so near to its edge."""
        detail = self.looks.detail
        frame = torch.ones(detail, detail, dtype=torch.bool, device=self._aid.device)
        frame[edge : detail - edge, edge : detail - edge] = False
        return frame.flatten()

    def marked(self, boards: Tensor) -> Tensor:
        """Return which pixels (N, H, W) may be of a drawn way, or of the grid and its labels."""
        plane = self.looks.lab(boards)[:, 1:]
        hue = self._hue.view(2, 1, 1)
        chroma = (plane * hue).sum(1)
        across = (plane[:, 0] * hue[1] - plane[:, 1] * hue[0]).abs()
        red = _wider((chroma > 18) & (across < 0.85 * chroma))
        return red | (self._aid & self._gridded(red)[:, None, None])

    def _gridded(self, red: Tensor) -> Tensor:
        """Return in which pictures (N,) most of the boundaries between cells are red."""
        detail, shares = self.looks.detail, []
        for along in (red, red.mT):
            lines = along[:, detail - 1 : -detail : detail] | along[:, detail::detail]
            shares.append(lines.float().mean(2))
        return torch.cat(shares, dim=1).mean(1) > 0.35


def _confidence(seen: Likenesses, covered: Tensor) -> Tensor:
    """``render.read._confidence``, with the pixels (..., pixels) that nothing explains."""
    share = covered.float().mean(-1) / _COVERED
    fit = 1 - torch.maximum(seen.gap / _FOREIGN, share).square()
    sure = torch.minimum(seen.margin, seen.evidence / _SURE_EVIDENCE)
    return torch.minimum(sure, fit).clamp(0, 1)


def _wider(mask: Tensor) -> Tensor:
    """Return masks (N, H, W) grown by a pixel each way."""
    return max_pool2d(mask.float()[:, None], 3, 1, 1)[:, 0] > 0


def _aid(size: Size, detail: int) -> NDArray[np.bool_]:
    """Return where the lines and labels of a visual aid are, and a pixel around them."""
    fine = label_mask(*size, 4 * detail)
    drawn = fine.reshape(size[0] * detail, 4, size[1] * detail, 4).max(axis=(1, 3)).astype(bool)
    drawn[::detail] = drawn[:, ::detail] = True
    return _grown(drawn)


@contextmanager
def _exact() -> Iterator[None]:
    """Multiply matrices of single precision in full, whatever else is set."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def _batch(images: Any) -> Tensor:
    """Return images as (N, 3, H, W); raise ValueError for what is no batch of pictures."""
    if not isinstance(images, Tensor):
        raise ValueError(f"pictures come as a torch tensor, not as {type(images).__name__}")
    if images.ndim != 4 or 3 not in (images.shape[1], images.shape[3]):
        raise ValueError(
            f"pictures come as a batch (N, 3, H, W) or (N, H, W, 3), not {tuple(images.shape)}"
        )
    if images.dtype != torch.uint8 and not images.is_floating_point():
        raise ValueError(f"pictures are uint8, or floats from 0 to 1, not {images.dtype}")
    if images.shape[1] != 3:
        images = images.permute(0, 3, 1, 2)
    if images.is_floating_point() and len(images):
        low, high = (float(end) for end in images.detach().aminmax())
        if not (low >= -_OVER and high <= 1 + _OVER):  # nan compares with nothing
            raise ValueError(f"pictures of floats go from 0 to 1, not from {low:g} to {high:g}")
    return images


def _levels(images: Tensor) -> Tensor:
    """Return pictures (N, 3, H, W) as whole levels, float32."""
    if images.dtype == torch.uint8:
        return images.float().contiguous()
    return levels(images.float() * 255)


def _check_shape(images: Tensor, size: Size) -> None:
    height, width = images.shape[2:]
    if min(height, width) < LEAST:
        raise UnreadableImage(f"the pictures have {width}x{height} pixels, too few to be read")
    if not _near((height, width), size):
        raise UnreadableImage(
            f"the pictures have {width}x{height} pixels, which is not the shape of a board of "
            f"{size[0]} rows and {size[1]} columns"
        )
