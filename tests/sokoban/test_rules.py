"""The rules of Sokoban on boards whose answer can be seen."""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.directions import DIRECTIONS
from puzzles.family import IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.sokoban import FAMILY, rules
from puzzles.symmetry import all_eight
from puzzles.verdict import Reason

BOARD = "######\n#@$-.#\n#-*--#\n#--#-#"
"""Four rows, six columns, two boxes, one of them in place, an open side below."""


def read(board: str) -> rules.State:
    return rules.parse(board, {})


def test_parse_tells_walls_player_boxes_and_targets_apart() -> None:
    walls = ("######", "#----#", "#----#", "#--#-#")
    assert read(BOARD) == rules.State(walls, (1, 1), ((1, 2), (2, 2)), ((1, 4), (2, 2)))
    assert read("+$") == rules.State(("--",), (0, 0), ((0, 1),), ((0, 0),))


@pytest.mark.parametrize("board", [BOARD, "@$.", "+$", "@*", ".\n$\n@", "#@$\n$..\n---"])
def test_what_is_read_is_written_again(board: str) -> None:
    assert rules.format(read(board)) == board


def test_xsb_as_it_is_found_in_files() -> None:
    """Spaces and underscores, rows cut short at the right, a line break at the end."""
    board = "  ####\n###@ #\n#_$.##\n#####\n"
    assert rules.format(read(board)) == "--####\n###@-#\n#-$.##\n#####-"
    assert read(board.replace("\n", "\r\n")) == read(board)


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("", "sokoban: the board is empty"),
        ("@$.\n-x-", "sokoban: 'x' at (1,1) is not one of #-@+$*."),
        ("-$.", "sokoban: the board has no player"),
        ("@$.\n--+", "sokoban: a second player at (1,2); the first is at (0,0)"),
        ("@-.", "sokoban: the board has no box"),
        ("@$$.", "sokoban: 2 boxes ((0,1), (0,2)) but 1 targets ((0,3))"),
        ("@$-", "sokoban: 1 boxes ((0,1)) but 0 targets (none)"),
        (
            "@$.....",
            "sokoban: 1 boxes ((0,1)) but 5 targets ((0,2), (0,3), (0,4), (0,5), ...)",
        ),
    ],
)
def test_a_wrong_board_is_refused_in_one_sentence(board: str, sentence: str) -> None:
    with pytest.raises(InvalidBoard) as refused:
        read(board)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "board", ["#" * 10_000 + "\n" * 10_000 + "#", "#" * 100_000 + "\n#" * 100_000]
)
def test_a_board_that_would_be_all_filling_is_refused_at_once(board: str) -> None:
    with pytest.raises(InvalidBoard, match="is nearly empty"):
        read(board)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(InvalidBoard, match="unknown rule 'pull'"):
        rules.parse(BOARD, {"pull": True})


def test_legal_actions_walk_and_push() -> None:
    assert rules.legal_actions(read(BOARD)) == ["right", "down"]
    assert rules.legal_actions(read("-@-\n.$-\n---")) == ["right", "down", "left"]
    assert rules.legal_actions(read("@$$..")) == []
    assert rules.legal_actions(read("@$#.")) == []
    assert rules.legal_actions(read(".@$")) == ["left"]


def test_a_push_moves_the_box_and_the_player() -> None:
    state = rules.apply(read(BOARD), "right")
    assert rules.format(state) == "######\n#-@$.#\n#-*--#\n#--#-#"
    state = rules.apply(state, "right")
    assert rules.format(state) == "######\n#--@*#\n#-*--#\n#--#-#"
    assert rules.is_solved(state)


@pytest.mark.parametrize(
    ("board", "action", "reason", "sentence"),
    [
        (BOARD, "up", Reason.HITS_WALL, "up from (1, 1) runs into the wall at (0, 1)"),
        (BOARD, "jump", Reason.UNKNOWN_ACTION, "'jump' is not a direction"),
        ("@$.", "down", Reason.OUT_OF_BOUNDS, "down from (0, 0) leaves the board at (1, 0)"),
        (
            *(".@$", "right", Reason.OUT_OF_BOUNDS),
            "right from (0, 1) pushes the box at (0, 2) off the board to (0, 3)",
        ),
        (
            *("@$#.", "right", Reason.BLOCKED),
            "right from (0, 0) pushes the box at (0, 1) into the wall at (0, 2)",
        ),
        (
            *("@$$..", "right", Reason.BLOCKED),
            "right from (0, 0) pushes the box at (0, 1) into the box at (0, 2)",
        ),
        (
            *("$\n@\n.", "up", Reason.OUT_OF_BOUNDS),
            "up from (1, 0) pushes the box at (0, 0) off the board to (-1, 0)",
        ),
    ],
)
def test_an_illegal_action_is_named(board: str, action: str, reason: Reason, sentence: str) -> None:
    state = read(board)
    with pytest.raises(IllegalAction) as refused:
        rules.apply(state, action)
    assert (refused.value.reason, str(refused.value)) == (reason, sentence)
    played = rules.replay(state, [action])
    assert played == (state, 0, 0, reason, sentence)


def test_a_board_is_solved_when_every_box_is_in_place() -> None:
    assert rules.is_solved(read("@*"))
    assert not rules.is_solved(read(BOARD))
    assert not rules.is_solved(read("+$"))


def test_replay_reaches_the_goal() -> None:
    played = rules.replay(read(BOARD), ["right", "right"])
    assert (played.legal, played.reason) == (2, None)
    assert rules.is_solved(played.state)


def test_passing_the_goal_is_not_reaching_it() -> None:
    played = rules.replay(read("@$.-"), ["right", "right"])
    assert (played.legal, played.reason) == (2, None)
    assert not rules.is_solved(played.state)


@given(st.lists(st.sampled_from([*DIRECTIONS, "jump"]), max_size=14))
def test_replay_is_apply_folded(actions: list[str]) -> None:
    start = read("-----.\n-$@$--\n-.#--#\n-.--$-")
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


@pytest.mark.parametrize(
    "other",
    [
        "######\n#-$-.#\n#@*--#\n#--#-#",
        "######\n#@--.#\n#-*$-#\n#--#-#",
        "######\n#@$-.#\n#-$.-#\n#--#-#",
        "######\n#@$-.#\n#-*--#\n#--###",
        "@$.",
    ],
)
def test_canonical_tells_boards_apart(other: str) -> None:
    assert rules.canonical(read(other)) != rules.canonical(read(BOARD))


def test_answers_are_directions_in_many_words() -> None:
    read_answer = FAMILY.parse_answer
    assert read_answer(["up", "R", " South ", "←"]) == ["up", "right", "down", "left"]
    wire = FAMILY.format_answer(["up", "right"])
    assert wire == '<ANSWER_JSON>["up","right"]</ANSWER_JSON>'


@pytest.mark.parametrize("value", ["up", None, {"moves": []}, [1], [True], [["up"]], 3.5])
def test_what_is_no_list_of_words_is_malformed(value: object) -> None:
    with pytest.raises(MalformedAnswer):
        FAMILY.parse_answer(value)
