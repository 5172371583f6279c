"""Ink on the way from cell to cell: the segments of drawn lines, and the cells that they join."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawings.ink import Share

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]  # the upper or left cell first; one of them may lie off the board
Graph = Mapping[Cell, list[Cell]]

DRAWN, UNDRAWN, CLEAR = 0.38, 0.25, 0.5
"""A segment counts as drawn from DRAWN on; between UNDRAWN and CLEAR it is uncertain."""
REACH, _INSET = 0.36, 0.22
"""In cells: how far from the middle of its row a line is looked for; and how near to a cell's
centre, where it may cut the corner."""
_CLEARLY, _EVEN = 0.9, 0.5
"""Ink that is usual along a segment which is drawn clearly; and of that, what a gap is below."""
_OWN = 0.4
"""In cells: how far from its course the ink of a line may lie."""


class Segments(NamedTuple):
    """The least ink, 0 to 1, on the way from each cell's centre to the next one's.

    ``across`` (rows, cols + 1) and ``down`` (rows + 1, cols): the first and the last of a row or
    column lead to the edge of the picture.
    """

    across: Share
    down: Share


def segments(ink: Share, cell: int) -> Segments:
    """Return how surely each segment between neighbouring cells is drawn."""
    return Segments(_along(ink, cell), _along(ink.T, cell).T)


def unbroken(scores: Segments, ink: Share, cell: int) -> Segments:
    """Return the segments without those that are drawn clearly but for a gap."""
    usual = Segments(_along(ink, cell, np.median), _along(ink.T, cell, np.median).T)
    kept = (
        np.where((all_along < _CLEARLY) | (least > _EVEN * all_along), least, 0)
        for least, all_along in zip(scores, usual, strict=True)
    )
    return Segments(*kept)


def _along(ink: Share, cell: int, of: Callable[..., Share] = np.min) -> Share:
    rows, cols = (side // cell for side in ink.shape)
    low, high = round((0.5 - REACH) * cell), round((0.5 + REACH) * cell)
    profile = ink.reshape(rows, cell, cols * cell)[:, low:high].max(axis=1)
    half, inset = cell // 2, round(_INSET * cell)
    out = np.zeros((rows, cols + 1), np.float32)
    between = profile[:, half : half + (cols - 1) * cell].reshape(rows, cols - 1, cell)
    out[:, 1:-1] = of(between[:, :, inset : cell - inset], axis=2)
    out[:, 0] = of(profile[:, : half - inset], axis=1)
    out[:, -1] = of(profile[:, (cols - 1) * cell + half + inset :], axis=1)
    return out


def edges_between(scores: Segments, low: float, high: float = 2) -> Iterable[Edge]:
    """Yield the segments whose ink is more than ``low`` and at most ``high``."""
    for (r, c), (down, right), ink in (
        ((0, -1), (0, 1), scores.across),
        ((-1, 0), (1, 0), scores.down),
    ):
        for row, col in np.argwhere((ink > low) & (ink <= high)).tolist():
            first = (row + r, col + c)
            yield first, (first[0] + down, first[1] + right)


def ink_between(scores: Segments, first: Cell, last: Cell) -> float:
    """Return how surely the segment between two neighbouring cells is drawn."""
    return float(scores.across[last] if first[0] == last[0] else scores.down[last])


def graph_of(edges: Iterable[Edge]) -> dict[Cell, list[Cell]]:
    """Return the neighbours of every cell that an edge joins to another."""
    graph = defaultdict[Cell, list[Cell]](list)
    for a, b in edges:
        graph[a].append(b)
        graph[b].append(a)
    return dict(graph)


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


def course(
    graph: Graph, edges: Iterable[Edge], cell: int, shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Return where the ink of the line may lie, (H, W)."""
    own = np.zeros(shape, bool)
    for (r, c), (r2, c2) in [*edges, *((at, at) for at in graph)]:
        top, bottom = (r + 0.5 - _OWN) * cell, (r2 + 0.5 + _OWN) * cell
        left, right = (c + 0.5 - _OWN) * cell, (c2 + 0.5 + _OWN) * cell
        own[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)] = True
    return own


def middle(at: Cell, cell: int) -> tuple[int, int]:
    """Return the pixel (y, x) at the centre of a cell."""
    return int((at[0] + 0.5) * cell), int((at[1] + 0.5) * cell)
