"""The boards of Onet that are made: lengths, structure, other sizes and rules, determinism."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.family import GenerationError, InvalidBoard, Sample
from puzzles.onet import FAMILY, rules
from puzzles.onet.rules import Pair, State
from puzzles.onet.sample import sample, stats
from puzzles.solve import solve

RULES = rules.RULE_OPTIONS
OPTIONS = FAMILY.sample_options


def made(
    lengths: list[int], size: tuple[int, int] = (6, 6), key: object = 0, **more: object
) -> list[Sample[State, Pair]]:
    given_rules = {**RULES, **{name: more[name] for name in RULES if name in more}}
    options = {**OPTIONS, **{name: more[name] for name in OPTIONS if name in more}}
    found = sample(Draws("onet", key), lengths, size, given_rules, options)
    assert len(found) == len(lengths)
    return [board for board in found if board]


def tier(name: str, rounds: int) -> list[Sample[State, Pair]]:
    lengths = list(FAMILY.buckets[name].lengths()) * rounds
    boards = made(lengths, key=name)
    assert [len(board.actions) for board in boards] == lengths
    return boards


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_every_solution_clears_its_board_and_every_kind_occurs_twice(name: str) -> None:
    for state, actions, _ in tier(name, 30):
        assert rules.parse(rules.format(state), RULES) == state
        now = state
        for action in actions:
            assert action in rules.legal_actions(now)
            now = rules.apply(now, action)
        assert rules.is_solved(now)
        assert {len(cells) for cells in rules.tiles(state).values()} == {2}
        assert set(rules.tiles(state)) <= set("ABCDEFGHIJKLMNOPQR")
        assert len(solve(FAMILY, state).actions) == len(actions)


def test_the_structure_is_that_of_the_published_suite() -> None:
    """Turns 0 / 1 / mostly 2, and 2 to 4 pairs open at the start of its hard boards."""
    share, start, mean = {}, {}, {}
    for name in ("easy", "medium", "hard"):
        found = [stats(*board[:2]) for board in tier(name, 60)]
        turns = Counter(turn for one in found for turn in one["turns"])
        share[name] = [turns[turn] / turns.total() for turn in range(3)]
        start[name] = [one["open_pairs"][0] for one in found]
        mean[name] = sum(start[name]) / len(found)
        assert all(4 <= one["empty_cells"] <= 28 for one in found)
    assert share["easy"] == [1, 0, 0]
    assert share["medium"][1] > 0.85
    assert share["medium"][2] == 0
    assert 0.55 < share["hard"][2] < 0.8
    assert max(start["hard"]) <= 4
    assert mean["hard"] < 3.2 < mean["medium"] < 4.6 < mean["easy"]


def test_boards_differ() -> None:
    boards = [board for name in FAMILY.buckets for board in tier(name, 40)]
    assert len({FAMILY.canonical(board.state) for board in boards}) == len(boards)


def test_the_same_stream_gives_the_same_boards() -> None:
    lengths = [4, 16, 9, 12]
    assert made(lengths, key="a") == made(lengths, key="a")
    assert made(lengths, key="a") != made(lengths, key="b")


@pytest.mark.parametrize(
    ("size", "lengths"),
    [
        ((1, 2), [1]),
        ((1, 9), [1, 4]),
        ((2, 9), [3, 9]),
        ((3, 3), [2, 4]),
        ((5, 7), [5, 9, 14, 17]),
        ((6, 6), [1, 11, 17, 18]),
        ((9, 4), [18]),
        ((10, 10), [16, 40, 50]),
        ((12, 20), [52]),
    ],
)
@pytest.mark.parametrize("rule", [{}, {"outside": True}, {"max_turns": 0}, {"max_turns": 4}])
def test_other_sizes_and_rules_down_to_full_boards(
    size: tuple[int, int], lengths: list[int], rule: dict[str, object]
) -> None:
    boards = made(lengths, size, **rule)
    assert len(boards) == len(lengths)
    for length, (state, actions, _) in zip(lengths, boards, strict=True):
        assert (len(state.board), len(state.board[0])) == size
        assert {"max_turns": state.max_turns, "outside": state.outside} == {**RULES, **rule}
        assert len(actions) == length
        assert rules.is_solved(rules.replay(state, actions).state)
        assert len(solve(FAMILY, state).actions) == length


def test_kinds_may_repeat() -> None:
    for state, actions, _ in made([12, 13, 16], copies=4):
        counts = Counter(map(len, rules.tiles(state).values()))
        assert counts[4] == len(actions) // 2
        assert counts[2] == len(actions) % 2
        assert rules.is_solved(rules.replay(state, actions).state)
        found = solve(FAMILY, state).actions
        assert rules.is_solved(rules.replay(state, found).state)
    ((state, *_),) = made([100], (20, 20), copies=6)
    assert len(rules.tiles(state)) == 34


@pytest.mark.parametrize(
    ("length", "size", "options", "words"),
    [
        (0, (6, 6), {}, "0 pairs make no puzzle"),
        (19, (6, 6), {}, "19 pairs need 38 cells, a 6x6 board has 36"),
        (1, (1, 1), {}, "1 pairs need 2 cells, a 1x1 board has 1"),
        (53, (20, 20), {}, "need 53 kinds, but there are 52 letters; raise copies"),
        (5, (6, 6), {"copies": 3}, "copies is 3, not an even number"),
        (5, (6, 6), {"copies": True}, "copies is True"),
        (5, (6, 6), {"copies": 0}, "copies is 0"),
    ],
)
def test_what_can_not_be_made_is_said(
    length: int, size: tuple[int, int], options: dict[str, object], words: str
) -> None:
    with pytest.raises(GenerationError, match=words):
        made([length], size, **options)


@given(st.integers(1, 5), st.integers(1, 7), st.integers(1, 17), st.booleans())
def test_stats_say_what_the_rules_say(rows: int, columns: int, length: int, outside: bool) -> None:
    if 2 * length > rows * columns:
        return
    for state, actions, _ in made([length], (rows, columns), outside=outside, copies=4):
        found = stats(state, actions)
        opened, turns, now = [], [], state
        for action in actions:
            opened.append(len(rules.legal_actions(now)))
            turns.append(len(rules.link(now, *action) or ()) - 2)
            now = rules.apply(now, action)
        assert found == {
            "open_pairs": opened,
            "mean_open": round(sum(opened) / length, 3),
            "turns": turns,
            "kinds": len(rules.tiles(state)),
            "empty_cells": rows * columns - 2 * length,
        }


def test_rules_that_are_none_are_refused() -> None:
    with pytest.raises(InvalidBoard, match="max_turns is -1"):
        made([5], max_turns=-1)


def test_stats_of_a_solved_board() -> None:
    state = State((".....",))
    assert stats(state, []) == {
        "open_pairs": [],
        "mean_open": 0.0,
        "turns": [],
        "kinds": 0,
        "empty_cells": 5,
    }
