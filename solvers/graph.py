"""Graphs as arrays: the successors of node v are ``targets[starts[v]:starts[v + 1]]``."""

from numba import njit


@njit(cache=True)
def reverse(starts, targets, back_starts, sources):
    """Write the same graph with every edge turned round; ``back_starts`` comes in as zeros."""
    nodes = starts.shape[0] - 1
    for edge in range(starts[nodes]):
        back_starts[targets[edge] + 1] += 1
    for node in range(nodes):
        back_starts[node + 1] += back_starts[node]
    for node in range(nodes):
        for edge in range(starts[node], starts[node + 1]):
            sources[back_starts[targets[edge]]] = node
            back_starts[targets[edge]] += 1
    for node in range(nodes, 0, -1):
        back_starts[node] = back_starts[node - 1]
    back_starts[0] = 0


@njit(cache=True)
def distances(starts, targets, goals, queue, distance):
    """Write the number of edges from the nearest of ``goals`` (flags) to each node, else -1."""
    count = 0
    for node in range(goals.shape[0]):
        distance[node] = -1
        if goals[node]:
            distance[node] = 0
            queue[count] = node
            count += 1
    done = 0
    while done < count:
        node = queue[done]
        done += 1
        for edge in range(starts[node], starts[node + 1]):
            to = targets[edge]
            if distance[to] < 0:
                distance[to] = distance[node] + 1
                queue[count] = to
                count += 1
