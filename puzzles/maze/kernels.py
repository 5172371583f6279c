"""Openings in the walls of a maze: each adds a cycle, none a shorter way to the goal.

A board is the flat text that ``puzzles.corridors.grow`` returns: a line break ends each row, so the
four neighbours of a cell are ``stride`` = columns + 1 or 1 away.
"""

import numpy as np
from numba import njit

_WALL, _FLOOR = 35, 46
_FAR = 1 << 30


@njit(cache=True)
def _below(random, n):
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = random[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit(cache=True)
def _is_floor(text, cell):
    return 0 <= cell < text.shape[0] and text[cell] == _FLOOR


@njit(cache=True)
def _ends(text, near, cell, margin, squares):
    """Return the two floor cells that an opening at ``cell`` joins; -1 where it may not be one.

    It is a wall inside the margin with exactly two floor neighbours, so that it adds one cycle; the
    fourth cell of a square, whose cycle leads nowhere, only where ``squares`` says so.
    """
    stride = near[2]
    row, column = cell // stride, cell % stride
    rows, columns = (text.shape[0] + 1) // stride, stride - 1
    inside = margin <= row < rows - margin and margin <= column < columns - margin
    if not inside or text[cell] != _WALL:
        return -1, -1
    count, first, last = 0, -1, -1
    for step in near:
        if _is_floor(text, cell + step):
            first, last = last, cell + step
            count += 1
    if count != 2:
        return -1, -1
    if first + last != 2 * cell and not squares and _is_floor(text, first + last - cell):
        return -1, -1
    return first, last


@njit(cache=True)
def _spread(text, near, far, queue, cell):
    """Bring the distances ``far`` up to date where they are shorter by way of ``cell``.

    Cells come in the order of their new distances, so each is changed once at most.
    """
    queue[0] = cell
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for step in near:
            other = cell + step
            if _is_floor(text, other) and far[other] > far[cell] + 1:
                far[other] = far[cell] + 1
                queue[tail] = other
                tail += 1


@njit(cache=True)
def _open(random, text, near, margin, squares, wanted, from_start, to_goal, length):
    """Open up to ``wanted`` walls while none makes a way of less than ``length``; return how many.

    ``from_start`` and ``to_goal`` are the distances of all floor cells; they are kept up to date.
    """
    size = text.shape[0]
    queue = np.empty(size, np.int64)
    walls = np.empty(size + 4 * min(wanted, size), np.int64)
    n = opened = 0
    for cell in range(size):
        if _ends(text, near, cell, margin, squares)[0] >= 0:
            walls[n] = cell
            n += 1
    while n > 0 and opened < wanted:
        at = _below(random, n)
        cell = walls[at]
        n -= 1
        walls[at] = walls[n]
        a, b = _ends(text, near, cell, margin, squares)
        if a < 0:
            continue
        there, back = from_start[a] + 2 + to_goal[b], from_start[b] + 2 + to_goal[a]
        if min(there, back) < length:
            continue
        text[cell] = _FLOOR
        opened += 1
        from_start[cell] = min(from_start[a], from_start[b]) + 1
        to_goal[cell] = min(to_goal[a], to_goal[b]) + 1
        _spread(text, near, from_start, queue, cell)
        _spread(text, near, to_goal, queue, cell)
        for step in near:
            if _ends(text, near, cell + step, margin, squares)[0] >= 0:
                walls[n] = cell + step
                n += 1
    return opened


@njit(cache=True)
def open_walls(random, text, stride, margin, start, goal, wanted):
    """Open up to ``wanted`` walls, at random; return how many.

    random
        uint64 (1,), the ``state`` of a stream of draws; it is carried on.
    text
        uint8, the board, all of its floor connected; it is changed in place.
    margin
        How many rows and columns along each side stay walls.
    start, goal
        Indices in ``text``.

    Each opening joins two cells of floor and so adds one independent cycle. It is refused where a
    way over it would be shorter than the shortest way that there is: the distances of all cells to
    start and goal are kept up to date, so this is exact. Squares of floor come about only where
    nothing else is left to open.
    """
    near = np.array([-stride, 1, stride, -1])
    size = text.shape[0]
    queue = np.empty(size, np.int64)
    from_start, to_goal = np.full(size, _FAR), np.full(size, _FAR)
    from_start[start] = to_goal[goal] = 0
    _spread(text, near, from_start, queue, start)
    _spread(text, near, to_goal, queue, goal)
    length = from_start[goal]
    opened = 0
    for squares in (False, True):
        left = wanted - opened
        opened += _open(random, text, near, margin, squares, left, from_start, to_goal, length)
    return opened
