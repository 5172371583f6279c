"""The rules of parking on boards whose answers can be seen."""

import pytest

from puzzles.answers import extract
from puzzles.family import IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.parking import FAMILY, rules
from puzzles.parking.rules import Slide
from puzzles.verdict import Reason

BOARD = """\
..AA.B
.....B
RR.C#.
dd.C..
...C.."""


def lot(board: str) -> rules.State:
    return rules.parse(board, {})


def test_the_state_lists_the_red_car_first():
    state = lot(BOARD)
    assert (state.rows, state.cols, state.walls) == (5, 6, ((2, 4),))
    assert state.vehicles[0] == ("R", 2, 0, 2, True)
    assert [car.name for car in state.vehicles] == ["R", "A", "B", "C", "d"]
    assert state.vehicles[3] == ("C", 2, 3, 3, False)
    assert rules.format(state) == BOARD


@pytest.mark.parametrize(
    "board", ["RR", ".RR", "RRR.", "aaRR", "#RR.A\n....A", "R" * 9 + "." * 3 + "\n" + "." * 12]
)
def test_notation_comes_back(board):
    assert rules.format(lot(board)) == board


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("RR.\nBB.\n.B.", "vehicle B at (2,1) is bent"),
        ("RR.B\n...B\n....\n...B", "vehicle B at (3,3) is torn"),
        ("RR..\nB.B.", "vehicle B at (1,2) is torn"),
        ("RR.\nB..\n..B", "vehicle B at (2,2) is torn"),
        ("RR.\nBB.\nBB.", "vehicle B at (2,0) is bent"),
        ("RR.\n..b", "vehicle b at (1,2) is a single cell"),
        ("R..\n...", "vehicle R at (0,0) is a single cell"),
        ("R..\nR..", "the red car R at (0,0) is vertical"),
        ("AA.\n...", "the board has no red car R"),
        ("RR.\n.?.", "'?' at (1,1)"),
        ("RR.\n.é.", "'é' at (1,1)"),
        ("RR.\n..", "row 1 has 2 cells"),
        ("", "the board is empty"),
    ],
)
def test_bad_boards_are_named(board, words):
    with pytest.raises(InvalidBoard) as error:
        lot(board)
    assert words in str(error.value)
    assert str(error.value).startswith("parking: ")


def test_an_unknown_rule_is_an_error():
    with pytest.raises(InvalidBoard, match="unknown rule 'exit'"):
        rules.parse("RR.", {"exit": "left"})


def test_imported_strings_are_rewritten():
    state = lot("oBBBCCooFoDDooFAAHooFooHooGEEEooGxoo")
    assert rules.format(state).splitlines() == [
        *(".BBBCC", "..F.DD", "..FRRH", "..F..H", "..GEEE", "..G#..")
    ]


def test_an_imported_car_called_r_gets_another_name():
    state = lot("..RAA." + "..R..." + "......" * 4)
    assert rules.format(state).splitlines()[:2] == ["..ARR.", "..A..."]


def test_a_row_of_36_cells_is_a_board_of_its_own():
    board = "AA.ooo.RR" + "." * 27
    assert rules.format(lot(board)) == board
    with pytest.raises(InvalidBoard, match="no red car"):
        lot("oo" * 18)


def test_legal_actions_of_a_small_board():
    assert rules.legal_actions(lot(BOARD)) == [
        *(Slide("R", "right"), Slide("A", "right"), Slide("A", "left")),
        *(Slide("B", "down"), Slide("C", "up"), Slide("d", "right")),
    ]


@pytest.mark.parametrize(
    ("action", "reason", "words"),
    [
        (Slide("Z", "up"), Reason.NO_SUCH_PIECE, "no vehicle 'Z'"),
        (Slide("", "up"), Reason.NO_SUCH_PIECE, "no vehicle ''"),
        (Slide("A", "sideways"), Reason.UNKNOWN_ACTION, "'sideways' is not a direction"),
        (Slide("A", "up"), Reason.WRONG_AXIS, "vehicle A from (0,2) is not along its axis"),
        (Slide("C", "left"), Reason.WRONG_AXIS, "it is vertical"),
        (Slide("B", "up"), Reason.OUT_OF_BOUNDS, "leaves the board at (-1,5)"),
        (Slide("C", "down"), Reason.OUT_OF_BOUNDS, "leaves the board at (5,3)"),
        (Slide("R", "left"), Reason.OUT_OF_BOUNDS, "leaves the board at (2,-1)"),
    ],
)
def test_every_refusal_has_its_reason(action, reason, words):
    with pytest.raises(IllegalAction) as error:
        rules.apply(lot(BOARD), action)
    assert error.value.reason is reason
    assert words in str(error.value)


def test_walls_and_vehicles_stop_a_vehicle():
    state = rules.apply(lot(BOARD), Slide("R", "right"))
    with pytest.raises(IllegalAction, match="blocked by vehicle C at \\(2,3\\)") as error:
        rules.apply(state, Slide("R", "right"))
    assert error.value.reason is Reason.BLOCKED
    with pytest.raises(IllegalAction, match="wall at \\(0,2\\)") as error:
        rules.apply(lot("RR#"), Slide("R", "right"))
    assert error.value.reason is Reason.HITS_WALL


def test_the_case_of_a_name_matters():
    state = lot("RR..\nAA..\naa..")
    assert rules.apply(state, Slide("a", "right")) == lot("RR..\nAA..\n.aa.")
    with pytest.raises(IllegalAction) as error:
        rules.apply(state, Slide("r", "right"))
    assert error.value.reason is Reason.NO_SUCH_PIECE
    assert rules.replay(state, [Slide("R", "right"), Slide("r", "right")]).legal == 1


def test_the_goal_is_the_last_column():
    assert rules.is_solved(lot(".RR\n..."))
    assert not rules.is_solved(lot("RR.\n..."))
    with pytest.raises(IllegalAction) as error:
        rules.apply(lot(".RR"), Slide("R", "right"))
    assert error.value.reason is Reason.OUT_OF_BOUNDS


def test_replay_ends_where_apply_refuses():
    state = lot(BOARD)
    answer = [Slide("C", "up"), Slide("A", "left"), Slide("C", "up"), Slide("C", "up")]
    played = rules.replay(state, [*answer, Slide("R", "right")])
    for action in answer[:3]:
        state = rules.apply(state, action)
    assert (played.state, played.legal, played.at) == (state, 3, 3)
    assert played.reason is Reason.OUT_OF_BOUNDS
    assert "(-1,3)" in played.detail


def test_canonical_is_equal_under_mirror_and_names():
    state = lot(BOARD)
    mirrored = lot("\n".join(reversed(BOARD.splitlines())))
    renamed = lot(BOARD.replace("A", "x").replace("B", "A").replace("d", "Q"))
    assert rules.canonical(mirrored) == rules.canonical(renamed) == rules.canonical(state)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RR.A\n...A\n....", "RR..\n...A\n...A"),
        ("RR..", ".RR."),
        ("RR.\nAAB\n..B", "RR.\nBBB\n..."),
        ("RR.#\n....", "RR..\n...#"),
        ("AA.\nRR.\n...", "RR.\nAA.\n..."),
        ("RR..AA", "RR.\n.AA"),
    ],
)
def test_canonical_differs_for_different_boards(one, other):
    assert rules.canonical(lot(one)) != rules.canonical(lot(other))


def test_answers_come_back_from_their_wire_format():
    answer = [Slide("A", "up"), Slide("R", "right")]
    wire = rules.format_answer(answer)
    assert wire == (
        '<ANSWER_JSON>[{"car":"A","direction":"up"},{"car":"R","direction":"right"}]</ANSWER_JSON>'
    )
    objects = [{"car": "A", "direction": "up"}, {"car": "R", "direction": "right"}]
    assert rules.parse_answer(objects) == rules.parse_answer({"solution": objects}) == answer


def test_repeats_and_other_words_are_read():
    value = [
        {"car": "A", "direction": "↑", "steps": 2},
        {"car": " r ", "direction": "East", "distance": 1},
        {"car": "b", "direction": "hop", "note": "no direction"},
    ]
    up, right, hop = Slide("A", "up"), Slide("r", "right"), Slide("b", "hop")
    assert rules.parse_answer(value) == [up, up, right, hop]
    assert rules.parse_answer([]) == []


def test_a_slide_is_as_long_as_it_says():
    slides = rules.parse_answer([{"car": "R", "direction": "right", "steps": 1998}])
    assert slides == [Slide("R", "right")] * 1998
    assert rules.is_solved(rules.replay(lot("RR" + "." * 1998), slides).state)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("up", "a list of slides"),
        ({"answer": []}, "a list of slides"),
        ({"solution": {}}, "a list of slides"),
        (None, "a list of slides"),
        (["R right"], "item 0"),
        ([{"car": "R", "direction": "up"}, {"car": "R"}], "direction of item 1 is missing"),
        ([{"car": 1, "direction": "up"}], "car of item 0 is 1"),
        ([{"car": "R", "direction": ["up"]}], "direction of item 0"),
        ([{"car": "R", "direction": "up", "steps": True}], "item 0 slides by True"),
        ([{"car": "R", "direction": "up", "steps": 0}], "item 0 slides by 0"),
        ([{"car": "R", "direction": "up", "steps": -1}], "item 0 slides by -1"),
        ([{"car": "R", "direction": "up", "steps": 1.0}], "item 0 slides by 1.0"),
        ([{"car": "R", "direction": "up", "steps": float("nan")}], "item 0 slides by nan"),
        ([{"car": "R", "direction": "up", "steps": "2"}], "item 0 slides by '2'"),
        ([{"car": "R", "direction": "up", "distance": None}], "item 0 slides by None"),
        ([{"car": "R", "direction": "up", "steps": 1, "distance": 2}], "item 0 slides by 2"),
        ([{"car": "R", "direction": "up", "steps": 10**30}], "item 0 makes the answer longer"),
        ([{"car": "R", "direction": "up", "steps": 1000}] * 101, "item 100 makes the answer"),
    ],
)
def test_malformed_answers_name_the_item(value, words):
    with pytest.raises(MalformedAnswer) as error:
        rules.parse_answer(value)
    assert words in str(error.value)


def test_the_answer_in_the_words_is_an_answer():
    reading = extract(FAMILY.words({}).examples[0], FAMILY)
    assert reading.answer == [Slide("A", "up"), Slide("R", "right")]


def test_a_vehicle_of_very_many_cells_is_bent_at_once():
    board = "\n".join(["RR" + "." * 298, *["A" * 300] * 299])
    with pytest.raises(InvalidBoard, match="vehicle A at"):
        rules.parse(board, {})
