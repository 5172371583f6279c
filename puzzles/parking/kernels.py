"""Parking as a transition system, for any board; and, for the sampler, by its lines.

For the solver a state holds the offset of every vehicle along its axis, ``bits`` bits each, as many
a word as fit, the red car first; a move code is 2 * vehicle, plus 1 to the right or down. The level
is (walls bool (rows, columns), lanes int64, lengths int64, across bool, bits, names int64).

For the sampler a state is one word: a number for the configuration of each line (the row or column
on which some vehicles stand), the red car's row first. A slide changes the configuration of one
line and needs one cell, which only the line that crosses there can cover. ``lots`` describes them:
shifts int64 (lines,), widths (as many ones as bits) uint64 (lines,), strides int64 (lines,), and
by line, configuration and slide: counts int64 (lines, configurations) how many slides there are,
crossing int64 the line that could be in the way, free uint64 a bit for each of its configurations
that is not, turn uint64 what to add to the word, hop int64 what to add to the state's index.
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
def expand(level, states, succ, origin, moves):
    walls, lanes, lengths, across, bits, _ = level
    rows, columns = walls.shape
    vehicles, words = lanes.shape[0], states.shape[1]
    fit = 64 // bits
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    offsets = np.empty(vehicles, np.int64)
    filled = np.full((rows, columns), -1, np.int64)
    for r in range(rows):
        for c in range(columns):
            if walls[r, c]:
                filled[r, c] = states.shape[0]
    n = 0
    for i in range(states.shape[0]):
        for v in range(vehicles):
            at = np.int64((states[i, v // fit] >> np.uint64(v % fit * bits)) & mask)
            offsets[v] = at
            for k in range(at, at + lengths[v]):
                if across[v]:
                    filled[lanes[v], k] = i
                else:
                    filled[k, lanes[v]] = i
        for v in range(vehicles):
            side = columns if across[v] else rows
            for sign in range(2):
                ahead = offsets[v] + lengths[v] if sign else offsets[v] - 1
                if ahead < 0 or ahead >= side:
                    continue
                there = filled[lanes[v], ahead] if across[v] else filled[ahead, lanes[v]]
                if there >= i:
                    continue
                for w in range(words):
                    succ[n, w] = states[i, w]
                one = np.uint64(1) << np.uint64(v % fit * bits)
                if sign:
                    succ[n, v // fit] += one
                else:
                    succ[n, v // fit] -= one
                origin[n] = i
                moves[n] = 2 * v + sign
                n += 1
    return n


@njit(cache=True)
def is_goal(level, states, out):
    walls, _, lengths, _, bits, _ = level
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    exit_at = np.uint64(walls.shape[1] - lengths[0])
    for i in range(states.shape[0]):
        out[i] = (states[i, 0] & mask) == exit_at


def branching(level):
    return 2 * len(level[1])


@njit(cache=True)
def consistent(hits, domains, shifts, words):
    """Write every state in which no two vehicles stand on one cell; return how many.

    hits uint64 (lines, lines)
        A bit for each configuration of the first line that covers where the second crosses it.
    domains uint64 (lines,)
        A bit for each configuration that a line may have.

    Returns -1 where there are more than ``words`` holds.
    """
    lines = domains.shape[0]
    left = np.empty((lines + 1, lines), np.uint64)
    choice = np.zeros(lines + 1, np.uint64)
    word = np.zeros(lines + 1, np.uint64)
    for m in range(lines):
        left[0, m] = domains[m]
    n = depth = 0
    while depth >= 0:
        if depth == lines:
            if n == words.shape[0]:
                return -1
            words[n] = word[depth]
            n += 1
            depth -= 1
            continue
        c = choice[depth]
        if left[depth, depth] >> c == 0 or c == 64:
            depth -= 1
            continue
        choice[depth] = c + np.uint64(1)
        if not (left[depth, depth] >> c) & np.uint64(1):
            continue
        possible = True
        for m in range(depth + 1, lines):
            x = left[depth, m]
            if (hits[depth, m] >> c) & np.uint64(1):
                x &= ~hits[m, depth]
            left[depth + 1, m] = x
            possible = possible and x != 0
        if possible:
            word[depth + 1] = word[depth] | (c << np.uint64(shifts[depth]))
            depth += 1
            if depth < lines:
                choice[depth] = np.uint64(0)
    return n


@njit(cache=True)
def explore(lots, queue, parents, n, seen, layers):
    """Search breadth first from the first ``n`` states of ``queue``; return how many layers.

    queue uint64, parents int32 (limit,)
        The states in the order of their distance, and the place of the state that each was
        reached from (-1 for the first ``n``).
    seen uint64
        One bit a state by its index; all clear, and left so.
    layers int64
        The place of the first state of each layer, and of the last layer's end.

    The search ends with the last state, with the last layer that ``layers`` has room for, or
    before the first layer that ``queue`` can't hold, so every layer it returns is complete.
    """
    shifts, widths, strides, counts, crossing, free, turn, hop = lots
    lines = shifts.shape[0]
    now = np.empty(lines, np.int64)
    for i in range(n):
        index = np.int64(0)
        for l in range(lines):
            index += np.int64((queue[i] >> np.uint64(shifts[l])) & widths[l]) * strides[l]
        seen[index >> 6] |= np.uint64(1) << np.uint64(index & 63)
        parents[i] = -1
    layers[0] = 0
    layers[1] = tail = n
    depth = 1
    head = 0
    full = False
    while head < tail and depth < layers.shape[0] - 1 and not full:
        end = tail
        while head < end:
            word = queue[head]
            index = np.int64(0)
            for l in range(lines):
                now[l] = np.int64((word >> np.uint64(shifts[l])) & widths[l])
                index += now[l] * strides[l]
            if tail + lines * free.shape[2] > queue.shape[0]:
                full = True
                break
            for l in range(lines):
                c = now[l]
                for j in range(counts[l, c]):
                    if (free[l, c, j] >> np.uint64(now[crossing[l, c, j]])) & np.uint64(1):
                        to = index + hop[l, c, j]
                        bit = np.uint64(1) << np.uint64(to & 63)
                        if seen[to >> 6] & bit == 0:
                            seen[to >> 6] |= bit
                            queue[tail] = word + turn[l, c, j]
                            parents[tail] = head
                            tail += 1
            head += 1
        if not full and tail > end:
            depth += 1
            layers[depth] = tail
    for i in range(tail):
        index = np.int64(0)
        for l in range(lines):
            index += np.int64((queue[i] >> np.uint64(shifts[l])) & widths[l]) * strides[l]
        seen[index >> 6] = np.uint64(0)
    return depth
