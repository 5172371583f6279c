"""The rules of Klotski on boards small enough to see the answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.family import IllegalAction, InvalidBoard
from puzzles.klotski import FAMILY, rules
from puzzles.klotski.rules import NAMES, Slide, State
from puzzles.symmetry import mirrored
from puzzles.verdict import Reason
from tests.conformance import folded, random_play
from tests.klotski.boards import any_board


def parsed(*rows: str, goal: Any = None) -> State:
    return rules.parse("\n".join(rows), {"goal": goal})


# T is 2x2; an L of three cells (A), a flat block (B) and a single (C) stand round it.
BOARD = parsed("ATT.", "ATT.", "AABB", "C...")


def test_parse_names_the_blocks_in_reading_order() -> None:
    state = parsed("xTTq", "xTT.", "xx77")
    assert state == State(("ATTB", "ATT.", "AACC"), (1, 1))
    assert rules.format(state) == "ATTB\nATT.\nAACC"
    assert rules.parse(rules.format(state), rules.rules_of(state)) == state


def test_every_name_is_used_and_none_twice() -> None:
    state = parsed("T" + NAMES[::-1], "." * 62)
    assert state.board[0] == "T" + NAMES
    assert len(set(NAMES)) == 61
    assert rules.apply(state, Slide((0, 61), "down")).board[1][61] == NAMES[-1]


@pytest.mark.parametrize(
    ("rows", "goal"),
    [
        (("TT..", "TT..", "...."), (1, 1)),  # the middle of the bottom edge
        (("TT...", "TT...", "....."), (1, 1)),  # an odd number of columns left: the left middle
        (("T..", "...", "..."), (2, 1)),
        ((".T..", "TT..", "....", "...."), (2, 2)),  # top-left cell of a T that is no rectangle
        (("TT", "TT"), (0, 0)),
    ],
)
def test_the_goal_is_the_middle_of_the_bottom_edge(
    rows: tuple[str, ...], goal: tuple[int, int]
) -> None:
    assert parsed(*rows).goal == goal
    assert parsed(*rows, goal=list(goal)) == parsed(*rows)


@pytest.mark.parametrize(
    ("rows", "given_rules", "words"),
    [
        (("A.", ".."), {}, "klotski: the board has no block T"),
        (("AT", "A.", ".A"), {}, r"klotski: block A at \(0,0\) is torn: \(2,1\) lies apart"),
        (("T.", ".T"), {}, r"klotski: block T at \(0,0\) is torn: \(1,1\) lies apart"),
        (("T#", ".."), {}, r"klotski: '#' at \(0,1\) is not '.', a letter or a digit"),
        (("Té", ".."), {}, r"klotski: 'é' at \(0,1\) is not"),
        (("T.", "."), {}, "klotski: row 1 has 1 cells, row 0 has 2"),
        (("",), {}, "klotski: the board is empty"),
        (("T.",), {"goal": [0, 2]}, r"klotski: the goal \[0, 2\] would put block T outside"),
        (("TT.",), {"goal": [0, 2]}, r"klotski: the goal \[0, 2\] would put block T outside"),
        ((".T", "TT"), {"goal": [0, 0]}, r"klotski: the goal \[0, 0\] would put block T outside"),
        (("T.",), {"goal": [-1, 0]}, "would put block T outside the board"),
        (("T.",), {"goal": [0]}, r"klotski: the goal \[0\] is not \[row, column\]"),
        (("T.",), {"goal": [0, True]}, r"klotski: the goal \[0, True\] is not \[row, column\]"),
        (("T.",), {"goal": [0.0, 1]}, "is not"),
        (("T.",), {"goal": "0,1"}, "is not"),
        (("T.",), {"gaol": [0, 1]}, r"klotski: unknown rule 'gaol' \(known: goal\)"),
    ],
)
def test_what_is_no_board_is_said(
    rows: tuple[str, ...], given_rules: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidBoard, match=words):
        rules.parse("\n".join(rows), given_rules)


def test_legal_actions() -> None:
    assert rules.legal_actions(BOARD) == [
        Slide((0, 1), "right"),  # T; A stands in its own way nowhere, but C below it does
        Slide((2, 2), "down"),
        Slide((3, 0), "right"),
    ]


def test_a_block_may_move_onto_cells_of_its_own() -> None:
    state = parsed("A.T", "AA.", "...")
    assert rules.apply(state, Slide((0, 0), "down")).board == ("..T", "A..", "AA.")
    with pytest.raises(IllegalAction, match="is blocked by block A"):
        rules.apply(parsed("A.T", "AA.", "B.."), Slide((2, 0), "up"))
    # Its top-left cell is the leftmost of its top row, wherever its other cells lie.
    hook = parsed(".AT", "AA.", "...")
    assert rules.apply(hook, Slide((0, 1), "down")).board == ("..T", ".A.", "AA.")


def test_apply_renames_in_reading_order() -> None:
    state = parsed("TAB", "...")
    assert rules.apply(state, Slide((0, 1), "down")).board == ("T.A", ".B.")


@pytest.mark.parametrize(
    ("action", "reason", "words"),
    [
        (Slide((0, 4), "up"), Reason.OUT_OF_BOUNDS, "up from (0,4) names a cell outside the board"),
        (Slide((-1, 0), "up"), Reason.OUT_OF_BOUNDS, "up from (-1,0) names a cell outside"),
        (Slide((10**60, 0), "up"), Reason.OUT_OF_BOUNDS, "000... names a cell outside the board"),
        (Slide((0, 1), "up"), Reason.OUT_OF_BOUNDS, "up from (0,1) takes block T off the board"),
        (Slide((0, 0), "left"), Reason.OUT_OF_BOUNDS, "left from (0,0) takes block A off"),
        (Slide((0, 3), "down"), Reason.EMPTY_CELL, "down from (0,3) names an empty cell"),
        (
            Slide((1, 1), "right"),
            Reason.NO_SUCH_PIECE,
            "right from (1,1) names a cell inside block T, whose top-left cell is (0,1)",
        ),
        (Slide((2, 3), "down"), Reason.NO_SUCH_PIECE, "inside block B, whose top-left cell is"),
        (Slide((0, 0), "down"), Reason.BLOCKED, "down from (0,0) is blocked by block C at (3,0)"),
        (Slide((2, 2), "left"), Reason.BLOCKED, "left from (2,2) is blocked by block A at (2,1)"),
        (Slide((2, 2), "up"), Reason.BLOCKED, "up from (2,2) is blocked by block T at (1,2)"),
        (Slide((0, 1), "away"), Reason.UNKNOWN_ACTION, "'away' from (0,1) is not a direction"),
        (Slide((9, 9), "UP"), Reason.UNKNOWN_ACTION, "'UP' from (9,9) is not a direction"),
    ],
)
def test_illegal_actions_are_named(action: Slide, reason: Reason, words: str) -> None:
    with pytest.raises(IllegalAction) as error:
        rules.apply(BOARD, action)
    assert error.value.reason is reason
    assert words in str(error.value)
    played = FAMILY.replay(BOARD, [Slide((0, 1), "right"), Slide((0, 2), "left"), action])
    assert (played.state, played.legal, played.at, played.reason) == (BOARD, 2, 2, reason)
    assert played.detail == str(error.value)


def test_solved_is_where_t_stands_at_its_goal() -> None:
    state = parsed("TT.", "TT.", "...", goal=[1, 1])
    assert not rules.is_solved(state)
    down = rules.apply(state, Slide((0, 0), "down"))
    assert not rules.is_solved(down)
    assert rules.is_solved(rules.apply(down, Slide((1, 0), "right")))


@given(seed=st.integers(0, 9999))
def test_replay_is_apply_folded(seed: int) -> None:
    draws = Draws("replay", seed)
    start = any_board(draws)
    states = random_play(FAMILY, start, draws, 8)
    actions = [draws.choice(rules.legal_actions(s)) for s in states if rules.legal_actions(s)]
    state, legal, reason = folded(FAMILY, start, actions)
    played = FAMILY.replay(start, actions)
    assert (played.state, played.legal, played.reason or "") == (state, legal, reason)


@given(seed=st.integers(0, 9999))
def test_notation_is_read_back_and_moves_can_be_taken_back(seed: int) -> None:
    draws = Draws("notation", seed)
    state = any_board(draws)
    assert rules.parse(rules.format(state), rules.rules_of(state)) == state
    for action in rules.legal_actions(state):
        after = rules.apply(state, action)
        assert after.board == rules.normal(after.board)
        assert state in [rules.apply(after, back) for back in rules.legal_actions(after)]


def renamed(draws: Draws, board: tuple[str, ...]) -> str:
    names = dict(zip(NAMES, draws.shuffled(NAMES), strict=True))
    return "\n".join("".join(names.get(mark, mark) for mark in row) for row in board)


@given(seed=st.integers(0, 9999))
def test_canonical_is_blind_to_names_and_mirrors(seed: int) -> None:
    draws = Draws("canonical", seed)
    state = any_board(draws)
    central = rules.parse(rules.format(state), {})
    columns, width = len(state.board[0]), len({c for _, c in rules.blocks_of(state.board)["T"]})
    other = rules.parse(renamed(draws, state.board), rules.rules_of(state))
    assert rules.canonical(other) == rules.canonical(state)
    if (columns - width) % 2 == 0:
        image = rules.parse(renamed(draws, mirrored(central.board)), {})
        assert rules.canonical(image) == rules.canonical(central)


def test_canonical_tells_boards_and_goals_apart() -> None:
    boards = [
        parsed("TTA.", "TT..", "...."),
        parsed("TT.A", "TT..", "...."),
        parsed(".ATT", "..TT", "....", goal=[1, 2]),  # a mirror image, its goal not in the middle
        parsed("TTA.", "TT..", "....", goal=[1, 0]),
        parsed("TTA.", "TT..", "....", goal=[0, 1]),
        parsed("TTAA", "TT..", "...."),
    ]
    assert len({rules.canonical(board) for board in boards}) == len(boards)
    assert rules.canonical(boards[0]) == rules.canonical(parsed(".ATT", "..TT", "...."))
    assert rules.canonical(boards[4]) == rules.canonical(
        parsed(".ATT", "..TT", "....", goal=[0, 1])
    )
