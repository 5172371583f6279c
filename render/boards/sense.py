"""What the cells of a board say of each other: of a picture's colours, and of a misreading."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.boards.judge import FIRM, SURE, Mend
from render.boards.looks import UNKNOWN, Parts
from render.boards.settle import registered
from render.boards.views import Judged, View, view_at
from render.boards.warping import RGB

_MANY = 1 / 12
"""Share of cells at odds with the rest from which on none of them is: it is the colours."""
_ROUNDS = 4
"""Times that the colours are fitted to what the parts would make."""
_SLACK = 2.0
"""By how much a board that is one may fit worse (squared) than parts that are none."""


def consistent(image: RGB, view: View, mend: Mend) -> View:
    """Return the view in the colours of the board that its parts would make, if it fits better.

    Where much is at odds, it may fit a little worse, if then little would be another part.
    """
    after, first = view, _at_odds(view, mend)
    left = first
    for _ in range(_ROUNDS):
        if not len(left.cells):
            break
        after = _mended(image, after, left)
        left = _at_odds(after, mend)
    few = _MANY * len(first.wanted)
    whole = len(left.cells) <= few < len(first.cells)
    if after.misfit >= (_SLACK if whole else 1) * view.misfit:
        return view
    return registered(image, after, None) if whole else after


class _Odds(NamedTuple):
    """What the parts would be if those at odds with the rest were misread; and which cells would be
    another part."""

    wanted: Parts
    cells: NDArray[np.intp]


def _at_odds(view: View, mend: Mend) -> _Odds:
    rows, cols = (side // view.looks.detail for side in view.board.shape[:2])
    parts = view.looks.parts[view.likeness.look]
    wanted = mend(parts.reshape(rows, cols)).ravel()
    return _Odds(wanted, np.flatnonzero((wanted != parts) & (wanted != UNKNOWN)))


def _mended(image: RGB, view: View, odds: _Odds) -> View:
    """Return the view in the colours of the board with the parts that are wanted."""
    looks, shape = view.looks, view.board.shape[:2]
    far = looks.distances(view.patches[odds.cells])
    far[looks.parts != odds.wanted[odds.cells][:, None]] = np.inf
    there = np.isfinite(far).any(axis=1)
    look = view.likeness.look.copy()
    look[odds.cells[there]] = far[there].argmin(axis=1)
    mosaic = looks.mosaic(look.reshape(shape[0] // looks.detail, shape[1] // looks.detail))
    return view_at(image, looks, view.place, shape, mosaic)


def doubted(view: View, found: Judged, parts: Parts, mend: Mend) -> NDArray[np.float32]:
    """Return how sure the cells are, with none in those that make no board, unless they are firm.

    Where many that are told would be another part it is the colours, and no firmness counts.
    """
    wanted = mend(parts).ravel()
    off = wanted != parts.ravel()
    recoloured = off & (wanted != UNKNOWN) & (found.confidence >= SURE)
    many = not view.clean and recoloured.mean() > _MANY
    doubtful = off & ((found.confidence < FIRM) | many)
    return np.where(doubtful, np.float32(0), found.confidence)
