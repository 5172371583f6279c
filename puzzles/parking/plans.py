"""What boards of a difficulty look like, and what a search for such boards is told."""

from typing import NamedTuple

import numpy as np

from puzzles.draws import Draws
from puzzles.family import Size
from puzzles.parking.lines import Catalog, catalog

Span = tuple[int, int]


class Tier(NamedTuple):
    """The structure of one difficulty on 8x8, as in the published suite.

    vehicles
        How many, R included.
    blockers, movers
        Vehicles between R and the exit; vehicles but R that the solution moves.
    columns, rows
        How many columns, and rows but R's, hold vehicles.
    tall, threes
        Percent of the vehicles beyond the first of each line that stand in columns; percent of
        vehicles that have length 3.
    solved
        From how many solved boards a search may begin. (Lots with few are tight: they are small
        to search and need long solutions more often.)
    share
        How many boards are taken from one search. They have the same vehicles in the same lines,
        but two thirds of these stand elsewhere.
    """

    vehicles: Span
    blockers: Span
    movers: Span
    columns: Span
    rows: Span
    tall: int
    threes: int
    solved: int
    share: int


TIERS = {
    "easy": Tier((5, 7), (0, 1), (0, 1), (2, 3), (1, 3), 40, 15, 8000, 1),
    "medium": Tier((10, 10), (2, 4), (4, 6), (3, 5), (2, 4), 50, 33, 1500, 1),
    "hard": Tier((12, 14), (4, 6), (6, 9), (4, 5), (2, 4), 62, 45, 600, 2),
}


class Plan(NamedTuple):
    """What a search looks for: the arguments of ``propose``, and R's place in its row."""

    book: Catalog
    draw: tuple[int, ...]
    at_exit: np.uint64
    needed: np.uint64
    red: int


def plan_of(draws: Draws, tier: Tier, size: Size) -> Plan:
    """Draw a plan for boards of ``size`` with the structure of ``tier``."""
    rows, cols = size
    book = catalog(rows, cols)
    count = (_between(draws, tier.vehicles) * (rows + cols) + 8) // 16 - 1
    behind: tuple[int, ...] = ()
    if tier.blockers[0] == 0 and (cols, (3, 2)) in book.number and draws.below(2):
        behind = (2 + draws.below(2),)
    count -= len(behind)
    columns = min(_between(draws, tier.columns), cols - 2, count) if rows > 3 else 0
    more_rows = min(_between(draws, tier.rows), rows - 1, count - columns)
    count = count if columns + more_rows else 0
    group = book.number[cols, (*behind, 2)]
    at_exit = sum(1 << c for c, way in enumerate(book.ways[group]) if way[-1] == cols - 2)
    every = (1 << len(book.ways[group])) - 1
    return Plan(
        book,
        (rows, cols, exit_row(size), group, count, columns, more_rows, tier.tall, tier.threes),
        np.uint64(at_exit),
        np.uint64(at_exit if behind else every),
        len(behind),
    )


def _between(draws: Draws, span: Span) -> int:
    return span[0] + draws.below(span[1] - span[0] + 1)


def exit_row(size: Size) -> int:
    """Return the row in which R leaves a board of ``size``."""
    return (size[0] - 1) // 2


def least(count: int, size: Size) -> int:
    """Return how many of an 8x8 board's blockers or movers are asked of a board of ``size``."""
    return min(count, count * (size[1] - 2) // 6) if size[0] > 3 else 0


def wanted(draws: Draws, tier: Tier, length: int, size: Size, plan: Plan) -> tuple[int, ...]:
    """Return what ``pick`` goes by for a board of ``length``.

    R starts in the first column, or as far from the exit as leaves an action or two for others.
    Where these are too few for the tier's movers, each of them may be another vehicle's.
    """
    spare = draws.choice((0, 1, 1, 2)) if tier.blockers[0] == 0 else 2
    far = min(max(1, length - spare), size[1] - 2) if size[0] > 3 else length
    return (
        *(plan.red, size[1] - 2 - far, exit_row(size)),
        *(least(tier.blockers[0], size), tier.blockers[1]),
        *(min(least(tier.movers[0], size), length - far), tier.movers[1]),
        2 * (plan.draw[4] + 1) // 3,
    )
