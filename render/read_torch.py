"""Reading of boards of many pictures at once, on any device: the cells that ``render.read`` sees.

The way is that of ``render.read``: the nearest looks are laid to a board, place and colours are
brought into line with it, and the picture is looked at again. Pictures leave as soon as they are
clear, so that what is as it was drawn goes through once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from render.boards.align_torch import bordered, fitted, grey, register, stretched
from render.boards.decode_torch import checked, in_full, planes, resized, size_of, whole_levels
from render.boards.extent import LEAST, near
from render.boards.judge import SURE, Mend
from render.boards.judge_torch import doubted, judged
from render.boards.looks import UNKNOWN, Looks
from render.boards.looks_torch import BLURS, Likenesses, TorchLooks
from render.boards.place_torch import bent, inside, warped
from render.boards.settle import _BENDS, _SOFTER, CLEAN, FOREIGN, Size
from render.boards.views_torch import Marks, Places, Views, confidence
from render.read import LEAST_CELL, UnreadableImage

_AT_ONCE, _AT_ONCE_ON_CPU = 64, 4
"""Pictures that are looked at together: what a CPU's caches hold, elsewhere what fills a GPU."""
_ROUNDS = 2
"""How often the place of a board is sought, as a whole."""
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
    mend
        As for ``render.read.see``.
    """

    def __init__(self, looks: Looks, size: Size, device: torch.device, mend: Mend | None = None):
        self.looks, self.size = TorchLooks(looks, device), size
        self.shape = size[0] * looks.detail, size[1] * looks.detail
        self.nodes = 2 * size[0] + 1, 2 * size[1] + 1
        self.marks, self.mend = Marks(self.looks, size), mend

    def __call__(self, images: Tensor) -> SeenBoards:
        """Return what pictures show, (N, 3, H, W) or (N, H, W, 3), uint8 or floats from 0 to 1.

        Raises ValueError for what is no such batch, UnreadableImage for pictures of another shape.
        """
        images = checked(images)
        height, width = size_of(images)
        if min(height, width) < LEAST:
            raise UnreadableImage(f"the pictures have {width}x{height} pixels, too few to be read")
        if min(height / self.size[0], width / self.size[1]) < LEAST_CELL:
            raise UnreadableImage(
                f"the pictures have {width}x{height} pixels, too few for a board of "
                f"{self.size[0]} rows and {self.size[1]} columns"
            )
        if not len(images):
            none = torch.zeros(0, *self.size, device=images.device)
            return SeenBoards(none.short(), none)
        with torch.no_grad(), in_full(images.device.type):
            together = _AT_ONCE_ON_CPU if images.device.type == "cpu" else _AT_ONCE
            batches = images.split(together)
            if not near((height, width), self.size):
                self._refuse_unframed(batches)
            seen = [self._seen(whole_levels(some)) for some in batches]
            return SeenBoards(*map(torch.cat, zip(*seen, strict=True)))

    def _refuse_unframed(self, batches: Sequence[Tensor]) -> None:
        if not any(bool(self._framed(whole_levels(some))[1].any()) for some in batches):
            height, width = size_of(batches[0])
            raise UnreadableImage(
                f"the pictures have {width}x{height} pixels, which is not the shape of a board of "
                f"{self.size[0]} rows and {self.size[1]} columns"
            )

    def _framed(self, images: Tensor) -> tuple[Tensor, Tensor]:
        return bordered(planes(images).float(), size_of(images), self.size)

    def _seen(self, images: Tensor) -> SeenBoards:
        board = resized(images, self.shape)
        start = Places.of(images, self.nodes)
        views = self._looked(start, board)
        look, sure = views.look, confidence(views.likeness, views.strange)
        chosen, framed = ~views.clean, None
        if not near(size_of(images), self.size):  # without its border it may have the shape
            framed, chosen = self._framed(images)
            sure = torch.zeros_like(sure)
        rows = chosen.nonzero()[:, 0]
        if len(rows):
            best = self._best(images[rows], None if framed is None else framed[rows])
            again = judged(best, self.looks, self.marks, self.size, self.mend)
            look, sure = (
                a.index_copy(0, rows, b) for a, b in zip((look, sure), again, strict=True)
            )
        known = self.looks.parts[look].unflatten(1, self.size)
        sure = doubted(known, sure, torch.ones_like(views.clean), self.mend)
        sure = sure.unflatten(1, self.size)
        return SeenBoards(torch.where(sure >= SURE, known, UNKNOWN), sure)

    def _best(self, images: Tensor, within: Tensor | None) -> Views:
        """Return the views that fit best, of all that a board may lie like.

        within
            Where the boards lie, if it is known.
        """
        large = size_of(images)[0] > 2 * self.shape[0]
        size = (2 * self.shape[0], 2 * self.shape[1]) if large else size_of(images)
        pictures = resized(images, size)
        start = Places.of(pictures, self.nodes)
        if within is not None:
            return self.settle(pictures, start._replace(matrix=within))
        best = self.settle(pictures, start)
        rows = self._doubtful(best)
        if len(rows):  # there may be a border
            framed, found = bordered(pictures[rows], size_of(images), self.size)
            rows, framed = rows[found], framed[found]
        if len(rows):
            inner = start.at(rows)._replace(matrix=framed)
            best = best.put(rows, best.at(rows).better(self.settle(pictures[rows], inner)))
        rows = self._doubtful(best)
        if len(rows):  # its colours may be the trouble
            bright = stretched(pictures[rows], self.looks.tiles[: self.looks.count].float())
            best = best.put(rows, best.at(rows).better(self.settle(bright, start.at(rows))))
        return best

    def _doubtful(self, views: Views) -> Tensor:
        return (views.misfit >= (2 * CLEAN) ** 2).nonzero()[:, 0]

    def settle(self, pictures: Tensor, start: Places) -> Views:
        """Bring pictures and looks into line: as a whole, in softness, then node by node."""
        best = self.view(pictures, start)
        dim = grey(resized(pictures, self.shape))
        for step in range(_ROUNDS + _BENDS):
            if step == _ROUNDS:
                best = self.softened(best)
            rows = self._unclear(best, step >= _ROUNDS)
            if len(rows):
                views = best.at(rows)
                place = self.moved(dim[rows], views, step)
                best = best.put(rows, views.better(self.view(pictures[rows], place, views.mosaic)))
        return self.softened(best)

    def moved(self, dim: Tensor, views: Views, step: int) -> Places:
        """Return where boards lie, better than they are seen: as a whole first, then bent.

        dim
            Luminances (N, h, w) of the pictures.
        """
        within = inside(views.matrix, views.bend, self.shape)
        shown, mosaic = (within & ~self.marks(views.colours)).float(), grey(views.mosaic)
        matrix, bend = views.matrix, views.bend
        if step < _ROUNDS:
            matrix = register(dim, mosaic, shown, matrix, near=step > 0)
        else:
            bend = bent(grey(views.board), mosaic, shown, bend)
        return Places(matrix, bend, views.blur)

    def _unclear(self, views: Views, placed: bool = True) -> Tensor:
        """Return the pictures in which there is something to gain.

        placed
            The boards are where they lie as a whole, so that what is still foreign is no board.
        """
        unclear = views.least < _CLEAR
        return (unclear & (views.misfit <= FOREIGN**2) if placed else unclear).nonzero()[:, 0]

    def softened(self, views: Views) -> Views:
        """Return the views of looks as soft as the pictures are."""
        rows = self._unclear(views)
        if not len(rows):
            return views
        some = views.at(rows)
        patches = self.looks.cut(some.colours)
        misfits = []
        for number in range(len(BLURS)):
            gap = self.looks.gap(patches, self.looks.through(some.look, number))
            misfits.append(gap.clamp_max(FOREIGN).square().mean(1))
        misfits[0] = _SOFTER * misfits[0]
        blur = torch.stack(misfits, dim=1).argmin(1)
        place = Places(some.matrix, some.bend, blur)
        return views.put(rows, self._looked(place, some.board, some.colours))

    def view(self, pictures: Tensor, place: Places, target: Tensor | None = None) -> Views:
        """Return boards that lie so, in the colours of their looks.

        target
            A first guess at what they show.
        """
        raw = warped(pictures, place.matrix, self.shape, place.bend)
        gridded = torch.zeros(0, dtype=torch.long, device=raw.device)
        for step in range(2):
            board = raw if target is None else fitted(raw, target)
            colours = self.looks.lab(board)
            if not step:
                gridded = self.marks.gridded(colours).nonzero()[:, 0]
            look = self.looks.look(self.looks.cut(colours), place.blur)
            if len(gridded):
                beneath = self._beneath_grid(colours[gridded], place.blur[gridded])
                look = look.index_copy(0, gridded, beneath.look)
            target = self.looks.mosaic(look, self.size)
        assert target is not None
        return self._looked(place, fitted(raw, target), gridded=gridded)

    def _beneath_grid(self, colours: Tensor, blur: Tensor) -> Likenesses:
        """Compare cells by what lines and labels leave of them."""
        patches = self.looks.cut(colours)
        count, cells = patches.shape[:2]
        hidden = self.looks.cut(self.marks.grid[None, None]).expand(count, -1, -1).flatten(0, 1)
        edges = hidden.new_zeros(len(hidden), 4)
        blur = blur.repeat_interleave(cells)
        seen = self.looks.nearest_beneath(patches.flatten(0, 1), hidden, hidden, edges, blur)
        return Likenesses(*(part.unflatten(0, (count, cells)) for part in seen))

    def _looked(
        self,
        place: Places,
        board: Tensor,
        colours: Tensor | None = None,
        gridded: Tensor | None = None,
    ) -> Views:
        colours = self.looks.lab(board) if colours is None else colours
        seen = self.looks.nearest(self.looks.cut(colours), place.blur)
        if gridded is not None and len(gridded):
            beneath = self._beneath_grid(colours[gridded], place.blur[gridded])
            pairs = zip(seen, beneath, strict=True)
            seen = Likenesses(*(mine.index_copy(0, gridded, other) for mine, other in pairs))
        return Views(*place, board, colours, self.looks.mosaic(seen.look, self.size), *seen)
