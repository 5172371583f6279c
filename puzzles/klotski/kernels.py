"""Klotski as a transition system, for blocks of any shape on a board of any size.

A state has one code a cell, in reading order, ``bits`` bits each, 64 // bits codes a word from the
lowest bits up: the code of a shape where a block has its top-left cell, else 0. Code 1 is T's.

The level is (rows, columns, bits, blocks, holes, goal, sizes, parts, leads, counts, edges), which
packing.py builds. Inside, cells are positions on a padded board of ``columns + 1`` by ``rows + 2``
cells, whose last column and outer rows are wall: (row + 1) * (columns + 1) + column.
``parts[code]`` are the cells of a block as steps from its first; ``edges[code, direction]`` those
that a move in that direction newly covers; ``leads`` is the first of these. A move code is
4 * (index of the block's top-left cell) + (index of the direction).
"""

import numpy as np
from numba import njit

WALL = 1 << 62


@njit(cache=True)
def _walled(rows, columns):
    """Return a padded board: WALL round the edge, below every stamp inside."""
    width = columns + 1
    owner = np.empty(width * (rows + 2), np.int64)
    for at in range(owner.shape[0]):
        row, column = at // width, at % width
        inside = 1 <= row <= rows and column < columns
        owner[at] = -1 if inside else WALL
    return owner


@njit(cache=True)
def _lay(level, states, i, heads, owner, stamp, holes):
    """Lay out the blocks of state ``i``; return the number of empty cells, listed in ``holes``.

    ``heads`` gets the codes; ``owner`` becomes stamp + position of the block's first cell where a
    block lies and stays below ``stamp`` where none does, so that nothing needs clearing.
    """
    rows, columns, bits, _, _, _, sizes, parts, _, _, _ = level
    per, mask = 64 // bits, np.uint64((1 << bits) - 1)
    word, left, n = -1, 0, 0
    rest = np.uint64(0)
    for row in range(1, rows + 1):
        first = row * (columns + 1)
        for at in range(first, first + columns):
            if left == 0:
                word, left = word + 1, per
                rest = states[i, word]
            code = np.int64(rest & mask)
            rest >>= np.uint64(bits)
            left -= 1
            heads[at] = code
            if code:
                for part in range(sizes[code]):
                    owner[at + parts[code, part]] = stamp + at
            elif owner[at] < stamp:
                holes[n] = at
                n += 1
    return n


@njit(cache=True)
def _put(level, row, n, at, code):
    """Add ``code`` (exclusive or) to the cell at position ``at`` of row ``n``."""
    columns, bits = level[1], level[2]
    cell = (at // (columns + 1) - 1) * columns + at % (columns + 1)
    per = 64 // bits
    row[n, cell // per] ^= np.uint64(code) << np.uint64(cell % per * bits)


@njit(cache=True)
def _slides(level, states, i, heads, owner, stamp, holes, gaps, succ, origin, moves, n):
    """Write the successors of the state that is laid out, from row ``n`` on; return the new n."""
    columns, leads, counts, edges = level[1], level[8], level[9], level[10]
    width = columns + 1
    for gap in range(gaps):
        hole = holes[gap]
        for direction in range(4):
            step = (0, 1, 0, -1)[direction] + width * (-1, 0, 1, 0)[direction]
            at = owner[hole - step] - stamp
            if at < 0 or at >= WALL - stamp:
                continue
            code = heads[at]
            # A block with a broad front is found from the hole before its first edge cell alone.
            if at + leads[code, direction] != hole:
                continue
            free = True
            for edge in range(1, counts[code, direction]):
                free = free and owner[at + edges[code, direction, edge]] < stamp
            if not free:
                continue
            for word in range(states.shape[1]):
                succ[n, word] = states[i, word]
            _put(level, succ, n, at, code)
            _put(level, succ, n, at + step, code)
            origin[n] = i
            moves[n] = 4 * ((at // width - 1) * columns + at % width) + direction
            n += 1
    return n


@njit(cache=True)
def expand(level, states, succ, origin, moves):
    """Write all successors of all states; see solvers.System."""
    owner = _walled(level[0], level[1])
    heads = np.zeros(owner.shape[0], np.int64)
    holes = np.empty(owner.shape[0], np.int64)
    n = 0
    for i in range(states.shape[0]):
        stamp = i * owner.shape[0]
        gaps = _lay(level, states, i, heads, owner, stamp, holes)
        n = _slides(level, states, i, heads, owner, stamp, holes, gaps, succ, origin, moves, n)
    return n


@njit(cache=True)
def _solved(level, states, i):
    bits, goal = level[2], level[5]
    per = 64 // bits
    code = states[i, goal // per] >> np.uint64(goal % per * bits)
    return code & np.uint64((1 << bits) - 1) == np.uint64(1)


@njit(cache=True)
def is_goal(level, states, out):
    """Write one flag a state; see solvers.System."""
    for i in range(states.shape[0]):
        out[i] = _solved(level, states, i)


def branching(level):
    """Each successor fills one of the empty cells from one of four sides."""
    _, _, _, blocks, holes, *_ = level
    return 4 * min(blocks, holes)
