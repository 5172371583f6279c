"""Reading of boards by their looks: what stands in each cell of a picture, and how sure that is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.boards.align import whole
from render.boards.alike import alike, squarely
from render.boards.beyond import grown, unsure
from render.boards.extent import LEAST, SIDES, sizes, starts
from render.boards.judge import SURE, UNCLEAR, Mend, judged
from render.boards.looks import RGB, UNKNOWN, Looks, Parts
from render.boards.place import Bend, Place
from render.boards.sense import consistent, doubted
from render.boards.settle import best_view
from render.boards.views import CLEAN, FOREIGN, View, view_at
from render.boards.vouch import vouched
from render.boards.warping import Matrix, resized

Size = tuple[int, int]

LEAST_CELL = 5
"""Pixels a side of a cell below which no cell can be told from others."""
_ENOUGH = 300
"""Pixels of the shorter side in which sizes are compared, at least."""
_LIKELY, _CANDIDATES = 20, 3
"""Sizes that are looked at, and those that are looked at closely, where it isn't known."""


_UNTOLD = 0.1
"""Share of cells that may be unknown where nothing but they say how many they are, and beyond which
cells that aren't clear are unknown too."""


class UnreadableImage(ValueError):
    """The picture shows no board that can be read; the message says why."""


class Seen(NamedTuple):
    """What a picture shows.

    parts
        int16 (rows, columns); ``UNKNOWN`` where a cell can't be told.
    confidence
        float32 (rows, columns), 0 to 1: 1 where a cell is a look of its part beyond doubt, below
        ``SURE`` where it can't be told.
    matrix
        (2, 3): from (x, y, 1) in cells to pixels of the picture.
    bend
        How far the board wanders from there, as ``Place.bend``, in cells; None where it doesn't.
    board
        The board cut out of the picture and in the colours of the drawing, so many pixels a cell
        as the looks have.
    """

    parts: Parts
    confidence: NDArray[np.float32]
    matrix: Matrix
    board: RGB
    bend: Bend | None = None


def see(
    image: RGB,
    looks: Looks,
    size: Size | None = None,
    usual: Size | None = None,
    reference: RGB | None = None,
    mend: Mend | None = None,
) -> Seen:
    """Return what the cells of a picture show; raise UnreadableImage where it shows no board.

    size
        Rows and columns, where they are known; else ``usual`` is tried first, then all others.
    reference
        A drawing that the picture was made from, at the detail of the looks: what is known of where
        things are.
    mend
        What the board says of its parts.
    """
    if min(image.shape[:2]) < LEAST:
        raise UnreadableImage(
            f"the picture has {image.shape[1]}x{image.shape[0]} pixels, too few to be read"
        )
    if size is None and reference is not None:
        size = reference.shape[0] // looks.detail, reference.shape[1] // looks.detail
    if size is not None and min(image.shape[0] / size[0], image.shape[1] / size[1]) < LEAST_CELL:
        raise UnreadableImage(
            f"the picture has {image.shape[1]}x{image.shape[0]} pixels, too few for a board of "
            f"{size[0]} rows and {size[1]} columns"
        )
    views = []
    for chosen in _sizes(image, looks, size, usual):
        views.append(best_view(image, looks, chosen, reference))
        if views[-1].misfit < CLEAN**2:
            break
    best = min(views, key=lambda view: view.misfit)
    if size:
        return told(image, best, mend)
    seen = told(image, _of_sure_size(image, best), mend)
    if (seen.parts == UNKNOWN).mean() > _UNTOLD:
        raise UnreadableImage(
            f"the size of the board can't be told for certain: of {seen.parts.size} cells that it "
            f"may have, {int((seen.parts == UNKNOWN).sum())} can't be told; it must be given"
        )
    return seen


def _of_sure_size(image: RGB, view: View) -> View:
    """Return the view with the rows and columns that were taken for a border."""
    rows, cols = (side // view.looks.detail for side in view.board.shape[:2])
    sure, why = None, f"of {rows} rows and {cols} columns some may only repeat their edge"
    if not unsure(image, view):
        sure = grown(image, view)
        why = f"beyond {rows} rows and {cols} columns the picture goes on in the colour of a part"
    if sure is None:
        raise UnreadableImage(
            f"the size of the board can't be told for certain: {why}; it must be given"
        )
    return sure


def told(image: RGB, view: View, mend: Mend | None) -> Seen:
    """Return what the cells of a board are that lies where it belongs, as ``see`` does."""
    mend = mend or np.copy
    view = consistent(image, squarely(image, view), mend)
    detail = view.looks.detail
    rows, cols = size = view.board.shape[0] // detail, view.board.shape[1] // detail
    view, found = judged(image.shape[:2], view)
    believed = alike(image, view, mend)
    if believed <= 0:
        raise UnreadableImage(
            f"the picture looks like no board of {rows} rows and {cols} columns that is drawn"
        )
    trust = min(1.0, believed)
    found = vouched(image.shape[:2], view, found, mend, trust)
    parts = view.looks.parts[found.look]
    confidence = np.float32(trust) * doubted(view, found, parts.reshape(size), mend)
    if (confidence < SURE).mean() > _UNTOLD:  # then neither colours nor place are to be relied on
        confidence = np.where(confidence < UNCLEAR, np.float32(0), confidence)
    parts = np.where(confidence >= SURE, parts, UNKNOWN).astype(np.int16)
    if (parts != UNKNOWN).mean() < 0.5:
        raise UnreadableImage(
            f"the picture is no board of {rows} rows and {cols} columns: of {parts.size} cells "
            f"{int((parts != UNKNOWN).sum())} look like any that are drawn"
        )
    in_cells = view.place.matrix * np.array([detail, detail, 1])
    bend = None if view.place.bend is None else view.place.bend / detail
    return Seen(parts.reshape(size), confidence.reshape(size), in_cells, view.board, bend)


def _sizes(image: RGB, looks: Looks, size: Size | None, usual: Size | None) -> list[Size]:
    """Return the sizes that the board may have; raise UnreadableImage where there is none."""
    if size is not None:
        if not any(True for _ in starts(image, size)):
            raise UnreadableImage(
                f"the picture has {image.shape[1]}x{image.shape[0]} pixels, which is not the shape "
                f"of a board of {size[0]} rows and {size[1]} columns"
            )
        return [size]
    chosen = sizes(image)
    if usual in chosen:
        chosen.insert(0, usual)
    if not chosen:
        raise UnreadableImage(
            f"the picture has {image.shape[1]}x{image.shape[0]} pixels, which is the shape of no "
            f"board of {SIDES[0]} to {SIDES[-1]} rows and columns"
        )
    scored, coarse = [], looks.coarse()
    fold = max(1, min(image.shape[:2]) // _ENOUGH)
    image = resized(image, (image.shape[1] // fold, image.shape[0] // fold))
    for at in list(dict.fromkeys(chosen))[:_LIKELY]:
        shape = at[0] * coarse.detail, at[1] * coarse.detail
        for matrix in starts(image, shape):
            view = view_at(image, coarse, Place(matrix), shape)
            if at == usual and view.clean:
                return [at]
            # A frame of walls could be taken for a border: what shows all of the picture is better.
            bordered = bool(matrix[:, 2].any())
            scored.append((max(view.misfit, CLEAN**2), bordered, view.misfit, at))
    if min(scored)[0] > FOREIGN**2:
        raise UnreadableImage(
            "the picture looks like no board of any size; where it is one, its size must be given"
        )
    scored = [entry for entry in sorted(scored) if entry[0] <= 2 * min(scored)[0]]
    return list(dict.fromkeys(at for *_, at in scored))[:_CANDIDATES]


def misfit(image: RGB, looks: Looks, size: Size) -> float:
    """Return how far, in CIELAB, a picture is from a board of that size that fills it.

    A quick look, for a first idea of what the picture may be.
    """
    coarse = looks.coarse()
    shape = size[0] * coarse.detail, size[1] * coarse.detail
    whole_picture = Place(whole(shape, image.shape[:2]))
    return float(view_at(image, coarse, whole_picture, shape).misfit ** 0.5)
