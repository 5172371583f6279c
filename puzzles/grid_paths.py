"""Shortest paths of a walker on floor: found, and counted; kernels for the rooms that walk.

Cells are kept flat with one more column, and with one more row above and below, all of them shut:
the four neighbours of a cell are then ``stride`` = columns + 1 or 1 away, and what lies outside the
board needs no test of its own.
"""

import numpy as np
from numba import njit

_WALL = 35

# A cell while a path is searched: shut once it is seen, with the direction that led to it.
_SHUT, _DIRECTION = 4, 3

FOUND, EXHAUSTED, LIMIT = 0, 1, 2
"""What ends a search: the goal, that no cell is left, that it may see no more."""

_FAR, _CLOSED = -1, -2
"""Distances of floor that has not been reached, and of what is no floor."""


@njit(cache=True)
def _cells(ground):
    """Return the framed cells of ``ground``, uint8: 0 for floor."""
    rows, columns = ground.shape
    cells = np.full((rows + 2) * (columns + 1), _SHUT, np.uint8)
    for row in range(rows):
        first = (row + 1) * (columns + 1)
        for column in range(columns):
            cells[first + column] = _SHUT * (ground[row, column] == _WALL)
    return cells


@njit(cache=True)
def _framed(index, columns):
    """Return the framed index of the cell with the flat index ``index``."""
    return index + index // columns + columns + 1


@njit(cache=True)
def shortest(ground, start, goal, most):
    """Search a shortest path by breadth-first search.

    ground
        uint8 (rows, columns), the characters of the board; anything but ``#`` is floor.
    start, goal
        Flat indices in it.
    most
        How many cells may be seen.

    Returns what ended the search (FOUND, EXHAUSTED, LIMIT), the directions of the path, int32, how
    many cells were expanded and how many seen, and a distance that the goal is not nearer than.

    A queue and a byte a cell are all that the search keeps. The inner loop writes every neighbour
    and counts those that are new, because corridors turn as branch predictors can't foresee.
    """
    rows, columns = ground.shape
    stride = columns + 1
    cells = _cells(ground)
    start, goal = _framed(start, columns), _framed(goal, columns)
    queue = np.empty(min(most, rows * columns) + 4, np.int32)
    queue[0] = start
    cells[start] |= _SHUT
    head, tail, depth, layer_end = 0, 1, 0, 1
    while head < tail:
        if head == layer_end:
            depth += 1
            layer_end = tail
        cell = np.int64(queue[head])
        if cell == goal:
            return FOUND, _trace(cells, stride, goal, depth), head, tail, depth
        if tail > most:
            return LIMIT, np.empty(0, np.int32), head, tail, depth
        head += 1
        for step in range(4):
            near = cell + stride * ((step == 2) - (step == 0)) + (step == 1) - (step == 3)
            mark = np.int64(cells[near])
            new = mark < _SHUT
            queue[tail] = near
            tail += new
            cells[near] = _SHUT | step if new else mark
    return EXHAUSTED, np.empty(0, np.int32), head, tail, depth


@njit(cache=True)
def _trace(cells, stride, goal, length):
    """Return the ``length`` directions of the steps that led to ``goal``."""
    path = np.empty(length, np.int32)
    cell = goal
    for at in range(length - 1, -1, -1):
        step = np.int64(cells[cell] & _DIRECTION)
        path[at] = step
        cell -= stride * ((step == 2) - (step == 0)) + (step == 1) - (step == 3)
    return path


@njit(cache=True)
def distances(text, stride, start, goal):
    """Return the framed cells' distances to ``goal``, int32, as far as that of ``start``.

    ``text`` uint8 is the board with a line break after each row (the last may lack it), ``start``
    and ``goal`` are indices in it. Floor farther away than ``start`` may have -1, the rest has -2.
    """
    rows = (text.shape[0] + 1) // stride
    far = np.full((rows + 2) * stride, _CLOSED, np.int32)
    for at in range(text.shape[0]):
        if text[at] != _WALL and at % stride < stride - 1:
            far[stride + at] = _FAR
    queue = np.empty(rows * stride, np.int32)
    queue[0] = goal + stride
    far[goal + stride] = 0
    head, tail = 0, 1
    while head < tail and far[start + stride] == _FAR:
        cell = np.int64(queue[head])
        head += 1
        for step in range(4):
            near = cell + stride * ((step == 2) - (step == 0)) + (step == 1) - (step == 3)
            if far[near] == _FAR:
                far[near] = far[cell] + 1
                queue[tail] = near
                tail += 1
    return far


@njit(cache=True)
def choices(text, stride, start, goal):
    """Count the shortest paths from ``start`` to ``goal``, and the first steps.

    The arguments are those of ``distances``. Returns the number of shortest paths, -1 where it
    does not fit in 63 bits; how many steps from ``start`` begin one; how many there are.

    The paths to a cell are those to its neighbours that lie one step farther from the goal.
    """
    far = distances(text, stride, start, goal)
    start, goal = start + stride, goal + stride
    legal = good = 0
    for near in (start - stride, start + 1, start + stride, start - 1):
        legal += far[near] != _CLOSED
        good += far[near] >= 0 and far[near] == far[start] - 1
    ways = np.zeros(far.shape[0], np.int64)
    queue = np.empty(far.shape[0], np.int32)
    queue[0] = start
    ways[start] = 1
    head, tail = 0, 1
    while head < tail:
        cell = np.int64(queue[head])
        head += 1
        for near in (cell - stride, cell + 1, cell + stride, cell - 1):
            if far[near] >= 0 and far[near] == far[cell] - 1:
                if ways[near] == 0:
                    queue[tail] = near
                    tail += 1
                ways[near] += ways[cell]
                if ways[near] < 0:
                    return np.int64(-1), good, legal
    return ways[goal], good, legal
