"""Cells compared with looks beneath what may cover them, and where they lie a little aside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.boards.axes import least
from render.boards.blocks import swayed
from render.boards.looks import CAP, OTHERS, Likeness, Looks, Patches, summed

SURE_EVIDENCE = 15.0
"""Standard deviations of evidence that are as good as certain."""
_MOST = 60.0
"""How far off, in CIELAB, a pixel counts at most where nothing is known to cover it."""
_NEAREST = 8
"""Looks that are compared closely besides the nearest of other parts."""
_GUESSED = 48
"""Looks nearest to a cell as a whole, of which some must be nearest to what is shown of it."""
_AT_ONCE = 1 << 16
"""Numbers of a table that stays in the cache."""
TELLING = 3.0
"""A third of what tells two looks apart is enough to tell them by."""
_ASIDE = 0.7
"""Pixels that a look may lie aside, at most."""
_AROUND = np.indices((3, 3)).reshape(2, 9) - 1
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
    barred: NDArray[np.bool_] | None = None,
    *,
    poor: bool = False,
) -> Likeness:
    """Compare cells that something may cover, and that may lie a little aside.

    No pixel counts for more than a cap; a look may move by part of a pixel (tangent distance,
    Simard et al., 1993).

    hidden, covered
        (cells, pixels): pixels that say nothing, and those that count for little.
    barred
        (cells, looks): what none of the cells can be.
    poor
        The picture shows less than the looks do, so that what is left may be uneven.
    """
    shown = (~hidden).astype(np.float32)
    far = looks.distances(patches)
    beneath = hidden.any(axis=1)
    if beneath.any():
        far[beneath] = _weighted(looks, patches[beneath], shown[beneath], far[beneath])
    if barred is not None:
        far[barred] = np.inf
    cap = np.where(covered, np.float32(CAP**2), np.float32(_MOST**2))
    chosen = _shortlist(looks, far)
    step = max(1, _AT_ONCE // (chosen.shape[1] * patches.shape[1]))
    pieces = [slice(k, k + step) for k in range(0, len(patches), step)]
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
    return np.concatenate([least(far, _NEAREST), least(others, OTHERS)], axis=1)


def _beneath(
    looks: Looks,
    patches: Patches,
    shown: NDArray[np.float32],
    cap: NDArray[np.float32],
    chosen: NDArray[np.intp],
    poor: bool,
) -> Likeness:
    cells = np.arange(len(patches))
    known = looks.patches[chosen]
    moved = _moved(looks, patches[:, None] - known, shown, chosen)
    known, moved = (a.reshape(*chosen.shape, -1, 3) for a in (known, moved))
    squares = summed(moved * moved)  # (cells, n, pixels)
    costs = (np.minimum(squares, cap[:, None]) @ shown[..., None])[..., 0]
    at = costs.argmin(axis=1)
    best, own = chosen[cells, at], squares[cells, at]
    between = known - known[cells, at][:, None]
    gaps = np.minimum(summed(between * between), cap[:, None])
    apart = np.maximum((gaps @ shown[..., None])[..., 0], 1e-3)
    strange = (own > CAP**2) & _stranger(looks, patches, best)
    fits = shown * ~strange
    left = np.sqrt((own * fits).sum(axis=1) / (3 * np.maximum(1, fits.sum(axis=1))))
    other = looks.parts[chosen] != looks.parts[best][:, None]
    ahead = np.where(other, costs - costs[cells, at][:, None], np.inf)
    # Where most of what tells two looks apart can't be seen, the rest is little evidence.
    seen = np.minimum(TELLING * apart / (gaps.sum(axis=-1) + 1e-3), 1)
    noise = (2 * left + 0.5)[:, None] * np.sqrt(apart)
    if poor and len(rough := np.flatnonzero((left > _EVEN) & (cap > CAP**2).all(axis=1))):
        bare = (shown * (own < cap))[rough][..., None] * moved[rough, at[rough]]
        uneven = _UNEVEN * np.minimum(left[rough] - _EVEN, _MORE)[:, None]
        uneven = uneven * swayed(summed(bare[:, None] * between[rough]))
        noise[rough] = np.maximum(noise[rough], uneven)
    margins, evidences = ahead / apart, ahead * seen / noise
    rival = chosen[cells, np.minimum(margins, evidences / SURE_EVIDENCE).argmin(axis=1)]
    margin, evidence = margins.min(axis=1), evidences.min(axis=1)
    return Likeness(best, left, strange & (shown > 0), margin, evidence, rival)


def _moved(
    looks: Looks, rest: NDArray[np.float32], shown: NDArray[np.float32], chosen: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return what is left of a difference (cells, n, d) when the looks may move; it is changed."""
    down, across, products = (of_looks[chosen] for of_looks in looks.slopes())
    yy, xy, xx = np.moveaxis((products @ shown[:, None, :, None])[..., 0], -1, 0)
    pulled = rest * np.repeat(shown, 3, axis=1)[:, None]
    yt, xt = (np.einsum("cnd,cnd->cn", slope, pulled) for slope in (down, across))
    stiff = _STIFF * shown.shape[1]
    yy, xx = yy + stiff, xx + stiff
    det = yy * xx - xy * xy
    down *= np.clip((xx * yt - xy * xt) / det, -_ASIDE, _ASIDE)[..., None]
    across *= np.clip((yy * xt - xy * yt) / det, -_ASIDE, _ASIDE)[..., None]
    rest -= down
    rest -= across
    return rest


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
    strange[cell, pixel] = summed(gap * gap) > CAP**2
    return strange
