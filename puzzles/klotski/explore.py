"""The search for Klotski boards of an exact length: random boards, each solved by A*, all in one.

For boards of a 2x2 block T, of 2x1, 1x2 and 1x1 blocks (kinds 1 to 4), and two empty cells. Cells
are positions on a padded board of ``columns + 1`` by ``rows + 2``, whose last column and outer rows
are wall. A state has four bits a cell, which say what part of what block lies there: 0 none, 1-4
T's, 5-6 upper and lower, 7-8 left and right, 9 a single. A node of the search has its words in a
row of ``store``, and (parent, move, cost, T, empty cell, empty cell) in the same row of ``nodes``.
"""

import numpy as np
from numba import njit

KIND = np.array([0, 1, 1, 1, 1, 2, 2, 3, 3, 4])
PART = np.array([0, 1, 5, 7, 9])
SIZE = np.array([0, 4, 2, 2, 1])
DOWN = np.array([0, 0, 0, 1, 1, 0, 1, 0, 0, 0])
ACROSS = np.array([0, 0, 1, 0, 1, 0, 0, 0, 1, 0])
SPAN = np.array([[0, 0, 0, 0], [2, 2, 2, 2], [2, 1, 2, 1], [1, 2, 1, 2], [1, 1, 1, 1]])
"""Cells of a kind in a row along each direction: an empty cell jumps so far over a moved block."""
ALONE, BESIDE, NEVER = 0, 1, 2
# Which part, next to an empty cell, leads its block into it in each direction; BESIDE needs the
# other empty cell to lie below or to the right of this one, as the block is two cells broad.
LEAD = np.array(
    [
        [NEVER, NEVER, NEVER, NEVER],
        [BESIDE, NEVER, NEVER, BESIDE],
        [NEVER, BESIDE, NEVER, NEVER],
        [NEVER, NEVER, BESIDE, NEVER],
        [NEVER, NEVER, NEVER, NEVER],
        [ALONE, BESIDE, NEVER, BESIDE],
        [NEVER, NEVER, ALONE, NEVER],
        [BESIDE, NEVER, BESIDE, ALONE],
        [NEVER, ALONE, NEVER, NEVER],
        [ALONE, ALONE, ALONE, ALONE],
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
def _atlas(rows, columns):
    """Return for each position its word, shift, row and column; walls share a word that is 0."""
    atlas = np.empty(((rows + 2) * (columns + 1), 4), np.int64)
    for at in range(atlas.shape[0]):
        row, column = at // (columns + 1) - 1, at % (columns + 1)
        cell = row * columns + column
        inside = 0 <= row < rows and column < columns
        atlas[at, 0] = cell // 16 if inside else (rows * columns + 15) // 16
        atlas[at, 1] = cell % 16 * 4 if inside else 0
        atlas[at, 2], atlas[at, 3] = row, column
    return atlas


@njit(cache=True)
def _part_at(atlas, words, at):
    return np.int64(words[atlas[at, 0]] >> np.uint64(atlas[at, 1])) & 15


@njit(cache=True)
def _place(atlas, steps, target, inventory, random, fits, words, node):
    """Write a random board with T at ``target`` to ``words`` and ``node``; False if it jams.

    ``inventory[kind]`` blocks are laid one by one, each anywhere that it fits.
    """
    width, wall = steps[2], words.shape[0] - 1
    for word in range(wall):
        words[word] = 0
    for kind in range(1, 5):
        for _ in range(inventory[kind]):
            n = 0
            for at in range(width, atlas.shape[0] - width):
                fit = True
                for part in range(PART[kind], PART[kind] + SIZE[kind]):
                    cell = at + DOWN[part] * width + ACROSS[part]
                    fit = fit and atlas[cell, 0] < wall and _part_at(atlas, words, cell) == 0
                fits[n] = at
                n += fit
            if n == 0:
                return False
            at = target if kind == 1 else fits[_below(random, n)]
            for part in range(PART[kind], PART[kind] + SIZE[kind]):
                cell = at + DOWN[part] * width + ACROSS[part]
                words[atlas[cell, 0]] |= np.uint64(part) << np.uint64(atlas[cell, 1])
    node[3], n = target, 4
    for at in range(width, atlas.shape[0] - width):
        if atlas[at, 0] < wall and _part_at(atlas, words, at) == 0:
            node[n] = at
            n += 1
    return True


@njit(cache=True)
def _bound(atlas, goal, target, first, second):
    """Return a number of moves that the goal is at least away; neighbours differ by at most one.

    T at Manhattan distance k makes at least k moves. Before the first, the empty cells must come
    to the side that it moves to; a move of another block brings them nearer by two cells in all.
    After a move they lie behind T, six cells from its front or its flanks: three moves each time.
    """
    row, column = atlas[target, 2], atlas[target, 3]
    down, across = atlas[goal, 2] - row, atlas[goal, 3] - column
    if down == 0 and across == 0:
        return 0
    r, c, r2, c2 = atlas[first, 2], atlas[first, 3], atlas[second, 2], atlas[second, 3]
    far = 1 << 30
    if down:
        side = row + 2 if down > 0 else row - 1
        swap = abs(c - column) + abs(c2 - column - 1), abs(c - column - 1) + abs(c2 - column)
        far = abs(r - side) + abs(r2 - side) + min(swap)
    if across:
        side = column + 2 if across > 0 else column - 1
        swap = abs(r - row) + abs(r2 - row - 1), abs(r - row - 1) + abs(r2 - row)
        far = min(far, abs(c - side) + abs(c2 - side) + min(swap))
    return (far + 1) // 2 + 4 * (abs(down) + abs(across)) - 3


@njit(cache=True)
def _row_of(slots, base, store, count, words):
    """Return the row that holds ``words``, or ``count`` after appending them there.

    A slot holds base + row; what lies below ``base`` was left by an earlier search.
    """
    mask = np.uint64(slots.shape[0] - 1)
    slot = np.uint64(0)
    for word in range(store.shape[1]):
        slot = (slot ^ words[word]) * np.uint64(0x9E3779B97F4A7C15)
        slot ^= slot >> np.uint64(32)
    slot &= mask
    while slots[slot] >= base:
        row = slots[slot] - base
        equal = True
        for word in range(store.shape[1]):
            equal = equal and store[row, word] == words[word]
        if equal:
            return row
        slot = (slot + np.uint64(1)) & mask
    slots[slot] = base + count
    for word in range(store.shape[1]):
        store[count, word] = words[word]
    return np.int64(count)


@njit(cache=True)
def _slide(atlas, steps, words, hole, other, direction, succ, moved):
    """Move the block behind the empty cell ``hole`` into it, where that can be done.

    Writes the new words and spots to ``succ`` and ``moved`` (where T moves; else moved[0] stays).
    Returns 4 * (position of the block's first cell) + direction, or -1.
    """
    step, width = steps[direction], steps[2]
    part = _part_at(atlas, words, hole - step)
    lead = LEAD[part, direction]
    if lead == NEVER or (lead == BESIDE and other != hole + (width if direction & 1 else 1)):
        return -1
    for word in range(succ.shape[0]):
        succ[word] = words[word]
    kind = KIND[part]
    at = hole - step - DOWN[part] * width - ACROSS[part]
    for piece in range(PART[kind], PART[kind] + SIZE[kind]):
        cell = at + DOWN[piece] * width + ACROSS[piece]
        succ[atlas[cell, 0]] ^= np.uint64(piece) << np.uint64(atlas[cell, 1])
        succ[atlas[cell + step, 0]] ^= np.uint64(piece) << np.uint64(atlas[cell + step, 1])
    if kind == 1:
        moved[0] = at + step
    jump = SPAN[kind, direction] * step
    moved[1] = hole - jump
    moved[2] = other - jump if lead == BESIDE else other
    return 4 * at + direction


@njit(cache=True)
def _nearest(atlas, steps, goal, deepest, slots, base, store, nodes, first, queue, buffers):
    """Search from row 0; return (row of the nearest goal or -1, number of rows).

    Open nodes lie in one stack for each estimate of the whole length; entries of ``queue`` are
    (row, cost, next). Nodes whose estimate is beyond ``deepest`` are left out.
    """
    words, succ, moved = buffers
    for estimate in range(first.shape[0]):
        first[estimate] = -1
    count = _row_of(slots, base, store, 0, store[0]) + 1
    nodes[0, 0], nodes[0, 1], nodes[0, 2] = -1, 0, 0
    estimate = _bound(atlas, goal, nodes[0, 3], nodes[0, 4], nodes[0, 5])
    entries = 0
    if estimate <= deepest:
        queue[0, 0], queue[0, 1], queue[0, 2] = 0, 0, -1
        first[estimate], entries = 0, 1
    while estimate <= deepest and count + 8 <= store.shape[0] and entries + 8 <= queue.shape[0]:
        entry = first[estimate]
        if entry < 0:
            estimate += 1
            continue
        first[estimate] = queue[entry, 2]
        row = queue[entry, 0]
        if nodes[row, 2] != queue[entry, 1]:
            continue  # a shorter way there was found since
        if nodes[row, 3] == goal:
            return row, count
        for word in range(store.shape[1]):
            words[word] = store[row, word]
        undo = (nodes[row, 1] + 4 * steps[nodes[row, 1] & 3]) ^ 2
        cost = nodes[row, 2] + 1
        for k in range(8):
            hole, other = nodes[row, 4 + k // 4], nodes[row, 5 - k // 4]
            moved[0] = nodes[row, 3]
            code = _slide(atlas, steps, words, hole, other, k & 3, succ, moved)
            if code < 0 or code == undo:
                continue
            total = cost + _bound(atlas, goal, moved[0], moved[1], moved[2])
            if total > deepest:
                continue
            new = _row_of(slots, base, store, count, succ)
            if new == count:
                count += 1
            elif nodes[new, 2] <= cost:
                continue
            nodes[new, 0], nodes[new, 1], nodes[new, 2] = row, code, cost
            for spot in range(3):
                nodes[new, 3 + spot] = moved[spot]
            queue[entries, 0], queue[entries, 1], queue[entries, 2] = new, cost, first[total]
            first[total], entries = entries, entries + 1
    return -1, count


@njit(cache=True)
def find(size, goal, inventory, targets, length, deepest, room, effort, random, heads, moves):
    """Find a board whose nearest goal state is exactly ``length`` moves away.

    Random boards of ``inventory[kind]`` blocks, T at one of the cells ``targets``, are solved, up
    to ``deepest`` moves and ``room`` states each. Where the nearest goal of one is at least
    ``length`` away, the shortest path there passes a state at that very distance, as any nearer
    goal would have shortened the path. Its kinds are written to ``heads``, one a cell: that of the
    block that has its top-left cell there, else 0; the moves from there to ``moves``, as
    4 * cell + direction. Cells are indices in reading order; ``size`` is (rows, columns).

    Returns the number of states stored, or -1 where none is found within ``effort`` of them.
    """
    rows, columns = size
    width, words = columns + 1, (rows * columns + 15) // 16
    atlas, steps = _atlas(rows, columns), np.array([-width, 1, width, -1])
    fits = np.empty(atlas.shape[0], np.int64)
    slots, store = np.zeros(2 * room, np.int32), np.empty((room, words), np.uint64)
    nodes, queue = np.empty((room, 6), np.int32), np.empty((2 * room, 3), np.int32)
    first, moved = np.empty(deepest + 1, np.int32), np.empty(3, np.int64)
    buffers = np.zeros(words + 1, np.uint64), np.zeros(words + 1, np.uint64), moved
    base, spent = 1, 0
    while spent < effort:
        target = targets[_below(random, targets.shape[0])]
        target = (target // columns + 1) * width + target % columns
        spent += atlas.shape[0]
        if not _place(atlas, steps, target, inventory, random, fits, buffers[0], nodes[0]):
            continue
        for word in range(words):
            store[0, word] = buffers[0][word]
        row, count = _nearest(
            *(atlas, steps, (goal // columns + 1) * width + goal % columns, deepest),
            *(slots, base, store, nodes, first, queue, buffers),
        )
        base += count
        spent += count
        if row < 0 or nodes[row, 2] < length:
            continue
        for k in range(length):
            at, direction = nodes[row, 1] // 4, nodes[row, 1] % 4
            moves[length - 1 - k] = 4 * (atlas[at, 2] * columns + atlas[at, 3]) + direction
            row = nodes[row, 0]
        for cell in range(rows * columns):
            part = np.int64(store[row, cell // 16] >> np.uint64(cell % 16 * 4)) & 15
            heads[cell] = KIND[part] if part == PART[KIND[part]] else 0
        return spent
    return -1
