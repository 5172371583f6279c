"""Boards of Onet built backwards, from the empty one.

``base``, ``pitch`` and ``max_turns`` are those of a level: see the kernels.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def _below(random, n):
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = random[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit(cache=True)
def _sweep(grid, pitch, start, target, max_turns, turns, queue):
    """Fill ``turns`` with the fewest turns from ``start`` to every cell that a link can reach.

    ``queue`` receives the cells reached, after ``start``, by number of turns; the number of them
    is returned, unless there is a ``target`` (else -1): then the fewest turns to it, or -1.
    """
    for cell in range(grid.shape[0]):
        turns[cell] = -1
    turns[start] = -2  # never reached: links end at other cells
    queue[0] = start
    first, last = 0, 1
    while first < last:
        cell = queue[first]
        bend = turns[cell] + 1 if first else 0
        if bend > max_turns:
            break
        first += 1
        for side in range(4):
            step = (1 - (side & 2)) * (pitch if side & 1 else 1)
            at = cell + step
            while True:
                if at == target:
                    return bend
                if grid[at] or -1 < turns[at] < bend - 1:
                    break  # from a cell of an earlier round the rest of this line was seen
                if turns[at] == -1:
                    turns[at] = bend
                    queue[last] = at
                    last += 1
                at += step
    return -1 if target >= 0 else last - 1


@njit(cache=True)
def _partner(random, board, turns, reached, found, wanted):
    """Return a random board cell of those whose ``turns`` are nearest to ``wanted``, or -1."""
    partner, nearest, equals = -1, 0, 0
    for q in range(1, found + 1):
        miss = abs(turns[reached[q]] - wanted)
        if not board[reached[q]] or (equals and miss > nearest):
            continue
        equals = equals + 1 if equals and miss == nearest else 1
        nearest = miss
        if _below(random, equals) == 0:
            partner = reached[q]
    return partner


@njit(cache=True)
def _wasted(grid, pitch, board, seen, stack):
    """Return how many empty board cells no pair can fill: one in each odd group of neighbours."""
    for cell in range(grid.shape[0]):
        seen[cell] = grid[cell]
    wasted = 0
    for start in range(grid.shape[0]):
        if seen[start]:
            continue
        seen[start] = 1
        stack[0] = start
        top, size = 1, 0
        while top:
            top -= 1
            cell = stack[top]
            size += board[cell]
            for side in range(4):
                near = cell + (1 - (side & 2)) * (pitch if side & 1 else 1)
                if not seen[near]:
                    seen[near] = 1
                    stack[top] = near
                    top += 1
        wasted += size & 1
    return wasted


@njit(cache=True)
def _joined(grid, pitch, pairs, some, n, most, max_turns, turns, queue):
    """Return how many of the first ``n`` of ``some``, indices of ``pairs``, a link joins.

    They move to the front of ``some``; unless ``most`` isn't negative: then the order stays, and
    counting stops at ``most``.
    """
    count = 0
    for at in range(n):
        a, b = pairs[some[at], 0], pairs[some[at], 1]
        if _sweep(grid, pitch, a, b, max_turns, turns, queue) >= 0:
            if most < 0:
                some[count], some[at] = some[at], some[count]
            count += 1
            if count == most:
                break
    return count


@njit(cache=True)
def build(random, base, pitch, room, weights, max_turns, tries, pairs):
    """Fill an empty board pair by pair, the last removal first; return whether all had a place.

    room
        int64 (cells,), the places in ``base`` where tiles may stand; its order is changed.
    weights
        int64 (turns,): how often a pair is wanted whose link, at the time of its removal, needs
        at least 0, 1, 2, ... turns; the nearest number that can be had is taken.
    tries
        Of so many places for each pair the one is taken that leaves the fewest pairs open.
    pairs
        int64 (length, 4), receives the two places, how many pairs are open before the removal, and
        the fewest turns of its link.
    """
    length, left = pairs.shape[0], room.shape[0]
    grid, seen = base.copy(), base.copy()
    board = np.zeros(base.shape[0], np.int64)
    turns, queue, stack = np.empty_like(board), np.empty_like(board), np.empty_like(board)
    for place in room:
        board[place] = 1
    total = 0
    for weight in weights:
        total += weight
    opened, count, spare = np.empty(length, np.int64), 0, left - 2 * length
    for k in range(length):
        draw, wanted = _below(random, total), 0
        while draw >= weights[wanted]:
            draw -= weights[wanted]
            wanted += 1
        lowest, found, looked = -1, 0, 0
        while looked < left and (found < tries or lowest < 0):
            at = looked + _below(random, left - looked)
            room[looked], room[at] = room[at], room[looked]
            a = room[looked]
            looked += 1
            reached = _sweep(grid, pitch, a, -1, max_turns, turns, queue)
            b = _partner(random, board, turns, queue, reached, min(wanted, max_turns))
            if b < 0:
                continue
            found += 1
            score = abs(turns[b] - wanted) * length
            if 0 <= lowest <= score:
                continue
            bend = turns[b]
            grid[a] = grid[b] = 1
            most = lowest - score if lowest >= 0 else length + 1
            score += _joined(grid, pitch, pairs, opened, count, most, max_turns, turns, queue)
            if (lowest < 0 or score < lowest) and _wasted(grid, pitch, board, seen, stack) <= spare:
                lowest = score
                pairs[k, 0], pairs[k, 1], pairs[k, 3] = a, b, bend
            grid[a] = grid[b] = 0
        if lowest < 0:
            return False
        grid[pairs[k, 0]] = grid[pairs[k, 1]] = 1
        count = _joined(grid, pitch, pairs, opened, count, -1, max_turns, turns, queue)
        opened[count] = k
        count += 1
        pairs[k, 2] = count
        kept = 0
        for at in range(left):
            if not grid[room[at]]:
                room[kept], room[at] = room[at], room[kept]
                kept += 1
        left = kept
    return True
