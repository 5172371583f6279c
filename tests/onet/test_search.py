"""The searches of Onet against each other, against plain Python and against networkx."""

import ast
import random
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from pathlib import Path as File

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

from puzzles.onet import FAMILY, kernels, packing, partners, rules
from puzzles.onet.rules import State
from puzzles.solve import solve
from solvers import Limit, Path, SearchLimit, Unsolvable
from solvers.astar import shortest_path as astar
from solvers.breadth_first import shortest_path as breadth_first
from solvers.system import NEVER

SYSTEM = FAMILY.systems["cell"]
PLAIN = SYSTEM._replace(ample=None, heuristic=None)
Words = NDArray[np.uint64]
Search = Callable[[packing.Level, Words, Limit], Path]
SEARCHES: dict[str, Search] = {
    "all orders": partial(breadth_first, PLAIN),
    "bfs": partial(breadth_first, SYSTEM),
    "astar": partial(astar, SYSTEM),
    "direct": partners.clear,
}
SHAPES = [(2, 3), (1, 9), (3, 4), (2, 6), (5, 3), (4, 4), (7, 2)]


def some_board(
    draws: random.Random, rows: int, columns: int, tiles: int, copies: int, **rule: object
) -> State:
    """Return a board of ``tiles`` tiles anywhere, ``copies`` of a kind (in one case fewer)."""
    cells = draws.sample(list(product(range(rows), range(columns))), tiles)
    marks = [["."] * columns for _ in range(rows)]
    for at, (r, c) in enumerate(cells):
        marks[r][c] = chr(ord("A") + at // copies)
    return rules.parse("\n".join(map("".join, marks)), rule)


def some_rule(draws: random.Random) -> dict[str, object]:
    return {"max_turns": draws.choice([0, 1, 1, 2, 2, 3]), "outside": draws.random() < 0.3}


@cache
def can_be_cleared(state: State) -> bool:
    """Search all orders and partners, with the rules alone."""
    return rules.is_solved(state) or any(
        can_be_cleared(rules.apply(state, action)) for action in rules.legal_actions(state)
    )


def cleared(search: Search, level: packing.Level, start: Words) -> Path | None:
    """Return what ``search`` finds; None for a proof that there is nothing."""
    try:
        return search(level, start, Limit(states=200_000))
    except Unsolvable:
        return None


def clear_by_all(state: State) -> set[bool]:
    """Return what the searches say of ``state``; solutions are checked by the rules."""
    level, start = packing.pack(state)
    found = [cleared(search, level, start) for search in SEARCHES.values()]
    for path in found:
        if path:
            actions = [packing.decode(level, code) for code in path.moves.tolist()]
            assert rules.is_solved(rules.replay(state, actions).state)
            assert 2 * len(actions) == sum(map(len, rules.tiles(state).values()))
    return {path is not None for path in found}


def estimate(level: packing.Level, states: list[Words]) -> list[int]:
    out = np.full(len(states), -1, np.int32)
    kernels.heuristic(level, np.stack(states), out)
    return out.tolist()


@pytest.mark.parametrize("copies", [2, 4, 6])
def test_all_searches_agree_with_plain_python(copies: int) -> None:
    draws, seen = random.Random(copies), {True: 0, False: 0}
    for _ in range(250):
        rows, columns = draws.choice(SHAPES)
        tiles = min(rows * columns, draws.choice([6, 8, 10, 12])) // 2 * 2
        state = some_board(draws, rows, columns, tiles, copies, **some_rule(draws))
        clear = can_be_cleared(state)
        assert clear_by_all(state) == {clear}, state
        seen[clear] += 1
    assert min(seen.values()) > 15, seen


def test_unsolvable_boards_where_partners_matter_are_proved_so() -> None:
    """Boards that look open: each tile could go if the tiles gone were still partners."""
    draws, hidden = random.Random(7), 0
    for _ in range(300):
        rows, columns = draws.choice([(2, 6), (2, 8), (1, 12), (3, 5)])
        rule = {"max_turns": draws.choice([0, 1, 2]), "outside": draws.random() < 0.2}
        tiles, copies = rows * columns // 4 * 4, draws.choice([4, 6])
        state = some_board(draws, rows, columns, tiles, copies, **rule)
        level, start = packing.pack(state)
        found = clear_by_all(state)
        assert len(found) == 1, state
        if found == {False} and estimate(level, [start]) != [NEVER]:
            hidden += 1
            assert not can_be_cleared(state)
    assert hidden >= 40, hidden


@pytest.mark.parametrize(
    ("copies", "max_turns", "shapes"),
    [
        (4, 1, [(2, 12), (3, 8), (4, 6), (6, 4)]),
        (4, 2, [(2, 12), (12, 2), (2, 10)]),
        (6, 0, [(2, 9), (3, 6), (2, 12)]),
    ],
)
def test_the_search_over_partners_agrees_with_all_orders_on_larger_boards(
    copies: int, max_turns: int, shapes: list[tuple[int, int]]
) -> None:
    """Failures are blamed on the right partners: a board with many of them shows a wrong jump."""
    draws, seen, hard = random.Random(copies + max_turns), {True: 0, False: 0}, 0
    for _ in range(150):
        rows, columns = draws.choice(shapes)
        tiles = rows * columns // copies * copies
        state = some_board(draws, rows, columns, tiles, copies, max_turns=max_turns)
        level, start = packing.pack(state)
        try:
            clear = cleared(SEARCHES["all orders"], level, start) is not None
        except SearchLimit:
            continue
        for name in ("astar", "direct"):
            assert (cleared(SEARCHES[name], level, start) is not None) == clear, state
        seen[clear] += 1
        hard += not clear and estimate(level, [start]) != [NEVER]
    assert min(seen.values()) > 5, seen
    assert hard > 10, hard


def test_every_state_of_a_board_against_networkx() -> None:
    """What is left after any removals: the estimate is the distance, dead states are told."""
    draws, dead, told = random.Random(3), 0, 0
    for _ in range(60):
        rows, columns = draws.choice(SHAPES)
        tiles = min(rows * columns, 12) // 2 * 2
        state = some_board(draws, rows, columns, tiles, 4, **some_rule(draws))
        graph = nx.DiGraph()
        graph.add_node(state)
        waiting = [state]
        while waiting:
            now = waiting.pop()
            after = [rules.apply(now, action) for action in rules.legal_actions(now)]
            waiting += [one for one in after if one not in graph]
            graph.add_edges_from((now, one) for one in after)
        goals = [one for one in graph if rules.is_solved(one)]
        distance = nx.multi_source_dijkstra_path_length(graph.reverse(), goals) if goals else {}
        level, start = packing.pack(state)
        words = [words_of(level, one) for one in graph]
        assert words[0].tolist() == start.tolist()
        for one, row, said in zip(graph, words, estimate(level, words), strict=True):
            assert said in (distance.get(one, NEVER), sum(map(len, rules.tiles(one).values())) // 2)
            told += said == NEVER
            path = cleared(partners.clear, level, row)
            assert (path and len(path.moves)) == distance.get(one)
            assert one not in distance or said == distance[one]
            dead += path is None
    assert 0 < told < dead


def words_of(level: packing.Level, state: State) -> Words:
    """Return the words of a state of ``level``, tile by tile."""
    ground = packing.Ground(*level[:3])
    bits = 0
    for tile, place in enumerate(level.cells):
        r, c = ground.cell(place)
        bits |= (state.board[r][c] != ".") << tile
    return np.array([bits], np.uint64)


def test_boards_whose_trouble_can_be_seen() -> None:
    crossed = rules.parse("AB\nBA", {})
    with pytest.raises(Unsolvable, match="1 state looked at"):
        solve(FAMILY, crossed)
    # Each A, B and C goes with one beside it, but then the others of its kind are shut in.
    shut = rules.parse("CBAB\nCACA\nCBAB", {})
    level, start = packing.pack(shut)
    assert estimate(level, [start]) == [6]
    assert not can_be_cleared(shut)
    for algorithm in ("auto", "astar", "bfs"):
        with pytest.raises(Unsolvable):
            solve(FAMILY, shut, algorithm=algorithm)
    assert len(solve(FAMILY, rules.parse("CBAB\nCACA\nCBAB", {"outside": True})).actions) == 6


def test_astar_looks_at_far_fewer_states_than_breadth_first() -> None:
    draws = random.Random(1)
    states = [some_board(draws, 6, 6, 36, 4) for _ in range(12)]
    solvable = [
        state for state in states if cleared(SEARCHES["direct"], *packing.pack(state)) is not None
    ]
    assert len(solvable) > 6
    counts = [
        sum(solve(FAMILY, state, algorithm=name).expanded for state in solvable)
        for name in ("bfs", "astar", "auto")
    ]
    assert counts[0] > 20 * counts[1]
    assert counts[0] > 20 * counts[2]


def test_large_boards_with_many_of_a_kind() -> None:
    draws = random.Random(2)
    for rows, columns, tiles, copies in [(12, 14, 148, 8), (9, 15, 120, 6), (20, 11, 200, 10)]:
        state = some_board(draws, rows, columns, tiles, copies)
        found = solve(FAMILY, state)
        assert found.length == tiles // 2
        assert rules.is_solved(rules.replay(state, found.actions).state)


def test_limits_end_the_search_over_partners() -> None:
    shut = rules.parse("DDACACCA\nBCDBBBAD", {})
    with pytest.raises(Unsolvable) as proof:
        solve(FAMILY, shut)
    assert proof.value.states > 60
    for most in (0, 1, 2, 10, 30, 50):
        with pytest.raises(SearchLimit) as caught:
            solve(FAMILY, shut, Limit(states=most))
        assert caught.value.bound == 8
        assert most <= caught.value.states <= most + 8
    with pytest.raises(SearchLimit, match=r"9.537e-05 MB of memory"):
        solve(FAMILY, shut, Limit(memory=100))


def test_a_long_search_over_partners_is_carried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is cut into slices; their length changes nothing."""
    draws = random.Random(5)
    for _ in range(30):
        level, start = packing.pack(some_board(draws, 4, 7, 24, 4, max_turns=1))
        outcomes = []
        for most in (20_000, 1):
            monkeypatch.setattr(partners, "_SLICE", most)
            path = cleared(partners.clear, level, start)
            outcomes.append(path and (path.moves.tolist(), path.expanded))
        assert outcomes[0] == outcomes[1]


def test_the_copies_of_the_sweep_are_one_text() -> None:
    room = File(kernels.__file__).parent
    copies = [
        ast.unparse(node)
        for path in room.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name == "_sweep"
    ]
    assert len(copies) == 3
    assert len(set(copies)) == 1
