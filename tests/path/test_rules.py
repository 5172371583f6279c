"""The rules of the path puzzle on boards whose answer can be seen."""

from functools import reduce

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.answers import extract
from puzzles.directions import DIRECTIONS
from puzzles.draws import Draws
from puzzles.family import IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.path import FAMILY, rules
from puzzles.path.route import route_of, second_way
from puzzles.symmetry import all_eight
from puzzles.verdict import Reason

LETTERS = "ABCDEFHIJKLMNOPQRTUVWXYZ"
BOARD = "S.B..\n##A##\nD#C.G\n..#E#"
"""The route passes B, A and C; D can't be reached, E is on a side branch."""


def read(board: str) -> rules.State:
    return rules.parse(board, {})


def test_parse_tells_walls_marker_goal_and_labels_apart() -> None:
    assert read("SA#\n#BG") == rules.State(
        ("..#", "#.."), (0, 0), (1, 2), (("A", (0, 1)), ("B", (1, 1)))
    )
    assert read("aG").agent == read("aG").labels[0][1] == (0, 0)
    assert read("*Z").goal == read("*Z").agent == (0, 0)


@pytest.mark.parametrize("board", [BOARD, "SAG", "aBG", "A*", "S\nQ\nZ\nG", "S#G"])
def test_what_is_read_is_written_again(board: str) -> None:
    assert rules.format(read(board)) == board


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("SA\nG", "path: row 1 has 1 cells, row 0 has 2"),
        ("SAg", f"path: 'g' at (0,2) is not one of #.SG*{LETTERS}{LETTERS.lower()}"),
        ("A.G", "path: the board has no marker"),
        ("SAB", "path: the board has no goal"),
        ("SAG\n##b", "path: a second marker at (1,2); the first is at (0,0)"),
        ("SAG\n##G", "path: a second goal at (1,2); the first is at (0,2)"),
        ("SABAG", "path: a second label A at (0,3); the first is at (0,1)"),
        ("aABG", "path: a second label A at (0,1); the first is at (0,0)"),
    ],
)
def test_a_wrong_board_is_refused_in_one_sentence(board: str, sentence: str) -> None:
    with pytest.raises(InvalidBoard) as refused:
        read(board)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("board", ["S.A\n.#.\nB.G", "SA\nBG", "S...\n#.#A\n#..G", "#..\nS.A\n##G"])
def test_a_board_with_two_routes_is_refused(board: str) -> None:
    with pytest.raises(InvalidBoard, match="second way from the marker to the goal leads over"):
        read(board)


@pytest.mark.parametrize(
    "board", ["..#\n..S\n##A\n##G", "SAG\n###\n.B.\n.#.\n...", "S#A\n#.#\nB.G"]
)
def test_cycles_off_the_route_are_fine(board: str) -> None:
    """A cycle that hangs on one cell of the route, or nowhere, makes no second simple route."""
    read(board)


@given(st.integers(0, 99999), st.integers(1, 5), st.integers(1, 6))
def test_one_route_means_one_simple_path(seed: int, rows: int, columns: int) -> None:
    draws = Draws("routes", seed)
    walls = ["".join(draws.choice("#..") for _ in range(columns)) for _ in range(rows)]
    floor = [(r, c) for r in range(rows) for c in range(columns) if walls[r][c] == "."]
    if not floor:
        return
    graph = nx.Graph()
    graph.add_nodes_from(floor)
    graph.add_edges_from(
        ((r, c), near) for r, c in floor for near in ((r + 1, c), (r, c + 1)) if near in graph
    )
    start, goal = draws.choice(floor), draws.choice(floor)
    ways = [[start]] if start == goal else list(nx.all_simple_paths(graph, start, goal))
    assert (second_way(walls, start, goal) is None) == (len(ways) <= 1)
    route = route_of(walls, start, goal)
    assert route in ways if ways else not route


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(InvalidBoard, match="unknown rule 'wrap'"):
        rules.parse(BOARD, {"wrap": True})


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("down", Reason.HITS_WALL),
        ("up", Reason.OUT_OF_BOUNDS),
        ("left", Reason.OUT_OF_BOUNDS),
        ("jump", Reason.UNKNOWN_ACTION),
    ],
)
def test_an_illegal_step_is_named(action: str, reason: Reason) -> None:
    with pytest.raises(IllegalAction, match=action) as refused:
        rules.apply(read(BOARD), action)
    assert refused.value.reason == reason


def test_the_marker_walks_over_labels_and_leaves_them() -> None:
    state = reduce(rules.apply, ["right", "right"], read(BOARD))
    assert rules.format(state) == "..b..\n##A##\nD#C.G\n..#E#"
    assert rules.legal_actions(state) == ["right", "down", "left"]
    state = rules.apply(state, "down")
    assert rules.format(state) == "..B..\n##a##\nD#C.G\n..#E#"
    state = reduce(rules.apply, ["down", "right", "right"], state)
    assert rules.format(state) == "..B..\n##A##\nD#C.*\n..#E#"
    assert rules.is_solved(state)


def test_the_answer_of_a_walk_is_the_labels_that_it_enters() -> None:
    walk = ["right", "right", "down", "down", "right", "right"]
    assert rules.answer_of(read(BOARD), walk) == ["B", "A", "C"]
    assert rules.answer_of(read("aBG"), ["right", "right"]) == ["B"]
    assert rules.answer_of(read(BOARD), []) == []


def test_the_right_labels_bring_the_marker_to_the_goal() -> None:
    played = rules.replay(read(BOARD), ["B", "A", "C"])
    assert (played.legal, played.at, played.reason) == (3, None, None)
    assert rules.format(played.state) == "..B..\n##A##\nD#C.*\n..#E#"


@pytest.mark.parametrize(
    ("answer", "legal", "sentence", "marker"),
    [
        ("A", 0, "label 'A' (index 0) is not the next one on the route", (0, 0)),
        ("BC", 1, "label 'C' (index 1) is not the next one on the route", (0, 2)),
        ("BAE", 2, "label 'E' (index 2) is not the next one on the route", (1, 2)),
        ("BAD", 2, "label 'D' (index 2) is not the next one on the route", (1, 2)),
        ("BAQC", 2, "label 'Q' (index 2) is not on the board", (1, 2)),
        ("BACC", 3, "label 'C' (index 3) is not the next one on the route", (2, 2)),
        ("S", 0, "label 'S' (index 0) is not on the board", (0, 0)),
    ],
)
def test_the_first_wrong_label_is_named_and_no_right_one(
    answer: str, legal: int, sentence: str, marker: tuple[int, int]
) -> None:
    played = rules.replay(read(BOARD), list(answer))
    assert (played.legal, played.at, played.reason) == (legal, legal, Reason.WRONG_LABELS)
    assert played.detail == sentence
    assert played.state.agent == marker


@pytest.mark.parametrize(("answer", "marker"), [("B", (0, 2)), ("BA", (1, 2)), ("", (0, 0))])
def test_missing_labels_are_not_an_illegal_action(answer: str, marker: tuple[int, int]) -> None:
    played = rules.replay(read(BOARD), list(answer))
    assert (played.legal, played.at, played.reason) == (len(answer), None, Reason.WRONG_LABELS)
    assert played.detail == f"labels are missing: the route passes more than {len(answer)}"
    assert played.state.agent == marker


def test_without_a_route_no_answer_is_right() -> None:
    for answer in ([], ["A"], ["B"]):
        played = rules.replay(read("SA#G\n##B."), answer)
        assert (played.legal, played.at, played.reason) == (0, None, Reason.WRONG_LABELS)
        assert played.detail == "no route joins the marker and the goal"


def test_canonical_is_the_same_for_all_symmetries_and_names() -> None:
    names = str.maketrans("ABCDE", "EQADZ")
    marked = reduce(rules.apply, ["right", "right"], read(BOARD))
    for state in (read(BOARD), marked):
        boards = {
            "\n".join(rows).translate(table)
            for rows in all_eight(rules.notation(state))
            for table in ({}, names, {ord("b"): "b"})
        }
        assert len(boards) == 16
        assert len({rules.canonical(read(board)) for board in boards}) == 1


@pytest.mark.parametrize(
    "other",
    [
        "S.B..\n##A##\nD#C.G\n..#.#",
        "S.BE.\n##A##\nD#C.G\n..#.#",
        "G.B..\n##A##\nD#C.S\n..#E#",
        "..b..\n##A##\nD#C.G\n..#E#",
        "..S..\n##A##\nD#C.G\n..#E#",
    ],
)
def test_canonical_tells_boards_apart(other: str) -> None:
    assert rules.canonical(read(other)) != rules.canonical(read(BOARD))


def test_canonical_knows_on_which_label_the_marker_stands() -> None:
    assert rules.canonical(read("aB.G")) != rules.canonical(read("Ab.G"))
    assert rules.canonical(read("aB.G")) == rules.canonical(read("cD.G"))


@pytest.mark.parametrize(
    "value",
    [
        "A,C,E",
        " a, c ,e\n",
        "A C E",
        "A -> C -> E",
        "A→C→E",
        "A=>C⇒E",
        "A, C and E",
        "A, C, AND E.",
        "A;C;E;",
        "[A, C, E]",
        "(A,C,E)",
        "['A', 'C', \"E\"]",
        "“A”, “C”, “E”",
        "`A`\n`C`\n`E`",
        ["A", "C", "E"],
        ["a", " c ", "'E'"],
    ],
)
def test_answers_in_many_forms(value: object) -> None:
    assert rules.parse_answer(value) == ["A", "C", "E"]


@pytest.mark.parametrize(
    "value",
    [
        *("ACE", "A,CE", "route A", "A,1", "A-E", "A/C", "А,C", "A,Ä", "1", "and"),
        *("Aand C", "labels: A, C", "none", "[A", "A,?", "!", "*"),
        *(None, 3, True, 1.5, {"A": 1}, {}, ["A", 1], ["A", None], [["A"]], ["AC"], [""]),
        *([True], ["A,C"], [float("nan")]),
    ],
    ids=repr,
)
def test_what_is_no_list_of_letters_is_malformed(value: object) -> None:
    with pytest.raises(MalformedAnswer):
        rules.parse_answer(value)


def test_the_wrong_item_is_named() -> None:
    with pytest.raises(MalformedAnswer, match=r"^item 1 is 'CE', not a single letter$"):
        rules.parse_answer("A, CE")


@given(st.lists(st.sampled_from(rules.LABELS), min_size=1, max_size=9))
def test_what_is_written_is_read_again(answer: list[str]) -> None:
    reading = extract(rules.format_answer(answer), FAMILY)
    assert (reading.answer, reading.format_ok) == (answer, True)


def test_the_answer_that_the_words_show_is_in_wire_format() -> None:
    assert rules.format_answer(["A", "C", "E"]) in FAMILY.words({}).examples


@given(st.lists(st.sampled_from(DIRECTIONS), max_size=10))
def test_steps_keep_the_board(actions: list[str]) -> None:
    state = read(BOARD)
    for action in actions:
        if action in rules.legal_actions(state):
            state = rules.apply(state, action)
    assert rules.parse(rules.format(state), {}) == state


@pytest.mark.parametrize("value", ["", "  ", "[]", []], ids=repr)
def test_an_empty_answer_names_no_label(value: object) -> None:
    assert rules.parse_answer(value) == []
    played = rules.replay(rules.parse("SAG", {}), [])
    assert (played.legal, played.at, played.reason) == (0, None, Reason.WRONG_LABELS)
    assert rules.replay(rules.parse("S.G", {}), []).reason is None
