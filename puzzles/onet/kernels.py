"""Onet as a transition system.

A state is a bit set over the tiles of the level, tile i at bit i % 64 of word i // 64. The level
is (base, pitch, rim, cells, kinds, pairs, max_turns): ``base`` uint8 is the flat board with its
borders, 0 where a link may pass, ``pitch`` its row length, ``rim`` the number of cells added on
each side (1, a wall; 2, a ring of empty cells and a wall); ``cells`` int64 (tiles,) and ``kinds``
int64 (tiles,) the place in ``base`` and the letter of each tile; ``pairs`` int64 (pairs, 2) the
tiles of each pair of one kind. A move code is an index of ``pairs``.
"""

import numpy as np
from numba import njit

NEVER = 1 << 24  # as in solvers.System


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
def _lay(grid, level, states, i):
    """Put the tiles of state ``i`` on ``grid``, and clear the cells of the others."""
    cells = level[3]
    for tile in range(cells.shape[0]):
        bit = (states[i, tile >> 6] >> np.uint64(tile & 63)) & np.uint64(1)
        grid[cells[tile]] = np.uint8(bit)


@njit(cache=True)
def _clears(grid, level, first, turns, queue):
    """Remove pair ``first``, then any pairs of its kind; return whether that takes them all."""
    _, pitch, _, cells, kinds, pairs, max_turns = level
    kind = kinds[pairs[first, 0]]
    grid[cells[pairs[first, 0]]] = grid[cells[pairs[first, 1]]] = 0
    removed = True
    while removed:
        removed = False
        for code in range(pairs.shape[0]):
            a, b = cells[pairs[code, 0]], cells[pairs[code, 1]]
            if (
                kinds[pairs[code, 0]] == kind
                and grid[a]
                and grid[b]
                and _sweep(grid, pitch, a, b, max_turns, turns, queue) >= 0
            ):
                grid[a] = grid[b] = 0
                removed = True
    left = 0
    for tile in range(cells.shape[0]):
        left += kinds[tile] == kind and grid[cells[tile]]
    return left == 0


@njit(cache=True)
def _expand(level, states, succ, origin, moves, ample):
    base, pitch, _, cells, _, pairs, max_turns = level
    grid = base.copy()
    turns, queue = np.empty(base.shape[0], np.int64), np.empty(base.shape[0], np.int64)
    n = 0
    for i in range(states.shape[0]):
        _lay(grid, level, states, i)
        start = n
        for code in range(pairs.shape[0]):
            a, b = pairs[code, 0], pairs[code, 1]
            if not grid[cells[a]] or not grid[cells[b]]:
                continue
            if _sweep(grid, pitch, cells[a], cells[b], max_turns, turns, queue) < 0:
                continue
            safe = ample and _clears(grid, level, code, turns, queue)
            if safe:
                n = start
            for word in range(states.shape[1]):
                succ[n, word] = states[i, word]
            succ[n, a >> 6] ^= np.uint64(1) << np.uint64(a & 63)
            succ[n, b >> 6] ^= np.uint64(1) << np.uint64(b & 63)
            origin[n] = i
            moves[n] = code
            n += 1
            if safe:
                break
            if ample:
                _lay(grid, level, states, i)
    return n


@njit(cache=True)
def expand(level, states, succ, origin, moves):
    """Write all successors of all states; see solvers.System."""
    return _expand(level, states, succ, origin, moves, False)


@njit(cache=True)
def ample(level, states, succ, origin, moves):
    """As ``expand``, but a removal that can't spoil a solution is the only successor.

    Removals only free cells. So where all tiles of a kind can be removed right away, they can be
    removed before all others in any solution that there is; the last two are the plain case.
    """
    return _expand(level, states, succ, origin, moves, True)


@njit(cache=True)
def is_goal(level, states, out):
    """Write one flag a state; see solvers.System."""
    for i in range(states.shape[0]):
        out[i] = True
        for word in range(states.shape[1]):
            if states[i, word]:
                out[i] = False


@njit(cache=True)
def heuristic(level, states, out):
    """Write half the number of tiles, the length of every solution; see solvers.System.

    NEVER where some tile can't be removed even if a tile that is gone could still be a partner.
    Sound, because removals only free cells: by induction, whatever really can be removed before a
    link is drawn is also gone here, so the link is found here too.
    """
    base, pitch, _, cells, _, pairs, max_turns = level
    grid = base.copy()
    turns, queue = np.empty(base.shape[0], np.int64), np.empty(base.shape[0], np.int64)
    some = np.empty(pairs.shape[0], np.int64)
    for i in range(states.shape[0]):
        _lay(grid, level, states, i)
        count, left = 0, 0
        for code in range(pairs.shape[0]):
            if grid[cells[pairs[code, 0]]] and grid[cells[pairs[code, 1]]]:
                some[count] = code
                count += 1
        for cell in cells:
            left += grid[cell]
        tiles, found = left, True
        while found and left:
            found = False
            kept = 0
            for at in range(count):
                a, b = cells[pairs[some[at], 0]], cells[pairs[some[at], 1]]
                if not grid[a] and not grid[b]:
                    continue
                if _sweep(grid, pitch, a, b, max_turns, turns, queue) >= 0:
                    left -= np.int64(grid[a]) + np.int64(grid[b])
                    grid[a] = grid[b] = 0
                    found = True
                else:
                    some[kept] = some[at]
                    kept += 1
            count = kept
        out[i] = NEVER if left else tiles // 2


def branching(level):
    """Return the most successors that a state can have."""
    return len(level[5])


@njit(cache=True)
def trace(level, removals, open_pairs, turns_used):
    """Follow ``removals``, int64 (n, 2) of places in ``base``, from the board with all tiles.

    ``open_pairs[k]`` receives how many pairs a link joins before removal k, ``turns_used[k]`` the
    fewest turns of a link of removal k (-1 where there is none).
    """
    base, pitch, _, cells, _, pairs, max_turns = level
    grid, turns = base.copy(), np.empty(base.shape[0], np.int64)
    queue = np.empty(base.shape[0], np.int64)
    for tile in range(cells.shape[0]):
        grid[cells[tile]] = 1
    for k in range(removals.shape[0]):
        open_pairs[k] = 0
        for code in range(pairs.shape[0]):
            a, b = cells[pairs[code, 0]], cells[pairs[code, 1]]
            if grid[a] and grid[b]:
                open_pairs[k] += _sweep(grid, pitch, a, b, max_turns, turns, queue) >= 0
        a, b = removals[k, 0], removals[k, 1]
        turns_used[k] = _sweep(grid, pitch, a, b, max_turns, turns, queue)
        grid[a] = grid[b] = 0
