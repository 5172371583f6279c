"""Links that are drawn, and the order in which they can be taken."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from puzzles.family import Cell
from puzzles.onet.rules import Pair, State, tiles


class Link(NamedTuple):
    """The cells of a drawn line, from one end to the other; some may lie outside the board.

    ``others`` are the ways that it may take as well where it is hidden below other lines;
    ``colour`` is its place among ours, None for a colour that isn't; ``buried`` says whether more
    of it is hidden than what lines that cross it can hide.
    """

    cells: tuple[Cell, ...]
    others: tuple[tuple[Cell, ...], ...] = ()
    colour: int | None = None
    buried: bool = False

    @property
    def pair(self) -> Pair:
        return Pair(*sorted((self.cells[0], self.cells[-1])))

    @property
    def turns(self) -> int:
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(self.cells)]
        return sum(one != other for one, other in pairwise(steps))


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
