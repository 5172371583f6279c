"""The route from the marker to the goal: found, and shown to be the only one."""

from collections.abc import Sequence
from itertools import pairwise

from puzzles.family import Cell

_BLOCKED = 1
_MARKS = bytes(0 if mark == ord(".") else _BLOCKED for mark in range(256))


def route_of(walls: Sequence[str], start: Cell, goal: Cell) -> list[Cell]:
    """Return the cells of a simple route, both ends included; [] where there is none."""
    stride = len(walls[0]) + 1
    route = _route(_flat(walls), stride, start, goal)
    return [(at // stride - 1, at % stride) for at in route]


def second_way(walls: Sequence[str], start: Cell, goal: Cell) -> Cell | None:
    """Return a cell of some other simple route from ``start`` to ``goal``; None without one.

    The route is the only one if, once its steps are taken away, no two of its cells are connected:
    then each of its steps is a bridge. So all that is still connected to a cell of the route is
    marked as that cell's own, in a time proportional to the board.
    """
    stride = len(walls[0]) + 1
    owner = _flat(walls)
    route = _route(owner.copy(), stride, start, goal)
    steps = {*pairwise(route), *pairwise(reversed(route))}
    for cell in route:
        owner[cell] = cell
    ahead = list(route)
    while ahead:
        cell = ahead.pop()
        own = owner[cell]
        for near in (cell - stride, cell + 1, cell + stride, cell - 1):
            other = owner[near]
            if not other:
                owner[near] = own
                ahead.append(near)
            elif other > _BLOCKED and other != own and (cell, near) not in steps:
                return cell // stride - 1, cell % stride
    return None


def _flat(walls: Sequence[str]) -> list[int]:
    """Return 0 for floor and 1 for what is blocked, in one list where each cell has neighbours.

    A blocked cell ends each row, and a row of them stands above and below: so the index of a cell
    is at least 2 and can't be taken for one of these marks.
    """
    edge = "#" * (len(walls[0]) + 1)
    return list(f"{edge}{'#'.join(walls)}#{edge}".encode().translate(_MARKS))


def _route(onward: list[int], stride: int, start: Cell, goal: Cell) -> list[int]:
    """Search from the goal, so that the steps written over ``onward`` lead from ``start`` to it."""
    first = (start[0] + 1) * stride + start[1]
    last = (goal[0] + 1) * stride + goal[1]
    onward[last] = last
    ahead = [last]
    while not onward[first]:
        if not ahead:
            return []
        cell = ahead.pop()
        for near in (cell - stride, cell + 1, cell + stride, cell - 1):
            if not onward[near]:
                onward[near] = cell
                ahead.append(near)
    route, cell = [first], first
    while cell != last:
        cell = onward[cell]
        route.append(cell)
    return route
