"""Reading of boards of many pictures at once, on any device: the cells that ``render.read`` sees.

Where boards lie, of which colours and how soft they are is found on the device, as
``boards.settle`` does; how sure their cells are is said by ``render.read`` itself. Pictures that
are as they were drawn go through once, and never leave the device.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from render.boards.align_torch import bordered, stretched
from render.boards.decode_torch import checked, in_full, planes, resized, size_of, whole_levels
from render.boards.extent import LEAST, near
from render.boards.judge import FIRM, Mend, confidence_of
from render.boards.looks import UNKNOWN, Likeness, Looks
from render.boards.looks_torch import TorchLooks, cut
from render.boards.place import Place
from render.boards.settle import BLURS
from render.boards.settle_torch import Settler
from render.boards.views import CLEAN, Size, View
from render.boards.views_torch import Places, Views
from render.boards.warping import RGB
from render.read import LEAST_CELL, Seen, UnreadableImage, see, told

_AT_ONCE, _AT_ONCE_ON_CPU = 64, 4
"""Pictures that are looked at together: what a CPU's caches hold, elsewhere what fills a GPU."""


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
        held = TorchLooks(looks, device)
        self.looks, self.size, self.mend = looks, size, mend
        self.fine, self.rough = Settler(held, size), Settler(held.coarse(), size)
        self.nodes = 2 * size[0] + 1, 2 * size[1] + 1

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
        views = self.fine.unfitted(resized(images, self.fine.shape), Places.of(images, self.nodes))
        shaped = near(size_of(images), self.size)  # without its border it may have the shape
        found = _likeness(views)
        sure = confidence_of(found, found.strange.mean(axis=2))
        firm = views.clean.cpu().numpy() & (sure >= FIRM).all(axis=1) & shaped
        parts = np.where(firm[:, None], self.looks.parts[found.look], UNKNOWN).astype(np.int16)
        sure = np.where(firm[:, None], sure, np.float32(0))
        gridded = self.fine.gridded(views).cpu().numpy() & ~firm & shaped
        beneath, others = (torch.as_tensor(np.flatnonzero(k)) for k in (gridded, ~firm & ~gridded))
        for row, seen in chain(self._beneath_grids(images, beneath), self._told(images, others)):
            parts[row], sure[row] = seen.parts.ravel(), seen.confidence.ravel()
        seen_of = (torch.as_tensor(one).to(images.device) for one in (parts, sure))
        return SeenBoards(*(one.unflatten(1, self.size) for one in seen_of))

    def _beneath_grids(self, images: Tensor, rows: Tensor) -> Iterator[tuple[int, Seen]]:
        """Yield what some pictures with grids show: there are few, and they take other ways."""
        for row, pixels in zip(rows.tolist(), _pixels(images[rows]), strict=True):
            with suppress(UnreadableImage):
                yield row, see(pixels, self.looks, self.size, mend=self.mend)

    def _told(self, images: Tensor, rows: Tensor) -> Iterator[tuple[int, Seen]]:
        """Yield what some pictures show that must be brought into line."""
        if near(size_of(images), self.size):
            start = Places.of(images[rows], self.nodes)
        else:
            framed, found = self._framed(images[rows])
            rows = rows[found.cpu()]
            start = Places.of(images[rows], self.nodes)._replace(matrix=framed[found])
        if not len(rows):
            return
        pictures = self.fine.within(images[rows])
        views = self._best(pictures, size_of(images), start)
        for row, pixels, view in zip(
            rows.tolist(), _pixels(pictures), self._views(views, pictures), strict=True
        ):
            with suppress(UnreadableImage):
                yield row, told(pixels, view, self.mend)

    def _best(self, pictures: Tensor, shape: Size, start: Places) -> Views:
        """Return the views that fit best, of all that a board may lie like.

        shape
            Height and width of the pictures as they came.
        """
        best = self._settled(pictures, start)
        rows = self._doubtful(best)
        if len(rows):  # there may be a border
            framed, found = bordered(pictures[rows], shape, self.size)
            rows, framed = rows[found], framed[found]
        if len(rows):
            inner = start.at(rows)._replace(matrix=framed)
            best = best.put(rows, best.at(rows).better(self._settled(pictures[rows], inner)))
        rows = self._doubtful(best)
        if len(rows):  # its colours may be the trouble
            bright = stretched(pictures[rows], self.fine.looks.tiles.float())
            best = best.put(rows, best.at(rows).better(self._settled(bright, start.at(rows))))
        return best

    def _doubtful(self, views: Views) -> Tensor:
        return (views.misfit >= (2 * CLEAN) ** 2).nonzero()[:, 0]

    def _settled(self, pictures: Tensor, start: Places) -> Views:
        """Return views of boards near ``start``, brought into line: roughly first, then finely."""
        small = self.rough.within(pictures)
        rough = self.rough.settled(small, self.rough.view(small, start))
        return self.fine.refined(pictures, rough)

    def _views(self, views: Views, pictures: Tensor) -> Iterator[View]:
        """Yield views as ``boards.views`` has them."""
        likeness, boards, mosaics = _likeness(views), _pixels(views.board), _pixels(views.mosaic)
        patches = cut(views.colours, self.looks.detail).cpu().numpy()
        matrices, bends, blurs = (part.cpu().numpy() for part in views.place)
        (height, width), (high, wide) = size_of(pictures), self.fine.shape
        out = np.array([[width / 2, 0, width / 2], [0, height / 2, height / 2]])
        into = np.array([[2 / wide, 0, -1], [0, 2 / high, -1], [0, 0, 1]])
        half = np.array([wide / 2, high / 2], np.float32)
        for at, (board, mosaic) in enumerate(zip(boards, mosaics, strict=True)):
            matrix = out @ np.vstack([matrices[at], [0, 0, 1]]) @ into
            bend = bends[at].transpose(1, 2, 0) * half if bends[at].any() else None
            looks = self.looks.softened(BLURS[blurs[at]]) if blurs[at] else self.looks
            seen = Likeness(*(part[at] for part in likeness))
            yield View(Place(matrix, bend), board, patches[at], looks, seen, mosaic)


def _pixels(images: Tensor) -> RGB:
    """Return a batch of whole levels as (N, H, W, 3)."""
    pixels: RGB = planes(images).permute(0, 2, 3, 1).byte().contiguous().cpu().numpy()
    return pixels


def _likeness(views: Views) -> Likeness:
    """Return what cells look like, (N, cells)."""
    look, gap, strange, margin, evidence = (part.cpu().numpy() for part in views[6:])
    return Likeness(look, gap, strange, margin, evidence, look)
