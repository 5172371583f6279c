"""Drawn ways read back: from ink to the segments between cells, and from these to a polyline."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.drawings.breaks import breaks, cut_off, in_pieces, interrupted, missing
from render.drawings.flaws import Flaw
from render.drawings.ink import Share
from render.drawings.segments import (
    CLEAR,
    DRAWN,
    UNDRAWN,
    Cell,
    Graph,
    course,
    edges_between,
    graph_of,
    middle,
    pieces,
    segments,
    unbroken,
)

_BROKEN = 1 / 16
"""In cells, half the width of a line: a gap that is narrower is a slip of the pen."""
_SPECK = 0.02
"""Of a cell's pixels: ink that is no more than this is none."""
_CORNER = 0.12
"""In cells: ink so near to where four cells meet is on its way from one to the one across."""
_AROUND, _LEANING = 0.3, 0.4
"""In cells: how much of the ink about that point is looked at; and how far its rows and columns
must be correlated there."""
_SLACK = 0.07
"""In cells: so far a line may reach into a wall where picture and board don't match exactly."""


class Trace(NamedTuple):
    """What is drawn: the segments, the cells that they join, and the flaw, if there is one.

    ``graph`` has the neighbours of each cell along the line; where there is only a dot, the cell
    of the dot has none.
    """

    graph: Graph
    flaw: Flaw | None = None
    detail: str = ""


def trace(ink: Share, cell: int) -> Trace:
    """Return what is drawn over the cells, whatever the board.

    Flaws are those of the line as such: none is drawn, it can't be told, it runs off the board, is
    slanted or broken, or there is something beside it.
    """
    narrow = max(1, round(_BROKEN * cell))
    ink = ndimage.grey_closing(ink, (narrow, narrow))
    scores = segments(ink, cell)
    edges = list(edges_between(scores, DRAWN))
    graph = graph_of(edges)
    rows, cols = scores.across.shape[0], scores.down.shape[1]
    inside = {at for at in graph if 0 <= at[0] < rows and 0 <= at[1] < cols}
    spots = ink > DRAWN
    if not graph:
        dot = _dot(spots, cell)
        if dot is None:
            return Trace({}, *_said(Flaw.NONE_DRAWN))
        graph, inside = {dot: []}, {dot}
    for at in sorted(set(graph) - inside):
        detail = f"the line runs off the board at {graph[at][0]}"
        return Trace(graph, Flaw.OFF_BOARD, detail)
    whole, _ = ndimage.label(spots, np.ones((3, 3)))
    parts = pieces(graph)
    between = breaks(graph, parts)
    straight = [(a, b) for a, b in between if a[0] == b[0] or a[1] == b[1]]
    beside = spots & ~course(graph, [*edges, *straight], cell, ink.shape)
    even = unbroken(scores, ink, cell)
    found = cut_off(spots, graph, even, cell) or _beside(beside, whole, graph, cell)
    if len(parts) > 1:
        found = found or in_pieces(parts, between, even)
    found = found or interrupted(whole, edges, cell)
    if found:
        return Trace(graph, *found)
    for edge in edges_between(scores, UNDRAWN, CLEAR):
        if edge[0] in graph or edge[1] in graph:
            return Trace(graph, *missing(even, *edge))
    return Trace(graph)


def _said(flaw: Flaw) -> tuple[Flaw, str]:
    return flaw, flaw.sentence


def _dot(spots: NDArray[np.bool_], cell: int) -> Cell | None:
    """Return the cell with the most ink, where there is any."""
    rows, cols = (side // cell for side in spots.shape)
    count = spots.reshape(rows, cell, cols, cell).sum(axis=(1, 3))
    r, c = divmod(int(count.argmax()), cols)
    return (r, c) if count[r, c] > cell * cell / 200 else None


def _beside(
    beside: NDArray[np.bool_], whole: NDArray[np.int32], graph: Graph, cell: int
) -> tuple[Flaw, str] | None:
    """Return the flaw that ink off the line's course means."""
    speck = _SPECK * cell * cell
    if beside.sum() <= speck:
        return None
    kinds, count = ndimage.label(beside, np.ones((3, 3)))
    sizes = np.bincount(kinds.ravel(), minlength=count + 1)
    largest = 1 + int(sizes[1:].argmax())
    if sizes[largest] <= speck:
        return None
    y, x = (at / cell for at in np.nonzero(kinds == largest))
    where = (int(y.mean()), int(x.mean()))
    height, width = (side / cell for side in beside.shape)
    edge = 1 / cell
    if min(y.min(), x.min()) < edge or y.max() >= height - edge or x.max() >= width - edge:
        return Flaw.OFF_BOARD, f"the line runs off the board at {where}"
    if _crosses_corner(whole > 0, y, x, cell):
        return Flaw.SLANTED, f"the line is slanted at {where}"
    attached = {int(whole[middle(at, cell)]) for at in graph} - {0}
    if int(whole[kinds == largest][0]) in attached:
        return Flaw.BRANCH, f"something branches off the line at {where}"
    return Flaw.SEVERAL, f"there is something beside the line at {where}"


def _crosses_corner(
    spots: NDArray[np.bool_], y: NDArray[np.float64], x: NDArray[np.float64], cell: int
) -> bool:
    """Return whether ink at (y, x), in cells, runs between cells that share only a corner."""
    near = (abs(y - np.rint(y)) < _CORNER) & (abs(x - np.rint(x)) < _CORNER)
    reach = round(_AROUND * cell)
    for r, c in {*zip(np.rint(y[near]).astype(int), np.rint(x[near]).astype(int), strict=True)}:
        top, left = max(0, r * cell - reach), max(0, c * cell - reach)
        down, across = np.nonzero(spots[top : r * cell + reach, left : c * cell + reach])
        spread = np.cov(down, across)
        if abs(spread[0, 1]) > _LEANING * np.sqrt(spread[0, 0] * spread[1, 1]):
            return True
    return False


def on_walls(ink: Share, walls: NDArray[np.bool_], cell: int, exact: bool) -> Cell | None:
    """Return the first wall cell, by (rows, cols) ``walls``, that a line lies on.

    exact
        The ink is where it is to the pixel, so that one pixel on a wall is one too many.
    """
    rows, cols = walls.shape
    inset, least = (0, 1) if exact else (round(_SLACK * cell), (_SLACK * cell) ** 2)
    inner = (ink > CLEAR).reshape(rows, cell, cols, cell)[:, inset : cell - inset]
    count = inner[..., inset : cell - inset].sum(axis=(1, 3))
    found = np.argwhere(walls & (count >= least))
    return (int(found[0, 0]), int(found[0, 1])) if len(found) else None


def way(graph: Graph, start: Cell) -> tuple[list[Cell], Flaw | None, str]:
    """Return the one simple path of ``graph`` from ``start``, and the flaw where it isn't one."""
    for at, near in graph.items():
        if len(near) > 2:
            return [], Flaw.BRANCH, f"the line branches at {at}"
    ends = [at for at, near in graph.items() if len(near) < 2]
    if not ends:
        return [], Flaw.BRANCH, "the line comes back to where it began"
    if start not in ends:
        return [], Flaw.WRONG_START, f"the line begins at {ends[0]}, not at {start}"
    cells, before = [start], start
    while onward := [at for at in graph[cells[-1]] if at != before]:
        before = cells[-1]
        cells.append(onward[0])
    return cells, None, ""
