"""Drawn ways read back: from ink to the segments between cells, and from these to a polyline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.drawings.flaws import Flaw
from render.drawings.ink import Share

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]  # the upper or left cell first; one of them may lie off the board
Graph = Mapping[Cell, list[Cell]]

DRAWN, UNDRAWN, CLEAR = 0.38, 0.25, 0.5
"""A segment counts as drawn from DRAWN on; between UNDRAWN and CLEAR it is uncertain."""
_REACH, _INSET = 0.36, 0.22
"""In cells: how far from the middle of its row a line is looked for; and how near to a cell's
centre, where it may cut the corner."""
_OWN = 0.4
"""In cells: how far from its course the ink of a line may lie."""
_SPECK = 0.02
"""Of a cell's pixels: ink that is no more than this is none."""
_CORNER = 0.12
"""In cells: ink so near to where four cells meet is on its way from one to the one across."""
_AROUND, _LEANING = 0.3, 0.4
"""In cells: how much of the ink about that point is looked at; and how far its rows and columns
must be correlated there."""
_SLACK = 0.07
"""In cells: so far a line may reach into a wall where picture and board don't match exactly."""


class Segments(NamedTuple):
    """The least ink, 0 to 1, on the way from each cell's centre to the next one's.

    ``across`` (rows, cols + 1) and ``down`` (rows + 1, cols): the first and the last of a row or
    column lead to the edge of the picture.
    """

    across: Share
    down: Share


class Trace(NamedTuple):
    """What is drawn: the segments, the cells that they join, and the flaw, if there is one.

    ``graph`` has the neighbours of each cell along the line; where there is only a dot, the cell
    of the dot has none.
    """

    graph: Graph
    flaw: Flaw | None = None
    detail: str = ""


def segments(ink: Share, cell: int) -> Segments:
    """Return how surely each segment between neighbouring cells is drawn."""
    return Segments(_along(ink, cell), _along(ink.T, cell).T)


def _along(ink: Share, cell: int) -> Share:
    rows, cols = (side // cell for side in ink.shape)
    low, high = round((0.5 - _REACH) * cell), round((0.5 + _REACH) * cell)
    profile = ink.reshape(rows, cell, cols * cell)[:, low:high].max(axis=1)
    half, inset = cell // 2, round(_INSET * cell)
    out = np.zeros((rows, cols + 1), np.float32)
    between = profile[:, half : half + (cols - 1) * cell].reshape(rows, cols - 1, cell)
    out[:, 1:-1] = between[:, :, inset : cell - inset].min(axis=2, initial=1)
    out[:, 0] = profile[:, : half - inset].min(axis=1)
    out[:, -1] = profile[:, (cols - 1) * cell + half + inset :].min(axis=1)
    return out


def trace(ink: Share, cell: int) -> Trace:
    """Return what is drawn over the cells, whatever the board.

    Flaws are those of the line as such: none is drawn, it can't be told, it runs off the board, is
    slanted or broken, or there is something beside it.
    """
    scores = segments(ink, cell)
    edges = list(_edges(scores, DRAWN))
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
    between = _breaks(graph, parts)
    straight = [(a, b) for a, b in between if a[0] == b[0] or a[1] == b[1]]
    beside = spots & ~_course(graph, [*edges, *straight], cell, ink.shape)
    found = _beside(beside, whole, graph, cell)
    if len(parts) > 1:
        found = found or _in_pieces(parts, between)
    found = found or _interrupted(whole, edges, cell)
    if found:
        return Trace(graph, *found)
    for edge in _edges(scores, UNDRAWN, CLEAR):
        if edge[0] in graph or edge[1] in graph:
            return Trace(graph, Flaw.UNCERTAIN, f"the line from {edge[0]} to {edge[1]} is faint")
    return Trace(graph)


def _said(flaw: Flaw) -> tuple[Flaw, str]:
    return flaw, flaw.sentence


def _edges(scores: Segments, low: float, high: float = 2) -> Iterable[Edge]:
    for (r, c), (down, right), ink in (
        ((0, -1), (0, 1), scores.across),
        ((-1, 0), (1, 0), scores.down),
    ):
        for row, col in np.argwhere((ink > low) & (ink <= high)).tolist():
            first = (row + r, col + c)
            yield first, (first[0] + down, first[1] + right)


def graph_of(edges: Iterable[Edge]) -> dict[Cell, list[Cell]]:
    """Return the neighbours of every cell that an edge joins to another."""
    graph = defaultdict[Cell, list[Cell]](list)
    for a, b in edges:
        graph[a].append(b)
        graph[b].append(a)
    return dict(graph)


def _dot(spots: NDArray[np.bool_], cell: int) -> Cell | None:
    """Return the cell with the most ink, where there is any."""
    rows, cols = (side // cell for side in spots.shape)
    count = spots.reshape(rows, cell, cols, cell).sum(axis=(1, 3))
    r, c = divmod(int(count.argmax()), cols)
    return (r, c) if count[r, c] > cell * cell / 200 else None


def _course(
    graph: Graph, edges: Iterable[Edge], cell: int, shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Return where the ink of the line may lie, (H, W)."""
    own = np.zeros(shape, bool)
    for (r, c), (r2, c2) in [*edges, *((at, at) for at in graph)]:
        top, bottom = (r + 0.5 - _OWN) * cell, (r2 + 0.5 + _OWN) * cell
        left, right = (c + 0.5 - _OWN) * cell, (c2 + 0.5 + _OWN) * cell
        own[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)] = True
    return own


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
    attached = {int(whole[_middle(at, cell)]) for at in graph} - {0}
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


def _middle(at: Cell, cell: int) -> tuple[int, int]:
    return int((at[0] + 0.5) * cell), int((at[1] + 0.5) * cell)


def _in_pieces(parts: list[set[Cell]], between: list[Edge]) -> tuple[Flaw, str]:
    """Return GAP where the line is in pieces end to end, SEVERAL where there are several lines."""
    if len(between) < len(parts) - 1:
        return Flaw.SEVERAL, f"there are {len(parts)} lines"
    return Flaw.GAP, f"the line is broken between {between[0][0]} and {between[0][1]}"


def _interrupted(
    whole: NDArray[np.int32], edges: Iterable[Edge], cell: int
) -> tuple[Flaw, str] | None:
    """Return GAP where the ink of the line is not all of one piece."""
    first = None
    for a, b in edges:
        (y, x), (y2, x2) = _middle(a, cell), _middle(b, cell)
        reach = round(_REACH * cell)
        if y == y2:
            band = whole[y - reach : y + reach, (x + x2) // 2]
        else:
            band = whole[(y + y2) // 2, x - reach : x + reach]
        found = set(band[band > 0].tolist())
        if first is None:
            first = found
        elif not found & first:
            return Flaw.GAP, f"the line is broken at {a}"
    return None


def _breaks(graph: Graph, parts: list[set[Cell]]) -> list[Edge]:
    """Return the ends, two cells apart at most, between which a line goes on in the next piece."""
    ends = [[at for at in sorted(piece) if len(graph[at]) == 1] for piece in parts]
    joined, left, found = ends[0], ends[1:], list[Edge]()
    while near := [
        (a, b, piece)
        for piece in left
        for a in joined
        for b in piece
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) <= 2
    ]:
        a, b, piece = near[0]
        found.append((min(a, b), max(a, b)))
        joined = joined + piece
        left.remove(piece)
    return sorted(found)


def pieces(graph: Graph) -> list[set[Cell]]:
    """Return the cells of a graph, those that hang together in one set."""
    left, found = set(graph), list[set[Cell]]()
    while left:
        ahead = [min(left)]
        piece = set(ahead)
        for at in ahead:
            new = [near for near in graph[at] if near not in piece]
            piece.update(new)
            ahead += new
        left -= piece
        found.append(piece)
    return found


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
