"""A board and its picture brought into line: in place, in colour, in softness.

Analysis by synthesis: from the nearest looks a picture is laid, the given one is brought into line
with it and looked at again, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from render.boards.align import FREEDOMS, aligned, squared, whole
from render.boards.extent import starts
from render.boards.looks import Looks
from render.boards.marks import reddish
from render.boards.place import Place, bent, inside, shrunk_to
from render.boards.tint import stretched
from render.boards.views import CLEAN, FOREIGN, Size, View, view_at
from render.boards.warping import RGB, grey_of, reduced

Freedoms = Sequence[NDArray[np.float64]]
_ILL = FOREIGN / 2
"""Misfit of a cell, in CIELAB, from which on the board may not lie where it was found."""
_ROUGH = 8
"""Pixels a side of a cell that are enough to say where things are."""
ROUNDS = 4
BENDS = 5
GAIN = 0.97
"""By what factor a step must bring the misfit down for another to be worth it."""
_STILL = 0.1
"""Pixels of a look; when a board moves by less, it is where it belongs."""
_RIM = 8
"""Of a cell, the share at a board's rim that doesn't say where it lies: what comes into view beyond
an edge has cells misread, which then keep the board where it is."""
BLURS = (0.0, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)
"""Gaussian blurs that are tried, in pixels of a look; the first is none."""
SOFTER = 0.9
"""By what factor a blur must bring the square of the misfit down to be believed."""


def best_view(image: RGB, looks: Looks, size: Size, reference: RGB | None) -> View:
    """Return the view of a board of that size that fits best, from where it may lie."""
    shape = size[0] * looks.detail, size[1] * looks.detail
    views = []
    for matrix in starts(image, shape):
        view = view_at(image, looks, Place(matrix), shape, reference)
        if view.clean:
            return view
        views.append(settled(image, view, reference))
        if views[-1].misfit < CLEAN**2:
            return views[-1]
    if reference is None:  # its colours may be the trouble
        bright = stretched(image, looks.tiles)
        place = Place(whole(shape, image.shape[:2]))
        views.append(settled(bright, view_at(bright, looks, place, shape), None))
    return min(views, key=lambda view: view.misfit)


def squared_up(image: RGB, view: View) -> View | None:
    """Return the view of the board with square cells; None where all cells fit well as they are, or
    are square already.

    What comes into view beyond an edge, or a few tiles, can stretch a board or make it lean; then
    the cells far from what holds it are misread, and keep it so.
    """
    if view.clean or view.likeness.gap.max() <= _ILL:
        return None
    shape = view.board.shape[0], view.board.shape[1]
    start = Place(squared(view.place.matrix, shape))
    change = np.abs(start.matrix - view.place.matrix)[:, :2]  # from the middle on
    if (change @ shape[::-1]).max() / 2 < _still(view):
        return None
    straight = view_at(image, view.looks.plain(), start, shape, view.mosaic)
    return settled(image, straight, None, FREEDOMS[1:])


def settled(image: RGB, view: View, reference: RGB | None, freedoms: Freedoms = FREEDOMS) -> View:
    """Return the view after picture and looks have been brought into line.

    ``freedoms`` says how the board may move, as for ``aligned``.
    """
    small, ratio = shrunk_to(image, view.place)
    view = view._replace(place=view.place.scaled(ratio))
    if view.looks.detail > _ROUGH:
        half = _halved(small, view)
        least, fewer = shrunk_to(small, half.place)
        half = half._replace(place=half.place.scaled(fewer))
        rough = _settled(least, half, _half(reference), freedoms)
        rough = rough._replace(place=rough.place.scaled(1 / fewer))
        view = _refined(small, rough, view, better=rough.misfit < GAIN * half.misfit)
    else:
        view = _settled(small, view, reference, freedoms)
    return view._replace(place=view.place.scaled(1 / ratio))


def _settled(image: RGB, view: View, reference: RGB | None, freedoms: Freedoms) -> View:
    return _eased(image, registered(image, view, reference, freedoms), BENDS)


def _eased(image: RGB, view: View, bends: int) -> View:
    """Return the view after its parts have moved to where they belong, seen as soft as it is."""
    if view.misfit > FOREIGN**2:  # another picture: there is nothing to be gained
        return view
    view = softened(view)
    for step in range(bends):
        if view.clean:
            break
        after = _bent(image, view)
        last = step == bends - 1 or after.misfit > GAIN * view.misfit or _settles(view, after)
        view = after if not last or after.misfit < view.misfit else view
        if last:
            break
    return softened(view)


def _settles(view: View, after: View) -> bool:
    """Say whether the parts of a board, on the whole, moved too little to move on."""
    before, bend = view.place.bend, after.place.bend
    if bend is None or not np.array_equal(view.likeness.look, after.likeness.look):
        return False
    moved = bend if before is None else bend - before
    return float(np.sqrt((moved**2).mean())) < _STILL / 2


def _halved(image: RGB, view: View) -> View:
    """Return a view of half the detail, which is enough to say where things are."""
    shape = view.board.shape[0] // 2, view.board.shape[1] // 2
    return view_at(image, view.looks.coarse(), view.place.finer(0.5), shape, _half(view.mosaic))


def _half(board: RGB | None) -> RGB | None:
    return None if board is None else reduced(board, 2)


def _refined(image: RGB, rough: View, view: View, better: bool) -> View:
    """Return the view of the detail of ``view`` from where half the detail has led.

    It may fit worse than ``view`` until its parts have moved to where they belong. So it is asked
    at half the detail, where they have, whether it is ``better``.
    """
    size = tuple(side // view.looks.detail for side in view.board.shape[:2])
    target = view.looks.mosaic(rough.likeness.look.reshape(size))
    after = view_at(image, view.looks, rough.place.finer(2), view.board.shape[:2], target)
    return _eased(image, after if better or after.misfit < view.misfit else view, 1)


def registered(
    image: RGB, view: View, reference: RGB | None, freedoms: Freedoms = FREEDOMS
) -> View:
    """Return the best view of a board that lies straight in the picture."""
    best, shape, same = view, view.board.shape[:2], False
    for step in range(ROUNDS):
        target = reference if step == 0 and reference is not None else view.mosaic
        mask = _shown(image, view) & within_rim(shape, view.looks.detail)
        matrix = aligned(image, target, mask, view.place.matrix, step > 0, freedoms)
        if matrix is None:
            break
        moved = np.abs(matrix - view.place.matrix) @ [*shape[::-1], 1.0]
        if same and moved.max() < _still(view):  # there is nothing else to be seen
            break
        after = view_at(image, view.looks, Place(matrix), shape, target)
        same = np.array_equal(after.likeness.look, view.likeness.look)
        view = after
        gained = view.misfit < GAIN * best.misfit
        if view.misfit < best.misfit:
            best = view
        if step and not gained:
            break
        if same and moved.max() < _still(view):
            break
    return best


def _still(view: View) -> float:
    """Return by how many pixels of the picture a board may move that is where it belongs."""
    return _STILL * float(np.sqrt(abs(np.linalg.det(view.place.matrix[:, :2]))))


def softened(view: View) -> View:
    """Return the view of looks as soft as the picture is."""
    patches, look = view.patches, view.likeness.look
    plain = view.looks.plain()

    def misfit(looks: Looks) -> float:
        gaps = looks.patches[look]
        gaps -= patches
        squares = np.einsum("ij,ij->i", gaps, gaps) / patches.shape[1]
        return float(np.minimum(squares, FOREIGN**2).mean())

    seen = {0: misfit(plain)}

    def at(k: int) -> float:
        if k not in seen:
            seen[k] = misfit(plain.softened(BLURS[k])) if k < len(BLURS) else np.inf
        return seen[k]

    k = BLURS.index(view.looks.blur)
    while at(k + 1) < at(k):
        k += 1
    while k and at(k - 1) < at(k):
        k -= 1
    best = plain.softened(BLURS[k]) if k and at(k) < SOFTER * at(0) else plain
    if best is view.looks:
        return view
    likeness = best.nearest(patches)
    size = tuple(side // best.detail for side in view.board.shape[:2])
    return view._replace(
        looks=best, likeness=likeness, mosaic=best.mosaic(likeness.look.reshape(size))
    )


def _bent(image: RGB, view: View) -> View:
    """Return the view after each part of the board has moved to where its look lies."""
    shape = view.board.shape[:2]
    block = view.looks.detail // 2
    place = bent(grey_of(view.board), grey_of(view.mosaic), _shown(image, view), view.place, block)
    return view_at(image, view.looks, place, shape, view.mosaic)


@lru_cache(maxsize=16)
def within_rim(shape: Size, detail: int) -> NDArray[np.bool_]:
    """Return which pixels of a board are not of its rim."""
    rim = detail // _RIM
    mask = np.zeros(shape, bool)
    mask[rim : shape[0] - rim, rim : shape[1] - rim] = True
    return mask


def _shown(image: RGB, view: View) -> NDArray[np.bool_]:
    """Return which pixels of the board show what is drawn there."""
    shape = view.board.shape[0], view.board.shape[1]
    marks = view.marked
    if marks.any() and not view.gridded:
        marks = marks & ~reddish(view.mosaic)
    return ~marks & inside(image.shape[:2], view.place, shape)
