"""networkx: its shortest path, which is a breadth-first search from both ends."""

import time

import grid
import networkx as nx
from contest import Play, serve


def path(file: str) -> Play:
    maze = grid.read(file)
    started = time.perf_counter()
    graph = nx.Graph(maze.edges)
    build = time.perf_counter() - started

    def play() -> tuple[int, list[int]]:
        return 1, [len(nx.shortest_path(graph, maze.start, maze.goal)) - 1]

    play.build = build
    return play


serve("networkx", {"path": path})
