"""Which link a drawn line is: every link that might be is held against what is seen of it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.family import Cell
from puzzles.onet.view import LANES, shifted
from render.drawings.lines import Coloured
from render.shapes import Point

_WIDTH = 1 / 8  # of a line, in cells; its dots are twice as wide
_CLOSER = 24
"""So many of the links that fit best are looked at more closely."""
_BROKEN, _FADED = 0.09, 0.15
"""In cells: the length over which nothing is seen of a line that is broken, half its width; and
where picture and board don't match to the pixel, and some of a line may be lost."""
_EQUAL = 0.03
"""Links that fit as well as that can't be told apart."""


class Fit(NamedTuple):
    """A link by its corners, and how well it fits: 1 where all of the line is seen and explained.

    ``points`` are its corners (x, y), in cells, as it is drawn; ``below`` is the share of it that
    would lie below other lines.
    """

    corners: tuple[Cell, ...]
    points: list[Point]
    score: float
    below: float


def best_fits(line: Coloured, pairs: Iterable[tuple[Cell, Cell]], cell: int, rim: int) -> list[Fit]:
    """Return the link of at most two turns, between one of ``pairs``, that fits a line best.

    Of those that fit as well the one comes first that is hidden least, and after it others of the
    same pair: they differ where the line is hidden.
    """
    rows, cols = (side // cell for side in line.mine.shape)
    courses = [_courses(a, b, rows, cols, rim) for a, b in pairs]
    if not courses:
        return []
    points = np.concatenate([points for _, points in courses])
    ways = [way for ways, _ in courses for way in ways]
    fits = list[Fit]()
    for k in _rough(line, points * cell, cell)[:_CLOSER]:
        way, lane = ways[k // len(LANES)], LANES[k % len(LANES)]
        course = shifted(way, lane, rows, cols)
        fits.append(Fit(way, course, *_closely(line, course, cell)))
    best = max(fit.score for fit in fits)
    fits = sorted((fit for fit in fits if fit.score > best - _EQUAL), key=lambda fit: fit.below)
    ends = {fits[0].corners[0], fits[0].corners[-1]}
    return [fit for fit in fits if ends == {fit.corners[0], fit.corners[-1]}]


def covered(fit: Fit, shape: tuple[int, ...], cell: int) -> NDArray[np.bool_]:
    """Return where a line, its dots and its edging lie, (H, W)."""
    return _course(fit.points, shape, cell, _WIDTH, 2 * _WIDTH)


def broken(
    line: Coloured, fit: Fit, hidden: NDArray[np.bool_], cell: int, exact: bool
) -> Cell | None:
    """Return a cell in which nothing is seen of a line over some length, though it should be.

    hidden
        Where it could not be seen, (H, W): the board has its colour there.
    exact
        Picture and board match to the pixel.
    """
    there = line.mine | line.others | hidden
    for (ax, ay), (bx, by) in pairwise(fit.points):
        course = _course([(ax, ay), (bx, by)], there.shape, cell, _WIDTH / 2, _WIDTH / 2)
        across = int(ay == by)  # the way along which the line runs
        seen = (there & course).any(axis=1 - across)
        longest = max(_runs(course.any(axis=1 - across) & ~seen), key=len)
        if len(longest) > (_BROKEN if exact else _FADED) * cell:
            at = float(longest.mean()) / cell
            return (int(ay), int(at)) if across else (int(at), int(ax))
    return None


def buried(line: Coloured, fit: Fit, alike: NDArray[np.bool_], cell: int) -> float:
    """Return the length, in cells, over which a line lies below others without being seen.

    alike
        Where it could not be seen on the board either, (H, W).
    """
    seen, longest = line.mine | alike, 0
    for (ax, ay), (bx, by) in pairwise(fit.points):
        course = _course([(ax, ay), (bx, by)], seen.shape, cell, _WIDTH / 2, _WIDTH / 2)
        across = int(ay == by)
        below = course.any(axis=1 - across) & ~(seen & course).any(axis=1 - across)
        longest = max(longest, *map(len, _runs(below)))
    return longest / cell


def concealed(
    lined: NDArray[np.bool_], pairs: Iterable[tuple[Cell, Cell]], cell: int, rim: int
) -> Iterator[tuple[Cell, Cell]]:
    """Yield the pairs of which a line could lie wholly below the lines that are seen, (H, W)."""
    rows, cols = (side // cell for side in lined.shape)
    for a, b in pairs:
        for points in _courses(a, b, rows, cols, rim)[1]:
            corners = [(x, y) for x, y in points.tolist()]
            if lined[_course(corners, lined.shape, cell, _WIDTH / 2, _WIDTH / 2)].all():
                yield a, b
                break


def _runs(where: NDArray[np.bool_] | np.bool_) -> list[NDArray[np.intp]]:
    """Return the places of a row that are True, those that follow each other together."""
    at = np.flatnonzero(where)
    return np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)


@lru_cache(maxsize=4096)
def _courses(
    a: Cell, b: Cell, rows: int, cols: int, rim: int
) -> tuple[list[tuple[Cell, ...]], NDArray[np.float64]]:
    """Return the ways from ``a`` to ``b``, by their corners, and how each is drawn in each lane.

    The second is (ways * lanes, 4, 2): corners in cells, the last one repeated.
    """
    ways = list(_ways(a, b, rows, cols, rim))
    drawn = [shifted(way, lane, rows, cols) for way in ways for lane in LANES]
    return ways, np.array([[*at, *at[-1:] * (4 - len(at))] for at in drawn])


def _ways(a: Cell, b: Cell, rows: int, cols: int, rim: int) -> Iterator[tuple[Cell, ...]]:
    """Yield the corners of every line from ``a`` to ``b`` with at most two turns."""
    found = [((r, a[1]), (r, b[1])) for r in range(-rim, rows + rim) if a[1] != b[1]]
    found += [((a[0], c), (b[0], c)) for c in range(-rim, cols + rim) if a[0] != b[0]]
    yield from dict.fromkeys(tuple(dict.fromkeys((a, *middle, b))) for middle in found)


def _rough(line: Coloured, points: NDArray[np.float64], cell: int) -> NDArray[np.intp]:
    """Return the courses, (n, 4, 2) corners in pixels, in the order in which they seem to fit."""
    height, width = line.mine.shape
    seen, bare = _sums(line.mine), _sums(~(line.mine | line.others))
    half = _WIDTH * cell / 2
    low = np.minimum(points[:, :-1], points[:, 1:]) - half
    high = np.maximum(points[:, :-1], points[:, 1:]) + half
    (x0, y0), (x1, y1) = (
        np.moveaxis(np.rint(at).clip(0, (width, height)).astype(np.intp), -1, 0)
        for at in (low, high)
    )

    def inside(sums: NDArray[np.int64]) -> NDArray[np.int64]:
        each: NDArray[np.int64] = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
        total: NDArray[np.int64] = each.sum(axis=1)
        return total

    area = ((x1 - x0) * (y1 - y0)).sum(axis=1)
    value = inside(seen) / max(1, seen[-1, -1]) - 2 * inside(bare) / np.maximum(area, 1)
    order: NDArray[np.intp] = np.argsort(-value, kind="stable")
    return order


def _sums(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.pad(mask.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))


def _closely(line: Coloured, points: Sequence[Point], cell: int) -> tuple[float, float]:
    """Return which share of the line a course explains, less the share of it that isn't there.

    And which share of the course lies below other lines.
    """
    mine, others = line.mine, line.others
    narrow, wide = _WIDTH / 2 - 0.5 / cell, _WIDTH / 2 + 1 / cell  # lines begin between pixels
    lined = _course(points, mine.shape, cell, narrow, narrow)
    whole = _course(points, mine.shape, cell, wide, _WIDTH + 1 / cell)
    hidden = lined & ~mine
    bare, length = hidden & ~others, lined.sum()
    score = (mine & whole).sum() / mine.sum() - bare.sum() / length
    return float(score), float((hidden & others).sum() / length)


def _course(
    points: Sequence[Point], shape: tuple[int, ...], cell: int, half: float, dot: float
) -> NDArray[np.bool_]:
    """Return the pixels so near, in cells, to a line and to its ends."""
    course = np.zeros(shape, bool)
    ends = [(points[0], points[0], dot), (points[-1], points[-1], dot)]
    for (ax, ay), (bx, by), reach in [*((a, b, half) for a, b in pairwise(points)), *ends]:
        top, bottom = (min(ay, by) - reach) * cell, (max(ay, by) + reach) * cell
        left, right = (min(ax, bx) - reach) * cell, (max(ax, bx) + reach) * cell
        course[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)] = True
    return course
