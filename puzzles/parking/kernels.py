"""Parking as a transition system, for boards of any size.

A state holds the offset of every vehicle along its axis, ``bits`` bits each, as many a word as
fit, the red car first. The level is (walls bool (rows, columns), lanes int64, lengths int64,
across bool, bits, names int64), a vehicle's lane being its row or, where it isn't across, its
column.

The code of a move is 2 * vehicle, plus 1 to the right or down, plus 2 * vehicles for each cell
that the vehicle goes beyond the first.
"""

import numpy as np
from numba import njit

NEVER = 1 << 24  # as in solvers


@njit(cache=True)
def _successors(level, states, succ, origin, moves, farthest):
    """Write the successors by moves of up to ``farthest`` cells."""
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
            unit = np.uint64(1) << np.uint64(v % fit * bits)
            for sign in range(2):
                for steps in range(1, farthest + 1):
                    ahead = offsets[v] + lengths[v] - 1 + steps if sign else offsets[v] - steps
                    if ahead < 0 or ahead >= side:
                        break
                    there = filled[lanes[v], ahead] if across[v] else filled[ahead, lanes[v]]
                    if there >= i:
                        break
                    for w in range(words):
                        succ[n, w] = states[i, w]
                    if sign:
                        succ[n, v // fit] += unit * np.uint64(steps)
                    else:
                        succ[n, v // fit] -= unit * np.uint64(steps)
                    origin[n] = i
                    moves[n] = 2 * vehicles * (steps - 1) + 2 * v + sign
                    n += 1
    return n


@njit(cache=True)
def expand(level, states, succ, origin, moves):
    """Write all successors of all states by moves of one cell; see solvers.System."""
    return _successors(level, states, succ, origin, moves, 1)


@njit(cache=True)
def expand_slide(level, states, succ, origin, moves):
    """Write all successors of all states by moves of any distance; see solvers.System."""
    return _successors(level, states, succ, origin, moves, max(level[0].shape))


@njit(cache=True)
def is_goal(level, states, out):
    """Write one flag a state; see solvers.System."""
    walls, _, lengths, _, bits, _ = level
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    exit_at = np.uint64(walls.shape[1] - lengths[0])
    for i in range(states.shape[0]):
        out[i] = (states[i, 0] & mask) == exit_at


def branching(level):
    """Return the most successors that a state can have by moves of one cell."""
    return 2 * len(level[1])


def branching_slide(level):
    """Return the most successors that a state can have by moves of any distance."""
    rows, columns = level[0].shape
    return int(np.where(level[3], columns, rows).sum() - level[2].sum())


@njit(cache=True)
def _clearing(level, offsets, holder, vehicle, below, slides):
    """Return how many moves it takes ``vehicle`` at least to leave R's row on one side.

    The vehicles beyond it in its column, up to a wall, have to make room: each must come to lie
    so far from R's row that all between fit. NEVER where the column is too short for that.
    ``holder`` int64 (rows, columns): which vehicle is on a cell; -1 none, -2 a wall.
    """
    _, lanes, lengths, across, _, _ = level
    red, column, step = lanes[0], lanes[vehicle], 1 if below else -1
    moves = needed = 0
    while True:
        needed += lengths[vehicle]
        end = offsets[vehicle] + lengths[vehicle] - 1 if below else offsets[vehicle]
        short = needed - step * (end - red)
        if short > 0:
            moves += 1 if slides else short
        cell = end + step
        while 0 <= cell < holder.shape[0]:
            there = holder[cell, column]
            if there == -2 or (there >= 0 and not across[there]):
                break
            cell += step
        if cell < 0 or cell == holder.shape[0] or holder[cell, column] == -2:
            return moves if needed < step * (cell - red) else NEVER
        vehicle = holder[cell, column]


@njit(cache=True)
def _estimate(level, states, out, slides):
    walls, lanes, lengths, across, bits, _ = level
    rows, columns = walls.shape
    fit, red = 64 // bits, lanes[0]
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    offsets = np.empty(lanes.shape[0], np.int64)
    holder = np.empty((rows, columns), np.int64)
    for i in range(states.shape[0]):
        for r in range(rows):
            for c in range(columns):
                holder[r, c] = -2 if walls[r, c] else -1
        for v in range(lanes.shape[0]):
            offsets[v] = np.int64((states[i, v // fit] >> np.uint64(v % fit * bits)) & mask)
            for k in range(offsets[v], offsets[v] + lengths[v]):
                if across[v]:
                    holder[lanes[v], k] = v
                else:
                    holder[k, lanes[v]] = v
        front = offsets[0] + lengths[0]
        moves = min(1, columns - front) if slides else columns - front
        for c in range(front, columns):
            there = holder[red, c]
            if there == -2 or (there >= 0 and across[there]):
                moves = NEVER
            elif there >= 0:
                above = _clearing(level, offsets, holder, there, False, slides)
                moves += min(above, _clearing(level, offsets, holder, there, True, slides))
        out[i] = min(moves, NEVER)


@njit(cache=True)
def heuristic(level, states, out):
    """Write a lower bound on the moves of one cell that bring R to the exit; see solvers.System.

    It is R's distance to the exit, and for each vehicle in R's way what it takes to clear its
    column of it: the smaller of above and below R's row, the vehicles beyond it pushed along.
    NEVER: a wall or a horizontal vehicle is in the way, or one with no room above or below.

    Admissible: when R passes the column its vehicles lie above or below, in their order, each as
    far from R's row as counted, or farther; a move brings one vehicle one cell farther, and no
    vehicle is counted twice, since columns share none. Consistent: for each choice of sides a move
    changes one vehicle's part by one cell at most. R's own moves leave the way's vehicles the same,
    and a vehicle that has just come into the way is one cell from where it was clear, with room for
    those beyond it. NEVER is a matter of lengths, order and walls, which moves do not change.
    """
    _estimate(level, states, out, False)


@njit(cache=True)
def heuristic_slide(level, states, out):
    """Write a lower bound on the moves of any distance that bring R to the exit.

    As ``heuristic``, and for the same reasons: one move for each vehicle that has to go farther,
    and one for R where it is not at the exit.
    """
    _estimate(level, states, out, True)
