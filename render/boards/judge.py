"""What the cells of a board are taken to be once it lies where it belongs, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy import ndimage

from render.boards.beneath import SURE_EVIDENCE, nearest_beneath
from render.boards.closely import closely
from render.boards.looks import CAP, Likeness, Nearest, Parts, cut, joined, summed
from render.boards.marks import reddish
from render.boards.place import inside
from render.boards.settle import within_rim
from render.boards.views import FOREIGN, Judged, View, recoloured

SURE = 0.2
"""Confidence below which a cell can't be told."""
_COVERED = 0.12
"""Share of a cell that may look quite different for no reason that is known."""
_BLURRED = 1.0
"""Blur, in pixels of a look, from which on a cell may be softer than the whole picture is."""
_LEFT = 4.5
"""What is left unexplained, in CIELAB, from which on noise may hide how soft a picture is."""
UNCLEAR = 0.5
"""Confidence below which a closer look at a cell has the last word."""
FIRM = 0.6
"""Confidence of a cell that is believed against the rest of the board; below it, a closer look that
is surer is believed."""
Mend = Callable[[Parts], Parts]
"""What parts are if those that do not go with the rest were misread; UNKNOWN where none would."""


def judged(image: tuple[int, int], view: View) -> tuple[View, Judged]:
    """Return what the cells are; a view whose colours were spoilt by what covers it is mended."""
    found = _judged(image, view)
    if view.clean:
        return view, found
    if (found.confidence < SURE).any():
        view = recoloured(view, found.look)
        found = _judged(image, view)
    near = closer(image, view, found, np.flatnonzero(found.confidence < FIRM))
    kept = (found.confidence >= UNCLEAR) & (near.confidence < found.confidence)
    before = Judged(found.look[kept], found.confidence[kept], found.rival[kept])
    return view, near.put(np.flatnonzero(kept), before)


def closer(
    image: tuple[int, int],
    view: View,
    found: Judged,
    cells: NDArray[np.intp],
    struck: NDArray[np.bool_] | None = None,
) -> Judged:
    """Return what the cells are after a closer look at some that are not clear.

    It has the last word; where it sees the same part, a cell is as sure as the surer of the two.
    Where looks are struck out (as for ``beneath``) it has all the say: it knows best what is no
    look at all. Beneath a grid it has none: what joins cells can't be seen there.
    """
    if not len(cells) or view.gridded:
        return found
    size = tuple(side // view.looks.detail for side in view.board.shape[:2])
    own = reddish(view.looks.mosaic(found.look.reshape(size)))
    shown = inside(image, view.place, view.board.shape[:2])
    again = _closely(
        view, found.look, cells, shown, view.reddish & ~own, barred(view, cells, struck)
    )
    same = view.looks.parts[again.look] == view.looks.parts[found.look[cells]]
    before = np.where(same & (struck is None), found.confidence[cells], 0)
    rival = np.where(before > again.confidence, found.rival[cells], again.rival)
    return found.put(cells, Judged(again.look, np.maximum(again.confidence, before), rival))


def _closely(
    view: View,
    look: NDArray[np.intp],
    cells: NDArray[np.intp],
    shown: NDArray[np.bool_],
    marks: NDArray[np.bool_],
    struck: NDArray[np.bool_],
) -> Judged:
    """Return what cells are at a closer look; those at the rim that can't be told, without it.

    Where the picture is blurred, or the board a little out of place, what lies beyond the board is
    mixed into its rim.
    """
    found = closely(view, look, cells, shown, marks, struck)
    within = within_rim(shown.shape, view.looks.detail)
    at_rim = ~cut(within[..., None], view.looks.detail)[cells].all(axis=(1, 2, 3))
    k = np.flatnonzero(at_rim & (found.confidence < SURE))
    if not len(k):
        return found
    return found.put(k, closely(view, look, cells[k], shown & within, marks, struck[k]))


def _judged(image: tuple[int, int], view: View) -> Judged:
    likeness = view.likeness
    odd = likeness.strange.mean(axis=1)
    found = Judged(likeness.look, confidence_of(likeness, odd), likeness.look)
    if view.clean:
        return found
    out = _outside(image, view).any(axis=1)
    doubtful = np.flatnonzero((odd > _COVERED / 2) | (found.confidence < 0.8) | out)
    return (
        found.put(doubtful, beneath(image, view, found.look, doubtful)) if len(doubtful) else found
    )


def beneath(
    image: tuple[int, int],
    view: View,
    look: NDArray[np.intp],
    cells: NDArray[np.intp],
    struck: NDArray[np.bool_] | None = None,
) -> Judged:
    """Return what some cells are, by what can be seen of them, beneath what may cover them.

    look
        What all cells of the board are taken to be.
    struck
        (cells, looks): what they can't be, besides what can't lie at the edge of a board.
    """
    looks, detail = view.looks, view.looks.detail
    marks = cut(view.marked[..., None], detail)[cells].reshape(len(cells), -1)
    shown = view.patches[cells], _outside(image, view)[cells], marks, barred(view, cells, struck)
    again = nearest_beneath(looks, *shown, poor=_is_poor(view))
    whole = look.copy()
    whole[cells] = again.look
    strange = again.strange & ~marks
    some = np.flatnonzero(strange.any(axis=1))
    if len(some):
        strange[some] &= _foreign(view, whole, cells[some])
    return Judged(again.look, confidence_of(again, strange.mean(axis=1)), again.rival)


def _outside(image: tuple[int, int], view: View) -> NDArray[np.bool_]:
    """Return which pixels (cells, pixels) of the board the picture doesn't show."""
    outside = ~inside(image, view.place, view.board.shape[:2])
    tiles = cut(outside[..., None], view.looks.detail)
    return tiles.reshape(len(tiles), -1)


def _foreign(view: View, look: NDArray[np.intp], cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which pixels of cells, (cells, pixels), look quite different from all around them.

    Where a picture is soft, or parts of it lie aside, a cell has the colours of the next at its
    edge.
    """
    looks, detail = view.looks, view.looks.detail
    rows, cols = (side // detail for side in view.board.shape[:2])
    reach = max(1, round(looks.blur))
    true = joined(looks.patches[look].reshape(rows, cols, detail, detail, 3))
    true = np.pad(true, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    windows = sliding_window_view(true, (detail + 2 * reach,) * 2, axis=(0, 1))
    r, c = np.divmod(cells, cols)
    around = np.ascontiguousarray(windows[r * detail, c * detail].transpose(0, 2, 3, 1))
    within, size = slice(reach, reach + detail), (1, 2 * reach + 1, 2 * reach + 1, 1)
    low = ndimage.minimum_filter(around, size)[:, within, within]
    high = ndimage.maximum_filter(around, size)[:, within, within]
    seen = view.patches[cells].reshape(low.shape)
    gap = np.maximum(np.maximum(low - seen, seen - high), 0)
    foreign: NDArray[np.bool_] = summed(gap * gap) > CAP**2
    return foreign.reshape(len(cells), -1)


def _is_poor(view: View) -> bool:
    """Return whether much is left unexplained, or a picture shows less than the looks do.

    It is blurred, then, or has fewer pixels.
    """
    scale = abs(float(np.linalg.det(view.place.matrix[:, :2])))
    return view.looks.blur >= _BLURRED or scale < 1 or view.misfit > _LEFT**2


def barred(
    view: View, cells: NDArray[np.intp], struck: NDArray[np.bool_] | None
) -> NDArray[np.bool_]:
    """Return the looks that some cells can't be, (cells, looks): those that go on beyond an edge of
    the board, and those that are struck out."""
    rows, cols = (side // view.looks.detail for side in view.board.shape[:2])
    r, c = np.divmod(cells, cols)
    edges = np.stack([r == 0, c == cols - 1, r == rows - 1, c == 0], axis=-1)
    beyond: NDArray[np.bool_] = edges.astype(np.float32) @ view.looks.sides.T.astype(np.float32) > 0
    return beyond if struck is None else beyond | struck


def confidence_of(
    likeness: Likeness | Nearest, covered: NDArray[np.floating]
) -> NDArray[np.float32]:
    fit = 1 - np.maximum(likeness.gap / FOREIGN, covered / _COVERED) ** 2
    sure = np.minimum(likeness.margin, likeness.evidence / SURE_EVIDENCE)
    confidence: NDArray[np.float32] = np.clip(np.minimum(sure, fit), 0, 1).astype(np.float32)
    return confidence
