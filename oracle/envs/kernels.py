"""What an environment does beside the kernels of the families."""

from numba import njit


@njit(cache=True)
def index_by_number(moves, n, numbers, rows):
    """Write for each action's number the index of its move among the first ``n``; -1 for none."""
    for number in range(rows.shape[0]):
        rows[number] = -1
    for k in range(n):
        rows[numbers[moves[k]]] = k
