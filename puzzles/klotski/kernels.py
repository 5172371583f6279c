"""Klotski as a transition system, and the search for boards of an exact length.

A state has one code a cell, in reading order, ``bits`` bits each, 64 // bits codes a word from the
lowest bits up: the code of a shape where a block has its top-left cell, else 0. Code 1 is T's.

The level is (rows, columns, bits, blocks, holes, goal, sizes, parts, leads, counts, edges), which
packing.py builds. Inside, cells are positions on a padded board of ``columns + 1`` by ``rows + 2``
cells, whose last column and outer rows are wall: (row + 1) * (columns + 1) + column. ``parts[code]``
are a block's cells as steps from its first; ``edges[code, direction]`` those that no cell of the
block precedes in that direction, moved by one cell; ``leads`` is the first of these.
A move code is 4 * (index of the block's top-left cell) + (index of the direction).
"""

import numpy as np
from numba import njit

WALL = 1 << 62


@njit(cache=True)
def _below(random, n):
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = random[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


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
    for i in range(states.shape[0]):
        out[i] = _solved(level, states, i)


def branching(level):
    """Each successor fills one of the empty cells from one of four sides."""
    _, _, _, blocks, holes, *_ = level
    return 4 * min(blocks, holes)


@njit(cache=True)
def _insert(slots, base, store, count, succ, n):
    """Append row ``n`` of ``succ`` to ``store`` unless it is there; return the new count.

    A slot holds base + position; what lies below ``base`` was left by an earlier search.
    """
    words = store.shape[1]
    mask = np.uint64(slots.shape[0] - 1)
    slot = np.uint64(0)
    for word in range(words):
        slot = (slot ^ succ[n, word]) * np.uint64(0x9E3779B97F4A7C15)
        slot ^= slot >> np.uint64(32)
    slot &= mask
    while slots[slot] >= base:
        at = slots[slot] - base
        equal = True
        for word in range(words):
            equal = equal and store[at, word] == succ[n, word]
        if equal:
            return count
        slot = (slot + np.uint64(1)) & mask
    slots[slot] = base + count
    for word in range(words):
        store[count, word] = succ[n, word]
    return count + 1


@njit(cache=True)
def _place(level, target, inventory, random, board, store):
    """Write a random board into row 0 of ``store``, T at position ``target``; False if it jams.

    ``inventory[code]`` blocks of each shape are laid one by one, each anywhere that it fits.
    """
    rows, sizes, parts = level[0], level[6], level[7]
    _, owner, stamps, holes = board
    width, stamp = level[1] + 1, stamps[0]
    for word in range(store.shape[1]):
        store[0, word] = 0
    for code in range(1, inventory.shape[0]):
        for _ in range(inventory[code]):
            fits = 0
            for at in range(width, width * (rows + 1)):
                free = True
                for part in range(sizes[code]):
                    free = free and owner[at + parts[code, part]] < stamp
                if free:
                    holes[fits] = at
                    fits += 1
            if fits == 0:
                return False
            at = target if code == 1 else holes[_below(random, fits)]
            for part in range(sizes[code]):
                owner[at + parts[code, part]] = stamp
            _put(level, store, 0, at, code)
    return True


@njit(cache=True)
def _nearest(level, deepest, store, trace, depth, slots, base, board, succ, origin, codes):
    """Search breadth first from row 0 of ``store``; return (row of the first goal or -1, rows).

    ``trace`` gets each row's parent and the move from there.
    """
    heads, owner, stamps, holes = board
    count = _insert(slots, base, store, 0, store, 0)
    trace[0, 0], depth[0] = -1, 0
    head = 0
    while head < count and depth[head] < deepest and count + succ.shape[0] <= store.shape[0]:
        stamps[0] += owner.shape[0]
        gaps = _lay(level, store, head, heads, owner, stamps[0], holes)
        n = _slides(level, store, head, heads, owner, stamps[0], holes, gaps, succ, origin, codes, 0)
        for k in range(n):
            new = count
            count = _insert(slots, base, store, new, succ, k)
            if count > new:
                trace[new, 0], trace[new, 1], depth[new] = head, codes[k], depth[head] + 1
                if _solved(level, store, new):
                    return new, count
        head += 1
    return -1, count


@njit(cache=True)
def find(level, inventory, targets, length, deepest, room, effort, random, words, moves):
    """Find a board whose nearest goal state is exactly ``length`` moves away.

    Random boards, T at one of the positions ``targets``, are searched breadth first down to depth
    ``deepest`` and up to ``room`` states each. Where the nearest goal of one is at least
    ``length`` away, the shortest path there passes a state at that very distance, as any nearer
    goal would have shortened the path: its words are written to ``words``, shape (1, words), the
    codes of the ``length`` moves from there to ``moves``.

    Returns the number of states stored, or -1 where none is found within ``effort`` of them.
    """
    owner = _walled(level[0], level[1])
    size, width = owner.shape[0], words.shape[1]
    board = np.zeros(size, np.int64), owner, np.zeros(1, np.int64), np.empty(size, np.int64)
    slots = np.zeros(2 * room, np.int32)
    store = np.empty((room, width), np.uint64)
    trace, depth = np.empty((room, 2), np.int32), np.empty(room, np.int32)
    most = 4 * level[4]
    succ = np.empty((most, width), np.uint64)
    origin, codes = np.empty(most, np.int64), np.empty(most, np.int32)
    base, spent = 1, 0
    while spent < effort:
        target = targets[_below(random, targets.shape[0])]
        board[2][0] += size
        spent += size
        if not _place(level, target, inventory, random, board, store):
            continue
        row, count = _nearest(
            level, deepest, store, trace, depth, slots, base, board, succ, origin, codes
        )
        base += count
        spent += count
        if row >= 0 and depth[row] >= length:
            for k in range(length):
                moves[length - 1 - k] = trace[row, 1]
                row = trace[row, 0]
            for word in range(width):
                words[0, word] = store[row, word]
            return spent
    return -1
