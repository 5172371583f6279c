"""Sokoban as a transition system: successors, which of them lead nowhere, and how far a goal is.

The level is (neighbours int32 (cells, 4), -1 where there is none; live bool (cells,), where a lone
box can still be brought to a target; targets uint64 (1, words); shift; cells int32 (cells, 2), the
row and column of each; walls bool (rows, columns); pushes int32 (targets, cells), see
``push_distances``). A state's lowest ``shift`` bits are the number of the player's cell, then comes
one bit a cell: is there a box? A move code is the index of its direction: up, right, down, left.
"""

import numpy as np
from numba import njit

_NEVER = 1 << 24  # solvers.NEVER, which a kernel can't import


@njit(cache=True)
def _has(rows, i, shift, cell):
    """Is there a box at ``cell`` in the state of row ``i``?"""
    bit = np.uint64(cell + shift)
    return rows[i, bit >> np.uint64(6)] >> (bit & np.uint64(63)) & np.uint64(1) != 0


@njit(cache=True)
def _flip(rows, i, shift, cell):
    bit = np.uint64(cell + shift)
    rows[i, bit >> np.uint64(6)] ^= np.uint64(1) << (bit & np.uint64(63))


@njit(cache=True)
def _boxes(rows, i, shift, boxes):
    """Write the cells of the boxes, in order; return how many."""
    count = 0
    for w in range(rows.shape[1]):
        word, at = rows[i, w], np.int64(w * 64 - shift)
        if w == 0:
            word, at = word >> np.uint64(shift), np.int64(0)
        while word:
            if word & np.uint64(1):
                boxes[count] = at
                count += 1
            word >>= np.uint64(1)
            at += 1
    return count


@njit(cache=True)
def _held(level, still, cell):
    """Do walls and ``still`` keep a box at ``cell`` from moving, or from moving to live cells?"""
    neighbours, live, _, shift, _, _, _ = level
    for axis in range(2):
        a, b = neighbours[cell, axis], neighbours[cell, axis + 2]
        if a < 0 or b < 0 or _has(still, 0, shift, a) or _has(still, 0, shift, b):
            continue
        if live[a] or live[b]:
            return False
    return True


@njit(cache=True)
def _frozen(level, rows, i, cell, still, boxes):
    """Does the push that ended at ``cell`` make boxes hold each other off the targets for ever?

    ``still`` (1, words) becomes the largest set of boxes each of which is held by the others. In a
    solution none of them can be the first to move: it would need both cells of an axis free, one
    of them live. So they never move. Sets without the box at ``cell`` were there before the push.
    """
    targets, shift = level[2], level[3]
    for w in range(rows.shape[1]):
        still[0, w] = rows[i, w]
    if not _held(level, still, cell):
        return False
    count = _boxes(rows, i, shift, boxes)
    changed = True
    while changed:
        changed = False
        for k in range(count):
            if _has(still, 0, shift, boxes[k]) and not _held(level, still, boxes[k]):
                _flip(still, 0, shift, boxes[k])
                changed = True
        if not _has(still, 0, shift, cell):
            return False
    for k in range(count):
        if _has(still, 0, shift, boxes[k]) and not _has(targets, 0, shift, boxes[k]):
            return True
    return False


@njit(cache=True)
def _expand(level, states, succ, origin, moves, prune):
    neighbours, live, _, shift, _, _, pushes = level
    words = states.shape[1]
    low = (np.uint64(1) << np.uint64(shift)) - np.uint64(1)
    still, boxes = np.empty((1, words), np.uint64), np.empty(pushes.shape[0], np.int64)
    n = 0
    for i in range(states.shape[0]):
        player = np.int64(states[i, 0] & low)
        for direction in range(4):
            cell = neighbours[player, direction]
            if cell < 0:
                continue
            push, beyond = _has(states, i, shift, cell), np.int32(-1)
            if push:
                beyond = neighbours[cell, direction]
                if beyond < 0 or (prune and not live[beyond]) or _has(states, i, shift, beyond):
                    continue
            for w in range(words):
                succ[n, w] = states[i, w]
            if push:
                _flip(succ, n, shift, cell)
                _flip(succ, n, shift, beyond)
                if prune and _frozen(level, succ, n, beyond, still, boxes):
                    continue
            succ[n, 0] = succ[n, 0] & ~low | np.uint64(cell)
            origin[n] = i
            moves[n] = direction
            n += 1
    return n


def expand(level, states, succ, origin, moves):
    """Write all successors of all states; see solvers.System."""
    return _expand(level, states, succ, origin, moves, False)


def ample(level, states, succ, origin, moves):
    """Leave out pushes that no solution makes.

    Those to cells that no box comes back from to a target, and those after which boxes hold each
    other off the targets for ever, see ``_frozen``.
    """
    return _expand(level, states, succ, origin, moves, True)


@njit(cache=True)
def is_goal(level, states, out):
    """Write one flag a state; see solvers.System."""
    targets, shift = level[2], level[3]
    low = (np.uint64(1) << np.uint64(shift)) - np.uint64(1)
    for i in range(states.shape[0]):
        out[i] = states[i, 0] & ~low == targets[0, 0]
        for w in range(1, states.shape[1]):
            out[i] = out[i] and states[i, w] == targets[0, w]


def branching(level):
    """Return the most successors that a state can have."""
    return 4


@njit(cache=True)
def push_distances(neighbours, targets):
    """Return how many pushes bring a lone box from each cell to each target, NEVER if none do.

    The player may be anywhere. Shape (targets, cells), int32: a search from each target that
    pulls the box away from it.
    """
    cells = neighbours.shape[0]
    pushes = np.full((targets.shape[0], cells), _NEVER, np.int32)
    queue = np.empty(cells, np.int64)
    for t in range(targets.shape[0]):
        queue[0], done, count = targets[t], 0, 1
        pushes[t, targets[t]] = 0
        while done < count:
            box = queue[done]
            done += 1
            for direction in range(4):
                to = neighbours[box, direction]
                if to >= 0 and neighbours[to, direction] >= 0 and pushes[t, to] == _NEVER:
                    pushes[t, to] = pushes[t, box] + 1
                    queue[count] = to
                    count += 1
    return pushes


@njit(cache=True)
def _matched(pushes, boxes, price, target_price, least, before, owner):
    """Return the fewest pushes that bring every box to a target of its own, NEVER if none do.

    The assignment problem, solved by shortest augmenting paths with prices (Kuhn 1955, Edmonds and
    Karp 1972); boxes do not stand in each other's way. Target n stands for none. The arrays after
    ``boxes`` are scratch, int64 (n + 1,).
    """
    n, far = boxes.shape[0], np.int64(1) << 60
    for t in range(n + 1):
        price[t] = target_price[t] = 0
        owner[t] = -1
    for box in range(n):
        owner[n], at = box, n
        for t in range(n + 1):
            least[t], before[t] = far, -1
        while owner[at] >= 0:
            # Target ``at`` joins the tree: -2 in ``least``, whose way there is final.
            least[at], nearest = -2, -1
            for t in range(n):
                if least[t] != -2:
                    lack = pushes[t, boxes[owner[at]]] - price[owner[at]] - target_price[t]
                    if lack < least[t]:
                        least[t], before[t] = lack, at
                    if nearest < 0 or least[t] < least[nearest]:
                        nearest = t
            step = least[nearest]
            for t in range(n + 1):
                if least[t] == -2:
                    price[owner[t]] += step
                    target_price[t] -= step
                else:
                    least[t] -= step
            at = nearest
        while at != n:
            owner[at] = owner[before[at]]
            at = before[at]
    return min(-target_price[n], np.int64(_NEVER))


@njit(cache=True)
def _approach(level, states, i, boxes):
    """Return the rows and columns between the player and the nearest cell to push from; or NEVER.

    Only pushes that the boxes as they stand leave room for, and that end on a live cell.
    """
    neighbours, live, _, shift, cells, _, _ = level
    player = np.int64(states[i, 0] & ((np.uint64(1) << np.uint64(shift)) - np.uint64(1)))
    nearest = np.int64(_NEVER)
    for k in range(boxes.shape[0]):
        for direction in range(4):
            ahead, stand = neighbours[boxes[k], direction], neighbours[boxes[k], direction ^ 2]
            if ahead < 0 or stand < 0 or not live[ahead]:
                continue
            if _has(states, i, shift, ahead) or _has(states, i, shift, stand):
                continue
            down = abs(cells[player, 0] - cells[stand, 0])
            nearest = min(nearest, down + abs(cells[player, 1] - cells[stand, 1]))
    return nearest


@njit(cache=True)
def heuristic(level, states, out):
    """Write the pushes of a best matching and the steps to a first push; see solvers.System.

    Admissible: each push moves one box by one cell, so a solution has as many pushes as the boxes
    need in the best case, each to a target of its own; and before its first push the player walks
    to where that can be made. Consistent: a step changes the walk by 1 at most and the matching
    not at all; a push, before which there is nothing to walk, lowers the matching by 1 at most.
    """
    shift, pushes = level[3], level[6]
    n = pushes.shape[0]
    low = (np.uint64(1) << np.uint64(shift)) - np.uint64(1)
    boxes, work = np.empty(n, np.int64), np.empty((5, n + 1), np.int64)
    matched = np.int64(0)
    for i in range(states.shape[0]):
        # Successors of one state come together, and most of them are steps.
        same = i > 0 and (states[i, 0] ^ states[i - 1, 0]) & ~low == 0
        for w in range(1, states.shape[1]):
            same = same and states[i, w] == states[i - 1, w]
        if not same:
            _boxes(states, i, shift, boxes)
            matched = _matched(pushes, boxes, work[0], work[1], work[2], work[3], work[4])
        out[i] = matched
        if 0 < matched < _NEVER:
            out[i] = min(matched + _approach(level, states, i, boxes), _NEVER)
