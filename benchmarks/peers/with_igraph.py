"""igraph: its shortest path between two vertices, unweighted and so by breadth-first search."""

import time

import grid
from contest import Play, serve
from igraph import Graph


def path(file: str) -> Play:
    maze = grid.read(file)
    started = time.perf_counter()
    graph = Graph(maze.nodes, maze.edges)
    build = time.perf_counter() - started

    def play() -> tuple[int, list[int]]:
        return 1, [len(graph.get_shortest_path(maze.start, maze.goal)) - 1]

    play.build = build
    return play


serve("igraph", {"path": path})
