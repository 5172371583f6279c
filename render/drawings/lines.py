"""Lines of several colours that cross each other: told apart, and followed from cell to cell."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawings.ink import Share, Sheet, difference
from render.drawings.segments import Edge, Graph, graph_of
from render.lab import lab
from render.palette import Colour

Mask = NDArray[np.bool_]
Lab = NDArray[np.float32]

_CHANGED, _ALIKE = 9.0, 26.0
"""Distances in CIELAB: from the board's own colour, of what was drawn; and how far a pixel of a
line may be from the line's colour."""
_SAME = 3.0
"""Likewise, where only scraps are seen of a line."""
_DARK, _DULL = 30.0, 25.0
"""Lightness and chroma up to which something is the edging of a line, and no line."""
_LEAST = 0.05
"""Of a cell's pixels: the least that is seen of a line."""
_COVERED, _CUT, _INSET = 0.45, 0.5, 0.22
"""How much of a segment a line covers, from _INSET to 1 - _INSET of the way from centre to centre;
and how many cells wide a line may be cut by those that cross it."""


class Coloured(NamedTuple):
    """Where the lines of one colour are seen, and where something else that was drawn: (H, W).

    ``expected`` is the index of that colour among those expected.
    """

    mine: Mask
    others: Mask
    expected: int | None


def coloured(
    sheet: Sheet,
    expected: Sequence[Colour] = (),
    known: Mask | None = None,
    share: float = _LEAST,
) -> Iterator[Coloured]:
    """Yield lines by their colours.

    expected
        The colours that lines may have; where there are none, whatever colours stand out.
    known
        Where the picture is accounted for already, (H, W).
    share
        Of a cell's pixels: the least that must be seen of a line.
    """
    gap = difference(sheet)
    far = (gap * gap).sum(axis=-1)
    where = far > _CHANGED**2 if sheet.drawn is None else sheet.drawn
    fresh = where if known is None else where & ~known
    pixels, far = (lab(sheet.board.palette)[sheet.board.pixels] + gap)[fresh], far[fresh]
    least = share * sheet.cell**2
    seeds = lab(np.array(expected, np.uint8)) if expected else _seeds(pixels, far, 2 * least)
    nearest, distance = _nearest(pixels, seeds)
    alike = _ALIKE if share == _LEAST else _SAME
    plain = (distance < alike**2) & (distance < far) & _bright(pixels)
    for number in range(len(seeds)):
        mine = np.zeros(where.shape, bool)
        mine[fresh] = plain & (nearest == number)
        if mine.sum() >= least:
            yield Coloured(mine, where & ~mine, number if expected else None)


def follow(line: Coloured, cell: int) -> Graph:
    """Return the neighbours of every cell along a line, or along several of one colour."""
    return graph_of(_edges(line.mine, line.others, cell))


def _seeds(pixels: Lab, far: Share, least: float) -> Lab:
    """Return the colours (n, 3) that stand out: each of many pixels, unlike the others."""
    seeds = list[Lab]()
    left = pixels[(far > _ALIKE**2) & _bright(pixels)]
    while len(left) >= least:
        _, kind, count = np.unique(
            np.floor(left / 10), axis=0, return_inverse=True, return_counts=True
        )
        if count.max() < least / 2:
            break
        peak = left[kind.ravel() == count.argmax()].mean(axis=0)
        seeds.append(peak)
        left = left[((left - peak) ** 2).sum(axis=1) > _ALIKE**2]
    return np.array(seeds, np.float32).reshape(-1, 3)


def _nearest(pixels: Lab, seeds: Lab) -> tuple[NDArray[np.intp], Share]:
    """Return which of the seeds is nearest to each pixel, and its square distance."""
    if not len(seeds):
        return np.zeros(len(pixels), np.intp), np.full(len(pixels), np.inf, np.float32)
    gaps = (
        (pixels * pixels).sum(axis=1)[:, None] - 2 * pixels @ seeds.T + (seeds * seeds).sum(axis=1)
    )
    nearest = gaps.argmin(axis=1)
    return nearest, np.maximum(gaps[np.arange(len(pixels)), nearest], 0)


def _edges(mine: Mask, others: Mask, cell: int) -> Iterator[Edge]:
    for r, c in np.argwhere(_along(mine, others, cell)).tolist():
        yield (r, c), (r, c + 1)
    for c, r in np.argwhere(_along(mine.T, others.T, cell)).tolist():
        yield (r, c), (r + 1, c)


def _along(mine: Mask, others: Mask, cell: int) -> Mask:
    """Return which cells (rows, cols - 1) a line joins to the next one on their right."""
    rows, cols = (side // cell for side in mine.shape)
    line, cut = (
        np.asarray(mask.reshape(rows, cell, cols * cell).any(axis=1)) for mask in (mine, others)
    )
    for row, over in zip(line, cut, strict=True):
        _bridge(row, over, round(_CUT * cell))
    half, inset = cell // 2, round(_INSET * cell)
    between = line[:, half : half + (cols - 1) * cell].reshape(rows, cols - 1, cell)
    share: Mask = between[:, :, inset : cell - inset].mean(axis=2) > _COVERED
    return share


def _bridge(line: NDArray[np.bool_], cut: NDArray[np.bool_], most: int) -> None:
    """Fill gaps of up to ``most`` pixels in a line where something else lies over it, in place."""
    at = np.flatnonzero(line)
    for i in np.flatnonzero(np.diff(at) > 1):
        start, end = at[i] + 1, at[i + 1]
        if end - start <= most and cut[start:end].all():
            line[start:end] = True


def _bright(pixels: Lab) -> Mask:
    bright: Mask = (pixels[:, 0] > _DARK) | (np.hypot(pixels[:, 1], pixels[:, 2]) > _DULL)
    return bright
