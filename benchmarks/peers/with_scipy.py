"""scipy: a breadth-first order over a compressed sparse matrix, and the way back through it."""

import time

import grid
import numpy as np
from contest import Play, serve
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order


def path(file: str) -> Play:
    graph = grid.read(file)
    started = time.perf_counter()
    one, two = np.array(graph.edges, np.int32).T
    ends = np.concatenate([one, two]), np.concatenate([two, one])
    matrix = csr_array((np.ones(len(ends[0])), ends), shape=(graph.nodes, graph.nodes))
    build = time.perf_counter() - started

    def play() -> tuple[int, list[int]]:
        _, before = breadth_first_order(matrix, graph.start)
        previous, at, way = memoryview(before), graph.goal, [graph.goal]
        while at != graph.start:
            at = previous[at]
            way.append(at)
        return 1, [len(way) - 1]

    play.build = build
    return play


serve("scipy", {"path": path})
