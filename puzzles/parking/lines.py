"""What vehicles can do in one row or column, tabulated for ``layouts`` and ``explore``."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.parking.rules import Slide, State, Vehicle

MOST = 64
"""Configurations that a line may have: their sets are masks of one word."""

Lengths = tuple[int, ...]
Group = tuple[int, Lengths]


class Catalog(NamedTuple):
    """What groups of vehicles can do.

    tables
        Arrays for kernels, see ``layouts``.
    groups, number
        The side and the lengths of each group, and the way back.
    ways
        The configurations of each group: where its vehicles begin.
    """

    tables: tuple[NDArray[Any], ...]
    groups: list[Group]
    number: dict[Group, int]
    ways: list[list[tuple[int, ...]]]


class Lines(NamedTuple):
    """The lines on which vehicles stand: the red car's row, other rows, columns."""

    across: NDArray[np.bool_]
    lanes: NDArray[np.int64]
    groups: NDArray[np.int64]
    domains: NDArray[np.uint64]


def _places(side: int, lengths: Lengths, start: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield the places where vehicles of these lengths can begin, in order, on ``side`` cells."""
    if not lengths:
        yield ()
        return
    for place in range(start, side - sum(lengths) + 1):
        for rest in _places(side, lengths[1:], place + lengths[0]):
            yield (place, *rest)


def few(side: int, lengths: Lengths) -> bool:
    """Say whether vehicles of these lengths fit on ``side`` cells, in at most MOST ways."""
    ways, slack = 1, side - sum(lengths)
    for k in range(1, len(lengths) + 1):
        ways = ways * (slack + k) // k
    return slack >= 0 and ways <= MOST


@lru_cache(maxsize=32)
def catalog(rows: int, cols: int) -> Catalog:
    """Return the catalog of all groups of vehicles of length 2 and 3 that can move on a board."""
    groups: list[Group] = [(cols, ()), (rows, ())]
    for side in sorted({rows, cols}):
        layer: list[Lengths] = [()]
        while layer:
            more = {
                (*group[:at], length, *group[at:])
                for group in layer
                for length in (2, 3)
                for at in range(len(group) + 1)
            }
            layer = sorted(group for group in more if few(side, group) and sum(group) < side)
            groups += [(side, group) for group in layer]
    return tabulated(groups)


def tabulated(groups: list[Group]) -> Catalog:
    """Return the catalog of ``groups``: pairs of a side and lengths; the first two are empty."""
    number = {group: at for at, group in enumerate(groups) if at > 1}
    ways = [list(_places(side, lengths)) for side, lengths in groups]
    most, side = max(map(len, ways)), max(side for side, _ in groups)
    vehicles = max(1, *(len(lengths) for _, lengths in groups))
    counts = np.array([len(way) for way in ways], np.int64)
    over = np.zeros((len(groups), side), np.uint64)
    offsets = np.full((len(groups), most, vehicles), -1, np.int64)
    slides = np.zeros((len(groups), most), np.int64)
    target = np.zeros((len(groups), most, 2 * vehicles), np.int64)
    enters = np.zeros_like(target)
    insert = np.full((len(groups), 2, vehicles + 1), -1, np.int64)
    for g, (wide, lengths) in enumerate(groups):
        at = {way: c for c, way in enumerate(ways[g])}
        for way, c in at.items():
            offsets[g, c, : len(way)] = way
            for place, length in zip(way, lengths, strict=True):
                over[g, place : place + length] |= np.uint64(1 << c)
            for to, cell in _slides(way, lengths):
                if to in at:
                    target[g, c, slides[g, c]], enters[g, c, slides[g, c]] = at[to], cell
                    slides[g, c] += 1
        for length in (2, 3):
            for v in range(len(lengths) + 1):
                more = (wide, (*lengths[:v], length, *lengths[v:]))
                insert[g, length - 2, v] = number.get(more, -1)
    tables = (counts, over, offsets, slides, target, enters, insert)
    return Catalog(tables, groups, number, ways)


def _slides(way: tuple[int, ...], lengths: Lengths) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield where vehicles begin after each slide, and the cell that it enters."""
    for v, (place, length) in enumerate(zip(way, lengths, strict=True)):
        yield (*way[:v], place - 1, *way[v + 1 :]), place - 1
        yield (*way[:v], place + 1, *way[v + 1 :]), place + length


def lines_of(state: State) -> tuple[Catalog, Lines, int] | None:
    """Return the catalog and the lines of any board, rows before columns, and its word.

    None where a line has more than MOST configurations or a word does not hold them all.
    """
    cars: dict[tuple[bool, int], list[Vehicle]] = {}
    for car in sorted(state.vehicles[1:], key=lambda car: (car.row, car.col)):
        cars.setdefault((car.horizontal, car.row if car.horizontal else car.col), []).append(car)
    red = state.vehicles[0]
    first = sorted([red, *cars.pop((True, red.row), [])], key=lambda car: car.col)
    cars = {(True, red.row): first, **dict(sorted(cars.items(), reverse=True))}
    members = [
        (state.cols if across else state.rows, tuple(car.length for car in line))
        for (across, _), line in cars.items()
    ]
    if not all(few(*group) for group in members):
        return None
    found = tabulated([(state.cols, ()), (state.rows, ()), *dict.fromkeys(members)])
    over = found.tables[1]
    groups = [found.number[group] for group in members]
    domains, word, shift = [], 0, 0
    for (across, lane), line, g in zip(cars.keys(), cars.values(), groups, strict=True):
        walls = [c if across else r for r, c in state.walls if (r if across else c) == lane]
        taken = np.bitwise_or.reduce(over[g, walls], initial=0)
        domains.append((1 << len(found.ways[g])) - 1 & ~int(taken))
        place = tuple(car.col if across else car.row for car in line)
        word |= found.ways[g].index(place) << shift
        shift += (len(found.ways[g]) - 1).bit_length()
    lines = Lines(
        np.array([across for across, _ in cars]),
        np.array([lane for _, lane in cars], np.int64),
        np.array(groups, np.int64),
        np.array(domains, np.uint64),
    )
    return (found, lines, word) if shift < 64 else None


def vehicles(found: Catalog, lines: Lines, word: int) -> list[tuple[int, int, int, bool]]:
    """Return row, column, length and direction of every vehicle, line by line."""
    result = []
    for across, lane, g in zip(*(part.tolist() for part in lines[:3]), strict=True):
        width = (len(found.ways[g]) - 1).bit_length()
        places = found.ways[g][word & (1 << width) - 1]
        word >>= width
        for place, length in zip(places, found.groups[g][1], strict=True):
            result.append((lane, place, length, True) if across else (place, lane, length, False))
    return result


def slides(before: Sequence[Any], after: Sequence[Any], names: Sequence[str]) -> list[Slide]:
    """Return the slides that lead from one list of ``vehicles`` to the next."""
    result = []
    for name, old, new in zip(names, before, after, strict=True):
        if old != new:
            down, right = new[0] - old[0], new[1] - old[1]
            way = "down" if down > 0 else "up" if down else "right" if right > 0 else "left"
            result.append(Slide(name, way))
    return result
