"""The open states of a best-first search: a stack for each estimate of the whole length.

``heads[f]`` is the entry that was pushed last with estimate f, -1 where there is none; an entry of
``pool`` int32 (_, 3) is (state, cost, the entry below it).
"""

from numba import njit


@njit(cache=True)
def relax(place, n, parents, moves, columns, never, lowest, heads, pool, size):
    """Note a cheaper way to each of ``n`` successors, where it is one, and push them.

    place, parents, moves (n,)
        Where the successors stand, the states that they come from, and by which move.
    columns
        (parent, move, cost, heuristic), int32, one entry a state.

    Returns the new size of ``pool``. What is ``never`` from a goal is not pushed; no estimate is
    less than ``lowest``.
    """
    parent, move, cost, heuristic = columns
    for i in range(n):
        state = place[i]
        new = cost[parents[i]] + 1
        if heuristic[state] < never and new < cost[state]:
            cost[state] = new
            parent[state] = parents[i]
            move[state] = moves[i]
            estimate = max(new + heuristic[state], lowest)
            pool[size, 0] = state
            pool[size, 1] = new
            pool[size, 2] = heads[estimate]
            heads[estimate] = size
            size += 1
    return size


@njit(cache=True)
def pop(heads, pool, estimate, cost, states):
    """Take states off a stack, the last first, as many as ``states`` has room for; count them.

    Entries to which a cheaper way has been found since are passed over.
    """
    n, entry = 0, heads[estimate]
    while entry >= 0 and n < states.shape[0]:
        if pool[entry, 1] == cost[pool[entry, 0]]:
            states[n] = pool[entry, 0]
            n += 1
        entry = pool[entry, 2]
    heads[estimate] = entry
    return n
