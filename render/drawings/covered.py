"""Whether the board goes on beneath what is drawn over it: what can still be seen of its cells."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.drawings.ink import Sheet
from render.lab import lab

Mask = NDArray[np.bool_]
Cell = tuple[int, int]
Floats = NDArray[np.float32]

_SIDE = 16
"""Pixels a cell at which cells are compared."""
_SOFT, _WIDER = 0.03, 1 / 16
"""In cells: what pictures are smoothed by; and how far about what is drawn its colour may run."""
_SHIFTS = [(y, x) for y in range(-2, 3) for x in range(-2, 3)]
"""How far, in pixels, a cell may be off its place."""
_CAST = 8.0
"""In CIELAB: how far the colours of a cell may be off altogether."""
_FREE, _SEEN = 0.01, 0.4
"""How much of a pixel may be covered; and the least of a cell that must be seen."""
_OFF, _BETTER = 40.0, 0.1
"""Mean squared distance in CIELAB from which on a cell is compared with others; and the share of it
that is left where one of them is what it shows."""


def mistaken(sheet: Sheet, drawn: Mask) -> tuple[Cell, ...]:
    """Return the cells (row, column) beneath ``drawn``, (H, W), that look like others.

    A thing that is gone, or that stands there as well, shows beside what is drawn over it: the cell
    is much more like some other cell of this board, or like a plain one, than like its own drawing.
    """
    rows, cols = (side // sheet.cell for side in sheet.board.pixels.shape)
    under = drawn.reshape(rows, sheet.cell, cols, sheet.cell).any(axis=(1, 3))
    hidden = ndimage.maximum_filter(drawn, 2 * max(1, round(_WIDER * sheet.cell)) + 1)
    if sheet.drawn is not None:  # what is seen of a cell is else its own drawing, to the pixel
        beside = sheet.drawn & ~hidden
        under &= beside.reshape(rows, sheet.cell, cols, sheet.cell).any(axis=(1, 3))
    if not under.any():
        return ()
    seen = _small(lab(sheet.image), sheet.cell)
    covered = _small(hidden[..., None].astype(np.float32), sheet.cell)[..., 0]
    bare = (covered < _FREE).astype(np.float32)
    true = _small(lab(sheet.board.palette)[sheet.board.pixels], sheet.cell)
    tiles = true.reshape(rows, _SIDE, cols, _SIDE, 3).swapaxes(1, 2).reshape(-1, _SIDE**2, 3)
    others = np.unique(np.rint(tiles), axis=0).astype(np.float32)
    cells = [(int(r), int(c)) for r, c in np.argwhere(under)]
    own = tiles.reshape(rows, cols, *tiles.shape[1:])
    return tuple(at for at in cells if _is_other(seen, bare, at, own[at], others))


def _small(values: Floats, cell: int) -> Floats:
    """Return values (H, W, channels), smoothed, at _SIDE pixels a cell."""
    smooth = ndimage.gaussian_filter(values, (_SOFT * cell, _SOFT * cell, 0))
    for axis in (0, 1):
        count = values.shape[axis] // cell * _SIDE
        at = np.arange(count + 1) * cell // _SIDE
        shares = np.diff(at).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        smooth = np.add.reduceat(smooth, at[:-1], axis=axis) / shares.astype(np.float32)
    small: Floats = smooth
    return small


def _is_other(seen: Floats, bare: Floats, at: Cell, own: Floats, others: Floats) -> bool:
    """Return whether a cell is much more like one of ``others`` (n, pixels, 3) than its ``own``."""
    left, best = np.inf, np.inf
    for patch, weight in _patches(seen, bare, at):
        left = min(left, float(_apart(patch, weight, own[None])[0]))
    if not _OFF < left < np.inf:
        return False
    for patch, weight in _patches(seen, bare, at):
        plain = weight @ patch / weight.sum()
        known = np.concatenate([others, np.broadcast_to(plain, (1, *patch.shape))])
        best = min(best, float(_apart(patch, weight, known).min()))
    return best < _BETTER * left


def _patches(seen: Floats, bare: Floats, at: Cell) -> list[tuple[Floats, Floats]]:
    """Return a cell as it is seen, shifted, (pixels, 3), and which pixels are bare."""
    height, width = bare.shape
    found = []
    for down, across in _SHIFTS:
        y, x = at[0] * _SIDE + down, at[1] * _SIDE + across
        if 0 <= y <= height - _SIDE and 0 <= x <= width - _SIDE:
            area = np.s_[y : y + _SIDE, x : x + _SIDE]
            weight = bare[area].ravel()
            if weight.mean() >= _SEEN:
                found.append((seen[area].reshape(-1, 3), weight))
    return found


def _apart(patch: Floats, weight: Floats, tiles: Floats) -> Floats:
    """Return how far (n,) a cell is from each of ``tiles``, whose colours may be off altogether."""
    gap = patch - tiles
    total = weight.sum()
    cast = np.clip(np.einsum("p,npc->nc", weight, gap) / total, -_CAST, _CAST)
    rest = gap - cast[:, None]
    apart: Floats = np.einsum("p,npc,npc->n", weight, rest, rest) / total
    return apart
