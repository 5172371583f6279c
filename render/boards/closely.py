"""Cells in doubt compared once more, as the picture would show each look in that very place.

Pictures are blurred and noisy in levels, not in CIELAB, and blurred across the edges of cells. So
each look is put in its place among the others and blurred as the picture is, and may move a little
and change its colours a little: what is left is noise.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.boards.beneath import SURE_EVIDENCE, TELLING
from render.boards.blocks import block_sums, swayed
from render.boards.fit import Fit, Levels
from render.boards.looks import Looks, cut, summed
from render.boards.views import Judged, View
from render.boards.warping import blurred

_BLURS = (0.0, 0.35, 0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 2.8, 3.4)
"""Gaussian blurs that are tried, in pixels of a look."""
_MOST = 100.0
"""How far off, in levels, a pixel counts at most where it is asked how blurred a picture is."""
_MOST_CELLS = 0.75
"""Share of cells in which no more is left than noise."""
_NEAREST, _PARTS = 4, 16
"""Looks that are compared closely: the nearest, and the nearest of the nearest parts."""
_UNLIKELY = 12.0
"""Standard deviations of all that by which a cell is not the look at all."""
_LEAST_NOISE = 1.5
"""Levels that pixels are uncertain by, at least: they are rounded, and put in their places."""
_FOREIGN = 40.0
"""Levels that a cell may be off by more than the board is, at most."""
_SURE_BLOCKS = 5.0
"""Standard deviations of evidence that are as good as certain where noise differs from block to
block."""


def closely(
    view: View,
    look: NDArray[np.intp],
    cells: NDArray[np.intp],
    shown: NDArray[np.bool_],
    marks: NDArray[np.bool_],
    barred: NDArray[np.bool_],
) -> Judged:
    """Look at some cells once more.

    look
        What all cells of the board are taken to be, (rows * columns,).
    cells
        Those to look at.
    shown
        Which pixels of the board the picture shows.
    marks
        Which of them may be of something drawn onto the board.
    barred
        (cells, looks): what they can't be.
    """
    looks, detail = view.looks.plain(), view.looks.detail
    size = tuple(side // detail for side in view.board.shape[:2])
    board = view.board.astype(np.float32)
    mosaic = looks.mosaic(look.reshape(size)).astype(np.float32)
    blur, noise = _blur_and_noise(board, mosaic, shown & ~marks, view.looks.blur, detail)
    alone, squares = _alone(looks, blur)
    seen = cut(board, detail)[cells]
    around = cut(blurred(mosaic, blur), detail)[cells] - alone[look[cells]]
    within = cut(shown[..., None], detail)[cells, ..., 0].astype(np.float32)
    weight = within * ~cut(marks[..., None], detail)[cells, ..., 0]
    grain = min(1.0, abs(float(np.linalg.det(view.place.matrix[:, :2]))) ** 0.5)
    far = _far(alone, squares, seen - around, weight)
    far[barred] = np.inf
    told = [
        _told(looks, alone, *at, noise, grain)
        for at in zip(seen, around, weight, within, far, strict=True)
    ]
    chosen, sure, rival = zip(*told, strict=True)
    return Judged(np.array(chosen, np.intp), np.array(sure, np.float32), np.array(rival, np.intp))


def _blur_and_noise(
    board: Levels, mosaic: Levels, shown: NDArray[np.bool_], start: float, detail: int
) -> tuple[float, float]:
    """Return the blur through which a mosaic is most like a board, and what is left, in levels."""
    seen, true = (summed(a) / np.float32(3) for a in (board, mosaic))
    misfits: dict[int, float] = {-1: np.inf, len(_BLURS): np.inf}

    def at(k: int) -> float:
        if k not in misfits:
            gap = np.minimum(np.abs(seen - blurred(true, _BLURS[k])), _MOST)[shown]
            misfits[k] = float((gap**2).mean())
        return misfits[k]

    k = min(range(len(_BLURS)), key=lambda k: abs(_BLURS[k] - start))
    while at(k + 1) < at(k):
        k += 1
    while at(k - 1) < at(k):
        k -= 1
    gaps = board - blurred(mosaic, _BLURS[k])
    squares = cut((summed(gaps * gaps) / 3 * shown)[..., None], detail)
    cells = squares.reshape(len(squares), -1).mean(axis=1)
    noise = float(np.quantile(cells, _MOST_CELLS)) ** 0.5
    return _BLURS[k], max(_LEAST_NOISE, noise)


@lru_cache(maxsize=4)
def _alone(looks: Looks, blur: float) -> tuple[Levels, Levels]:
    """Return what each look adds to a blurred picture in its own cell, (looks, side, side, 3), and
    the squares of that, (looks, d)."""
    tiles = looks.tiles.astype(np.float32)
    if blur:
        one = np.eye(looks.detail, dtype=np.float32)
        across = ndimage.gaussian_filter1d(one, blur, axis=0, mode="constant")
        down = across @ tiles.reshape(len(tiles), looks.detail, -1)
        tiles = (across @ down.reshape(-1, looks.detail, 3)).reshape(tiles.shape)
    return tiles, np.square(tiles).reshape(len(tiles), -1)


def _told(
    looks: Looks,
    alone: Levels,
    seen: Levels,
    around: Levels,
    weight: Levels,
    within: Levels,
    far: Levels,
    noise: float,
    grain: float,
) -> tuple[int, float, int]:
    """Return which look a cell is, how sure that is, and which of another part comes nearest.

    around
        What the cells beside it add to it.
    weight, within
        Which pixels are compared, and which are in the picture.
    far
        By how much it differs from each look, infinite where that can't lie there.
    grain
        Pixels of the picture for one of a look, where there are fewer: their noise is one.
    """
    chosen = _shortlist(looks, far)
    fit = Fit.of(around + alone[chosen], weight, noise)
    costs, rest, odd = fit.left(seen)
    best = int(costs.argmin())
    apart, between, _ = fit.left(fit.looks[best])
    other = looks.parts[chosen] != looks.parts[chosen[best]]
    if not other.any():
        return int(chosen[best]), 0.0, int(chosen[best])
    ahead, apart, between = (costs - costs[best])[other], apart[other] + 1e-3, between[other]
    left = (costs[best] / (3 * weight.sum() + 1e-6)) ** 0.5 + _LEAST_NOISE
    margin = float((ahead / apart).min())
    margin = min(margin, 2 - margin)  # beyond the look itself it is as much another one
    shown = _share_shown(fit.looks, best, within)[other]
    evidence = float((ahead * shown / np.sqrt(apart)).min() / (2 * left) * grain)
    errors = swayed((rest[best] * fit.weight * between).sum(axis=1)) + 1e-3
    by_blocks = float((ahead * shown / errors).min() / 2)
    worst = _worst_block(rest[best], weight)
    fits = 1 - max((worst**2 - noise**2) / _FOREIGN**2, (odd[best] / _UNLIKELY) ** 2)
    sure = min(margin, evidence / SURE_EVIDENCE, by_blocks / _SURE_BLOCKS, fits)
    rival = chosen[other][(ahead / apart).argmin()]
    return int(chosen[best]), min(1.0, max(0.0, sure)), int(rival)


def _far(alone: Levels, squares: Levels, seen: Levels, weight: Levels) -> Levels:
    """Return by how much cells differ from looks, (cells, looks), whatever their brightness."""
    weights = np.repeat(weight.reshape(len(seen), -1), 3, axis=1)
    known, flat = alone.reshape(len(alone), -1), seen.reshape(len(seen), -1)
    total = weights.sum(axis=1, keepdims=True) + np.float32(1e-6)
    pulled = weights * flat
    by_weights, by_pulled = np.split(np.concatenate([weights, pulled]) @ known.T, 2)
    far: Levels = weights @ squares.T
    far -= 2 * by_pulled
    off = by_weights - pulled.sum(axis=1, keepdims=True)
    far -= off * off / total
    return far


def _shortlist(looks: Looks, far: Levels) -> NDArray[np.intp]:
    """Return the nearest looks, and the nearest of the nearest parts."""
    order = np.argsort(far)
    order = order[np.isfinite(far[order])]
    _, first = np.unique(looks.parts[order], return_index=True)
    first = np.sort(first)[:_PARTS]
    chosen: NDArray[np.intp] = order[np.union1d(first, np.arange(min(_NEAREST, len(order))))]
    return chosen


def _share_shown(looks: Levels, best: int, within: Levels) -> NDArray[np.float32]:
    """Return for how much counts what is seen of what tells each look from the best, up to 1.

    Where most of it lies beyond the picture the rest is little evidence: its blur is not there.
    """
    gaps = ((looks - looks[best]) ** 2).sum(axis=3)
    seen = (gaps * within).sum(axis=(1, 2))
    share: NDArray[np.float32] = TELLING * seen / (gaps.sum(axis=(1, 2)) + 1e-3)
    return np.minimum(share, 1)


def _worst_block(left: Levels, weight: Levels) -> float:
    """Return what is left, in levels, in the block of the cell where the most is."""
    flat = weight.reshape(-1)
    sums, known = block_sums((left**2).mean(axis=0) * flat), block_sums(flat)
    return float((sums / np.maximum(known, (flat.size / known.size) ** 0.5)).max() ** 0.5)
