"""The search for who goes with whom, where a kind has four tiles or more.

Whether a board can be cleared depends on the partners alone. With all partners fixed, a removal
never hurts (it only frees cells), so whatever can go goes at once, in any order. A node of the
search tree is therefore a grouping of the tiles: those of a kind are one group until partners are
fixed, which makes a group of two. Groups that can go as a whole go; then the node is hopeless where
some tiles stay even if every removed tile could still be a partner; else the possible partners of
one more tile are tried. A failure is blamed on the fixed partners of the kinds that were left over
and no others, and the search jumps back to the last of them (conflict-directed backjumping, Prosser
1993); kinds that fail often are decided first (Boussemart et al. 2004).

``level`` is that of the kernels; ``group`` int64 (tiles,) holds the group of each tile, -1 where
the tile is gone.
"""

import numpy as np
from numba import njit

_KINDS = 256  # groups below are whole kinds, those from here on two tiles that are partners


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
def _enter(level, start, trail, gone, tiles, mates, depth, group, size, grid):
    """Set up the groups and the board after ``gone`` removals and ``depth`` decisions."""
    cells, kinds, pairs = level[3], level[4], level[5]
    for tile in range(cells.shape[0]):
        bit = (start[tile >> 6] >> np.uint64(tile & 63)) & np.uint64(1)
        group[tile] = kinds[tile] if bit else -1
    for at in range(depth):
        group[tiles[at]] = group[mates[at]] = _KINDS + at
    for at in range(gone):
        group[pairs[trail[at], 0]] = group[pairs[trail[at], 1]] = -1
    size[:] = 0
    for tile in range(cells.shape[0]):
        grid[cells[tile]] = group[tile] >= 0
        if group[tile] >= 0:
            size[group[tile]] += 1


@njit(cache=True)
def _clear(level, grid, group, first, left, turns, queue, trail, gone):
    """Remove pair ``first`` and any pairs of its group, ``left`` tiles; return the removals.

    Where some would stay, all are put back and none are returned.
    """
    _, pitch, _, cells, _, pairs, max_turns = level
    number, top, code, since = group[pairs[first, 0]], gone, first, 0
    while left and since <= pairs.shape[0]:
        a, b = pairs[code, 0], pairs[code, 1]
        since += 1
        if (
            group[a] == number
            and group[b] == number
            and grid[cells[a]]
            and grid[cells[b]]
            and _sweep(grid, pitch, cells[a], cells[b], max_turns, turns, queue) >= 0
        ):
            grid[cells[a]] = grid[cells[b]] = 0
            trail[top] = code
            top, left, since = top + 1, left - 2, 0
        elif code == first and top == gone:
            return gone
        code = code + 1 if code + 1 < pairs.shape[0] else 0
    for at in range(gone, top):
        a, b = pairs[trail[at], 0], pairs[trail[at], 1]
        if left:
            grid[cells[a]] = grid[cells[b]] = 1
        else:
            group[a] = group[b] = -1
    return gone if left else top


@njit(cache=True)
def _clear_all(level, grid, group, size, turns, queue, trail, gone):
    """Remove groups that can go as a whole until none can; return the number of removals."""
    pairs = level[5]
    since, code = 0, 0
    while since < pairs.shape[0]:
        number = group[pairs[code, 0]]
        since += 1
        if number >= 0 and group[pairs[code, 1]] == number:
            before = gone
            gone = _clear(level, grid, group, code, size[number], turns, queue, trail, gone)
            if gone > before:
                since = 0
        code = code + 1 if code + 1 < pairs.shape[0] else 0
    return gone


@njit(cache=True)
def _hopeless(level, grid, group, turns, queue, some):
    """Return whether tiles stay though any tile of a group may partner any other, gone or not.

    ``grid`` is left with those that stay: each node that groups their kinds alike is hopeless.
    """
    _, pitch, _, cells, _, pairs, max_turns = level
    count, left = 0, 0
    for code in range(pairs.shape[0]):
        if group[pairs[code, 0]] >= 0 and group[pairs[code, 0]] == group[pairs[code, 1]]:
            some[count] = code
            count += 1
    for tile in range(cells.shape[0]):
        left += group[tile] >= 0
    found = True
    while found and left:
        found, kept = False, 0
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
    return left > 0


@njit(cache=True)
def _next_tile(level, grid, group, size, weight, turns, queue):
    """Return the tile whose partner is fixed next, of a group of four or more.

    A link joins it to some tile now, if possible; of those, its kind has failed the most often.
    """
    _, pitch, _, cells, kinds, pairs, max_turns = level
    best, highest = -1, -1
    for linked in (True, False):
        for code in range(pairs.shape[0]):
            a, b = pairs[code, 0], pairs[code, 1]
            if group[a] < 0 or group[a] != group[b] or size[group[a]] == 2:
                continue
            if weight[kinds[a]] <= highest:
                continue
            if linked and _sweep(grid, pitch, cells[a], cells[b], max_turns, turns, queue) < 0:
                continue
            best, highest = a, weight[kinds[a]]
        if best >= 0:
            break
    return best


@njit(cache=True)
def _partners(level, grid, group, tile, turns, queue, options, end):
    """Write all tiles that ``tile`` may go with, those first that it can go with last now.

    Options are taken from the end. Return their new end.
    """
    _, pitch, _, cells, _, _, max_turns = level
    for linked in (False, True):
        for mate in range(cells.shape[0]):
            if mate != tile and group[mate] == group[tile]:
                way = _sweep(grid, pitch, cells[tile], cells[mate], max_turns, turns, queue)
                if (way >= 0) == linked:
                    options[end] = mate
                    end += 1
    return end


@njit(cache=True)
def _blame(level, grid, group, tiles, depth, weight, blame):
    """Mark the decisions that have to do with the kinds of the tiles left on ``grid``."""
    cells, kinds = level[3], level[4]
    stuck = np.zeros(_KINDS, np.bool_)
    for tile in range(cells.shape[0]):
        if group[tile] >= 0 and grid[cells[tile]]:
            stuck[kinds[tile]] = True
    for kind in range(_KINDS):
        weight[kind] += stuck[kind]
    for at in range(depth):
        blame[depth, at] = stuck[kinds[tiles[at]]]


@njit(cache=True)
def search(level, start, most, at, trail, gone, tiles, mates, options, ends, blame, weight):
    """Look at states until the board is clear, nothing is left to try, or ``most`` are counted.

    ``start`` is a state of the kernels. All other arrays keep the search between calls, zeros at
    first; D is half the number of tiles and one more.

    at
        int64 (3,): the depth of the next node, the states looked at (one for each removal, and
        one where partners are fixed or a node fails), and what has come out: 0 nothing yet, 1 all
        tiles are gone, -1 that can't be.
    trail
        int64 (tiles,): the codes of the removals so far, ``gone[depth]`` before each node (D + 1,).
    tiles, mates
        int64 (D,): the decisions so far: which tile goes with which.
    options, ends
        int64 (pairs,) and (D + 1,): the partners still to be tried at each depth, in one stack.
    blame
        bool (D, D): the earlier decisions that the failures below each one have to do with.
    weight
        int64 (256,): how often each kind was left over.
    """
    base, cells = level[0], level[3]
    group, grid = np.empty(cells.shape[0], np.int64), base.copy()
    size = np.empty(_KINDS + tiles.shape[0], np.int64)
    turns, queue = np.empty(base.shape[0], np.int64), np.empty(base.shape[0], np.int64)
    some = np.empty(level[5].shape[0], np.int64)
    while at[1] < most:
        depth = at[0]
        _enter(level, start, trail, gone[depth], tiles, mates, depth, group, size, grid)
        top = _clear_all(level, grid, group, size, turns, queue, trail, gone[depth])
        at[1] += top - gone[depth]
        gone[depth + 1] = top
        if group.max() < 0:
            at[2] = 1
            return
        at[1] += 1
        blame[depth, :] = False
        ends[depth + 1] = ends[depth]
        if _hopeless(level, grid, group, turns, queue, some):
            _blame(level, grid, group, tiles, depth, weight, blame)
        else:
            _enter(level, start, trail, top, tiles, mates, depth, group, size, grid)
            tiles[depth] = _next_tile(level, grid, group, size, weight, turns, queue)
            ends[depth + 1] = _partners(
                level, grid, group, tiles[depth], turns, queue, options, ends[depth]
            )
        while ends[depth + 1] == ends[depth]:
            back = depth - 1
            while back >= 0 and not blame[depth, back]:
                back -= 1
            if back < 0:
                at[2] = -1
                return
            for earlier in range(back):
                blame[back, earlier] |= blame[depth, earlier]
            depth = back
        ends[depth + 1] -= 1
        mates[depth] = options[ends[depth + 1]]
        at[0] = depth + 1
