"""Whether a picture is like the board that its cells would make."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.boards.judge import Mend
from render.boards.place import cut_out
from render.boards.settle import GAIN, squared_up
from render.boards.tint import PLAINLY
from render.boards.views import CLEAN, View
from render.boards.warping import RGB
from render.lab import lab

DOUBTFUL, TRUSTED = 0.9, 0.06
"""Correlation up to which no cell is believed, and how much more it takes to believe all."""
_PLAIN = 2
"""Levels by which pixels of a plain board may differ."""
_MOSTLY = 0.9
"""Share of a plain board that must have one brightness."""
BLOCKS = 4
"""Blocks of a side of a cell by which a picture and a board are compared."""
_VARIED = 0.5
"""Standard deviation of L from which on a board says where it is the same as a picture."""


def squarely(image: RGB, view: View) -> View:
    """Return the view of the board with square cells, where it is liker the picture so.

    Where colours were fitted to the wrong parts less may be left, but they show less, too.
    """
    after = squared_up(image, view)
    if after is None or after.misfit >= GAIN * view.misfit:
        return view
    return after if correlation(after) >= correlation(view) else view


def alike(image: RGB, view: View, mend: Mend) -> float:
    """Return how much a picture is like the board that its cells would make; 1 is enough.

    A plain board shows nothing but a colour: the farther off that is, the less it is believed, and
    not at all where it is another and no board is so plain.
    """
    plain = _plain(view.mosaic)
    if plain is not None:
        bright = _blocks(view, lab(view.board)[..., 0])
        off = np.abs(bright - np.median(bright))
        raw = np.median(cut_out(image, view.place, view.mosaic.shape[:2]), axis=(0, 1))
        far = float(np.abs(raw - plain).max())
        same = np.quantile(off, _MOSTLY) <= CLEAN and (far <= _PLAIN or _goes(view, mend))
        return 1 - far / PLAINLY if same else 0.0
    if view.misfit <= CLEAN**2:
        return 1.0
    return (correlation(view) - DOUBTFUL) / TRUSTED


def _plain(board: RGB) -> NDArray[np.float64] | None:
    """Return the colour of a board that has but one; None where it has more."""
    low, high = (fold(fold(board, axis=0), axis=0) for fold in (np.min, np.max))
    if (high - low).max() > 2 * _PLAIN:  # soon seen, and most boards are so
        return None
    plain: NDArray[np.float64] = np.median(board, axis=(0, 1))
    return plain if np.abs(board - plain).max() <= _PLAIN else None


def _goes(view: View, mend: Mend) -> bool:
    """Say whether what the cells look like could be a board."""
    rows, cols = (side // view.looks.detail for side in view.board.shape[:2])
    parts = view.looks.parts[view.likeness.look].reshape(rows, cols)
    return bool((mend(parts) == parts).all())


def correlation(view: View) -> float:
    """Return how well what is seen and what should be seen go together in brightness.

    By the means of blocks: noise from pixel to pixel says nothing of what is shown.
    """
    bare = ~view.marked
    shown = _blocks(view, bare.astype(float)) > 0.5
    seen, true = (_blocks(view, lab(a)[..., 0])[shown] for a in (view.board, view.mosaic))
    if not shown.any() or min(seen.std(), true.std()) < _VARIED:
        return 0.0
    return float(np.corrcoef(seen, true)[0, 1])


def _blocks(view: View, board: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the means of the blocks of a board (H, W)."""
    fold = view.looks.detail // BLOCKS
    height, width = (side // fold for side in board.shape)
    means: NDArray[np.float64] = board.reshape(height, fold, width, fold).mean(axis=(1, 3))
    return means
