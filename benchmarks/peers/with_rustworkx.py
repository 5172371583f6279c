"""rustworkx: a way back through its breadth-first layers, or its A* search: the faster of the two.

Its Dijkstra keeps the whole path to every node, which here would be terabytes.
"""

import time
from collections.abc import Callable

import grid
import rustworkx as rx
from contest import Play, serve


def _by_layers(graph: rx.PyGraph, start: int, goal: int) -> list[int]:
    depth = [0] * len(graph)
    for number, layer in enumerate(rx.bfs_layers(graph, [start])):
        for node in layer:
            depth[node] = number
    way = [goal]
    while way[-1] != start:
        nearer = depth[way[-1]] - 1
        way.append(next(node for node in graph.neighbors(way[-1]) if depth[node] == nearer))
    return way


def _by_astar(graph: rx.PyGraph, start: int, goal: int) -> list[int]:
    found = rx.astar_shortest_path(
        graph, start, lambda node: node == goal, lambda edge: 1.0, lambda node: 0.0
    )
    return list(found)


def path(file: str) -> Play:
    maze = grid.read(file)
    started = time.perf_counter()
    graph = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(maze.nodes))
    graph.add_edges_from_no_data(maze.edges)
    build = time.perf_counter() - started

    def seconds(search: Callable[..., list[int]]) -> float:
        started = time.perf_counter()
        search(graph, maze.start, maze.goal)
        return time.perf_counter() - started

    faster = min(_by_layers, _by_astar, key=seconds)

    def play() -> tuple[int, list[int]]:
        return 1, [len(faster(graph, maze.start, maze.goal)) - 1]

    play.build = build
    return play


serve("rustworkx", {"path": path})
