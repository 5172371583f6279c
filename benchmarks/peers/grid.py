"""A maze as a graph, for the libraries that search graphs; only stdlib."""

from pathlib import Path
from typing import NamedTuple


class Graph(NamedTuple):
    """Floor cells are nodes, numbered row by row; neighbours are joined by one undirected edge."""

    nodes: int
    edges: list[tuple[int, int]]
    start: int
    goal: int


def read(file: str) -> Graph:
    """Return the graph of a maze in our notation."""
    rows = Path(file).read_text().split()
    number: dict[tuple[int, int], int] = {}
    edges, ends = [], {}
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark == "#":
                continue
            node = number[r, c] = len(number)
            ends[mark] = node
            edges += [(number[at], node) for at in ((r - 1, c), (r, c - 1)) if at in number]
    return Graph(len(number), edges, ends["S"], ends["G"])
