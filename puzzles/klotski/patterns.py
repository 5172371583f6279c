"""The search that fills a pattern database of Klotski: T and empty cells, all else is blank.

See bounds.py for what it is good for, and kernels.py for levels and positions.
"""

import numpy as np
from numba import njit

FREE, BLANK, TARGET, WALL = 0, 1, 2, 3


@njit(cache=True)
def _mark(level, code, at, board, mark):
    """Mark the cells of a block at ``at``."""
    sizes, parts = level[6], level[7]
    for part in range(sizes[code]):
        board[at + parts[code, part]] = mark


@njit(cache=True)
def _blank(level, code, at, board):
    """Return whether a block may lie at ``at``."""
    sizes, parts = level[6], level[7]
    for part in range(sizes[code]):
        cell = at + parts[code, part]
        # Far off the board an index means nothing; near it, some cell of a whole block is a wall.
        if cell < 0 or cell >= board.shape[0] or board[cell] != BLANK:
            return False
    return True


@njit(cache=True)
def _moves(level, code, at, direction, board):
    """Return whether the cells before the block are free."""
    counts, edges = level[9], level[10]
    for edge in range(counts[code, direction]):
        if board[at + edges[code, direction, edge]] != FREE:
            return False
    return True


@njit(cache=True)
def _reach(level, code, board, places):
    """List where the block at ``places[0]`` gets to; its own cells are marked free."""
    width = level[1] + 1
    done, n = 0, 1
    while done < n:
        here = places[done]
        for direction in range(4):
            there = here + (0, 1, 0, -1)[direction] + width * (-1, 0, 1, 0)[direction]
            fresh = _moves(level, code, here, direction, board)
            for place in range(n):
                fresh = fresh and places[place] != there
            if fresh:
                places[n] = there
                n += 1
        done += 1
    return n


@njit(cache=True)
def _index(ranks, node):
    index = ranks[0, node[0]]
    for k in range(1, node.shape[0]):
        index += ranks[k, node[k]]
    return index


@njit(cache=True)
def _note(level, ranks, code, places, n, node, board, free, distance, table, queue, count):
    """Queue the new ones of the nodes after moves of a block to ``places[1:n]``; return the count.

    Its own cells are marked free; ``free`` is scratch.
    """
    gaps = 0
    for cell in range(board.shape[0]):
        if board[cell] == FREE:
            free[gaps] = cell
            gaps += 1
    for place in range(1, n):
        _mark(level, code, places[place], board, BLANK)
        queue[count, 0] = places[place] if code == 1 else node[0]
        k = 1
        for gap in range(gaps):
            if board[free[gap]] == FREE:
                queue[count, k] = free[gap]
                k += 1
        _mark(level, code, places[place], board, FREE)
        index = _index(ranks, queue[count])
        if table[index] < 0:
            table[index] = distance
            count += 1
    return count


@njit(cache=True)
def fill(level, far, ranks, table, queue, count):
    """Write to ``table`` the distances from the first ``count`` nodes of ``queue``.

    A node is (T, empty cells in reading order), positions as in kernels.py. ``queue`` has room for
    one node more than there are.
    """
    rows, columns, sizes, leads = level[0], level[1], level[6], level[8]
    width = columns + 1
    board = np.full(width * (rows + 2), WALL, np.int8)
    for cell in range(rows * columns):
        board[(cell // columns + 1) * width + cell % columns] = BLANK
    places, free = np.empty(board.shape[0], np.int64), np.empty(board.shape[0], np.int64)
    met = np.full((sizes.shape[0], board.shape[0]), -1)
    for i in range(count):
        table[_index(ranks, queue[i])] = 0
    done = 0
    while done < count:
        node, target = queue[done], queue[done, 0]
        distance = table[_index(ranks, node)] + 1
        for k in range(1, node.shape[0]):
            board[node[k]] = FREE
        _mark(level, 1, target, board, TARGET)
        for k in range(4, 4 * node.shape[0]):
            for code in range(1, sizes.shape[0]):
                at = node[k // 4] - leads[code, k % 4]
                lies = at == target if code == 1 else _blank(level, code, at, board)
                if not lies or not _moves(level, code, at, k % 4, board):
                    continue
                if far and met[code, at] == done:
                    continue
                met[code, at] = done
                _mark(level, code, at, board, FREE)
                places[0], places[1], n = at, at + (-width, 1, width, -1)[k % 4], 2
                if far:
                    n = _reach(level, code, board, places)
                count = _note(
                    *(level, ranks, code, places, n, node),
                    *(board, free, distance, table, queue, count),
                )
                _mark(level, code, at, board, TARGET if code == 1 else BLANK)
        for k in range(1, node.shape[0]):
            board[node[k]] = BLANK
        _mark(level, 1, target, board, BLANK)
        done += 1
