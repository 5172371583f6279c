"""Pairs of tiles read from a picture in which their links are drawn."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise

import numpy as np

from puzzles.drawing import Drawing
from puzzles.family import Cell
from puzzles.onet.fitting import Fit, best_fits, broken, buried, concealed, covered
from puzzles.onet.order import Link, in_order
from puzzles.onet.rules import Pair, State, tiles
from puzzles.onet.view import PAIRS, draw, draw_solution
from render.boards.warping import RGB
from render.drawings.changes import Mask, added, cleaned, strange, unexplained
from render.drawings.covered import mistaken
from render.drawings.flaws import Flaw
from render.drawings.ink import WORKED_CELL, Sheet, sheet, smaller
from render.drawings.lines import Coloured, coloured, follow
from render.drawings.segments import pieces
from render.drawings.traces import way
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
_LIKE_INK = 26.0
"""Likewise: a line's colour may be as far off where it is seen."""
_BURIED = 0.45
"""In cells: the length over which a line may lie below others that cross it, with their dots."""
_SCRAP = 0.12
"""Of a cell's pixels: what is seen of a line that fits no link may be so little that it is none."""


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
    odd, beneath = unexplained(page, differs, lined), mistaken(page, lined)
    photo = page.drawn is None
    if not odd and not beneath and not photo:
        return read
    clean = cleaned(page, lined)
    return read._replace(odd=odd, beneath=beneath, cleaned=clean, photo=photo)


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
                _check_whole(page, line, fits[0])
                link = _link(page, line, fits)
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
    links += _hidden(whole, alike, links, hidden)
    _check_seen(whole, state, links, lined, page.cell)
    return links


def _link(page: Sheet, line: Coloured, fits: Sequence[Fit]) -> Link:
    below = buried(line, fits[0], _of_colour(page, line) | _its_own(page, line), page.cell)
    return Link(*_ways(fits), line.expected, below > _BURIED)


def _check_seen(whole: Sheet, state: State, links: Sequence[Link], lined: Mask, cell: int) -> None:
    """Raise _Unclear where a line lies below others, unless all is what we would have drawn."""
    below = [link.pair for link in links if link.buried] or _unseen(state, links, lined, cell)
    if not below:
        return
    if whole.drawn is not None and all(link.colour is not None for link in links):
        order = sorted(links, key=lambda link: link.colour or 0)
        ours = draw_solution(state, [link.pair for link in order], whole.cell)
        if (ours.palette[ours.pixels] == whole.image).all():
            return
    a, b = below[0]
    what = f"whether a line runs from {a} to {b} below others can't be told"
    raise _Unclear(Flaw.UNCERTAIN, what)


def _unseen(state: State, links: Sequence[Link], lined: Mask, cell: int) -> list[tuple[Cell, Cell]]:
    """Return pairs of which no line is seen, if with lines below others all tiles would be free."""
    if not in_order(state, links)[1]:
        return []
    ends = {at for link in links for at in link.pair}
    left = [[at for at in cells if at not in ends] for cells in tiles(state).values()]
    pairs = [pair for cells in left for pair in combinations(cells, 2)]
    found = list(concealed(lined, pairs, cell, int(state.outside)))
    every = {at for pair in found for at in pair} == {at for cells in left for at in cells}
    return found if every else []


def _check_whole(page: Sheet, line: Coloured, fit: Fit) -> None:
    """Raise _Unclear where a line is broken."""
    exact = page.drawn is not None
    gap = broken(line, fit, _of_colour(page, line), page.cell, exact)
    if gap is not None:
        raise _Unclear(Flaw.GAP, f"a line is broken at {gap}")


def _of_colour(page: Sheet, line: Coloured) -> Mask:
    """Return where the board has much the same colour as a line, (H, W)."""
    board = lab(page.board.palette)
    ink = lab(page.image[line.mine]).mean(axis=0)
    alike: Mask = (((board - ink) ** 2).sum(axis=1) < _LIKE_BOARD**2)[page.board.pixels]
    return alike


def _its_own(page: Sheet, line: Coloured) -> Mask:
    """Return where what was drawn is a line's own, if of a colour somewhat off, (H, W)."""
    ink = lab(page.image[line.mine]).mean(axis=0)
    own = np.zeros(line.others.shape, bool)
    own[line.others] = ((lab(page.image[line.others]) - ink) ** 2).sum(axis=1) < _LIKE_INK**2
    return own


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
            expected = PAIRS.index(colours[line.expected or 0])
            yield Link(*_ways(fits), expected, True)


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
