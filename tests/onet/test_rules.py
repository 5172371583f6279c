"""The rules of Onet, on boards whose answers can be seen, and against a naive search for links."""

import json
from collections import deque
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.family import IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.onet import FAMILY, rules
from puzzles.onet.rules import Pair, State
from puzzles.onet.text import words
from puzzles.symmetry import all_eight
from puzzles.verdict import Reason

Cell = tuple[int, int]


def board(*rows: str, **more: object) -> State:
    return rules.parse("\n".join(rows), more)


def some_board(
    draws: Draws, rows: int, columns: int, tiles: int, kinds: int, max_turns: int, outside: bool
) -> State:
    """Return a board with up to ``tiles`` tiles anywhere, whether it can be cleared or not."""
    cells = draws.shuffled(list(product(range(rows), range(columns))))
    marks = [["."] * columns for _ in range(rows)]
    for at in range(min(tiles, len(cells)) // 2):
        kind = chr(ord("A") + draws.below(kinds))
        for r, c in cells[2 * at : 2 * at + 2]:
            marks[r][c] = kind
    return State(tuple(map("".join, marks)), max_turns, outside)


def naive_link(state: State, a: Cell, b: Cell) -> tuple[int, int] | None:
    """Return the smallest (turns, length) of a link, cell by cell, or None."""
    rim = int(state.outside)
    rows, columns = len(state.board), len(state.board[0])
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    best = {(a, step): (0, 0) for step in steps}
    queue = deque(best)
    while queue:
        cell, step = queue.popleft()
        turns, length = best[cell, step]
        for turn in steps:
            way = (turns + (turn != step), length + 1)
            r, c = near = (cell[0] + turn[0], cell[1] + turn[1])
            if cell == b or way[0] > state.max_turns:
                continue
            if not (-rim <= r < rows + rim and -rim <= c < columns + rim):
                continue
            inside = 0 <= r < rows and 0 <= c < columns
            if inside and state.board[r][c] != "." and near != b:
                continue
            if cell == a and turn != step:
                continue  # the first step is no turn
            if (near, turn) not in best or way < best[near, turn]:
                best[near, turn] = way
                queue.append((near, turn))
    return min((best[b, step] for step in steps if (b, step) in best), default=None)


def measured(corners: list[Cell]) -> tuple[int, int]:
    lengths = [abs(r - r2) + abs(c - c2) for (r, c), (r2, c2) in pairwise(corners)]
    return len(corners) - 2, sum(lengths)


boards = st.builds(
    some_board,
    st.integers(0, 2**32).map(Draws),
    st.integers(1, 6),
    st.integers(1, 7),
    st.integers(2, 30),
    st.integers(1, 4),
    st.sampled_from([0, 1, 2, 2, 3, 7]),
    st.booleans(),
)


def test_a_straight_link() -> None:
    assert rules.link(board("A..A"), (0, 0), (0, 3)) == [(0, 0), (0, 3)]
    assert rules.link(board("AA"), (0, 0), (0, 1)) == [(0, 0), (0, 1)]
    assert rules.link(board("ABBA"), (0, 0), (0, 3)) is None


def test_one_turn_where_one_corner_is_free() -> None:
    state = board("AB.", "..A", ".B.")
    assert rules.link(state, (0, 0), (1, 2)) == [(0, 0), (1, 0), (1, 2)]
    assert rules.link(board("AB.", "..A", ".B.", max_turns=0), (0, 0), (1, 2)) is None


def test_two_turns_around_a_tile() -> None:
    state = board("....", "ABBA", "..CC")
    assert rules.link(state, (1, 0), (1, 3)) == [(1, 0), (0, 0), (0, 3), (1, 3)]


def test_three_turns_only_where_they_are_allowed() -> None:
    rows = ("AB..", "..CB", "C..A")
    assert rules.link(board(*rows), (0, 0), (2, 3)) is None
    corners = rules.link(board(*rows, max_turns=3), (0, 0), (2, 3))
    assert corners == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 3)]


def test_links_outside_the_board() -> None:
    rows = ("ABA", "B..")
    assert rules.link(board(*rows), (0, 0), (0, 2)) is None
    around = rules.link(board(*rows, outside=True), (0, 0), (0, 2))
    assert around == [(0, 0), (-1, 0), (-1, 2), (0, 2)]


def test_of_the_links_with_the_fewest_turns_the_shortest_is_given() -> None:
    state = board("......", ".BB...", "A.CC.A", "......", "......")
    assert rules.link(state, (2, 0), (2, 5)) == [(2, 0), (3, 0), (3, 5), (2, 5)]
    state = board("......", "A.CC.A", ".BB...")
    assert rules.link(state, (1, 0), (1, 5)) == [(1, 0), (0, 0), (0, 5), (1, 5)]
    state = board("A....", "BBBB.", "....A", max_turns=2)
    assert rules.link(state, (0, 0), (2, 4)) == [(0, 0), (0, 4), (2, 4)]


@given(boards)
def test_links_are_those_of_a_naive_search(state: State) -> None:
    for cells in rules.tiles(state).values():
        for a, b in product(cells, cells):
            if a == b:
                continue
            corners = rules.link(state, a, b)
            assert (corners and measured(corners)) == naive_link(state, a, b)
            assert corners == rules.link(state, a, b)
            if corners:
                assert (corners[0], corners[-1]) == (a, b)


@given(boards)
def test_replay_is_apply_action_by_action(state: State) -> None:
    draws = Draws(rules.format(state))
    rows, columns = len(state.board), len(state.board[0])
    answer, now = [], state
    while legal := rules.legal_actions(now):
        action = draws.choice(legal)
        now = rules.apply(now, action)
        answer.append(action if draws.below(2) else Pair(action.b, action.a))
    played = rules.replay(state, answer)
    assert (played.state, played.legal, played.reason) == (now, len(answer), None)
    for _ in range(20):
        cells = [(draws.below(rows + 2) - 1, draws.below(columns + 2) - 1) for _ in range(2)]
        wrong = Pair(*cells)
        at = draws.below(len(answer) + 1)
        before = rules.replay(state, answer[:at]).state
        played = rules.replay(state, [*answer[:at], wrong, *answer[at:]])
        if Pair(*sorted(wrong)) in rules.legal_actions(before):
            assert played.legal > at
        else:
            with pytest.raises(IllegalAction) as caught:
                rules.apply(before, wrong)
            assert played == (before, at, at, caught.value.reason, str(caught.value))


def test_replay_on_boards_too_large_for_the_table() -> None:
    wide = board("A" + "." * 500 + "A", "B" + "C" * 500 + "B")
    answer = [Pair((1, 501), (1, 0)), Pair((0, 0), (0, 501))]
    assert rules.replay(wide, answer).reason is Reason.NO_LINK
    assert rules.replay(wide, answer).state == wide
    after = ("." * 502, "." + "C" * 500 + ".")
    assert rules.replay(wide, answer[::-1]) == (State(after), 2, None, None, "")


STATE = board("AB.B", ".AC.", "...C")


@pytest.mark.parametrize(
    ("pair", "reason", "words"),
    [
        (((0, 0), (3, 0)), Reason.OUT_OF_BOUNDS, "(0,0)-(3,0): (3,0) is outside the board"),
        (((0, -1), (0, 0)), Reason.OUT_OF_BOUNDS, "(0,-1)-(0,0): (0,-1) is outside the board"),
        (((0, 0), (10**30, 0)), Reason.OUT_OF_BOUNDS, f"({10**30},0) is outside"),
        (((0, 0), (0, 2)), Reason.EMPTY_CELL, "(0,0)-(0,2): (0,2) is empty"),
        (((2, 2), (2, 2)), Reason.EMPTY_CELL, "(2,2) is empty"),
        (((0, 0), (0, 1)), Reason.NOT_A_PAIR, "(0,0)-(0,1): the tiles are A and B"),
        (((0, 0), (0, 0)), Reason.NOT_A_PAIR, "(0,0)-(0,0): both cells are the same tile"),
    ],
)
def test_each_refusal_names_the_action_and_the_cell(
    pair: tuple[Cell, Cell], reason: Reason, words: str
) -> None:
    with pytest.raises(IllegalAction) as caught:
        rules.apply(STATE, Pair(*pair))
    assert caught.value.reason is reason
    assert words in str(caught.value)
    assert rules.replay(STATE, [Pair(*pair)]).reason is reason


@pytest.mark.parametrize(("turns", "words"), [(0, "0 turns"), (1, "1 turn joins"), (2, "2 turns")])
def test_without_a_link_the_allowed_turns_are_named(turns: int, words: str) -> None:
    state = board("AB", "BA", max_turns=turns)
    with pytest.raises(IllegalAction, match=words) as caught:
        rules.apply(state, Pair((0, 0), (1, 1)))
    assert caught.value.reason is Reason.NO_LINK


def test_a_removal_empties_two_cells() -> None:
    after = rules.apply(STATE, Pair((0, 3), (0, 1)))
    assert after.board == ("A...", ".AC.", "...C")
    assert rules.legal_actions(STATE)[0] == Pair((0, 0), (1, 1))
    assert not rules.is_solved(after)
    solution = [Pair((0, 0), (1, 1)), Pair((0, 1), (0, 3)), Pair((1, 2), (2, 3))]
    assert rules.is_solved(rules.replay(STATE, solution).state)


@pytest.mark.parametrize(
    ("text", "given_rules", "words"),
    [
        ("AB\nA", {}, "onet: row 1 has 1 cells, row 0 has 2"),
        ("", {}, "onet: the board is empty"),
        ("A1\nA1", {}, "onet: '1' at (0,1) is not one of"),
        ("AB\nAA\nBA", {}, None),
        ("AB\nAA\nB.", {}, "onet: kind A has an odd number of tiles, 3; the first is at (0,0)"),
        (".Z", {}, "onet: kind Z has an odd number of tiles, 1; the first is at (0,1)"),
        ("AA", {"turns": 2}, "onet: unknown rule 'turns'"),
        ("AA", {"max_turns": -1}, "onet: max_turns is -1, not a whole number"),
        ("AA", {"max_turns": True}, "onet: max_turns is True"),
        ("AA", {"max_turns": 2.0}, "onet: max_turns is 2.0"),
        ("AA", {"max_turns": "2"}, "onet: max_turns is '2'"),
        ("AA", {"outside": 1}, "onet: outside is 1, not true or false"),
    ],
)
def test_what_is_no_board_is_refused_in_one_sentence(
    text: str, given_rules: dict[str, object], words: str | None
) -> None:
    if words is None:
        assert rules.format(rules.parse(text, given_rules)) == text
        return
    with pytest.raises(InvalidBoard) as caught:
        rules.parse(text, given_rules)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@given(boards)
def test_notation_round_trip(state: State) -> None:
    more = {"max_turns": state.max_turns, "outside": state.outside}
    assert rules.parse(rules.format(state), more) == state


@given(boards)
def test_symmetries_and_names_leave_the_canonical_form_as_it_is(state: State) -> None:
    swap = str.maketrans("ABCD", "zCaA")
    for rows in all_eight(state.board):
        other = State(tuple(row.translate(swap) for row in rows), state.max_turns, state.outside)
        assert rules.canonical(other) == rules.canonical(state)


def test_different_boards_have_different_canonical_forms() -> None:
    forms = [
        rules.canonical(state)
        for state in (
            board("AABB"),
            board("ABAB"),
            board("ABBA"),
            board("AABB", max_turns=1),
            board("AABB", outside=True),
            board("AAAA"),
            board("AA", "BB"),
        )
    ]
    assert len(set(forms)) == len(forms)
    assert rules.canonical(board("BBAA")) == forms[0]


def test_answers_round_trip_through_the_wire() -> None:
    answer = [Pair((0, 0), (1, 1)), Pair((5, 2), (0, 3))]
    wire = rules.format_answer(answer)
    assert wire == "<answer_json>[[[0,0],[1,1]],[[5,2],[0,3]]]</answer_json>"
    assert rules.parse_answer(json.loads(wire[13:-14])) == answer
    assert rules.parse_answer([[0, 0, 1, 1], [[5, 2], [0, 3]]]) == answer
    assert rules.parse_answer([]) == []
    assert rules.parse_answer([[[-1, 0], [10**40, 1]]]) == [Pair((-1, 0), (10**40, 1))]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({}, "expected a list of pairs of cells, not {}"),
        ("[[0,0],[1,1]]", "expected a list"),
        (None, "expected a list"),
        ([[[0, 0], [1, 1]], 3], "item 1 is 3, not a pair of cells"),
        ([[0, 0], [1, 1]], "item 0 is [0, 0]"),
        ([[[0, 0]]], "item 0"),
        ([[[0, 0], [1, 1], [2, 2]]], "item 0"),
        ([[[0, 0, 0], [1, 1, 1]]], "item 0"),
        ([[[0, 0], [1, True]]], "item 0"),
        ([[[0, 0], [1, 1.0]]], "item 0"),
        ([[[0, 0], [1, float("nan")]]], "item 0"),
        ([[[0, 0], [1, "1"]]], "item 0"),
        ([[[0, 0], [1, None]]], "item 0"),
        ([[0, 0, 1, 1, 2]], "item 0"),
        ([{"from": [0, 0], "to": [1, 1]}], "item 0"),
    ],
)
def test_what_is_no_answer_is_refused_by_item(value: object, words: str) -> None:
    with pytest.raises(MalformedAnswer) as caught:
        rules.parse_answer(value)
    assert words in str(caught.value)


def test_the_words_hold_a_valid_answer_and_follow_the_rules() -> None:
    example = FAMILY.words({}).examples[0].split("<answer_json>")[1].split("</answer_json>")[0]
    assert len(rules.parse_answer(json.loads(example))) == 2
    assert "at most two turns" in FAMILY.words({}).rules
    assert "can't leave" in FAMILY.words({}).rules
    other = words({"max_turns": 5, "outside": True}).rules
    assert "at most 5 turns" in other
    assert "leave the board and run around" in other


def test_the_published_solutions_clear_their_boards(reference: Path) -> None:
    lines = (reference / "vgau" / "onet.jsonl").read_text().splitlines()
    assert len(lines) == 9
    for record in map(json.loads, lines):
        rows = ["".join(kind or "." for kind in row) for row in record["board"]]
        answer = rules.parse_answer(record["one_solution_steps"])
        played = rules.replay(board(*rows), answer)
        assert rules.is_solved(played.state)
        assert len(answer) == sum(row.count(kind) for row in rows for kind in set(row) - {"."}) / 2
