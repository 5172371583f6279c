"""Klotski's own search gives what the general ones give, within the same limits."""

from string import ascii_lowercase, ascii_uppercase

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.klotski import FAMILY, direct, rules
from puzzles.klotski.packing import pack
from puzzles.klotski.rules import State
from puzzles.klotski.sample import sample
from puzzles.solve import measure, solve
from solvers import Limit, SearchLimit, Unsolvable
from solvers.breadth_first import layers
from tests.klotski.boards import any_board

CLASSIC = rules.parse("ATTB\nATTB\nCDDE\nCFGE\nH..I", {})
METRICS = ("cell", "slide")


def outcome(state: State, metric: str, algorithm: str) -> object:
    """Return the length, or the number of states that were proved to hold no goal."""
    try:
        solution = solve(FAMILY, state, Limit(states=20_000), algorithm=algorithm, metric=metric)
    except Unsolvable as error:
        return "unsolvable", error.states
    except SearchLimit:
        return None
    assert rules.is_solved(FAMILY.replay(state, solution.actions).state)
    return solution.length


@pytest.mark.parametrize("metric", METRICS)
@given(seed=st.integers(0, 9999))
def test_it_agrees_with_the_general_search(metric: str, seed: int) -> None:
    state = any_board(Draws("direct", seed), 5)
    expected = outcome(state, metric, "bfs")
    if expected is not None:
        assert outcome(state, metric, "auto") == expected


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("most", [-5, 0, 1, 40, 3000])
def test_astar_takes_over(metric: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "_MOST", most)
    monkeypatch.setattr(direct, "_FEW", most)
    assert outcome(CLASSIC, metric, "auto") is None  # 20,000 states are not enough
    near = rules.parse("ABC\nATT\nDTT\nE..", {"goal": [2, 1]})
    assert outcome(near, metric, "auto") == outcome(near, metric, "bfs")


def test_a_board_without_a_solution_is_searched_to_the_end() -> None:
    state = rules.parse("AAB\nTCB\n.DD", {"goal": [1, 2]})
    level, words = pack(state)
    for metric in METRICS:
        reachable = sum(map(len, layers(FAMILY.systems[metric], level, words[None])))
        with pytest.raises(Unsolvable) as error:
            solve(FAMILY, state, metric=metric)
        assert error.value.states == reachable


def test_start_on_the_goal() -> None:
    state = rules.parse("TA\n..", {"goal": [0, 0]})
    assert solve(FAMILY, state) == ([], 0, 0, "direct")
    assert solve(FAMILY, state, metric="slide").actions == []


@pytest.mark.parametrize("metric", METRICS)
def test_limits_are_kept_and_the_bound_is_true(metric: str) -> None:
    for limit in (Limit(states=1000), Limit(states=1), Limit(memory=100_000), Limit(memory=0)):
        with pytest.raises(SearchLimit) as error:
            solve(FAMILY, CLASSIC, limit, metric=metric)
        assert error.value.states <= 1000 or limit.memory == 100_000
        assert 0 <= error.value.bound <= {"cell": 116, "slide": 81}[metric]


def test_expanded_states_are_counted() -> None:
    level, words = pack(CLASSIC)
    path = direct.cell(level, words, Limit())
    assert len(path.moves) == 116
    assert path.moves.dtype == np.int32
    assert 20_000 < path.expanded < 25_955


@pytest.mark.parametrize("metric", METRICS)
def test_large_boards_are_left_to_astar(metric: str) -> None:
    """45 moves on 6x6: breadth-first search would store a million states."""
    board = sample(Draws("large"), [45], (6, 6), {}, {})[0]
    assert board is not None
    solution = solve(FAMILY, board.state, Limit(states=100_000), metric=metric)
    assert rules.is_solved(FAMILY.replay(board.state, solution.actions).state)
    assert measure(FAMILY, solution.actions, metric) == solution.length
    assert solution.length == 45 or metric == "slide"
    with pytest.raises(SearchLimit):
        solve(FAMILY, board.state, Limit(states=100_000), algorithm="bfs", metric=metric)


@pytest.mark.parametrize("metric", ["cell", "slide"])
def test_a_huge_board_keeps_to_the_limit(metric: str) -> None:
    side = 100
    rows = [["."] * side for _ in range(side)]
    for r, c in ((0, 0), (0, 1), (1, 0), (1, 1)):
        rows[r][c] = "T"
    rows[50][50] = "A"
    state = FAMILY.parse("\n".join(map("".join, rows)), {"goal": [50, 40]})
    with pytest.raises(SearchLimit, match="memory"):
        solve(FAMILY, state, Limit(memory=4 << 20), metric=metric)


def test_a_huge_tray_without_a_hole() -> None:
    names = [*ascii_uppercase.replace("T", ""), *ascii_lowercase, *"012345678"]
    board = "\n".join(name * 200 for name in [*names, "T"] for _ in range(3))
    solved = rules.parse(board, {"goal": [3 * len(names), 0]})
    assert solve(FAMILY, solved, algorithm="astar").length == 0
    with pytest.raises(Unsolvable):
        solve(FAMILY, rules.parse(board, {"goal": [0, 0]}), algorithm="astar")
