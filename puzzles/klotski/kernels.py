"""Klotski as a transition system, for blocks of any shape on a board of any size.

A state has one code a cell, in reading order, ``bits`` bits each, 64 // bits codes a word from the
lowest bits up: the code of a shape where a block has its top-left cell, else 0. Code 1 is T's.

The level is (rows, columns, bits, blocks, holes, goal, sizes, parts, leads, counts, edges), which
packing.py builds. Inside, cells are positions on a padded board of ``columns + 1`` by ``rows + 2``
cells, whose last column and outer rows are wall: (row + 1) * (columns + 1) + column.
``parts[code]`` are the cells of a block as steps from its first; ``edges[code, direction]`` those
that a move in that direction newly covers; ``leads`` is the first of these. A move code is
4 * (index of the block's top-left cell) + (index of the direction); where a move takes a block any
distance, BLOCKS * (index of the cell that it comes to) + (number of the block in reading order).

A state is laid out on ``board``, int64 (_, positions), whose rows are named below. Arrays go from
kernel to kernel one by one, as taking them out of a tuple costs as much as a move. The first word
of a state, often the only one, is dealt with apart, as a loop that may be long costs more than it.
"""

import numpy as np
from numba import njit

WALL = 1 << 62
BLOCKS = 64
"""More blocks than there are names for."""
NEVER = 1 << 24
"""What a heuristic says of a state from which no goal can be reached, as in solvers.system."""
OWNER, HEADS, HOLES, PLACES, VISITED, MOVED = range(6)
"""Rows of a board, by position: the stamp of the state plus the first position of the block that
lies there, below any stamp where none does; the codes of the state. Lists: the empty positions; the
places of a block. By position: the last search that came there; the last state that moved it."""
CELL, WORD, SHIFT = range(3)
"""Rows of an atlas: the index of the cell of a position, and where its code stands in a state."""


@njit(cache=True)
def _board(rows, columns):
    """Return an empty board: WALL round the edge, below every stamp inside."""
    width = columns + 1
    board = np.zeros((6, width * (rows + 2)), np.int64)
    for at in range(board.shape[1]):
        row, column = at // width, at % width
        inside = 1 <= row <= rows and column < columns
        board[OWNER, at] = -1 if inside else WALL
    return board


@njit(cache=True)
def _atlas(rows, columns, bits):
    atlas = np.zeros((3, (columns + 1) * (rows + 2)), np.int64)
    for cell in range(rows * columns):
        at = (cell // columns + 1) * (columns + 1) + cell % columns
        atlas[CELL, at] = cell
        atlas[WORD, at] = cell // (64 // bits)
        atlas[SHIFT, at] = cell % (64 // bits) * bits
    return atlas


@njit(cache=True)
def _lay(rows, columns, bits, sizes, parts, states, i, board, stamp):
    """Lay out the blocks of state ``i``; return the number of empty cells.

    ``stamp`` is a positive multiple of the number of positions, a higher one each time, so that
    nothing needs clearing.
    """
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
            board[HEADS, at] = code
            if code:
                for part in range(sizes[code]):
                    board[OWNER, at + parts[code, part]] = stamp + at
            elif board[OWNER, at] < stamp:
                board[HOLES, n] = at
                n += 1
    return n


@njit(cache=True, inline="always")
def _write(states, i, atlas, code, at, there, succ, n):
    """Write to row ``n`` state ``i`` with a block moved from ``at`` to ``there``."""
    succ[n, 0] = states[i, 0]
    for word in range(1, states.shape[1]):
        succ[n, word] = states[i, word]
    succ[n, atlas[WORD, at]] ^= np.uint64(code) << np.uint64(atlas[SHIFT, at])
    succ[n, atlas[WORD, there]] ^= np.uint64(code) << np.uint64(atlas[SHIFT, there])


@njit(cache=True)
def _slides(
    states, i, board, stamp, gaps, steps, atlas, leads, counts, edges, succ, origin, moves, n
):
    """Write the successors of the state that is laid out, from row ``n`` on; return the new n."""
    for k in range(4 * gaps):
        hole, direction = board[HOLES, k // 4], k % 4
        at = board[OWNER, hole - steps[direction]] - stamp
        if at < 0 or at >= WALL - stamp:
            continue
        code = board[HEADS, at]
        # A block with a broad front is found from the hole before its first edge cell alone.
        if at + leads[code, direction] != hole:
            continue
        free = True
        for edge in range(1, counts[code, direction]):
            free = free and board[OWNER, at + edges[code, direction, edge]] < stamp
        if free:
            _write(states, i, atlas, code, at, at + steps[direction], succ, n)
            origin[n] = i
            moves[n] = 4 * atlas[CELL, at] + direction
            n += 1
    return n


@njit(cache=True)
def _reach(code, at, board, stamp, steps, counts, edges):
    """List where the block at ``at`` gets to while no other moves, ``at`` first; count them."""
    board[PLACES, 0], board[VISITED, at] = at, stamp + at
    done, n = 0, 1
    while done < n:
        here = board[PLACES, done]
        done += 1
        for direction in range(4):
            there = here + steps[direction]
            free = True
            for edge in range(counts[code, direction]):
                owner = board[OWNER, here + edges[code, direction, edge]]
                free = free and (owner < stamp or owner == stamp + at)
            if free and board[VISITED, there] != stamp + at:
                board[VISITED, there] = stamp + at
                board[PLACES, n] = there
                n += 1
    return n


@njit(cache=True)
def _far_slides(states, i, board, stamp, gaps, steps, atlas, counts, edges, succ, origin, moves, n):
    """Write the successors where a block moves any distance; as ``_slides``."""
    for k in range(4 * gaps):
        at = board[OWNER, board[HOLES, k // 4] + steps[k % 4]] - stamp
        if at < 0 or at >= WALL - stamp or board[MOVED, at] == stamp:
            continue
        board[MOVED, at] = stamp
        code = board[HEADS, at]
        found = _reach(code, at, board, stamp, steps, counts, edges)
        number = 0
        for before in range(at if found > 1 else 0):
            number += board[HEADS, before] > 0
        for place in range(1, found):
            there = board[PLACES, place]
            _write(states, i, atlas, code, at, there, succ, n)
            origin[n] = i
            moves[n] = BLOCKS * atlas[CELL, there] + number
            n += 1
    return n


@njit(cache=True)
def _expand(level, far, states, succ, origin, moves):
    rows, columns, bits, _, _, _, sizes, parts, leads, counts, edges = level
    board, atlas = _board(rows, columns), _atlas(rows, columns, bits)
    steps = np.array([-columns - 1, 1, columns + 1, -1])
    n = 0
    for i in range(states.shape[0]):
        stamp = (i + 1) * board.shape[1]
        gaps = _lay(rows, columns, bits, sizes, parts, states, i, board, stamp)
        if far:
            n = _far_slides(
                *(states, i, board, stamp, gaps, steps, atlas),
                *(counts, edges, succ, origin, moves, n),
            )
        else:
            n = _slides(
                *(states, i, board, stamp, gaps, steps, atlas),
                *(leads, counts, edges, succ, origin, moves, n),
            )
    return n


def expand(level, states, succ, origin, moves):
    """Write all successors of all states; see solvers.System."""
    return _expand(level, False, states, succ, origin, moves)


def expand_slide(level, states, succ, origin, moves):
    """Write the successors where a move takes one block any distance, corners included."""
    return _expand(level, True, states, succ, origin, moves)


@njit(cache=True, inline="always")
def _solved(states, i, word, shift, mask):
    """Return whether T's code, 1, stands at the goal."""
    return (states[i, word] >> shift) & mask == np.uint64(1)


@njit(cache=True)
def _goal(bits, goal):
    """Return the word and the shift of the goal's code, and a mask for it."""
    per = 64 // bits
    return goal // per, np.uint64(goal % per * bits), np.uint64((1 << bits) - 1)


@njit(cache=True)
def is_goal(level, states, out):
    """Write one flag a state; see solvers.System."""
    word, shift, mask = _goal(level[2], level[5])
    for i in range(states.shape[0]):
        out[i] = _solved(states, i, word, shift, mask)


@njit(cache=True, inline="always")
def _is_new(slots, store, row):
    """Enter ``row`` of ``store`` in the hash set of the rows before; return whether it lacks it.

    A slot holds row + 1, or 0 where it is free.
    """
    mask, words = np.uint64(slots.shape[0] - 1), store.shape[1]
    slot = store[row, 0] * np.uint64(0x9E3779B97F4A7C15)
    slot ^= slot >> np.uint64(32)
    for word in range(1, words):
        slot = (slot ^ store[row, word]) * np.uint64(0x9E3779B97F4A7C15)
        slot ^= slot >> np.uint64(32)
    slot &= mask
    while slots[slot]:
        equal = store[slots[slot] - 1, 0] == store[row, 0]
        for word in range(1, words):
            equal = equal and store[slots[slot] - 1, word] == store[row, word]
        if equal:
            return False
        slot = (slot + np.uint64(1)) & mask
    slots[slot] = row + 1
    return True


@njit(cache=True)
def search(level, far, branching, store, slots, parents, moves):
    """Search breadth-first from row 0 of ``store``; return (rows stored, rows expanded, goal row).

    The row of the goal is -1 where no more rows fit, or all are expanded.
    """
    rows, columns, bits, _, _, goal, sizes, parts, leads, counts, edges = level
    board, atlas = _board(rows, columns), _atlas(rows, columns, bits)
    steps = np.array([-columns - 1, 1, columns + 1, -1])
    word, shift, mask = _goal(bits, goal)
    count, done = int(_is_new(slots, store, 0)), 0
    if _solved(store, 0, word, shift, mask):
        return count, done, 0
    while done < count and count + branching <= store.shape[0]:
        stamp = (done + 1) * board.shape[1]
        gaps = _lay(rows, columns, bits, sizes, parts, store, done, board, stamp)
        if far:
            n = _far_slides(
                *(store, done, board, stamp, gaps, steps, atlas),
                *(counts, edges, store, parents, moves, count),
            )
        else:
            n = _slides(
                *(store, done, board, stamp, gaps, steps, atlas),
                *(leads, counts, edges, store, parents, moves, count),
            )
        done += 1
        for row in range(count, n):
            store[count, 0] = store[row, 0]
            for k in range(1, store.shape[1]):
                store[count, k] = store[row, k]
            parents[count], moves[count] = parents[row], moves[row]
            if _is_new(slots, store, count):
                count += 1
                if _solved(store, count - 1, word, shift, mask):
                    return count, done, count - 1
    return count, done, -1


@njit(cache=True)
def look_up(level, table, ranks, far, states, out):
    """Write what the table of bounds.py says of every state.

    Without a table, the distance of T; where a move takes a block any distance (``far``), 1 or 0.
    """
    rows, columns, bits, _, _, goal, sizes, parts, _, _, _ = level
    board, width = _board(rows, columns), columns + 1
    for i in range(states.shape[0]):
        stamp = (i + 1) * board.shape[1]
        gaps = _lay(rows, columns, bits, sizes, parts, states, i, board, stamp)
        target = width
        while board[HEADS, target] != 1:
            target += 1
        if table.shape[0] == 0:
            down = abs(target // width - 1 - goal // columns)
            across = abs(target % width - goal % columns)
            out[i] = min(down + across, 1) if far else down + across
            continue
        place = ranks[0, target]
        for k in range(gaps):
            place += ranks[k + 1, board[HOLES, k]]
        out[i] = table[place] if table[place] >= 0 else NEVER


def branching(level):
    """Each successor fills one of the empty cells from one of four sides."""
    _, _, _, blocks, holes, *_ = level
    return 4 * min(blocks, holes)


def branching_slide(level):
    """Each block that moves comes from one of four sides of an empty cell, and gets not far.

    A place below or to the right of a block has its last cell in an empty one, any other place its
    first: two places at most for each empty cell.
    """
    rows, columns, _, blocks, holes, *_ = level
    return min(blocks, 4 * holes) * min(2 * holes, rows * columns)
