"""A hash set of packed states, each a row of uint64 words.

The set is three arrays: ``slots`` (open addressing, -1 where free), ``store`` (the rows in the
order of their arrival) and a count that the caller keeps.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def insert(slots, store, count, rows, n, fresh, place):
    """Append the first ``n`` of ``rows`` that ``store`` lacks; return how many.

    slots int32 (a power of two, more than ``count + n``); store, rows uint64 (_, words);
    ``fresh[k]`` int64 receives the position in ``rows`` of the k-th new row, ``place[i]`` int32
    where row i stands in ``store`` (no room for it: not wanted).
    """
    words = rows.shape[1]
    mask = np.uint64(slots.shape[0] - 1)
    wanted = place.shape[0] >= n
    added = 0
    for i in range(n):
        slot = np.uint64(0)
        for w in range(words):
            slot = (slot ^ rows[i, w]) * np.uint64(0x9E3779B97F4A7C15)
            slot ^= slot >> np.uint64(32)
        slot &= mask
        while True:
            at = slots[slot]
            if at < 0:
                at = count + added
                slots[slot] = at
                for w in range(words):
                    store[at, w] = rows[i, w]
                fresh[added] = i
                added += 1
                break
            equal = True
            for w in range(words):
                equal = equal and store[at, w] == rows[i, w]
            if equal:
                break
            slot = (slot + np.uint64(1)) & mask
        if wanted:
            place[i] = at
    return added


@njit(cache=True)
def rehash(slots, store, count):
    """Enter the first ``count`` rows of ``store``, all different, into empty ``slots``."""
    mask = np.uint64(slots.shape[0] - 1)
    for i in range(count):
        slot = np.uint64(0)
        for w in range(store.shape[1]):
            slot = (slot ^ store[i, w]) * np.uint64(0x9E3779B97F4A7C15)
            slot ^= slot >> np.uint64(32)
        slot &= mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = i
