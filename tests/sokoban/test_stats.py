"""Shortest solutions counted: by eye, by formula, and by plain search."""

from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.sokoban import FAMILY, rules
from puzzles.sokoban import stats as room_stats
from tests.plain import shortest_length
from tests.sokoban.test_kernels import random_board
from tests.sokoban.test_sample import sampled


def counted(state: rules.State, length: int) -> dict[str, Any]:
    stats = FAMILY.stats(state, ["up"] * length)
    return {name: stats[name] for name in ("optimal_solutions", "good_first_moves")}


def plain_count(start: rules.State) -> dict[str, Any]:
    """Count by layers of states with their number of ways, over the rules alone."""
    length = shortest_length(FAMILY, start)
    assert length is not None

    def solutions(state: rules.State, left: int) -> int:
        ways = {state: 1}
        for _ in range(left):
            following: dict[rules.State, int] = {}
            for at, count in ways.items():
                for action in rules.legal_actions(at):
                    after = rules.apply(at, action)
                    following[after] = following.get(after, 0) + count
            ways = following
        return sum(count for at, count in ways.items() if rules.is_solved(at))

    legal = rules.legal_actions(start)
    good = [a for a in legal if length and solutions(rules.apply(start, a), length - 1)]
    share = round(len(good) / len(legal), 4) if legal else 0.0
    return {"optimal_solutions": solutions(start, length), "good_first_moves": share}


@pytest.mark.parametrize(
    ("board", "length", "solutions", "share"),
    [
        ("@$.", 1, 1, 1.0),
        ("@--$.", 3, 1, 1.0),
        ("-@-$.", 2, 1, 0.5),
        ("-----\n.$@--\n-----", 1, 1, 0.25),
        # Round a box to push it back, above or below it.
        ("-----\n.@$--\n-----", 6, 2, 0.5),
        # That takes more than three actions.
        ("-----\n.@$--\n-----", 3, 0, 0.0),
        ("@*", 0, 1, 0.0),
    ],
)
def test_counts_that_can_be_seen(board: str, length: int, solutions: int, share: float) -> None:
    found = counted(rules.parse(board, {}), length)
    assert found == {"optimal_solutions": solutions, "good_first_moves": share}


@given(st.integers(0, 99999), st.integers(2, 5), st.integers(3, 6), st.integers(1, 3))
def test_counts_are_those_of_plain_search(seed: int, rows: int, columns: int, boxes: int) -> None:
    state = random_board(seed, rows, columns, boxes)
    length = shortest_length(FAMILY, state)
    if length is not None:
        assert counted(state, length) == counted(state, length + 3) == plain_count(state)
    else:
        assert counted(state, 12)["optimal_solutions"] == 0


def test_more_solutions_than_a_word_holds() -> None:
    """Across a hall to the one place to push from: as many ways as there are lattice paths."""
    hall = ["@" + "-" * 33 + "##"] + ["-" * 34 + "##"] * 36 + ["-" * 34 + "$."]
    found = counted(rules.parse("\n".join(hall), {}), 37 + 33 + 1)
    assert found == {"optimal_solutions": comb(37 + 33, 33), "good_first_moves": 1.0}
    assert comb(37 + 33, 33) > 2**63


def test_sampled_boards_know_their_counts() -> None:
    """What the sampler says, and what is counted on the board alone."""
    for boxes in (1, 2, 3):
        found = FAMILY.sample(Draws("counts", boxes), [4, 9, 13], (7, 8), {}, {"boxes": boxes})
        for made in found:
            assert made is not None
            stats = FAMILY.stats(made.state, made.actions)
            assert made.stats in (None, stats)
            assert {name: stats[name] for name in plain_count(made.state)} == plain_count(
                made.state
            )


def test_counts_that_would_take_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    made = sampled(1, [30])[0]
    assert "optimal_solutions" in FAMILY.stats(made.state, made.actions)
    monkeypatch.setattr(room_stats, "MOST", 100)
    left = FAMILY.stats(made.state, made.actions)
    assert not {"optimal_solutions", "good_first_moves"} & set(left)
    assert left["boxes"] == 1


def test_a_board_with_too_many_cells_and_boxes_is_left_out() -> None:
    """Twelve boxes do not fit into a word beside each other."""
    state = rules.parse("@" + "$." * 12 + "\n" + "-" * 25, {})
    assert "optimal_solutions" not in FAMILY.stats(state, ["right"] * 3)
