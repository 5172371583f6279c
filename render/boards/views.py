"""How a board is seen where it is taken to lie: in the colours of its looks, cell by cell."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.boards.beneath import nearest_beneath
from render.boards.looks import Likeness, Looks, Nearest, Patches, cut
from render.boards.marks import Mask, grid, has_grid, reddish
from render.boards.place import Place, cut_out
from render.boards.tint import SAME, apart, fitted, tint, tinted
from render.boards.warping import RGB
from render.lab import lab

Size = tuple[int, int]

CLEAN = 3.0
"""A cell that differs less from its look, in CIELAB, is as it was drawn, or nearly."""
FOREIGN = 14.0
"""A cell that differs more, in CIELAB, is not the look at all."""
UNLIKE = 2 * FOREIGN
"""Median of what cells differ by, in CIELAB, from which on no grid over them explains it."""
_FITS = 3
_SAME_COLOURS = 2
"""Levels by which a colour fit may change and no cell need be looked at again."""


class _View(NamedTuple):
    place: Place
    board: RGB
    patches: Patches
    looks: Looks
    likeness: Likeness | Nearest
    mosaic: RGB


class View(_View):
    """A board as it is seen where it is taken to lie, and what its cells look like.

    patches
        Its cells in CIELAB.
    looks
        Those that the cells were compared with: as soft as the picture is.
    """

    @cached_property
    def reddish(self) -> Mask:
        """Which pixels of the board are of the aids' red, or beside one that is."""
        return reddish(self.board)

    @cached_property
    def gridded(self) -> bool:
        """Whether the board lies beneath a grid."""
        return has_grid(self.reddish, self.looks.detail)

    @property
    def marked(self) -> Mask:
        """Which pixels may be of a drawn way, or of the grid and its labels."""
        shape = self.board.shape[0], self.board.shape[1]
        return grid(shape, self.looks.detail) if self.gridded else self.reddish

    @property
    def misfit(self) -> float:
        """Mean square of what the cells differ by, none counting for more than a foreign one."""
        return float((np.minimum(self.likeness.gap, 2 * FOREIGN) ** 2).mean())

    @property
    def clean(self) -> bool:
        """Whether the picture is a drawing, or nearly, so that nothing need be done to it."""
        return bool(self.likeness.gap.max() <= CLEAN and self.likeness.margin.min() >= 0.5)


class Judged(NamedTuple):
    """The looks of the cells, (cells,); how sure each is, 0 to 1; and what else it could be
    where it is in doubt."""

    look: NDArray[np.intp]
    confidence: NDArray[np.float32]
    rival: NDArray[np.intp]

    def put(self, cells: NDArray[np.intp], seen: Judged) -> Judged:
        """Return the same with what has been seen of some of the cells."""
        look, confidence, rival = self.look.copy(), self.confidence.copy(), self.rival.copy()
        look[cells], confidence[cells], rival[cells] = seen
        return Judged(look, confidence, rival)


def patches_of(board: RGB, detail: int) -> Patches:
    """Return the cells of a board in CIELAB."""
    tiles = cut(board, detail)
    return lab(tiles).reshape(len(tiles), -1)


def view_at(image: RGB, looks: Looks, place: Place, shape: Size, target: RGB | None = None) -> View:
    """Return the board that lies somewhere, in the colours of its looks.

    ``target`` is a first guess at what it shows.
    """
    raw = cut_out(image, place, shape)
    size = shape[0] // looks.detail, shape[1] // looks.detail
    table = SAME if target is None else tint(raw, target)
    board = tinted(raw, table)
    patches = patches_of(board, looks.detail)
    gridded, likeness = _compared(board, patches, looks)
    mosaic = looks.mosaic(likeness.look.reshape(size))
    for _ in range(_FITS):
        if likeness.gap.max() <= CLEAN or (target is not None and (mosaic == target).all()):
            break
        before, table = table, tint(raw, mosaic)
        if apart(before, table) <= _SAME_COLOURS:
            break
        board = tinted(raw, table)
        patches = patches_of(board, looks.detail)
        likeness = _beneath_grid(patches, looks, shape) if gridded else looks.nearest(patches)
        target, mosaic = mosaic, looks.mosaic(likeness.look.reshape(size))
    return View(place, board, patches, looks, likeness, mosaic)


def _compared(board: RGB, patches: Patches, looks: Looks) -> tuple[bool, Likeness | Nearest]:
    """Return whether a board lies beneath a grid, and what its cells look like, beneath it too."""
    likeness = looks.nearest(patches)
    like = likeness.gap.max() > CLEAN and float(np.median(likeness.gap)) < UNLIKE
    if like and has_grid(reddish(board), looks.detail):
        return True, _beneath_grid(patches, looks, board.shape[:2])
    return False, likeness


def _beneath_grid(patches: Patches, looks: Looks, shape: Size) -> Likeness:
    """Compare cells by what lines and labels leave of them."""
    hidden = cut(grid(shape, looks.detail)[..., None], looks.detail).reshape(len(patches), -1)
    return nearest_beneath(looks, patches, hidden, hidden)


def recoloured(view: View, look: NDArray[np.intp]) -> View:
    """Return the view in the colours of a board of other looks than it has been taken for."""
    size = view.board.shape[0] // view.looks.detail, view.board.shape[1] // view.looks.detail
    mosaic = view.looks.mosaic(look.reshape(size))
    board = fitted(view.board, mosaic)
    patches = patches_of(board, view.looks.detail)
    _, likeness = _compared(board, patches, view.looks)
    return view._replace(board=board, patches=patches, mosaic=mosaic, likeness=likeness)
