"""Corridors: trees round a route, measured and walked; held to plain Python and to networkx."""

from collections.abc import Iterator
from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles import corridors, routes
from puzzles.draws import Draws
from puzzles.family import GenerationError

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
ANYWHERE = (64, 64, 64, 64)
TEXTURE = routes.Texture(24, 40, ANYWHERE)


def graph_of(walls: tuple[str, ...]) -> nx.Graph:
    graph = nx.Graph()
    floor = {(r, c) for r, row in enumerate(walls) for c, mark in enumerate(row) if mark == "."}
    graph.add_nodes_from(floor)
    graph.add_edges_from(
        ((r, c), near) for r, c in floor for near in ((r + 1, c), (r, c + 1)) if near in floor
    )
    return graph


def grown(seed: int, length: int, size: tuple[int, int], margin: int) -> routes.Board | None:
    return grow(Draws(seed), [length], size, margin)[0]


def grow(
    draws: Draws,
    lengths: list[int],
    size: tuple[int, int],
    margin: int,
    texture: routes.Texture = TEXTURE,
) -> list[routes.Board | None]:
    return routes.grow(draws, lengths, size, margin, lambda length: texture)


@given(
    st.integers(0, 999),
    st.integers(1, 12),
    st.tuples(st.integers(4, 13), st.integers(5, 17)),
    st.integers(0, 1),
)
def test_floor_is_a_tree_and_the_route_its_only_way(
    seed: int, length: int, size: tuple[int, int], margin: int
) -> None:
    try:
        routes.check_room("board", length, size, margin)
    except GenerationError:
        return
    board = grown(seed, length, size, margin)
    if board is None:
        return
    assert (len(board.walls), len(board.walls[0])) == size
    graph = graph_of(board.walls)
    assert nx.is_tree(graph)
    route = nx.shortest_path(graph, board.start, board.goal)
    assert route == [board.cell(index) for index in board.cells[: length + 1]]
    assert len(board.actions) == length
    assert sorted(graph.nodes) == sorted(map(board.cell, board.cells))
    for r, c in graph.nodes:
        assert margin <= r < size[0] - margin
        assert margin <= c < size[1] - margin


def test_the_same_draws_give_the_same_board() -> None:
    assert grown(7, 9, (7, 9), 0) == grown(7, 9, (7, 9), 0)
    assert grown(7, 9, (7, 9), 0) != grown(8, 9, (7, 9), 0)


def test_a_board_made_once_is_made_again() -> None:
    """A golden board: what it shows may change only with the version of the generators."""
    board = grown(1, 8, (6, 9), 1)
    assert board is not None
    assert board.walls == (
        "#########",
        "###..#..#",
        "####..#.#",
        "###.#.#.#",
        "##......#",
        "#########",
    )
    assert (board.start, board.goal) == ((4, 3), (1, 6))


def test_kernel_carries_the_stream_on() -> None:
    draws = Draws("stream")
    assert grow(draws, [5], (8, 8), 0) != grow(draws, [5], (8, 8), 0)


@pytest.mark.parametrize("together", [1, 130, 1 << 20])
def test_boards_grown_together_are_those_grown_one_by_one(
    together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many of them one call of the kernel grows."""
    monkeypatch.setattr(routes, "_TOGETHER", together)
    lengths = [5, 1, 12, 5, 9, 2, 7]
    draws, same = Draws("block"), Draws("block")
    one_by_one = [grow(draws, [length], (7, 9), 1)[0] for length in lengths]
    assert grow(same, lengths, (7, 9), 1) == one_by_one
    assert same.state == draws.state


def test_the_first_board_in_vain_ends_the_effort() -> None:
    """No route winds through 8x8 cells in 45 steps, though a tree of as many cells fits."""
    grown = grow(Draws("vain"), [4, 5, 45, 6, 7], (8, 8), 0)
    assert [board is None for board in grown] == [False, False, True, True, True]


@given(st.integers(0, 999), st.integers(1, 14))
def test_a_board_knows_its_structure(seed: int, length: int) -> None:
    board = grown(seed, length, (7, 9), 0)
    assert board is not None
    assert board.structure == routes.structure(board.walls, board.start, board.actions)
    assert board.first_steps == graph_of(board.walls).degree[board.start]


def test_the_wanted_number_of_cells_is_met() -> None:
    counts = {len(board.cells) for seed in range(200) if (board := grown(seed, 6, (8, 8), 0))}
    assert counts == set(range(24, 41))


def test_preferences_change_the_shape() -> None:
    def branches(prefer: tuple[int, int, int, int]) -> int:
        texture = routes.Texture(26, 26, prefer)
        total = 0
        for seed in range(200):
            (board,) = grow(Draws(seed), [10], (8, 8), 0, texture)
            assert board is not None
            found = routes.structure(board.walls, board.start, board.actions)
            total += found.branches_on_path
        return total

    assert branches((64, 64, 1, 1)) < branches(ANYWHERE) < branches((1, 1, 1, 64))


def longest_tree_and_route(rows: int, columns: int) -> tuple[int, int]:
    """Return the most cells of an induced tree, and the longest induced route, by trying all."""
    cells = list(product(range(rows), range(columns)))
    tree, route = 0, 0
    for chosen in range(1, 1 << len(cells)):
        floor = {cell for at, cell in enumerate(cells) if chosen >> at & 1}
        near = {
            (r, c): sum((r + dr, c + dc) in floor for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)))
            for r, c in floor
        }
        if sum(near.values()) != 2 * len(floor) - 2 or (len(floor) <= tree and len(floor) <= route):
            continue
        reached, ahead = {min(floor)}, [min(floor)]
        while ahead:
            r, c = ahead.pop()
            for cell in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
                if cell in floor and cell not in reached:
                    reached.add(cell)
                    ahead.append(cell)
        if reached == floor:
            tree = max(tree, len(floor))
            if max(near.values()) <= 2:
                route = max(route, len(floor) - 1)
    return tree, route


@pytest.mark.parametrize("size", [(1, 1), (1, 5), (2, 2), (2, 5), (3, 3), (3, 4)])
def test_room_is_never_denied_where_there_is_some(size: tuple[int, int]) -> None:
    tree, route = longest_tree_and_route(*size)
    for length in range(1, route + 1):
        routes.check_room("board", length, size, 0, leaves=tree - length - 1)
        board = grown(1, length, size, 0)
        assert board is not None
        assert len(board.actions) == length
    with pytest.raises(GenerationError, match="board"):
        routes.check_room("board", size[0] * size[1], size, 0)
    assert grown(1, route + 1, size, 0) is None


@pytest.mark.parametrize("size", [(0, 5), (1, 1), (2, 9), (-3, 4)])
def test_no_room_inside_a_border(size: tuple[int, int]) -> None:
    with pytest.raises(GenerationError, match="inside its border"):
        routes.check_room("board", 1, size, 1)


def test_a_length_below_one_is_no_route() -> None:
    with pytest.raises(GenerationError, match="at least 1 step, not 0"):
        routes.check_room("board", 0, (5, 5), 0)


def test_structure_is_what_can_be_counted_by_eye() -> None:
    walls = ("..#.#", "#...#", "#.#..")
    found = routes.structure(walls, (0, 1), ["down", "right", "right"])
    assert found == routes.Structure(
        walkable=9,
        branches=2,
        corridors=3,
        dead_ends=4,
        path_nodes=4,
        branches_on_path=2,
        corridors_on_path=2,
    )


@given(st.integers(0, 999), st.integers(3, 9), st.integers(3, 9))
def test_structure_of_any_board(seed: int, rows: int, columns: int) -> None:
    draws = Draws(seed)
    walls = tuple("".join(draws.choice("#..") for _ in range(columns)) for _ in range(rows))
    graph = graph_of(walls)
    if not graph:
        return
    walk = [min(graph.nodes)]
    actions: list[str] = []
    for _ in range(6):
        for name, (dr, dc) in zip(("up", "right", "down", "left"), STEPS, strict=True):
            cell = walk[-1][0] + dr, walk[-1][1] + dc
            if cell in graph and draws.below(2):
                walk.append(cell)
                actions.append(name)
                break
    degree = dict(graph.degree)
    found = routes.structure(walls, walk[0], actions)
    assert found.walkable == len(degree)
    assert found.branches == sum(n >= 3 for n in degree.values())
    assert found.corridors == sum(n == 2 for n in degree.values())
    assert found.dead_ends == sum(n == 1 for n in degree.values())
    assert found.path_nodes == len(set(walk))
    assert found.branches_on_path == sum(degree[cell] >= 3 for cell in set(walk))
    assert found.corridors_on_path == sum(degree[cell] == 2 for cell in set(walk))


def successors(ground: np.ndarray, cell: int) -> Iterator[tuple[int, int]]:
    rows, columns = ground.shape
    for code, (dr, dc) in enumerate(STEPS):
        r, c = cell // columns + dr, cell % columns + dc
        if 0 <= r < rows and 0 <= c < columns and ground[r, c] != ord("#"):
            yield code, r * columns + c


def test_expand_steps_onto_floor_alone() -> None:
    rows = ("#.A#.", "....#", ".#.B.")
    ground = np.frombuffer("".join(rows).encode(), np.uint8).reshape(3, 5)
    states = np.arange(15, dtype=np.uint64)[:, None]
    level = ground, 7
    room = 15 * corridors.branching(level)
    succ = np.empty((room, 1), np.uint64)
    origin, moves = np.empty(room, np.int64), np.empty(room, np.int32)
    n = corridors.expand(level, states, succ, origin, moves)
    found = [(int(origin[i]), int(moves[i]), int(succ[i, 0])) for i in range(n)]
    assert found == [(cell, *step) for cell in range(15) for step in successors(ground, cell)]
    goal = np.zeros(15, np.bool_)
    corridors.is_goal(level, states, goal)
    assert goal.nonzero()[0].tolist() == [7]
