"""What the cells of a board are taken to be once it lies where it belongs, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.boards.beneath import nearest_beneath
from render.boards.looks import UNKNOWN, Likeness, Parts, cut
from render.boards.marks import marked
from render.boards.place import inside
from render.boards.settle import FOREIGN, View, patches_of, view_at
from render.boards.tint import fitted
from render.boards.warping import RGB
from render.lab import lab

SURE = 0.2
"""Confidence below which a cell can't be told."""
_COVERED = 0.12
"""Share of a cell that may look quite different for no reason that is known."""
_SURE_EVIDENCE = 15.0
"""Standard deviations of evidence that are as good as certain."""
_SOFT = 2.0
"""A blur, in pixels of a look, through which cells in doubt are seen as well."""
_BLURRED = 1.0
"""Blur, in pixels of a look, from which on a cell may be softer than the whole picture is."""
_LEFT = 4.5
"""What is left unexplained, in CIELAB, from which on noise may hide how soft a picture is."""
_AS_GOOD, _NO_WORSE = 1.1, 1.02
"""By what factor a cell may fit worse so and must not be another part, and be as decidedly its."""
_FIRM = 0.6
"""Confidence of a cell that is believed against the rest of the board."""
_MANY = 1 / 12
"""Share of cells at odds with the rest from which on none of them is: it is the colours."""
_SLACK = 2.0
"""By how much a board that is one may fit worse (squared) than parts that are none."""

Mend = Callable[[Parts], Parts]
"""What parts are if those that do not go with the rest were misread; UNKNOWN where none would."""


class Judged(NamedTuple):
    """The looks of the cells, (cells,), and how sure each is, 0 to 1."""

    look: NDArray[np.intp]
    confidence: NDArray[np.float32]


def judged(image: tuple[int, int], view: View) -> tuple[View, Judged]:
    """Return what the cells are; a view whose colours were spoilt by what covers it is mended."""
    found = _judged(image, view)
    if view.clean or (found.confidence >= SURE).all():
        return view, found
    rows, cols = (side // view.looks.detail for side in view.board.shape[:2])
    mosaic = view.looks.mosaic(found.look.reshape(rows, cols))
    board = fitted(view.board, mosaic)
    likeness = view.looks.nearest(patches_of(board, view.looks.detail))
    view = view._replace(board=board, mosaic=mosaic, likeness=likeness)
    return view, _judged(image, view)


def consistent(image: RGB, view: View, mend: Mend) -> View:
    """Return the view in the colours of the board that its parts would make, if it fits better.

    Where much is at odds, it may fit a little worse, if nothing is at odds then.
    """
    looks, look, shape = view.looks, view.likeness.look, view.board.shape[:2]
    size = shape[0] // looks.detail, shape[1] // looks.detail
    parts = looks.parts[look]
    wanted = mend(parts.reshape(size)).ravel()
    changed = np.flatnonzero((wanted != parts) & (wanted != UNKNOWN))
    if not len(changed):
        return view
    far = looks.distances(patches_of(view.board, looks.detail)[changed])
    far[looks.parts != wanted[changed][:, None]] = np.inf
    there = np.isfinite(far).any(axis=1)
    look = look.copy()
    look[changed[there]] = far[there].argmin(axis=1)
    after = view_at(image, looks, view.place, shape, looks.mosaic(look.reshape(size)))
    now = looks.parts[after.likeness.look].reshape(size)
    whole = len(changed) > _MANY * len(parts) and bool((mend(now) == now).all())
    return after if after.misfit < (_SLACK if whole else 1) * view.misfit else view


def doubted(view: View, found: Judged, parts: Parts, mend: Mend) -> NDArray[np.float32]:
    """Return how sure the cells are, with none in those that make no board, unless they are firm.

    Where many would be another part it is the colours, and no firmness counts.
    """
    wanted = mend(parts)
    off = (wanted != parts).ravel()
    many = not view.clean and ((wanted != parts) & (wanted != UNKNOWN)).mean() > _MANY
    doubtful = off & ((found.confidence < _FIRM) | many)
    return np.where(doubtful, np.float32(0), found.confidence)


def correlation(view: View) -> float:
    """Return how well what is seen and what should be seen go together in brightness."""
    shown = ~marked(view.board, view.looks.detail)
    seen, true = (lab(a)[..., 0][shown] for a in (view.board, view.mosaic))
    if min(seen.std(), true.std()) < 1:
        return 0.0
    return float(np.corrcoef(seen, true)[0, 1])


def _judged(image: tuple[int, int], view: View) -> Judged:
    likeness, looks, detail = view.likeness, view.looks, view.looks.detail
    odd = likeness.strange.mean(axis=1)
    confidence = _confidence(likeness, odd)
    if view.clean:
        return Judged(likeness.look, confidence)
    outside = ~inside(image, view.place, view.board.shape[:2])
    out = cut(outside[..., None], detail).reshape(len(odd), -1)
    doubtful = np.flatnonzero((odd > _COVERED / 2) | (confidence < 0.8) | out.any(axis=1))
    if not len(doubtful):
        return Judged(likeness.look, confidence)
    marks = cut(marked(view.board, detail)[..., None], detail).reshape(len(odd), -1)[doubtful]
    patches = patches_of(view.board, detail)[doubtful]
    shown = patches, out[doubtful], marks, _edges(view)[doubtful]
    poor = _is_poor(view)
    again = nearest_beneath(looks, *shown, poor=poor)
    sure = _confidence(again, (again.strange & ~marks).mean(axis=1))
    if poor:
        soft = nearest_beneath(looks.plain().softened(_SOFT), *shown)
        same = looks.parts[soft.look] == looks.parts[again.look]
        as_good = soft.gap < np.where(same, _NO_WORSE, _AS_GOOD) * again.gap
        as_good &= ~marks.any(axis=1)  # lines and labels fit nothing, softer or not
        sure = np.minimum(sure, np.where(as_good, same * soft.margin, 1))
    confidence[doubtful] = sure
    look = likeness.look.copy()
    look[doubtful] = again.look
    return Judged(look, confidence)


def _is_poor(view: View) -> bool:
    """Return whether much is left unexplained, or a picture shows less than the looks do.

    It is blurred, then, or has fewer pixels.
    """
    scale = abs(float(np.linalg.det(view.place.matrix[:, :2])))
    return view.looks.blur >= _BLURRED or scale < 1 or view.misfit > _LEFT**2


def _edges(view: View) -> NDArray[np.bool_]:
    """Return at which edges of the board (up, right, down, left) each cell lies, (cells, 4)."""
    rows, cols = (side // view.looks.detail for side in view.board.shape[:2])
    r, c = np.divmod(np.arange(rows * cols), cols)
    return np.stack([r == 0, c == cols - 1, r == rows - 1, c == 0], axis=-1)


def _confidence(likeness: Likeness, covered: NDArray[np.floating]) -> NDArray[np.float32]:
    fit = 1 - np.maximum(likeness.gap / FOREIGN, covered / _COVERED) ** 2
    sure = np.minimum(likeness.margin, likeness.evidence / _SURE_EVIDENCE)
    confidence: NDArray[np.float32] = np.clip(np.minimum(sure, fit), 0, 1).astype(np.float32)
    return confidence
