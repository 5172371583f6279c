"""Whether what was taken for a border of one colour is more of the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.boards.looks import Patches, cut
from render.boards.place import Place, cut_out, inside
from render.boards.settle import settled
from render.boards.views import CLEAN, View, patches_of, view_at
from render.boards.warping import RGB
from render.lab import lab

_WHOLE, _CUT = 0.85, 0.35
"""Cells of a border from which on it may be a row of the board, and up to which it is none."""
_SHARES = 0.5, 0.9
"""Shares of what lies beyond an edge that may be off by what is allowed, and by twice that."""
_VARIED, _REPEATED = 1.0, 0.3
"""How much looks change along the way, in squared CIELAB, to tell a row from the edge drawn on; and
how much of that must be seen."""
_NEARLY = 0.15
"""Cells that may lack, or be too many, where a border would make several rows."""
_ROUGHER = 1.5
"""How many times as far as the cells of the board, on the median, more of them may be off."""


def grown(image: RGB, view: View) -> View | None:
    """Return the view of the board with the rows and columns that its border may well be.

    Where the border could be nothing else or just another border, the larger board is taken. None
    where it can't be told how many rows or columns they are.
    """
    looks, bound = view.looks.plain(), max(CLEAN, _ROUGHER * view.misfit**0.5)
    total = np.zeros(4, int)
    while True:
        room = _room(image, view)
        fits = (room > _CUT) & _fits(image, view)
        if (fits & (room < _WHOLE)).any():
            return None
        if not fits.any():
            break
        total += fits
        shape = _taller(view, *fits.astype(int))
        place = _shifted(view.place, fits[0], fits[2], looks.detail)
        after = view_at(image, looks, place, shape)
        view = after if after.clean else settled(image, after, None)
        if view.misfit > bound**2:
            return None
    unsure = (total > 1) & (np.abs(room) > _NEARLY) & (room < _CUT)
    return None if unsure.any() else view


def unsure(image: RGB, view: View) -> bool:
    """Return whether an outermost row or column of cells may be the board's edge drawn on.

    It only repeats what lies at its edge: its looks would change on the way there, or too little of
    it can be seen to tell. A plain board shows no size at all.
    """
    detail = view.looks.detail
    if np.ptp(view.mosaic, axis=(0, 1)).max() <= CLEAN:
        return True
    seen, true = lab(view.board), lab(view.mosaic)
    turned = seen.transpose(1, 0, 2), true.transpose(1, 0, 2)
    outermost = [
        (pair, at)
        for pair in ((seen, true), turned)
        for at in (slice(detail), slice(-detail, None))
    ]
    for ((a, b), at), room in zip(outermost, _room(image, view), strict=True):
        varied, expected = (float(one[at].var(axis=0).mean()) for one in (a, b))
        if varied < _REPEATED * expected if expected > _VARIED else room < _WHOLE - 1:
            return True
    return False


def _taller(view: View, top: int, bottom: int, left: int, right: int) -> tuple[int, int]:
    height, width = view.board.shape[:2]
    detail = view.looks.detail
    return height + (top + bottom) * detail, width + (left + right) * detail


def _room(image: RGB, view: View) -> NDArray[np.float64]:
    """Return how many cells of picture lie beyond each side (top, bottom, left, right)."""
    detail = view.looks.detail
    height, width = view.board.shape[:2]
    (across, _, left), (_, down, top) = view.place.matrix
    below = image.shape[0] - top - down * height
    beside = image.shape[1] - left - across * width
    room: NDArray[np.float64] = np.array([top / down, below / down, left / across, beside / across])
    room /= detail
    return room


def _fits(image: RGB, view: View) -> NDArray[np.bool_]:
    """Return for each side whether what lies beyond it, all along, is the look of a part."""
    detail, wider = view.looks.detail, _taller(view, 1, 1, 1, 1)
    place = _shifted(view.place, 1, 1, detail)
    shown = inside((image.shape[0], image.shape[1]), place, wider)
    rows, cols = wider[0] // detail, wider[1] // detail
    seen = cut(shown[..., None], detail).reshape(rows, cols, -1)
    cells = patches_of(cut_out(image, place, wider), detail).reshape(rows, cols, -1, 3)
    plain = _plain(view, cells[1:-1, 1:-1].reshape(len(view.likeness.look), -1, 3))
    allowed = max(CLEAN, _ROUGHER * float(np.median(view.likeness.gap)))
    out = []
    for at in ((0, slice(1, -1)), (-1, slice(1, -1)), (slice(1, -1), 0), (slice(1, -1), -1)):
        colours = cells[at][seen[at]]
        gaps = [np.linalg.norm(colours - one, axis=1) for one in plain if len(colours)]
        out.append(
            any((np.quantile(gap, _SHARES) <= np.multiply(allowed, (1, 2))).all() for gap in gaps)
        )
    return np.array(out)


def _plain(view: View, cells: Patches) -> NDArray[np.float32]:
    """Return the colours, in CIELAB, that looks of but one have in this picture.

    Those that it doesn't show are taken as they are drawn.
    """
    looks, look = view.looks.plain(), view.likeness.look
    pixels = looks.patches.reshape(len(looks.patches), -1, 3)
    out = []
    for k in np.flatnonzero(np.ptp(pixels, axis=1).max(axis=1) < 2 * CLEAN):
        shown = cells[look == k] if (look == k).any() else pixels[k : k + 1]
        out.append(np.median(shown, axis=(0, 1)))
    return np.array(out, np.float32).reshape(-1, 3)


def _shifted(place: Place, rows: int, cols: int, detail: int) -> Place:
    """Return the place of a board with so many rows more above and columns more at the left."""
    matrix = place.matrix.copy()
    matrix[:, 2] -= matrix[:, :2] @ [cols * detail, rows * detail]
    return Place(matrix)
