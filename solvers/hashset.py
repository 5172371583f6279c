"""A hash set of packed states, each a row of uint64 words.

The set is three arrays: ``slots`` (open addressing, -1 where free), ``store`` (the rows in the
order of their arrival) and a count that the caller keeps.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def insert_new(slots, store, count, rows, n, fresh):
    """Append the first ``n`` of ``rows`` that ``store`` lacks; return how many.

    slots int32 (a power of two, more than ``count + n``); store, rows uint64 (_, words);
    ``fresh[k]`` int64 receives the position in ``rows`` of the k-th new row.
    """
    words = rows.shape[1]
    mask = np.uint64(slots.shape[0] - 1)
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
                slots[slot] = count + added
                for w in range(words):
                    store[count + added, w] = rows[i, w]
                fresh[added] = i
                added += 1
                break
            equal = True
            for w in range(words):
                equal = equal and store[at, w] == rows[i, w]
            if equal:
                break
            slot = (slot + np.uint64(1)) & mask
    return added
