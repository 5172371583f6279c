"""A board and its picture brought into line: in place, in colour, in softness.

Analysis by synthesis: from the nearest looks a picture is laid, the given one is brought into line
with it and looked at again, until nothing changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.boards.align import register, whole
from render.boards.beneath import nearest_beneath
from render.boards.extent import starts
from render.boards.looks import Likeness, Looks, Patches, cut
from render.boards.marks import grid, has_grid, marked, reddish
from render.boards.place import Place, bent, cut_out, inside, shrunk_to
from render.boards.tint import SAME, apart, stretched, tint, tinted
from render.boards.warping import RGB, grey_of, reduced
from render.lab import lab

Size = tuple[int, int]

CLEAN = 3.0
"""A cell that differs less from its look, in CIELAB, is as it was drawn, or nearly."""
FOREIGN = 14.0
"""A cell that differs more, in CIELAB, is not the look at all."""
_UNLIKE = 2 * FOREIGN
"""Median of what cells differ by, in CIELAB, from which on no grid over them explains it."""
_ROUGH = 8
"""Pixels a side of a cell that are enough to say where things are."""
_ROUNDS = 4
_BENDS = 5
_GAIN = 0.97
"""By what factor a step must bring the misfit down for another to be worth it."""
_FITS = 3
_SAME_COLOURS = 2
"""Levels by which a colour fit may change and no cell need be looked at again."""
_STILL = 0.1
"""Pixels of a look; when a board moves by less, it is where it belongs."""
_BLURS = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)
"""Gaussian blurs that are tried, in pixels of a look."""
_SOFTER = 0.9
"""By what factor a blur must bring the square of the misfit down to be believed."""


class View(NamedTuple):
    """A board as it is seen where it is taken to lie, and what its cells look like.

    looks
        Those that the cells were compared with: as soft as the picture is.
    """

    place: Place
    board: RGB
    looks: Looks
    likeness: Likeness
    mosaic: RGB

    @property
    def misfit(self) -> float:
        """Mean square of what the cells differ by, none counting for more than a foreign one."""
        return float((np.minimum(self.likeness.gap, 2 * FOREIGN) ** 2).mean())

    @property
    def clean(self) -> bool:
        """Whether the picture is a drawing, or nearly, so that nothing need be done to it."""
        return bool(self.likeness.gap.max() <= CLEAN and self.likeness.margin.min() >= 0.5)


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
    likeness = looks.nearest(patches_of(board, looks.detail))
    like = likeness.gap.max() > CLEAN and float(np.median(likeness.gap)) < _UNLIKE
    gridded = like and has_grid(reddish(board), looks.detail)
    if gridded:
        likeness = _beneath_grid(board, looks)
    mosaic = looks.mosaic(likeness.look.reshape(size))
    for _ in range(_FITS):
        if likeness.gap.max() <= CLEAN:
            break
        before, table = table, tint(raw, mosaic)
        if apart(before, table) <= _SAME_COLOURS:
            break
        board = tinted(raw, table)
        likeness = (
            _beneath_grid(board, looks)
            if gridded
            else looks.nearest(patches_of(board, looks.detail))
        )
        mosaic = looks.mosaic(likeness.look.reshape(size))
    return View(place, board, looks, likeness, mosaic)


def _beneath_grid(board: RGB, looks: Looks) -> Likeness:
    """Compare cells by what lines and labels leave of them."""
    patches = patches_of(board, looks.detail)
    hidden = cut(grid((board.shape[0], board.shape[1]), looks.detail)[..., None], looks.detail)
    hidden = hidden.reshape(len(patches), -1)
    return nearest_beneath(looks, patches, hidden, hidden, np.zeros((len(patches), 4), bool))


def best_view(image: RGB, looks: Looks, size: Size, reference: RGB | None) -> View:
    """Return the view of a board of that size that fits best, from where it may lie."""
    shape = size[0] * looks.detail, size[1] * looks.detail
    views = []
    for matrix in starts(image, shape):
        view = view_at(image, looks, Place(matrix), shape, reference)
        if view.clean:
            return view
        views.append(settled(image, view, reference))
        if views[-1].misfit < (2 * CLEAN) ** 2:
            return views[-1]
    if reference is None:  # its colours may be the trouble
        bright = stretched(image, looks.tiles)
        place = Place(whole(shape, image.shape[:2]))
        views.append(settled(bright, view_at(bright, looks, place, shape), None))
    return min(views, key=lambda view: view.misfit)


def settled(image: RGB, view: View, reference: RGB | None) -> View:
    """Return the view after picture and looks have been brought into line."""
    small, ratio = shrunk_to(image, view.place)
    view = view._replace(place=view.place.scaled(ratio))
    if view.looks.detail > _ROUGH:
        view = _refined(small, _settled(small, _halved(small, view), _half(reference)), view)
    else:
        view = _settled(small, view, reference)
    return view._replace(place=view.place.scaled(1 / ratio))


def _settled(image: RGB, view: View, reference: RGB | None) -> View:
    return _eased(image, registered(image, view, reference), _BENDS)


def _eased(image: RGB, view: View, bends: int) -> View:
    """Return the view after its parts have moved to where they belong, seen as soft as it is."""
    if view.misfit > FOREIGN**2:  # another picture: there is nothing to be gained
        return view
    view = softened(view)
    for step in range(bends):
        if view.clean:
            break
        after = _bent(image, view)
        if step == bends - 1 or after.misfit > _GAIN * view.misfit:
            view = after if after.misfit < view.misfit else view
            break
        view = after
    return softened(view)


def _halved(image: RGB, view: View) -> View:
    """Return a view of half the detail, which is enough to say where things are."""
    shape = view.board.shape[0] // 2, view.board.shape[1] // 2
    return view_at(image, view.looks.coarse(), view.place.finer(0.5), shape, _half(view.mosaic))


def _half(board: RGB | None) -> RGB | None:
    return None if board is None else reduced(board, 2)


def _refined(image: RGB, rough: View, view: View) -> View:
    """Return the view of the detail of ``view`` from where half the detail has led."""
    size = tuple(side // view.looks.detail for side in view.board.shape[:2])
    target = view.looks.mosaic(rough.likeness.look.reshape(size))
    after = view_at(image, view.looks, rough.place.finer(2), view.board.shape[:2], target)
    return _eased(image, after if after.misfit < view.misfit else view, 1)


def registered(image: RGB, view: View, reference: RGB | None) -> View:
    """Return the best view of a board that lies straight in the picture."""
    best, shape = view, view.board.shape[:2]
    for step in range(_ROUNDS):
        target = reference if step == 0 and reference is not None else view.mosaic
        mask = _shown(image, view)
        alignment = register(image, target, mask, view.place.matrix, near=step > 0)
        if alignment.correlation < 0.3:
            break
        after = view_at(image, view.looks, Place(alignment.matrix), shape, target)
        moved = np.abs(after.place.matrix - view.place.matrix) @ [*shape[::-1], 1.0]
        same = np.array_equal(after.likeness.look, view.likeness.look)
        view = after
        gained = view.misfit < _GAIN * best.misfit
        if view.misfit < best.misfit:
            best = view
        if step and not gained:
            break
        if same and moved.max() < _STILL * np.sqrt(np.linalg.det(view.place.matrix[:, :2])):
            break
    return best


def softened(view: View) -> View:
    """Return the view of looks as soft as the picture is."""
    patches = patches_of(view.board, view.looks.detail)
    plain = view.looks.plain()
    look = view.likeness.look

    def misfit(looks: Looks) -> float:
        gaps = ((patches - looks.patches[look]) ** 2).mean(axis=1)
        return float(np.minimum(gaps, FOREIGN**2).mean())

    blurs = (0.0, *_BLURS)
    seen = {0: misfit(plain)}

    def at(k: int) -> float:
        if k not in seen:
            seen[k] = misfit(plain.softened(blurs[k])) if k < len(blurs) else np.inf
        return seen[k]

    k = blurs.index(view.looks.blur)
    while at(k + 1) < at(k):
        k += 1
    while k and at(k - 1) < at(k):
        k -= 1
    best = plain.softened(blurs[k]) if k and at(k) < _SOFTER * at(0) else plain
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


def _shown(image: RGB, view: View) -> NDArray[np.bool_]:
    """Return which pixels of the board show what is drawn there."""
    shape = view.board.shape[:2]
    return ~marked(view.board, view.looks.detail) & inside(image.shape[:2], view.place, shape)
