"""Where a drawn line is broken, or so faint that it may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from render.drawings.flaws import Flaw
from render.drawings.segments import (
    REACH,
    UNDRAWN,
    Cell,
    Edge,
    Graph,
    Segments,
    course,
    ink_between,
    middle,
)

Mask = NDArray[np.bool_]
Found = tuple[Flaw, str]

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_FAR = 2
"""Cells from one end of a line to where it goes on, at most."""
_TRACES = UNDRAWN / 2
"""Ink that may be of a line, where one goes on beyond."""
_CENTRE = 0.1
"""In cells: ink so near to a cell's centre is of a line that leads there."""


def breaks(graph: Graph, parts: list[set[Cell]]) -> list[Edge]:
    """Return the ends, two cells apart at most, between which a line goes on in the next piece."""
    ends = [[at for at in sorted(piece) if len(graph[at]) == 1] for piece in parts]
    joined, left, found = ends[0], ends[1:], list[Edge]()
    while near := [
        (a, b, piece)
        for piece in left
        for a in joined
        for b in piece
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) <= _FAR
    ]:
        a, b, piece = near[0]
        found.append((min(a, b), max(a, b)))
        joined = joined + piece
        left.remove(piece)
    return sorted(found)


def in_pieces(parts: list[set[Cell]], between: list[Edge], scores: Segments) -> Found:
    """Return SEVERAL where there are several lines, else why the line is in pieces end to end."""
    if len(between) < len(parts) - 1:
        return Flaw.SEVERAL, f"there are {len(parts)} lines"
    return missing(scores, *between[0])


def cut_off(spots: Mask, graph: Graph, scores: Segments, cell: int) -> Found | None:
    """Return the flaw of a line that goes on beyond one of its ends, in the next cell or two.

    It is broken there, or faint.
    """
    for end, near in graph.items():
        for step in _STEPS if len(near) == 1 else ():
            way = [(end[0] + k * step[0], end[1] + k * step[1]) for k in range(_FAR + 1)]
            at = next((k for k in (1, _FAR) if _ends_at(spots, way[k - 1 : k + 1], cell)), 0)
            if not at or any(on in graph for on in way[1 : at + 1]):
                continue
            return missing(scores, *sorted((end, way[at])))
    return None


def missing(scores: Segments, first: Cell, last: Cell) -> Found:
    """Return the flaw of a line that is not seen between two cells, two steps apart at most.

    It is broken; where some ink is all along a way between, evenly, that can't be told.
    """
    between = {(first[0], last[1]), (last[0], first[1])}
    if first[0] == last[0] or first[1] == last[1]:
        between = {((first[0] + last[0]) // 2, (first[1] + last[1]) // 2)}
    ways = [pairwise(dict.fromkeys((first, at, last))) for at in between]
    ink = max(min(ink_between(scores, *sorted(edge)) for edge in way) for way in ways)
    if ink > _TRACES:
        return Flaw.UNCERTAIN, f"the line from {first} to {last} is faint"
    return Flaw.GAP, f"the line is broken between {first} and {last}"


def _ends_at(spots: Mask, edge: Sequence[Cell], cell: int) -> bool:
    """Return whether a line ends at the centre of the second of two cells, come from the first."""
    at = edge[1]
    rows, cols = (side // cell for side in spots.shape)
    if not (0 <= at[0] < rows and 0 <= at[1] < cols):
        return False
    (y, x), reach = middle(at, cell), max(1, round(_CENTRE * cell))
    if not spots[y - reach : y + reach, x - reach : x + reach].any():
        return False
    within = slice(at[0] * cell, (at[0] + 1) * cell), slice(at[1] * cell, (at[1] + 1) * cell)
    own = course({}, [(min(edge), max(edge))], cell, spots.shape)
    return not (spots[within] & ~own[within]).any()


def interrupted(whole: NDArray[np.int32], edges: Iterable[Edge], cell: int) -> Found | None:
    """Return GAP where the ink of the line is not all of one piece."""
    first = None
    for a, b in edges:
        (y, x), (y2, x2) = middle(a, cell), middle(b, cell)
        reach = round(REACH * cell)
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
