"""Breadth-first search, A* and whole state spaces agree with one another and with networkx."""

from typing import Any

import networkx as nx
import numpy as np
import pytest

from puzzles import NAMES, family
from puzzles.family import Family
from puzzles.solve import ALGORITHMS, measure, solve
from solvers import NEVER, Unsolvable
from solvers.space import explore
from tests.random_boards import random_boards

BOARDS = 120
"""Of a family, here; the audit has 2,500."""
SLIDING = [name for name in NAMES if family(name).joins]


def graph_of(room: Family[Any, Any], start: Any, metric: str) -> "nx.DiGraph[Any]":
    """Return the states that can be reached, an edge a move of the metric, over the plain rules."""
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node(start)
    edge = [start]
    while edge:
        state = edge.pop()
        for after in (slides if metric == "slide" else steps)(room, state):
            if after not in graph:
                edge.append(after)
            graph.add_edge(state, after)
    return graph


def steps(room: Family[Any, Any], state: Any) -> list[Any]:
    return [room.apply(state, action) for action in room.legal_actions(state)]


def slides(room: Family[Any, Any], state: Any) -> list[Any]:
    """Return the states that runs of actions of one piece lead to."""
    assert room.joins
    found = {state}
    edge = [(action, room.apply(state, action)) for action in room.legal_actions(state)]
    seen = {(None, state)}
    while edge:
        last, here = edge.pop()
        found.add(here)
        for action in room.legal_actions(here):
            after = room.apply(here, action)
            if room.joins(last, action) and (action, after) not in seen:
                seen.add((action, after))
                edge.append((action, after))
    return list(found - {state})


def exact(room: Family[Any, Any], graph: "nx.DiGraph[Any]", start: Any) -> int | None:
    goals = [state for state in graph if room.is_solved(state)]
    lengths = nx.single_source_shortest_path_length(graph, start)
    return min((lengths[goal] for goal in goals), default=None)


def found(room: Family[Any, Any], state: Any, algorithm: str, metric: str) -> int | None:
    """Return the length that a search finds, its solution replayed by the rules."""
    try:
        solution = solve(room, state, algorithm=algorithm, metric=metric)
    except Unsolvable:
        return None
    end = state
    for action in solution.actions:
        assert action in room.legal_actions(end)
        end = room.apply(end, action)
    assert room.is_solved(end)
    assert measure(room, solution.actions, metric) == solution.length
    return solution.length


def check_searches(room: Family[Any, Any], state: Any, metric: str) -> int | None:
    """Hold all searches to networkx; return the length of a shortest solution."""
    length = exact(room, graph_of(room, state, metric), state)
    for algorithm in ALGORITHMS:
        assert found(room, state, algorithm, metric) == length, room.format(state)
    return length


@pytest.mark.parametrize("name", NAMES)
def test_all_searches_find_the_length_that_networkx_finds(name: str) -> None:
    lengths = [check_searches(family(name), state, "cell") for state in random_boards(name, BOARDS)]
    assert None in lengths
    assert len(set(lengths)) > 4


@pytest.mark.parametrize("name", SLIDING)
def test_slides_are_counted_as_networkx_counts_them(name: str) -> None:
    room = family(name)
    fewer = 0
    for state in random_boards(name, BOARDS // 3, "slide", 200):
        length = check_searches(room, state, "slide")
        fewer += length is not None and length < (found(room, state, "bfs", "cell") or 0)
    assert fewer > BOARDS // 60


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("metric", ["cell", "slide"])
def test_a_space_holds_every_state_at_its_distance(name: str, metric: str) -> None:
    room = family(name)
    if metric not in room.systems:
        assert name not in SLIDING
        return
    system = room.systems[metric]
    for state in random_boards(name, 30, "space"):
        graph = graph_of(room, state, metric)
        level, start = room.pack(state)
        space = explore(system, level, start)
        states = [room.unpack(level, words) for words in space.states]
        assert set(states) == set(graph)
        depths = nx.single_source_shortest_path_length(graph, state)
        assert space.depth.tolist() == [depths[one] for one in states]
        back = graph.reverse()
        goals = {one for one in graph if room.is_solved(one)}
        left = nx.multi_source_dijkstra_path_length(back, goals) if goals else {}
        distances = space.to_goal()
        assert distances.tolist() == [left.get(one, -1) for one in states]
        check_heuristics(system, level, space.states, distances)


def check_heuristics(system: Any, level: Any, states: Any, distances: Any) -> None:
    """A heuristic never says too much, and never only where there is no way."""
    if system.heuristic is None:
        return
    said = np.empty(len(states), np.int32)
    system.heuristic(level, states, said)
    assert (said[distances < 0] >= 0).all()
    assert (said[distances >= 0] <= distances[distances >= 0]).all()
    assert (said <= NEVER).all()


@pytest.mark.parametrize("name", NAMES)
def test_shortest_solutions_are_counted(name: str) -> None:
    room = family(name)
    for state in random_boards(name, 60, "count"):
        level, start = room.pack(state)
        paths, first = count(room, state)
        for nearest in (False, True):
            counted = explore(room.systems["cell"], level, start, nearest=nearest).shortest()
            if paths == 0:
                assert counted is None
                continue
            assert counted is not None
            legal = 0 if room.is_solved(state) else len(room.legal_actions(state))
            assert (counted.paths, counted.first, counted.legal) == (paths, first, legal)


def count(room: Family[Any, Any], state: Any) -> tuple[int, int]:
    """Return how many shortest solutions there are, and how many actions begin one."""
    ways, first = {state: {-1: 1}}, set()
    seen = {state}
    if room.is_solved(state):
        return 1, 0
    while ways:
        after: dict[Any, dict[int, int]] = {}
        for here, counts in ways.items():
            for number, action in enumerate(room.legal_actions(here)):
                there = room.apply(here, action)
                if there in seen:
                    continue
                into = after.setdefault(there, {})
                for begun, n in counts.items():
                    begin = number if begun < 0 else begun
                    into[begin] = into.get(begin, 0) + n
        solved = [counts for there, counts in after.items() if room.is_solved(there)]
        if solved:
            first = set().union(*solved)
            return sum(sum(counts.values()) for counts in solved), len(first)
        seen |= set(after)
        ways = after
    return 0, 0
