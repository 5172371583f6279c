"""Moves of one piece by any distance, corners included: the metric ``slide``."""

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.directions import moved
from puzzles.draws import Draws
from puzzles.klotski import FAMILY, rules
from puzzles.klotski.packing import pack, unpack
from puzzles.klotski.rules import Slide, State
from puzzles.solve import measure, solve
from solvers import Unsolvable
from tests.klotski.boards import any_board
from tests.klotski.plain import fewest_slides, reach

ALGORITHMS = ("bfs", "astar", "auto")
SLIDE = FAMILY.systems["slide"]


def slides(state: State) -> list[tuple[int, State]]:
    """Return (code, successor) of every slide, as the kernel has them."""
    level, words = pack(state)
    most = max(1, SLIDE.branching(level))
    succ, origin = np.zeros((most, len(words)), np.uint64), np.full(most, -1)
    moves = np.zeros(most, np.int32)
    n = SLIDE.expand(level, words[None], succ, origin, moves)
    assert n <= most
    assert not origin[:n].any()
    return [(int(code), unpack(level, row)) for code, row in zip(moves[:n], succ[:n], strict=True)]


@given(seed=st.integers(0, 9999))
def test_slides_are_what_single_moves_of_one_piece_lead_to(seed: int) -> None:
    state = any_board(Draws("slides", seed))
    level, _ = pack(state)
    expected = {
        (cells[0], at): after
        for cells in rules.blocks_of(state.board).values()
        for at, (after, _) in reach(state, cells[0]).items()
        if at != cells[0]
    }
    found = {}
    for code, successor in slides(state):
        steps = FAMILY.unfold(state, level, code)
        played = FAMILY.replay(state, steps)
        assert played.reason is None
        assert played.state == successor
        first, last = steps[0].at, steps[-1]
        assert all(FAMILY.joins(a, b) for a, b in pairwise(steps))
        there = moved(last.at, last.direction)
        assert len(steps) == reach(state, first)[there][1]
        found[first, there] = successor
    assert found == expected


def test_a_piece_goes_round_a_corner_in_one_slide() -> None:
    state = rules.parse("TA\n..", {"goal": [1, 1]})
    assert {after.board for _, after in slides(state)} == {
        (".A", "T."),
        (".A", ".T"),
        ("T.", ".A"),
        ("T.", "A."),
    }
    solution = solve(FAMILY, state, metric="slide")
    assert solution.length == 1
    assert solution.actions == [Slide((0, 0), "down"), Slide((1, 0), "right")]


def test_joins_follows_the_piece() -> None:
    assert rules.joins(Slide((2, 3), "up"), Slide((1, 3), "left"))
    assert not rules.joins(Slide((2, 3), "up"), Slide((2, 3), "up"))


@given(seed=st.integers(0, 9999))
def test_the_solver_finds_what_plain_search_finds(seed: int) -> None:
    state = any_board(Draws("slide solver", seed), 4)
    if len(rules.legal_actions(state)) > 8:
        return
    expected = fewest_slides(state)
    for algorithm in ALGORITHMS:
        if expected is None:
            with pytest.raises(Unsolvable):
                solve(FAMILY, state, algorithm=algorithm, metric="slide")
            continue
        solution = solve(FAMILY, state, algorithm=algorithm, metric="slide")
        assert solution.length == expected == measure(FAMILY, solution.actions, "slide")
        assert rules.is_solved(FAMILY.replay(state, solution.actions).state)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_published_optima(reference: Path, algorithm: str) -> None:
    with (reference / "klotski.csv").open() as file:
        boards = list(csv.DictReader(file))
    assert len(boards) == 25
    checked = 0
    for row in boards:
        state = rules.parse(row["board"].replace("/", "\n"), {"goal": [3, 1]})
        for metric in ("cell", "slide"):
            if row[f"{metric}s"]:
                solution = solve(FAMILY, state, algorithm=algorithm, metric=metric)
                assert solution.length == int(row[f"{metric}s"])
                assert measure(FAMILY, solution.actions, metric) == solution.length
                assert rules.is_solved(FAMILY.replay(state, solution.actions).state)
                checked += 1
    assert checked == 25


def test_the_classic_in_both_metrics() -> None:
    classic = rules.parse("ATTB\nATTB\nCDDE\nCFGE\nH..I", {})
    assert solve(FAMILY, classic).length == 116
    assert solve(FAMILY, classic, metric="slide").length == 81
