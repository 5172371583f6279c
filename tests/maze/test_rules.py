"""The rules of the maze on boards whose answer can be seen."""

import json
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.directions import DIRECTIONS
from puzzles.family import IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.maze import FAMILY, rules
from puzzles.symmetry import all_eight
from puzzles.verdict import Reason

BOARD = "#####\n#S..#\n#.#G#"
"""Three rows, five columns, an open side below."""


def read(board: str) -> rules.State:
    return rules.parse(board, {})


def test_parse_tells_walls_agent_and_goal_apart() -> None:
    assert read(BOARD) == rules.State(("#####", "#...#", "#.#.#"), (1, 1), (2, 3))
    assert read("*.") == rules.State(("..",), (0, 0), (0, 0))


@pytest.mark.parametrize("board", [BOARD, "S.G", "*", "S\n.\nG", "..S\nG.#"])
def test_what_is_read_is_written_again(board: str) -> None:
    assert rules.format(read(board)) == board


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("", "maze: the board is empty"),
        ("S.\nG", "maze: row 1 has 1 cells, row 0 has 2"),
        ("S.x\n..G", "maze: 'x' at (0,2) is not one of #.SG*"),
        ("..\n.G", "maze: the board has no agent"),
        ("S.\n..", "maze: the board has no goal"),
        ("SG\n.S", "maze: a second agent at (1,1); the first is at (0,0)"),
        ("*G\n..", "maze: a second goal at (0,1); the first is at (0,0)"),
    ],
)
def test_a_wrong_board_is_refused_in_one_sentence(board: str, sentence: str) -> None:
    with pytest.raises(InvalidBoard) as refused:
        read(board)
    assert str(refused.value) == sentence


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(InvalidBoard, match="unknown rule 'wrap'"):
        rules.parse(BOARD, {"wrap": True})


def test_legal_actions_lead_onto_floor() -> None:
    assert rules.legal_actions(read(BOARD)) == ["right", "down"]
    assert rules.legal_actions(read("##S\n##G")) == ["down"]
    assert rules.legal_actions(read("S#G")) == []


@pytest.mark.parametrize(
    ("action", "reason", "sentence"),
    [
        ("up", Reason.HITS_WALL, "up from (1, 1) runs into the wall at (0, 1)"),
        ("jump", Reason.UNKNOWN_ACTION, "'jump' is not a direction"),
    ],
)
def test_an_illegal_action_is_named(action: str, reason: Reason, sentence: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        rules.apply(read(BOARD), action)
    assert (refused.value.reason, str(refused.value)) == (reason, sentence)


@pytest.mark.parametrize("action", DIRECTIONS)
def test_no_action_leaves_the_board(action: str) -> None:
    """Also where Python would read a negative index as one from the end."""
    with pytest.raises(IllegalAction) as refused:
        rules.apply(read("*"), action)
    assert refused.value.reason == Reason.OUT_OF_BOUNDS


def test_replay_reaches_the_goal() -> None:
    played = rules.replay(read(BOARD), ["right", "right", "down"])
    assert played.reason is None
    assert played.legal == 3
    assert rules.is_solved(played.state)


def test_replay_stops_at_the_first_illegal_action() -> None:
    played = rules.replay(read(BOARD), ["down", "down", "up"])
    assert (played.legal, played.at, played.reason) == (1, 1, Reason.OUT_OF_BOUNDS)
    assert played.state.agent == (2, 1)
    assert played.detail == "down from (2, 1) leaves the board at (3, 1)"


def test_passing_the_goal_is_not_reaching_it() -> None:
    played = rules.replay(read("S.G."), ["right", "right", "right"])
    assert played.reason is None
    assert not rules.is_solved(played.state)


@given(st.lists(st.sampled_from([*DIRECTIONS, "jump"]), max_size=12))
def test_replay_is_apply_folded(actions: list[str]) -> None:
    start = read("S..\n.#.\n..G\n.#.")
    played = rules.replay(start, actions)
    assert played.state == reduce(rules.apply, actions[: played.legal], start)
    if played.at is None:
        assert played.legal == len(actions)
    else:
        with pytest.raises(IllegalAction) as refused:
            rules.apply(played.state, actions[played.at])
        assert (refused.value.reason, str(refused.value)) == (played.reason, played.detail)


def test_canonical_is_the_same_for_all_symmetries() -> None:
    boards = {"\n".join(rows) for rows in all_eight(rules.notation(read(BOARD)))}
    assert len(boards) == 8
    assert len({rules.canonical(read(board)) for board in boards}) == 1


@pytest.mark.parametrize("other", ["#####\n#G..#\n#.#S#", "#####\n#S..#\n#.#.G", "S.G", "G.S."])
def test_canonical_tells_boards_apart(other: str) -> None:
    assert rules.canonical(read(other)) != rules.canonical(read(BOARD))


def test_answers_are_directions_in_many_words() -> None:
    read_answer = FAMILY.parse_answer
    assert read_answer(["up", "R", " South ", "←"]) == ["up", "right", "down", "left"]
    assert read_answer(["fly"]) == ["fly"]
    wire = FAMILY.format_answer(["up", "right"])
    assert wire == '<ANSWER_JSON>["up","right"]</ANSWER_JSON>'


@pytest.mark.parametrize("value", ["up", None, {"moves": []}, [1], [True], [["up"]], 3.5])
def test_what_is_no_list_of_words_is_malformed(value: object) -> None:
    with pytest.raises(MalformedAnswer):
        FAMILY.parse_answer(value)


@given(st.lists(st.one_of(st.sampled_from(DIRECTIONS), st.text(max_size=4)), max_size=6))
def test_answers_are_written_as_the_library_writes_json(answer: list[str]) -> None:
    written = json.dumps(answer, separators=(",", ":"))
    assert FAMILY.format_answer(answer) == f"<ANSWER_JSON>{written}</ANSWER_JSON>"
