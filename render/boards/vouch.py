"""Cells in doubt looked at again without what the cells that are told leave no room for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.boards.beneath import SURE_EVIDENCE
from render.boards.judge import FIRM, SURE, Mend, barred, beneath, closer
from render.boards.looks import UNKNOWN, Parts
from render.boards.views import Judged, View

_PASSES = 8
"""Times that rivals of a cell may be struck out."""
_RIVALS = 24
"""Parts nearest to a cell that are asked about, each time."""
_CLEARLY = 1.5 * SURE
"""Confidence from which on a cell is told of which rivals were struck out."""
_MOST = 1 / 4
"""Share of cells in doubt beyond which too little is told to go by."""


def vouched(image: tuple[int, int], view: View, found: Judged, mend: Mend, trust: float) -> Judged:
    """Return the cells with those in doubt looked at again, by what goes with those that are told.

    A part is struck out of those that a cell may be where, with it, the board would not be one. So
    a cell is sure of what it is by how it differs from what else it could be there. What it looks
    like most is struck out only where that is chance: less than one standard deviation. Then a cell
    has to be told more clearly than by itself, since there was a choice of what to strike; and it
    must go with the rest, however sure it has become.

    trust
        By what confidence is multiplied in the end.
    """
    looks, detail = view.looks, view.looks.detail
    size = view.board.shape[0] // detail, view.board.shape[1] // detail
    struck = np.zeros((len(found.look), len(looks.parts)), bool)
    for _ in range(_PASSES):
        clear = trust * found.confidence >= np.where(struck.any(axis=1), _CLEARLY, SURE)
        firm = (found.confidence >= FIRM) & ~struck.any(axis=1)
        told = _told(looks.parts[found.look].reshape(size), clear, firm, mend)
        doubtful = np.flatnonzero(told == UNKNOWN)
        if not len(doubtful) or len(doubtful) > _MOST * told.size:
            break
        more = np.zeros(len(doubtful), bool)
        for k, cell in enumerate(doubtful):
            by_chance = found.confidence[cell] * SURE_EVIDENCE < 1
            asked = _nearest(view, cell, ~struck[cell]) | {looks.parts[found.rival[cell]]}
            first = looks.parts[found.look[cell]]
            for part in asked | {first} if by_chance else asked - {first}:
                alike = looks.parts == part
                if not struck[cell, alike].all() and not _goes(told, cell, part, mend):
                    struck[cell, alike] = more[k] = True
        cells = doubtful[more]
        cells = cells[~barred(view, cells, struck[cells]).all(axis=1)]  # something must be left
        if not len(cells):
            break
        found = found.put(cells, beneath(image, view, found.look, cells, struck[cells]))
        found = closer(image, view, found, cells, struck[cells])
    parts = looks.parts[found.look].reshape(size)
    weak = (mend(parts) != parts).ravel() | (trust * found.confidence < _CLEARLY)
    weak &= struck.any(axis=1)
    return found._replace(confidence=np.where(weak, np.float32(0), found.confidence))


def _nearest(view: View, cell: np.intp, among: NDArray[np.bool_]) -> set[np.int16]:
    """Return the parts of those looks that are nearest to a cell."""
    far = view.looks.distances(view.patches[[cell]])[0]
    parts = view.looks.parts[np.argsort(np.where(among, far, np.inf))[: among.sum()]]
    return set(parts[np.sort(np.unique(parts, return_index=True)[1])[:_RIVALS]])


def _told(parts: Parts, clear: NDArray[np.bool_], firm: NDArray[np.bool_], mend: Mend) -> Parts:
    """Return what is clear, without what does not go with the rest, unless it is firm."""
    told = np.where(clear.reshape(parts.shape), parts, UNKNOWN).astype(np.int16)
    off = (mend(told) != told) & ~firm.reshape(parts.shape)
    return np.where(off, UNKNOWN, told).astype(np.int16)


def _goes(told: Parts, cell: np.intp, part: np.int16, mend: Mend) -> bool:
    """Say whether a part goes with what is told."""
    tried = told.copy()
    tried.flat[cell] = part
    off = (mend(tried) != tried) & (mend(told) == told)
    return not off[tried != UNKNOWN].any()
