"""Searches over all boards of a layout at once, as kernels.

A state is one word: the configuration of each line (see layouts), side by side, the red car's row
first. A slide changes one configuration and enters one cell, which only the vehicles of the line
that crosses there can cover: one bit to look up.

Moves lead back as they lead forth. So a search that begins at ALL the solved boards of a layout
meets each board at its exact distance to the nearest solved one, its optimal length, whatever
component it lies in, and every complete layer holds all boards of that length. The parent of a
state is the next state of a shortest solution.
"""

# mypy: disable-error-code=assignment

import numpy as np
from numba import njit


@njit(cache=True)
def tabulate(catalog, across, lanes, groups, domains):
    """Return the ``lots`` of a layout: what each slide of each line needs and does, all uint64.

    across bool, lanes int64, groups int64, domains uint64 (lines,): the lines, and a bit for each
    configuration that a line may have.

    shifts, widths (lines,)
        Where the configuration of a line stands in a word, and its mask.
    first (lines, configurations + 1)
        The first slide of each configuration; then, for each slide (slides,):
        crossing, the line that may be in the way; free, a bit for each of its configurations that
        is not; turn, what to add to the word.
    """
    configurations, over, _, slides, target, enters, _ = catalog
    lines, most = lanes.shape[0], slides.shape[1]
    shifts, widths = np.empty(lines, np.uint64), np.empty(lines, np.uint64)
    first = np.empty((lines, most + 1), np.uint64)
    crossing, free, turn = np.empty((3, lines * most * target.shape[2]), np.uint64)
    n = shift = 0
    for a in range(lines):
        bits = 0
        while configurations[groups[a]] > 1 << bits:
            bits += 1
        shifts[a] = shift
        widths[a] = (1 << bits) - 1
        first[a, 0] = n
        for c in range(most):
            for j in range(slides[groups[a], c]):
                to = target[groups[a], c, j]
                if domains[a] >> np.uint64(to) & np.uint64(1) == 0:
                    continue
                crossing[n] = a
                free[n] = ~np.uint64(0)
                for b in range(lines):
                    if across[b] != across[a] and lanes[b] == enters[groups[a], c, j]:
                        crossing[n] = b
                        free[n] = ~over[groups[b], lanes[a]]
                turn[n] = np.uint64(to - c) << np.uint64(shift)
                n += 1
            first[a, c + 1] = n
        shift += bits
    return shifts, widths, first, crossing, free, turn


@njit(cache=True)
def _slot(word, drop):
    word = (word ^ (word >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return (word ^ (word >> np.uint64(29))) >> drop


@njit(cache=True)
def _shape(slots):
    """Return the mask and the shift that ``_slot`` takes for this table."""
    mask, drop = np.uint64(slots.shape[0] - 1), np.uint64(64)
    while mask >> np.uint64(64) - drop:
        drop -= np.uint64(1)
    return mask, drop


@njit(cache=True)
def explore(lots, queue, parents, n, slots, where, layers):
    """Search breadth first from the first ``n`` states of ``queue``.

    Returns how many layers, and how many states were entered into ``slots``.

    queue uint64, parents int32 (limit,)
        The states in the order of their distance, and the place of the state that each was
        reached from (-1 for the first ``n``).
    slots uint64, where int32
        A hash table of the states, a power of two and at least twice the limit, and their places
        in ``queue``; the table must be all 0 (see ``clear``).
    layers int64
        The place of the first state of each layer, and of the last one's end.

    The search ends with the last state, with the last layer that ``layers`` has room for, or
    before a layer that ``queue`` may not hold: every layer it returns is complete.
    """
    # All unsigned: numba would test signed indices for being negative.
    shifts, widths, first, crossing, free, turn = lots
    lines, one = np.uint64(shifts.shape[0]), np.uint64(1)
    now, succ = np.empty(lines, np.uint64), np.empty(turn.shape[0] + 1, np.uint64)
    mask, drop = _shape(slots)
    for i in range(n):
        at = _slot(queue[i], drop)
        while slots[at] != 0:
            at = (at + one) & mask
        slots[at] = queue[i] + one
        where[at] = i
        parents[i] = -1
    layers[0] = 0
    layers[1] = n
    head, tail, depth = np.uint64(0), np.uint64(n), 1
    ahead = np.uint64(0)
    for a in range(lines):
        ahead += (first[a, 1:] - first[a, :-1]).max()
    limit = np.uint64(queue.shape[0])
    while head < tail and tail + ahead <= limit and depth < layers.shape[0] - 1:
        end = tail
        while head < end and tail + ahead <= limit:
            word = queue[head]
            for a in range(lines):
                now[a] = word >> shifts[a] & widths[a]
            # Every slide is written and those that are possible stay: no branch to guess wrong.
            m = np.uint64(0)
            for a in range(lines):
                for k in range(first[a, now[a]], first[a, now[a] + one]):
                    succ[m] = word + turn[k]
                    m += free[k] >> now[crossing[k]] & one
            for k in range(m):
                at = _slot(succ[k], drop)
                while slots[at] != 0 and slots[at] != succ[k] + one:
                    at = (at + one) & mask
                if slots[at] == 0:
                    slots[at] = succ[k] + one
                    where[at] = np.int32(tail)
                    queue[tail] = succ[k]
                    parents[tail] = np.int32(head)
                    tail += one
            head += one
        if head == end and end < tail:
            depth += 1
            layers[depth] = tail
    return depth, np.int64(tail)


@njit(cache=True)
def clear(queue, n, slots):
    """Set the slots of the first ``n`` states of ``queue``, which are all in them, to 0."""
    mask, drop = _shape(slots)
    for i in range(n):
        at = _slot(queue[i], drop)
        while slots[at] != 0:
            slots[at] = 0
            at = (at + np.uint64(1)) & mask


@njit(cache=True)
def tally(lots, queue, slots, where, layers, places, deep, counts, nodes):
    """Count the shortest ways from states to layer 0, by a walk over what lies on them.

    places int64
        The states, all in layer ``deep``.
    counts int64 (limit, 2), nodes int32 (limit,)
        Room to count in: the first all 0, and left so.

    Returns the number of ways, as two digits of base 2**62 (the second is -1 where they are not
    enough), and how many states of the layer below ``deep`` and of layer 1 lie on them.
    """
    shifts, widths, first, crossing, free, turn = lots
    lines, one, base = np.uint64(shifts.shape[0]), np.uint64(1), np.int64(1) << 62
    mask, drop = _shape(slots)
    n = places.shape[0]
    for k in range(n):
        nodes[k] = places[k]
        counts[places[k], 0] = 1
    head, below, lowest, enough = 0, 0, n, True
    for layer in range(deep, 0, -1):
        end = n
        while head < end:
            i = nodes[head]
            head += 1
            word = queue[i]
            for a in range(lines):
                c = word >> shifts[a] & widths[a]
                for k in range(first[a, c], first[a, c + one]):
                    b = crossing[k]
                    if free[k] >> (word >> shifts[b] & widths[b]) & one == 0:
                        continue
                    succ = word + turn[k]
                    at = _slot(succ, drop)
                    while slots[at] != 0 and slots[at] != succ + one:
                        at = (at + one) & mask
                    j = where[at]
                    if slots[at] == 0 or j < layers[layer - 1] or j >= layers[layer]:
                        continue
                    if counts[j, 0] == 0 and counts[j, 1] == 0:
                        nodes[n] = j
                        n += 1
                    counts[j, 0] += counts[i, 0]
                    counts[j, 1] += counts[i, 1] + (counts[j, 0] >> 62)
                    counts[j, 0] &= base - 1
                    if counts[j, 1] >= base >> 1:
                        counts[j, 1], enough = base >> 2, False
        below = n - end if layer == deep else below
        lowest = n - end if layer == 2 else lowest
    low = high = 0
    for k in range(n):
        if k >= head:
            low += counts[nodes[k], 0]
            high += counts[nodes[k], 1] + (low >> 62)
            low &= base - 1
            enough = enough and high < base >> 1
        counts[nodes[k], 0] = counts[nodes[k], 1] = 0
    return low, high if enough else -1, below, lowest


@njit(cache=True)
def _compare(lots, catalog, groups, word, other, moved):
    """Mark in ``moved`` (lines, vehicles) those that stand elsewhere in the two states."""
    shifts, widths, offsets = lots[0], lots[1], catalog[2]
    for a in range(shifts.shape[0]):
        c, d = word >> shifts[a] & widths[a], other >> shifts[a] & widths[a]
        if c != d:
            for v in range(offsets.shape[2]):
                if offsets[groups[a], c, v] != offsets[groups[a], d, v]:
                    moved[a, v] = True


@njit(cache=True)
def pick(catalog, lots, board, queue, parents, layer, start, wanted, taken):
    """Return the place in ``queue`` of the first state of a layer that is as wanted, or -1.

    board
        (across, lanes, groups) of the lines.
    layer
        The places of its first state and of the next layer's; the search starts at the
        ``start``-th state of it, and goes round.
    wanted
        R's place among the vehicles of its row, and its column; the exit row; fewest and most
        blockers, fewest and most movers (see ``stats``); how many vehicles must stand elsewhere
        than in each of ``taken``, uint64 (n,).
    """
    shifts, widths = lots[0], lots[1]
    over, offsets = catalog[1], catalog[2]
    across, lanes, groups = board
    red, column, exit_row, low, high, least, most, apart = wanted
    lines, size = lanes.shape[0], layer[1] - layer[0]
    moved = np.zeros((lines, offsets.shape[2]), np.bool_)
    for k in range(size):
        place = layer[0] + (start + k) % size
        word = queue[place]
        if offsets[groups[0], word & widths[0], red] != column:
            continue
        blockers = 0
        for a in range(lines):
            c = word >> shifts[a] & widths[a]
            if not across[a] and lanes[a] > column + 1:
                blockers += over[groups[a], exit_row] >> c & np.uint64(1) != 0
        if blockers < low or blockers > high:
            continue
        moved[:] = False
        at = place
        while parents[at] >= 0:
            _compare(lots, catalog, groups, queue[at], queue[parents[at]], moved)
            at = parents[at]
        if not least < moved.sum() <= most + 1:
            continue
        near = False
        for other in taken:
            moved[:] = False
            _compare(lots, catalog, groups, word, other, moved)
            near = near or moved.sum() < apart
        if not near:
            return place
    return -1
