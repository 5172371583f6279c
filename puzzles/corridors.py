"""Boards of corridors: grown as trees of floor cells, measured, walked; kernels for several rooms.

A board of ``rows`` x ``columns`` is kept flat with one more column, which ends each row as a line
break does in text, and with one more row above and below: the four neighbours of a cell are then
``stride`` = columns + 1 or 1 away, and what lies outside the board needs no test of its own.
"""

import numpy as np
from numba import njit

_WALL, _FLOOR, _BREAK = 35, 46, 10

# A cell while a board grows: how many neighbours are floor, and these marks.
_COUNT = 7
_DEAD, _ROUTE, _OPEN, _OUTSIDE = 8, 16, 32, 64

# The orders in which the four directions may be tried, two bits each below a leading one.
_ORDERS = np.array(
    [
        256 | a << 6 | b << 4 | c << 2 | d
        for a in range(4)
        for b in range(4)
        for c in range(4)
        for d in range(4)
        if len({a, b, c, d}) == 4
    ]
)


@njit(cache=True)
def _below(random, n):
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = random[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit(cache=True)
def _mark(marks, near, cell, delta, mark):
    """Make ``cell`` floor (delta 1) or wall again (delta -1) for its neighbours, and mark it."""
    for step in near:
        marks[cell + step] = np.int64(marks[cell + step]) + delta
    marks[cell] = np.int64(marks[cell]) + mark


@njit(cache=True)
def _route(random, marks, near, start, length, cells):
    """Walk ``length`` cells from ``start`` by depth-first search; False where it gets nowhere.

    No cell of the walk touches another but those before and after it. A cell that led nowhere is
    not entered again, so that the search takes a time proportional to the board.
    """
    order = np.empty(length + 1, np.int64)
    depth = 0
    cells[0] = start
    order[0] = _ORDERS[_below(random, 24)]
    _mark(marks, near, start, 1, _ROUTE | _OPEN)
    while depth < length:
        if order[depth] > 1:
            ahead = cells[depth] + near[order[depth] & 3]
            order[depth] >>= 2
            if marks[ahead] == 1:
                depth += 1
                cells[depth] = ahead
                order[depth] = _ORDERS[_below(random, 24)]
                _mark(marks, near, ahead, 1, _ROUTE | _OPEN)
        elif depth == 0:
            return False
        else:
            _mark(marks, near, cells[depth], -1, _DEAD - _ROUTE - _OPEN)
            depth -= 1
    return True


@njit(cache=True)
def _push_leaves(marks, near, cell, leaves, n):
    """Append the neighbours of ``cell`` that touch no other floor; return the new count."""
    for step in near:
        if marks[cell + step] == 1:
            leaves[n] = cell + step
            n += 1
    return n


@njit(cache=True)
def _add_leaves(random, marks, near, cells, count, wanted, prefer):
    """Add leaves after the first ``count`` of ``cells`` until ``wanted``; return how many cells."""
    leaves = np.empty(marks.shape[0], np.int64)
    n = 0
    for i in range(count):
        n = _push_leaves(marks, near, cells[i], leaves, n)
    while count < wanted and n > 0:
        at = _below(random, n)
        cell = leaves[at]
        if marks[cell] == 1:
            parent = marks[cell]
            for step in near:
                if marks[cell + step] & _OPEN:
                    parent = marks[cell + step]
            kind = 2 * ((parent & _ROUTE) > 0) + ((parent & _COUNT) > 1)
            if _below(random, 64) >= prefer[kind]:
                continue
            _mark(marks, near, cell, 1, _OPEN)
            cells[count] = cell
            count += 1
            n = _push_leaves(marks, near, cell, leaves, n)
        n -= 1
        leaves[at] = leaves[n]
    return count


@njit(cache=True)
def grow(random, rows, columns, margin, length, low, high, prefer, attempts):
    """Grow a tree of floor cells around a route of ``length`` cells moved.

    random
        uint64 (1,), the ``state`` of a stream of draws; it is carried on.
    margin
        How many rows and columns along each side stay walls.
    low, high
        The wanted number of floor cells is drawn between these, both included; fewer stand where
        no more fit.
    prefer
        int64 (4,), 1 to 64: how readily a leaf is added to a tip of a side corridor, along a side
        corridor, to an end of the route, along the route.
    attempts
        How many starting cells are tried.

    Returns the board as text, uint8 (rows * stride,), its rows ending in line breaks, and the flat
    indices of its floor cells in that text, int64, the route's first and from start to goal; these
    are none where every attempt failed.
    """
    stride = columns + 1
    near = np.array([-stride, 1, stride, -1])
    marks = np.empty((rows + 2) * stride, np.uint8)
    cells = np.empty(max(high, length + 1), np.int64)
    count = 0
    for _ in range(attempts):
        marks[:] = _OUTSIDE
        for row in range(1 + margin, rows + 1 - margin):
            for cell in range(row * stride + margin, row * stride + columns - margin):
                marks[cell] = 0
        row = 1 + margin + _below(random, rows - 2 * margin)
        start = row * stride + margin + _below(random, columns - 2 * margin)
        if _route(random, marks, near, start, length, cells):
            count = length + 1
            break
    if count:
        if _below(random, 2):
            for i in range(count // 2):
                cells[i], cells[length - i] = cells[length - i], cells[i]
        for i in range(marks.shape[0]):
            marks[i] &= 255 - _DEAD
        wanted = low + _below(random, high - low + 1)
        count = _add_leaves(random, marks, near, cells, count, wanted, prefer)
    text = np.empty(rows * stride, np.uint8)
    for i in range(text.shape[0]):
        text[i] = _FLOOR if marks[i + stride] & _OPEN else _WALL
    for row in range(rows):
        text[row * stride + columns] = _BREAK
    for i in range(count):
        cells[i] -= stride
    return text, cells[:count]


@njit(cache=True)
def grow_all(random, rows, columns, margin, wanted, attempts):
    """Grow boards one after the other, as ``grow`` does, up to the first that can't be grown.

    wanted
        int64 (boards, 7): ``length``, ``low``, ``high`` and ``prefer`` of each.

    Returns arrays whose rows are the n boards grown: their texts, uint8 (n, rows * stride); what
    ``structure`` says of them, followed by the number of first steps there are, int64 (n, 8). Then
    the floor cells of all boards, int64, and the directions of all routes, uint8, board by board.
    """
    stride, boards = columns + 1, wanted.shape[0]
    texts = np.empty((boards, rows * stride), np.uint8)
    found = np.empty((boards, 8), np.int64)
    steps = np.empty(wanted[:, 0].sum(), np.uint8)
    every = np.empty(np.maximum(wanted[:, 0] + 1, wanted[:, 2]).sum(), np.int64)
    n = walked = 0
    for board in range(boards):
        length, low, high = wanted[board, 0], wanted[board, 1], wanted[board, 2]
        text, cells = grow(
            random, rows, columns, margin, length, low, high, wanted[board, 3:], attempts
        )
        if not cells.shape[0]:
            return texts[:board], found[:board], every[:n], steps[:walked]
        for i in range(text.shape[0]):
            texts[board, i] = text[i]
        for i in range(cells.shape[0]):
            every[n + i] = cells[i]
        for i in range(length):
            step = cells[i + 1] - cells[i]
            steps[walked + i] = (step == 1) + 2 * (step == stride) + 3 * (step == -1)
        counts = structure(text, stride, cells[0], steps[walked : walked + length])
        for i, count in enumerate(counts):
            found[board, i] = count
        found[board, 7] = 0
        for near in (cells[0] - stride, cells[0] + 1, cells[0] + stride, cells[0] - 1):
            if 0 <= near < text.shape[0]:
                found[board, 7] += text[near] == _FLOOR
        n += cells.shape[0]
        walked += length
    return texts, found, every, steps


@njit(cache=True)
def expand(level, states, succ, origin, moves):
    """Write the cells next to each state's that are floor: a walker's steps (solvers.System).

    The level is (ground uint8 (rows, columns), the board's characters without its markers; the
    index of the goal's cell); a state is the index of the walker's; a move is a direction's index.
    """
    ground, _ = level
    rows, columns = ground.shape
    n = 0
    for i in range(states.shape[0]):
        cell = np.int64(states[i, 0])
        row, column = cell // columns, cell % columns
        for step in range(4):
            r = row + (step == 2) - (step == 0)
            c = column + (step == 1) - (step == 3)
            if 0 <= r < rows and 0 <= c < columns and ground[r, c] != _WALL:
                succ[n, 0] = np.uint64(r * columns + c)
                origin[n] = i
                moves[n] = step
                n += 1
    return n


@njit(cache=True)
def is_goal(level, states, out):
    """Write whether each state is the goal's cell (solvers.System)."""
    _, goal = level
    for i in range(states.shape[0]):
        out[i] = np.int64(states[i, 0]) == goal


@njit(cache=True)
def heuristic(level, states, out):
    """Write each cell's Manhattan distance to the goal's (solvers.System).

    A step changes it by one, so no path is shorter, and it falls by no more than a step costs. It
    is 0 on the goal alone.
    """
    ground, goal = level
    columns = ground.shape[1]
    for i in range(states.shape[0]):
        cell = np.int64(states[i, 0])
        down, across = cell // columns - goal // columns, cell % columns - goal % columns
        out[i] = abs(down) + abs(across)


def branching(level):
    """Return how many successors a state has at most (solvers.System)."""
    return 4


@njit(cache=True)
def structure(text, stride, start, steps):
    """Count the floor cells of a board by how many floor neighbours they have.

    ``text`` is the board as ``grow`` returns it, ``start`` a flat index in it, ``steps`` uint8 (n,)
    the directions (0 up, 1 right, 2 down, 3 left) of a solution. Returns how many cells are floor,
    have three or more neighbours, exactly two, exactly one; then how many cells the solution
    visits, and how many of these have three or more, exactly two.
    """
    size = text.shape[0]
    visited = np.zeros(size, np.bool_)
    cell = start
    visited[cell] = True
    for step in steps:
        cell += stride * (int(step == 2) - int(step == 0)) + int(step == 1) - int(step == 3)
        visited[cell] = True
    counts = np.zeros((2, 5), np.int64)
    floors = visits = 0
    for cell in range(size):
        if text[cell] != _FLOOR:
            continue
        n = 0
        if cell >= stride:
            n += text[cell - stride] == _FLOOR
        if cell:
            n += text[cell - 1] == _FLOOR
        if cell + 1 < size:
            n += text[cell + 1] == _FLOOR
        if cell + stride < size:
            n += text[cell + stride] == _FLOOR
        floors += 1
        visits += visited[cell]
        counts[np.int64(visited[cell]), n] += 1
    every = counts[0] + counts[1]
    on_path = counts[1, 3] + counts[1, 4], counts[1, 2]
    return floors, every[3] + every[4], every[2], every[1], visits, on_path[0], on_path[1]
