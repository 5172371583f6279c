"""Reading of boards of many pictures at once, on any device: the cells that ``render.read`` sees.

The way is that of ``render.read``: the nearest looks are laid to a board, place and colours are
brought into line with it, and the picture is looked at again. Pictures leave as soon as they are
clear, so that what is as it was drawn goes through once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor

from render.align_torch import bent, bordered, fitted, grey, register, stretched, warped, whole
from render.decode_torch import checked, resized, size_of, whole_levels
from render.judge_torch import judged
from render.looks import UNKNOWN, Looks
from render.looks_torch import TorchLooks
from render.read import _CLEAN, LEAST, SURE, Size, UnreadableImage, _near
from render.views_torch import Marks, Views, confidence

_AT_ONCE = 32
"""Pictures that are looked at together."""
_ROUNDS, _BENDS = 2, 2
"""How often places are sought: of the board as a whole, then of its cells."""
_CLEAR = 0.5
"""Confidence of the worst cell from which on there is nothing to gain."""


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


class BatchedReader:
    """Boards of one size, read by their looks.

    looks, size
        What cells look like; rows and columns.
    """

    def __init__(self, looks: Looks, size: Size, device: torch.device):
        self.looks, self.size = TorchLooks(looks, device), size
        self.shape = size[0] * looks.detail, size[1] * looks.detail
        self.marks = Marks(self.looks, size)

    def __call__(self, images: Tensor) -> SeenBoards:
        """Return what pictures show, (N, 3, H, W) or (N, H, W, 3), uint8 or floats from 0 to 1.

        Raises ValueError for what is no such batch, UnreadableImage for pictures of another shape.
        """
        images = checked(images)
        height, width = size_of(images)
        if min(height, width) < LEAST:
            raise UnreadableImage(f"the pictures have {width}x{height} pixels, too few to be read")
        if not _near((height, width), self.size):
            raise UnreadableImage(
                f"the pictures have {width}x{height} pixels, which is not the shape of a board of "
                f"{self.size[0]} rows and {self.size[1]} columns"
            )
        with torch.inference_mode(), _exact(images.device.type):
            seen = [self._seen(whole_levels(some)) for some in images.split(_AT_ONCE)]
            return SeenBoards(*map(torch.cat, zip(*seen, strict=True)))

    def _seen(self, images: Tensor) -> SeenBoards:
        board = resized(images, self.shape)
        place = whole(len(images), images.device)
        views = self._looked(place, place.new_zeros(len(images), 2, *self.size), board)
        look, sure = views.look, confidence(views.likeness, views.strange)
        clean = (views.gap.amax(1) <= _CLEAN) & (views.margin.amin(1) >= 0.5)
        rows = (~clean).nonzero()[:, 0]
        if len(rows):
            settled = self._best(images[rows], place[rows])
            again = judged(settled, self.looks, self.marks, self.size)
            look, sure = (
                a.index_copy(0, rows, b) for a, b in zip((look, sure), again, strict=True)
            )
        parts = torch.where(sure >= SURE, self.looks.parts[look], UNKNOWN)
        return SeenBoards(parts.unflatten(1, self.size), sure.unflatten(1, self.size))

    def _best(self, images: Tensor, place: Tensor) -> Views:
        """Return the views that fit best, of all that a board may lie like."""
        fold = 2 if size_of(images)[0] > 2 * self.shape[0] else None
        size = (2 * self.shape[0], 2 * self.shape[1]) if fold else size_of(images)
        pictures = resized(images, size)
        best = self.settle(pictures, place)
        rows = (best.least < SURE).nonzero()[:, 0]
        if len(rows):  # there may be a border
            framed, found = bordered(pictures[rows], self.size)
            rows, framed = rows[found], framed[found]
        if len(rows):
            best = best.put(rows, best.at(rows).better(self.settle(pictures[rows], framed)))
        rows = (best.least < SURE).nonzero()[:, 0]
        if len(rows):  # its colours may be the trouble
            bright = stretched(pictures[rows], self.looks.tiles)
            best = best.put(rows, best.at(rows).better(self.settle(bright, place[rows])))
        return best

    def settle(self, pictures: Tensor, place: Tensor) -> Views:
        """Bring pictures and looks into line."""
        field = place.new_zeros(len(place), 2, *self.size)
        best = self.view(pictures, place, field)
        dim = grey(resized(pictures, self.shape))
        for step in range(_ROUNDS + _BENDS):
            rows = (best.least < _CLEAR).nonzero()[:, 0]
            if not len(rows):
                break
            views = best.at(rows)
            place, field = self.moved(dim[rows], views, step)
            after = self.view(pictures[rows], place, field, views.mosaic)
            best = best.put(rows, views.better(after))
        return best

    def moved(self, dim: Tensor, views: Views, step: int) -> tuple[Tensor, Tensor]:
        """Return where boards lie, better than they are seen: as a whole at first, then bent."""
        shown, mosaic = (~self.marks(views.colours)).float(), grey(views.mosaic)
        if step < _ROUNDS:
            return register(dim, mosaic, shown, views.matrix, near=step > 0), views.field
        return views.matrix, bent(dim, mosaic, shown, views.matrix, views.field)

    def view(
        self, pictures: Tensor, place: Tensor, field: Tensor, target: Tensor | None = None
    ) -> Views:
        """Return boards that lie so, in the colours of their looks.

        target
            A first guess at what they show.
        """
        raw = warped(pictures, place, self.shape, field)
        for _ in range(2):
            board = raw if target is None else fitted(raw, target)
            look = self.looks.look(self.looks.cut(self.looks.lab(board)))
            target = self.looks.mosaic(look, self.size)
        return self._looked(place, field, fitted(raw, target))

    def _looked(self, place: Tensor, field: Tensor, board: Tensor) -> Views:
        colours = self.looks.lab(board)
        seen = self.looks.nearest(self.looks.cut(colours))
        return Views(place, field, board, colours, self.looks.mosaic(seen.look, self.size), *seen)


@contextmanager
def _exact(kind: str) -> Iterator[None]:
    """Multiply matrices of single precision in full, whatever else is set."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        with torch.autocast(kind, enabled=False):
            yield
    finally:
        torch.set_float32_matmul_precision(before)
