"""Cells compared with looks beneath what may cover them, and where they lie a little aside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.boards.looks import _CAP, _OTHERS, Likeness, Looks, Patches, least

_MOST = 60.0
"""How far off, in CIELAB, a pixel counts at most where nothing is known to cover it."""
_NEAREST = 8
"""Looks that are compared closely besides the nearest of other parts."""
_GUESSED = 48
"""Looks nearest to a cell as a whole, of which some must be nearest to what is shown of it."""
_AT_ONCE = 24
_TELLING = 3.0
"""A third of what tells two looks apart is enough to tell them by."""
_ASIDE = 0.7
"""Pixels that a look may lie aside, at most."""
_AROUND = np.indices((3, 3)).reshape(2, 9) - 1
_BLOCKS = 4
"""Blocks of a side of a cell, in which what is left may differ."""
_EVEN, _MORE, _UNEVEN = 3.5, 4.0, 0.65
"""What may be left, in CIELAB, and be noise of single pixels; how much of what is more counts, and
for what share of noise from block to block."""
_STIFF = 0.5
"""What keeps a look in its place: squared CIELAB a pixel."""


def nearest_beneath(
    looks: Looks,
    patches: Patches,
    hidden: NDArray[np.bool_],
    covered: NDArray[np.bool_],
    edges: NDArray[np.bool_],
    *,
    poor: bool = False,
) -> Likeness:
    """Compare cells that something may cover, and that may lie a little aside.

    No pixel counts for more than a cap; a look may move by part of a pixel (tangent distance,
    Simard et al., 1993).

    hidden, covered
        (cells, pixels): pixels that say nothing, and those that count for little.
    edges
        (cells, 4): at which edges of the board each lies.
    poor
        The picture shows less than the looks do, so that what is left may be uneven.
    """
    shown = (~hidden).astype(np.float32)
    far = looks.distances(patches)
    beneath = hidden.any(axis=1)
    if beneath.any():
        far[beneath] = _weighted(looks, patches[beneath], shown[beneath], far[beneath])
    far[(edges.astype(np.float32) @ looks.sides.T.astype(np.float32)) > 0] = np.inf
    cap = np.where(covered, np.float32(_CAP**2), np.float32(_MOST**2))
    chosen = _shortlist(looks, far)
    pieces = [slice(k, k + _AT_ONCE) for k in range(0, len(patches), _AT_ONCE)]
    parts = [_beneath(looks, patches[p], shown[p], cap[p], chosen[p], poor) for p in pieces]
    return Likeness(*map(np.concatenate, zip(*parts, strict=True)))


def _weighted(
    looks: Looks, patches: Patches, shown: NDArray[np.float32], far: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the square distances (cells, looks) over the pixels that are shown.

    Of looks that are far by all pixels from all cells, infinity; unless cells are half hidden.
    """
    some = np.arange(far.shape[1])
    if shown.mean(axis=1).min() > 0.5:
        some = np.unique(least(far, _GUESSED))
    weight, known = np.repeat(shown, 3, axis=1), looks.patches[some]
    near = weight @ (known**2).T - 2 * (weight * patches) @ known.T
    near += (weight * patches**2).sum(axis=1)[:, None]
    out = np.full_like(far, np.inf)
    out[:, some] = near
    return out


def _shortlist(looks: Looks, far: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return (cells, n) looks: the nearest, and the nearest of other parts than the first's."""
    first = looks.parts[far.argmin(axis=1)]
    others = np.where(looks.parts == first[:, None], np.inf, far)
    return np.concatenate([least(far, _NEAREST), least(others, _OTHERS)], axis=1)


def _beneath(
    looks: Looks,
    patches: Patches,
    shown: NDArray[np.float32],
    cap: NDArray[np.float32],
    chosen: NDArray[np.intp],
    poor: bool,
) -> Likeness:
    cells = np.arange(len(patches))
    known = looks.patches[chosen].reshape(*chosen.shape, -1, 3)
    moved = _moved(looks, patches.reshape(len(patches), 1, -1, 3) - known, shown, chosen)
    squares = (moved**2).sum(axis=-1)  # (cells, n, pixels)
    costs = (np.minimum(squares, cap[:, None]) @ shown[..., None])[..., 0]
    at = costs.argmin(axis=1)
    best, own = chosen[cells, at], squares[cells, at]
    between = known - known[cells, at][:, None]
    gaps = np.minimum((between**2).sum(axis=-1), cap[:, None])
    apart = np.maximum((gaps @ shown[..., None])[..., 0], 1e-3)
    strange = (own > _CAP**2) & _stranger(looks, patches, best)
    fits = shown * ~strange
    left = np.sqrt((own * fits).sum(axis=1) / (3 * np.maximum(1, fits.sum(axis=1))))
    other = looks.parts[chosen] != looks.parts[best][:, None]
    ahead = np.where(other, costs - costs[cells, at][:, None], np.inf)
    # Where most of what tells two looks apart can't be seen, the rest is little evidence.
    seen = np.minimum(_TELLING * apart / (gaps.sum(axis=-1) + 1e-3), 1)
    bare = (shown * (own < cap))[..., None]
    plain = poor & (cap > _CAP**2).all(axis=1)
    uneven = _UNEVEN * (np.clip(left - _EVEN, 0, _MORE) * plain)[:, None]
    uneven = uneven * _swayed(looks, bare * moved[cells, at], between)
    noise = np.maximum((2 * left + 0.5)[:, None] * np.sqrt(apart), uneven)
    margin, evidence = (ahead / apart).min(axis=1), (ahead * seen / noise).min(axis=1)
    return Likeness(best, left, strange & (shown > 0), margin, evidence)


def _swayed(
    looks: Looks, left: NDArray[np.float32], between: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how uncertain it is how far what is left leans to other looks, (cells, n).

    What is left, (cells, pixels, 3), is taken to differ from one block of the cell to another, not
    from pixel to pixel: standard errors by cluster (Liang and Zeger, 1986).
    """
    pulls, side = (left[:, None] * between).sum(axis=-1), looks.detail // _BLOCKS
    blocks = pulls.reshape(*pulls.shape[:2], _BLOCKS, side, _BLOCKS, side).sum(axis=(3, 5))
    error: NDArray[np.float32] = np.sqrt((blocks**2).sum(axis=(2, 3)))
    return error


def _moved(
    looks: Looks, rest: NDArray[np.float32], shown: NDArray[np.float32], chosen: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return what is left of a difference (cells, n, pixels, 3) when the looks may move."""
    down, across = (slope[chosen] for slope in looks.slopes())
    weight = shown[:, None, :, None]
    yy, xy, xx, yt, xt = (
        np.einsum("cnpk,cnpk->cn", a * weight, b)
        for a, b in (
            (down, down),
            (down, across),
            (across, across),
            (down, rest),
            (across, rest),
        )
    )
    stiff = _STIFF * rest.shape[2]
    yy, xx = yy + stiff, xx + stiff
    det = yy * xx - xy * xy
    y = np.clip((xx * yt - xy * xt) / det, -_ASIDE, _ASIDE)[..., None, None]
    x = np.clip((yy * xt - xy * yt) / det, -_ASIDE, _ASIDE)[..., None, None]
    left: NDArray[np.float32] = rest - y * down - x * across
    return left


def _stranger(looks: Looks, patches: Patches, look: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which pixels look quite different from all that the look has there and beside."""
    strange = looks.strange(patches, look)
    cell, pixel = strange.nonzero()
    down, across = (at[..., None] + _AROUND[k] for k, at in enumerate(divmod(pixel, looks.detail)))
    beside = np.clip(down, 0, looks.detail - 1) * looks.detail
    beside += np.clip(across, 0, looks.detail - 1)
    around = looks.patches.reshape(len(looks.patches), -1, 3)[look[cell][:, None], beside]
    seen = patches.reshape(len(patches), -1, 3)[cell, pixel]
    gap = np.maximum(np.maximum(around.min(axis=1) - seen, seen - around.max(axis=1)), 0)
    strange[cell, pixel] = np.einsum("ij,ij->i", gap, gap) > _CAP**2
    return strange
