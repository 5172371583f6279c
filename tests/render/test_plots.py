"""Layers of a graph: nodes keep apart, trees and bundles of paths cross nowhere."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from render.layers import layered
from render.plots import Ways


def crossings(layer: list[int], edges: list[tuple[int, int]], height: np.ndarray) -> int:
    """Count the pairs of edges between the same two layers that cross."""
    return sum(
        layer[a] == layer[c]
        and layer[b] == layer[d]
        and (height[a] - height[c]) * (height[b] - height[d]) < 0
        for (a, b), (c, d) in combinations(edges, 2)
    )


def test_a_twisted_pair_is_untwisted() -> None:
    layer = [0, 1, 1, 2, 2, 3]
    edges = [(0, 1), (0, 2), (1, 4), (2, 3), (4, 5), (3, 5)]
    height = layered(np.array(layer, np.int32), np.array(edges))
    assert crossings(layer, edges, height) == 0
    assert abs(height[1] - height[2]) == 1
    assert height[0] == height[5] == (height[1] + height[2]) / 2


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_a_tree_has_no_crossings(parents: list[int]) -> None:
    depth, edges = [0], []
    for child, draw in enumerate(parents, 1):
        edges.append((draw % child, child))
        depth.append(depth[draw % child] + 1)
    order = np.argsort(depth, kind="stable")
    place = np.argsort(order)
    layer = np.array(depth, np.int32)[order]
    moved = [(int(place[a]), int(place[b])) for a, b in edges]
    height = layered(layer, np.array(moved))
    assert crossings(layer.tolist(), moved, height) == 0


@given(st.data())
def test_nodes_of_a_layer_stand_apart(data: st.DataObject) -> None:
    layer = np.sort(data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=30)))
    layer = np.unique(layer, return_inverse=True)[1].astype(np.int32)
    nodes = st.integers(0, len(layer) - 1)
    edges = data.draw(st.lists(st.tuples(nodes, nodes), max_size=60))
    height = layered(layer, np.array(edges, np.int64).reshape(-1, 2))
    for at in range(int(layer[-1]) + 1):
        gaps = np.diff(np.sort(height[layer == at]))
        assert (gaps > 1 - 1e-9).all()


def test_edges_are_listed_once_and_without_loops() -> None:
    starts, targets = np.array([0, 3, 4, 4]), np.array([1, 1, 2, 1], np.int32)
    ways = Ways(starts, targets, np.array([0, 1, 1], np.int32), np.array([1, 0, -1], np.int32))
    assert ways.edges().tolist() == [[0, 1], [0, 2]]
