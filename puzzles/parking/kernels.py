"""Parking as a transition system, for boards of any size.

A state holds the offset of every vehicle along its axis, ``bits`` bits each, as many a word as
fit, the red car first. The level is (walls bool (rows, columns), lanes int64, lengths int64,
across bool, bits, names int64), a vehicle's lane being its row or, where it isn't across, its
column. A move code is 2 * vehicle, plus 1 to the right or down.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def expand(level, states, succ, origin, moves):
    """Write all successors of all states; see solvers.System."""
    walls, lanes, lengths, across, bits, _ = level
    rows, columns = walls.shape
    vehicles, words = lanes.shape[0], states.shape[1]
    fit = 64 // bits
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    offsets = np.empty(vehicles, np.int64)
    # The last state to have a vehicle on the cell; walls count as of a state still to come.
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
    """Write one flag a state; see solvers.System."""
    walls, _, lengths, _, bits, _ = level
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    exit_at = np.uint64(walls.shape[1] - lengths[0])
    for i in range(states.shape[0]):
        out[i] = (states[i, 0] & mask) == exit_at


def branching(level):
    """Return the most successors that a state can have."""
    return 2 * len(level[1])
