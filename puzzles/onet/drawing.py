"""Pairs of tiles read from a picture in which their links are drawn."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from puzzles.drawing import Drawing
from puzzles.family import Cell
from puzzles.onet.fitting import Fit, best_fits, broken, covered
from puzzles.onet.rules import Pair, State, tiles
from puzzles.onet.view import PAIRS, draw
from render.boards.warping import RGB
from render.drawings.changes import Mask, added, cleaned, strange, unexplained
from render.drawings.flaws import Flaw
from render.drawings.ink import WORKED_CELL, Sheet, sheet, smaller
from render.drawings.lines import Coloured, coloured, follow
from render.drawings.traces import pieces, way
from render.lab import lab
from render.palette import Colour

_PARTLY, _GOOD, _SURE = 0.4, 0.8, 0.95
"""How well a link must fit a line to be what is drawn, with a gap in it or whole; and so well that
no other need be tried."""
_SLIVER = 0.0025
"""Likewise: the least that must be seen of a line in a drawing of our own."""
_BETTER = 0.05
"""By how much a link of two tiles of other kinds must fit better than one of a kind."""
_LIKE_BOARD = 40.0
"""Of distance in CIELAB: a line need not be seen on what is as near to its colour."""
_SCRAP = 0.12
"""Of a cell's pixels: what is seen of a line that fits no link may be so little that it is none."""


class Link(NamedTuple):
    """The cells of a drawn line, from one end to the other; some may lie outside the board.

    ``others`` are the ways that it may take as well where it is hidden below other lines.
    """

    cells: tuple[Cell, ...]
    others: tuple[tuple[Cell, ...], ...] = ()

    @property
    def pair(self) -> Pair:
        return Pair(*sorted((self.cells[0], self.cells[-1])))

    @property
    def turns(self) -> int:
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(self.cells)]
        return sum(one != other for one, other in pairwise(steps))


class _Unclear(ValueError):
    """A line can't be made out."""

    def __init__(self, flaw: Flaw, detail: str):
        super().__init__(detail)
        self.flaw = flaw


def read_drawing(image: RGB, state: State) -> Drawing:
    """Return the pairs whose lines are drawn, in an order in which every line is free in its turn.

    Where there is no such order, those that never get free come last.
    """
    rows, cols = len(state.board), len(state.board[0])
    whole = sheet(image, partial(draw, state), rows, cols)
    page = smaller(whole, WORKED_CELL)
    differs, lined = strange(page), np.zeros(page.board.pixels.shape, bool)
    try:
        links = _links(whole, page, state, differs, lined)
    except _Unclear as error:
        return _doubted(Drawing(None, error.flaw, str(error)), page, differs, lined)
    if not links:
        flaw = Flaw.UNCERTAIN if added(differs, page.cell) else Flaw.NONE_DRAWN
        return Drawing(None, flaw, flaw.sentence)
    return _doubted(_judged(state, links), page, differs, lined)


def _doubted(read: Drawing, page: Sheet, differs: Mask, lined: Mask) -> Drawing:
    """Return what was read with the cells that no line explains."""
    odd = unexplained(page, differs, lined)
    return read._replace(odd=odd, cleaned=cleaned(page, lined)) if odd else read


def _links(whole: Sheet, page: Sheet, state: State, differs: Mask, lined: Mask) -> list[Link]:
    """Return the lines: first those of the colours that we draw in, then all that is left over.

    What links cover is noted in ``lined``, (H, W) of the smaller ``page``.
    """
    kinds, rim = tiles(state), int(state.outside)
    alike = [Pair(*pair) for cells in kinds.values() for pair in combinations(cells, 2)]
    every = list(combinations(sorted(at for cells in kinds.values() for at in cells), 2))
    scrap = _SCRAP * page.cell**2
    told, known = set[int | None](), lined.copy()
    links = list[Link]()
    for last, expected in ((False, PAIRS), (True, PAIRS), (True, ())):
        for line in list(coloured(page, expected, known if expected else known | ~differs)):
            fits = best_fits(line, alike, page.cell, rim)
            if not fits or fits[0].score < _SURE:
                found = best_fits(line, every, page.cell, rim)
                if found and (not fits or found[0].score > fits[0].score + _BETTER):
                    fits = found
            if fits and fits[0].score >= _GOOD:
                link = Link(*_ways(fits))
                _check_whole(page, line, fits[0])
                if link.cells not in [one.cells for one in links]:  # else a scrap of its edge
                    links.append(link)
                told.add(line.expected)
                lined |= covered(fits[0], known.shape, page.cell)
                known |= lined
            elif last and line.mine.sum() > scrap:
                if fits and fits[0].score >= _PARTLY:
                    _check_whole(page, line, fits[0])
                links += _followed(line, page.cell)
                known |= line.mine
    hidden = [colour for k, colour in enumerate(PAIRS) if k not in told]
    return [*links, *_hidden(whole, alike, links, hidden)]


def _check_whole(page: Sheet, line: Coloured, fit: Fit) -> None:
    """Raise _Unclear where a line is broken."""
    gap = broken(line, fit, _of_colour(page, line), page.cell)
    if gap is not None:
        raise _Unclear(Flaw.GAP, f"a line is broken at {gap}")


def _of_colour(page: Sheet, line: Coloured) -> Mask:
    """Return where the board has much the same colour as a line, (H, W)."""
    board = lab(page.board.palette)
    ink = lab(page.image[line.mine]).mean(axis=0)
    alike: Mask = (((board - ink) ** 2).sum(axis=1) < _LIKE_BOARD**2)[page.board.pixels]
    return alike


def _hidden(
    page: Sheet, alike: Sequence[Pair], links: Sequence[Link], colours: Sequence[Colour]
) -> Iterator[Link]:
    """Yield lines of which only scraps are seen beside those over them, in drawings of our own."""
    if page.drawn is None or not colours:
        return
    used = {at for link in links for at in link.pair}
    left = [pair for pair in alike if not used.intersection(pair)]
    for line in coloured(page, colours, share=_SLIVER):
        fits = best_fits(line, left, page.cell, 0)
        if fits and fits[0].score >= _SURE:
            yield Link(*_ways(fits))


def _followed(line: Coloured, cell: int) -> Iterator[Link]:
    """Yield what can be followed of a line that fits no link."""
    graph = follow(line, cell)
    if not graph:
        raise _Unclear(Flaw.UNCERTAIN, "a line can't be made out")
    for piece in pieces(graph):
        ends = [at for at in piece if len(graph[at]) == 1]
        cells, flaw, detail = way({at: graph[at] for at in piece}, min(ends, default=(0, 0)))
        if flaw:
            raise _Unclear(flaw, detail)
        yield Link(tuple(cells))


def _ways(fits: Sequence[Fit]) -> tuple[tuple[Cell, ...], tuple[tuple[Cell, ...], ...]]:
    first, *others = dict.fromkeys(tuple(_between(fit.corners)) for fit in fits)
    return first, tuple(others)


def _between(corners: Iterable[Cell]) -> list[Cell]:
    """Return all cells of a line with these corners."""
    cells = list[Cell]()
    for (r, c), (r2, c2) in pairwise(corners):
        down, across = (r2 > r) - (r2 < r), (c2 > c) - (c2 < c)
        for k in range(abs(r2 - r) + abs(c2 - c)):
            cells.append((r + k * down, c + k * across))
    return [*cells, (r2, c2)]


def _judged(state: State, links: Iterable[Link]) -> Drawing:
    order, stuck = in_order(state, links)
    answer = [link.pair for link in (*order, *stuck)]
    for link in (*order, *stuck):
        (r, c), (r2, c2) = link.pair
        kind = state.board[r][c]
        what = f"the line from {(r, c)} to {(r2, c2)}"
        if (r, c) not in tiles(state).get(kind, ()) or kind != state.board[r2][c2]:
            return Drawing(answer, Flaw.NOT_A_PAIR, f"{what} joins no two tiles of one kind")
        if link.turns > state.max_turns:
            return Drawing(answer, Flaw.TURNS, f"{what} makes {link.turns} turns")
    if stuck:
        (a, b) = stuck[0].pair
        return Drawing(answer, Flaw.NO_ORDER, f"the line from {a} to {b} never gets free")
    return Drawing(answer)


def in_order(state: State, links: Iterable[Link]) -> tuple[list[Link], list[Link]]:
    """Return the links in an order of removal, and those that never get free.

    What is removed only frees cells, so any link that is free may be taken next.
    """
    full = {at for cells in tiles(state).values() for at in cells}
    order, left = list[Link](), list(links)
    while free := [link for link in left if _is_free(link, full)]:
        order.append(free[0])
        left.remove(free[0])
        full -= {*free[0].pair}
    return order, left


def _is_free(link: Link, full: set[Cell]) -> bool:
    return any(not full.intersection(way[1:-1]) for way in (link.cells, *link.others))
