"""Shortest paths by the search of the rooms that walk, held to networkx on grids of any shape."""

from itertools import pairwise
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import corridors, routes
from puzzles.directions import STEPS, walk
from puzzles.draws import Draws
from puzzles.family import Cell
from puzzles.maze import FAMILY, packing
from puzzles.maze.rules import State
from puzzles.solve import solve
from solvers import Limit, Path, SearchLimit, Unsolvable

shapes = st.integers(0, 9999), st.integers(1, 12), st.integers(1, 14), st.integers(0, 6)


def random_maze(seed: int, rows: int, columns: int, walls: int) -> State:
    """Walls on ``walls`` of ten cells: open rooms, unreachable goals, the start on the goal."""
    draws = Draws("search", seed, rows, columns, walls)
    marks = ["#" if draws.below(10) < walls else "." for _ in range(rows * columns)]
    start, goal = draws.below(len(marks)), draws.below(len(marks))
    marks[start] = marks[goal] = "."
    board = tuple("".join(marks[at : at + columns]) for at in range(0, len(marks), columns))
    return State(board, divmod(start, columns), divmod(goal, columns))


def graph_of(state: State) -> nx.Graph:
    cells = [(r, c) for r, row in enumerate(state.walls) for c, mark in enumerate(row)]
    floor = {(r, c) for r, c in cells if state.walls[r][c] == "."}
    graph = nx.Graph()
    graph.add_nodes_from(floor)
    graph.add_edges_from(
        (cell, near)
        for cell in floor
        for near in ((cell[0] + 1, cell[1]), (cell[0], cell[1] + 1))
        if near in floor
    )
    return graph


def distance(state: State) -> int | None:
    graph = graph_of(state)
    if not nx.has_path(graph, state.agent, state.goal):
        return None
    return int(nx.shortest_path_length(graph, state.agent, state.goal))


def direct(state: State, limit: Limit | None = None) -> Path:
    return routes.direct(*packing.pack(state), limit or Limit())


@settings(max_examples=400)
@given(*shapes)
def test_the_path_is_a_shortest_one(seed: int, rows: int, columns: int, walls: int) -> None:
    state = random_maze(seed, rows, columns, walls)
    graph, length = graph_of(state), distance(state)
    reachable = nx.node_connected_component(graph, state.agent)
    if length is None:
        with pytest.raises(Unsolvable) as proof:
            direct(state)
        assert proof.value.states == len(reachable)
        return
    path = direct(state)
    cells = walk(state.agent, [list(STEPS)[code] for code in path.moves])
    assert (cells[0], cells[-1], len(cells)) == (state.agent, state.goal, length + 1)
    assert all(graph.has_edge(*step) for step in pairwise(cells))
    assert (path.expanded == 0) == (length == 0)
    assert length <= path.expanded < len(reachable) or length == 0


@settings(max_examples=60)
@given(*shapes)
def test_all_algorithms_agree(seed: int, rows: int, columns: int, walls: int) -> None:
    state = random_maze(seed, rows, columns, walls)
    length = distance(state)
    for algorithm in ("auto", "bfs", "astar"):
        if length is None:
            with pytest.raises(Unsolvable):
                solve(FAMILY, state, algorithm=algorithm)
        else:
            assert solve(FAMILY, state, algorithm=algorithm).length == length


def test_auto_is_the_direct_search() -> None:
    assert solve(FAMILY, State(("...",), (0, 0), (0, 2))).algorithm == "direct"


@settings(max_examples=100)
@given(*shapes, st.integers(0, 80))
def test_a_limit_never_lies(seed: int, rows: int, columns: int, walls: int, states: int) -> None:
    state = random_maze(seed, rows, columns, walls)
    length = distance(state)
    component = nx.node_connected_component(graph_of(state), state.agent)
    end = ended(state, Limit(states))
    if isinstance(end, SearchLimit):
        assert end.states == states < len(component)
        assert length is None or end.bound <= length
    else:
        assert end == length


def ended(state: State, limit: Limit) -> int | SearchLimit | None:
    """Return the length found, None where it is proved that there is none, or the limit met."""
    try:
        return len(direct(state, limit).moves)
    except Unsolvable:
        return None
    except SearchLimit as met:
        return met


OPEN = State(("." * 30,) * 20, (0, 0), (19, 29))


@pytest.mark.parametrize(
    ("limit", "what", "states"),
    [
        (Limit(100), "100 states", 100),
        (Limit(0), "0 states", 0),
        (Limit(memory=1000), "0.0009537 MB of memory", 75),
        (Limit(states=500, memory=1000), "0.0009537 MB of memory", 75),
        (Limit(memory=600), "0.0005722 MB of memory", 0),
        (Limit(memory=0), "0 MB of memory", 0),
    ],
)
def test_limits_by_states_and_by_memory(limit: Limit, what: str, states: int) -> None:
    """The board of 20x30 takes 22 * 31 bytes, each cell seen four more, and four are spare."""
    with pytest.raises(SearchLimit) as reached:
        direct(OPEN, limit)
    assert (reached.value.what, reached.value.states, reached.value.bound) == (what, states, 48)


def test_the_bound_grows_with_the_depth_of_the_search() -> None:
    """The goal is next to the start, behind a wall that is 999 cells long."""
    maze = State(("." * 1000, "#" * 999 + ".", "." * 1000), (0, 0), (2, 0))
    with pytest.raises(SearchLimit) as reached:
        direct(maze, Limit(1500))
    assert 1400 < reached.value.bound <= 2000
    assert len(direct(maze, Limit(2001)).moves) == 2000


@settings(max_examples=100)
@given(*shapes)
def test_the_heuristic_never_says_too_much(seed: int, rows: int, columns: int, walls: int) -> None:
    """It is no more than the distance, falls by one a step at most, and is 0 on the goal alone."""
    state = random_maze(seed, rows, columns, walls)
    level, _ = packing.pack(state)
    every = np.arange(rows * columns, dtype=np.uint64)[:, None]
    found = np.full(rows * columns, -1, np.int32)
    corridors.heuristic(level, every, found)
    graph = graph_of(state)

    def estimate(cell: Cell) -> int:
        return int(found[cell[0] * columns + cell[1]])

    for cell, far in nx.single_source_shortest_path_length(graph, state.goal).items():
        assert estimate(cell) <= far
        assert (estimate(cell) == 0) == (cell == state.goal)
    assert all(abs(estimate(a) - estimate(b)) <= 1 for a, b in graph.edges)


@settings(max_examples=200)
@given(st.integers(0, 9999), st.integers(1, 6), st.integers(1, 7), st.integers(0, 6))
def test_shortest_solutions_are_counted(seed: int, rows: int, columns: int, walls: int) -> None:
    state = random_maze(seed, rows, columns, walls)
    if distance(state) is None:
        return
    graph = graph_of(state)
    ways = list(nx.all_shortest_paths(graph, state.agent, state.goal))
    found = routes.choices(state.walls, state.agent, state.goal)
    assert found.optimal_solutions == len(ways)
    first = {way[1] for way in ways if len(way) > 1}
    legal = graph.degree[state.agent]
    assert found.good_first_moves == (round(len(first) / legal, 4) if legal else 0.0)


@pytest.mark.parametrize(
    ("rows", "columns"), [(34, 34), (35, 35), (40, 41), (40, 42), (50, 30), (60, 20), (90, 70)]
)
def test_counts_have_no_largest_number(rows: int, columns: int) -> None:
    """Corner to corner of an open board: from 35x35 on, 63 bits are too few."""
    walls = ("." * columns,) * rows
    found = routes.choices(walls, (0, 0), (rows - 1, columns - 1))
    assert found == (comb(rows + columns - 2, rows - 1), 1.0)
    back = routes.choices(walls, (rows - 1, columns - 1), (0, 0))
    assert back == found


def test_choices_that_can_be_counted_by_eye() -> None:
    assert routes.choices(("...", "...", "#.."), (0, 1), (2, 2)) == (3, 0.6667)
    assert routes.choices(("...",), (0, 1), (0, 2)) == (1, 0.5)
    assert routes.choices(("...",), (0, 1), (0, 1)) == (1, 0.0)
    assert routes.choices((".",), (0, 0), (0, 0)) == (1, 0.0)
    # Past the end of a row lies the next one in memory, not on the board.
    assert routes.choices((".#.", "..."), (0, 0), (0, 2)) == (1, 1.0)
