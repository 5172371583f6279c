"""Breadth-first search from one board, fused into kernels: a state is one word.

As in ``explore`` a word holds the configuration of each line, that is of each row or column with
vehicles, the red car's row first; but the configurations are those that the vehicles of one board
can reach between its walls, and a move may go several cells.
"""

import numpy as np
from numba import njit

MOST = 64  # configurations of a line: their sets are masks of one word
FULL, FOUND, DONE = 0, 1, 2


@njit(cache=True)
def _arrange(level, offsets):
    """Return the line of each vehicle, the vehicles line by line in order, and where lines begin.

    R's row is line 0.
    """
    _, lanes, _, across, _, _ = level
    n = lanes.shape[0]
    line, order, starts = np.full(n, -1), np.empty(n, np.int64), np.zeros(n + 1, np.int64)
    lines = placed = 0
    for v in range(n):
        if line[v] >= 0:
            continue
        for u in range(v, n):
            if across[u] == across[v] and lanes[u] == lanes[v]:
                line[u] = lines
                at = placed
                while at > starts[lines] and offsets[order[at - 1]] > offsets[u]:
                    order[at] = order[at - 1]
                    at -= 1
                order[at] = u
                placed += 1
        lines += 1
        starts[lines] = placed
    return line, order, starts[: lines + 1]


@njit(cache=True)
def _spans(level, offsets, line, order, starts):
    """Return the least and the greatest offset that each vehicle can come to, (vehicles, 2)."""
    walls, lanes, lengths, across, _, _ = level
    spans = np.empty((order.shape[0], 2), np.int64)
    for k in range(order.shape[0]):
        v = order[k]
        low = offsets[v]
        while low > 0 and not (walls[lanes[v], low - 1] if across[v] else walls[low - 1, lanes[v]]):
            low -= 1
        if k > starts[line[v]]:
            low = max(low, spans[order[k - 1], 0] + lengths[order[k - 1]])
        spans[v, 0] = low
    for k in range(order.shape[0] - 1, -1, -1):
        v = order[k]
        side = walls.shape[1] if across[v] else walls.shape[0]
        end = offsets[v] + lengths[v]
        while end < side and not (walls[lanes[v], end] if across[v] else walls[end, lanes[v]]):
            end += 1
        if k + 1 < starts[line[v] + 1]:
            end = min(end, spans[order[k + 1], 1])
        spans[v, 1] = end - lengths[v]
    return spans


@njit(cache=True)
def _configure(lengths, spans, order, starts, a, places):
    """Write to ``places`` (lines, ways, vehicles) all ways in which the vehicles of line ``a`` can
    stand; return how many, MOST + 1 for more.
    """
    begin, m = starts[a], starts[a + 1] - starts[a]
    for j in range(m):
        places[a, 0, j] = spans[order[begin + j], 0]
    n = 1
    while n <= MOST:
        # The next way: the last vehicle that can goes on by a cell, those after it begin anew.
        on = m - 1
        while on >= 0 and places[a, n - 1, on] == spans[order[begin + on], 1]:
            on -= 1
        if on < 0:
            break
        for j in range(m):
            places[a, n, j] = places[a, n - 1, j] + (j == on)
            if j > on:
                behind = places[a, n, j - 1] + lengths[order[begin + j - 1]]
                places[a, n, j] = max(spans[order[begin + j], 0], behind)
        n += 1
    return n


@njit(cache=True)
def _find(places, a, n, m, way, vehicle, offset):
    """Return which of ``n`` ways is ``way`` but for one vehicle's ``offset``; -1 where none is."""
    for c in range(n):
        equal = places[a, c, vehicle] == offset
        for j in range(m):
            equal = equal and (j == vehicle or places[a, c, j] == places[a, way, j])
        if equal:
            return c
    return -1


@njit(cache=True)
def _cover(level, offsets, order, starts, places, counts, a, over):
    """Set a bit of ``over`` (lines, cells) for each way of line ``a`` that covers the cell.

    Returns the way that has the vehicles at ``offsets``, and a bit for each with R at the exit.
    """
    walls, _, lengths, _, _, _ = level
    now, solved = 0, np.uint64(0)
    for c in range(counts[a]):
        bit, here = np.uint64(1) << np.uint64(c), True
        for k in range(starts[a], starts[a + 1]):
            v = order[k]
            place = places[a, c, k - starts[a]]
            here = here and place == offsets[v]
            for cell in range(place, place + lengths[v]):
                over[a, cell] |= bit
            if v == 0 and place + lengths[v] == walls.shape[1]:
                solved |= bit
        if here:
            now = c
    return now, solved


@njit(cache=True)
def chart(level, offsets, farthest):
    """Return what each move of each line needs and does; moves go up to ``farthest`` cells.

    word, solved uint64
        The state in which the vehicles have ``offsets``; a bit for each configuration of line 0
        that has R at the exit.
    chart
        shifts, widths uint64 (lines,), where the configuration of a line stands in a word, and
        its mask; first (lines, configurations + 1), the first move of each configuration; then,
        for each move: crossing, the line that may be in the way; free, a bit for each of its
        configurations that is not; turn, what to add to the word; fresh, 1 unless the move goes a
        cell farther than the one before it, all uint64; codes int32 (see kernels).

    There are no moves, and shifts is empty, where the lines do not fit one word.
    """
    walls, lanes, lengths, across, _, _ = level
    line, order, starts = _arrange(level, offsets)
    spans = _spans(level, offsets, line, order, starts)
    lines, vehicles, side = starts.shape[0] - 1, order.shape[0], max(walls.shape)
    most = room = shift = longest = 0
    for a in range(lines):
        most = max(most, starts[a + 1] - starts[a])
    places = np.zeros((lines, MOST + 1, most), np.int64)
    counts, over = np.zeros(lines, np.int64), np.zeros((lines, side), np.uint64)
    crossed = np.full((2, side), -1)
    shifts, widths = np.zeros(lines, np.uint64), np.zeros(lines, np.uint64)
    word, solved = np.uint64(0), np.uint64(0)
    for a in range(lines):
        counts[a] = _configure(lengths, spans, order, starts, a, places)
        bits = 0
        while counts[a] > 1 << bits:
            bits += 1
        if counts[a] > MOST or shift + bits > 63:
            lines = 0
            break
        shifts[a], widths[a] = shift, (1 << bits) - 1
        now, at_exit = _cover(level, offsets, order, starts, places, counts, a, over)
        word |= np.uint64(now) << np.uint64(shift)
        solved |= at_exit
        for k in range(starts[a], starts[a + 1]):
            v = order[k]
            crossed[np.int64(across[v]), lanes[v]] = a
            room += counts[a] * min(spans[v, 1] - spans[v, 0], 2 * farthest)
        shift += bits
        longest = max(longest, counts[a])
    first = np.zeros((lines, longest + 1), np.uint64)
    crossing, free = np.empty(room, np.uint64), np.empty(room, np.uint64)
    turn, fresh = np.empty(room, np.uint64), np.empty(room, np.uint64)
    codes = np.empty(room, np.int32)
    n = 0
    for a in range(lines):
        for c in range(longest):
            first[a, c] = n
            for j in range(starts[a + 1] - starts[a] if c < counts[a] else 0):
                v = order[starts[a] + j]
                for sign in range(2):
                    for steps in range(1, farthest + 1):
                        place = places[a, c, j] + (steps if sign else -steps)
                        to = _find(places, a, counts[a], starts[a + 1] - starts[a], c, j, place)
                        if to < 0:
                            break
                        b = crossed[1 - np.int64(across[v]), place + (lengths[v] - 1) * sign]
                        crossing[n] = max(b, 0)
                        free[n] = ~over[b, lanes[v]] if b >= 0 else ~np.uint64(0)
                        turn[n] = np.uint64(to - c) << shifts[a]
                        fresh[n] = steps == 1
                        codes[n] = 2 * vehicles * (steps - 1) + 2 * v + sign
                        n += 1
        first[a, longest] = n
    return word, solved, (shifts[:lines], widths, first, crossing, free, turn, fresh, codes)


@njit(cache=True)
def _slot(word, drop):
    word = (word ^ (word >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return (word ^ (word >> np.uint64(29))) >> drop


@njit(cache=True)
def _drop(slots):
    mask, drop = np.uint64(slots.shape[0] - 1), np.uint64(64)
    while mask >> np.uint64(64) - drop:
        drop -= np.uint64(1)
    return mask, drop


@njit(cache=True)
def enter(queue, n, slots):
    """Enter the first ``n`` states of ``queue``, all different, into ``slots``, all 0."""
    mask, drop = _drop(slots)
    for i in range(n):
        at = _slot(queue[i], drop)
        while slots[at] != 0:
            at = (at + np.uint64(1)) & mask
        slots[at] = queue[i] + np.uint64(1)


@njit(cache=True)
def advance(chart, solved, queue, parents, slots, progress):
    """Search on; return FOUND at the first solved state, DONE after the last, FULL before.

    queue uint64, parents int32 (room,)
        The states in the order of their distance, and the place of the one that each was reached
        from. The search stops as FULL where they have no room for another.
    slots uint64
        The states once more, as a hash table: a power of two, more than ``queue`` has room for.
    progress int64 (4,)
        How many states have been expanded and how many are in ``queue``, the distance of those
        that are being expanded, and where they end. It is carried on; a state found is the last.
    """
    # All unsigned: numba would test signed indices for being negative.
    shifts, widths, first, crossing, free, turn, fresh, _ = chart
    lines, one = np.uint64(shifts.shape[0]), np.uint64(1)
    now, succ = np.empty(lines, np.uint64), np.empty(turn.shape[0] + 1, np.uint64)
    mask, drop = _drop(slots)
    head, tail = np.uint64(progress[0]), np.uint64(progress[1])
    depth, end = progress[2], progress[3]
    room, outcome = np.uint64(queue.shape[0]), DONE
    while outcome == DONE and head < tail:
        if head == np.uint64(end):
            depth, end = depth + 1, np.int64(tail)
        word = queue[head]
        for a in range(lines):
            now[a] = word >> shifts[a] & widths[a]
        # Without a branch, which the processor would often guess wrong: each move is written, and
        # stays where it is open.
        n, open_ = np.uint64(0), one
        for a in range(lines):
            for k in range(first[a, now[a]], first[a, now[a] + one]):
                open_ = (open_ | fresh[k]) & free[k] >> now[crossing[k]]
                succ[n] = word + turn[k]
                n += open_ & one
        for k in range(n):
            at = _slot(succ[k], drop)
            while slots[at] != 0 and slots[at] != succ[k] + one:
                at = (at + one) & mask
            if slots[at] == 0:
                if tail == room:
                    outcome = FULL
                    break
                slots[at] = succ[k] + one
                queue[tail] = succ[k]
                parents[tail] = np.int32(head)
                tail += one
                if solved >> (succ[k] & widths[0]) & one:
                    outcome = FOUND
                    break
        if outcome != FULL:
            head += one
    progress[0], progress[1], progress[2], progress[3] = head, tail, depth, end
    return outcome
