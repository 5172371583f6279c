"""Parking in foreign formats: what comes in goes out unchanged, and faults are named by line."""

import json
from pathlib import Path

import pytest

from puzzles.exchange import Entry, NotWritable, Source
from puzzles.generate import Recipe, generate_block
from puzzles.instance import Instance
from puzzles.parking import FAMILY, rules
from tests.parking.boards import lot

RUSH, VGAU = FAMILY.formats["rush"], FAMILY.formats["vgau"]
HARDEST = "BBBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM"
LONGEST = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"
WALLED = "BBBCCNDDoxMNJAAoMOJoKFFOGGKLooxIILoo"


def read(form, text: str) -> list[Entry]:
    return list(form.read(Source(Path("file"), text)))


def instance(board: str, **fields) -> Instance:
    return Instance(**{"family": "parking", "board": board, "optimal_length": 1, **fields})


def test_a_line_of_a_database_has_moves_board_and_states():
    (entry,) = read(RUSH, f"51 {LONGEST} 4780\n")
    assert (entry.line, entry.problem, entry.optimum) == (1, "", {"slide": 51})
    assert entry.record == f"51 {LONGEST} 4780\n"
    assert rules.format(entry.state).splitlines() == [
        *("GBB.L.", "GHI.LM", "GHIRRM", "CCCK.M", "..JKDD", "EEJFF.")
    ]


@pytest.mark.parametrize(
    ("line", "optimum"),
    [
        (HARDEST, {}),
        (f"  {HARDEST}  ", {}),
        (f"{HARDEST} 24132", {}),
        (f"40\t{HARDEST}\t24132", {"slide": 40}),
        (f"7, 40, {HARDEST}, 24132", {"slide": 40}),
        (f'"40","{HARDEST}"', {"slide": 40}),
        (f"name {HARDEST} 24132", {}),
        (f"-1 {HARDEST}", {}),
    ],
)
def test_numbers_may_stand_around_the_board(line, optimum):
    (entry,) = read(RUSH, line)
    assert (entry.problem, entry.optimum, entry.record) == ("", optimum, line)
    assert entry.state == lot(HARDEST)
    assert RUSH.claims(line)


def test_a_heading_is_no_board():
    for end in ("\n", "\r\n", "\r"):
        text = f"moves board states\n51 {LONGEST} 4780\n{HARDEST}\n".replace("\n", end)
        first, second = read(RUSH, text)
        assert (first.line, first.optimum) == (2, {"slide": 51})
        assert (second.line, second.optimum) == (3, {})
        assert first.record + second.record == text


def test_the_records_together_are_the_file():
    parts = ["\ufeff# by hand\n", "\n", f"51 {LONGEST} 4780\r\n", "; next\n", "rubbish\n", "\t\n"]
    text = "".join([*parts, WALLED, "\n", "# the end\n", "\n"])
    entries = read(RUSH, text)
    assert "".join(entry.record for entry in entries) == text
    assert [entry.line for entry in entries] == [3, 5, 7]
    assert [bool(entry.state) for entry in entries] == [True, False, True]
    assert len(entries[2].state.walls) == 2
    for entry in entries:
        if entry.state:
            kept = {"format": "rush", "record": entry.record}
            assert RUSH.write(instance(rules.format(entry.state), source=kept)) == entry.record


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "moves board states\n"])
def test_files_without_boards_have_no_entries(text):
    assert read(RUSH, text) == []
    assert not RUSH.claims(text)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("AA.", "no board of 36 characters: 'AA.' has 3"),
        (HARDEST[1:], "no board of 36 characters: 'BBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM' has 35"),
        (HARDEST.replace("AA", "oo"), "the board has no red car A"),
        (HARDEST.replace("AA", "A."), "vehicle A at (2,2) is a single cell"),
        ("A" * 3 + "." * 33, None),
        ("A" + "." * 5 + "A" + "." * 29, "the red car A at (0,0) is vertical"),
        ("BB...." + "B....." + "AA" + "." * 22, "vehicle B at (1,0) is bent"),
        ("BB..BB" + "AA" + "." * 28, "vehicle B at (0,4) is torn"),
        ("RR..RR" + "AA" + "." * 28, "vehicle R at (0,4) is torn"),
        (HARDEST.replace("F", "1"), "'1' at (1,0) is not a letter or '.'"),
        (HARDEST.replace("F", "#"), "'#' at (1,0) is not a letter or '.'"),
        ("51 " + "B" * 36, "vehicle B at (1,0) is bent"),
    ],
)
def test_faults_of_a_line_are_named(line, words):
    (entry,) = read(RUSH, line)
    if words is None:
        assert entry.state.vehicles[0].length == 3
    else:
        assert (entry.state, entry.problem) == (None, words)


def test_the_red_row_may_be_any():
    (entry,) = read(RUSH, "BAAooo" + "B" + "o" * 29)
    assert entry.state.vehicles == (("R", 0, 1, 2, True), ("B", 0, 0, 2, False))


def test_boards_are_written_with_new_names_in_reading_order():
    board = "..zz..\n#.....\n.RRb..\n...b.A\nQQQb.A\n......"
    line = RUSH.write(instance(board))
    assert line == "..BB..x......AAC.....C.DEEEC.D......\n"
    (entry,) = read(RUSH, line)
    assert rules.canonical(entry.state) == rules.canonical(lot(board))


def test_an_optimum_in_slides_goes_out_and_comes_back():
    one = instance(rules.format(lot(HARDEST)), metric="slide", optimal_length=49)
    line = RUSH.write(one)
    assert line.startswith("49 ")
    assert [entry.optimum for entry in read(RUSH, line)] == [{"slide": 49}]
    with pytest.raises(NotWritable, match="slides"):
        VGAU.write(one)


@pytest.mark.parametrize("size", ["5x6", "8x8"])
def test_only_boards_of_36_cells_are_written(size):
    rows, cols = map(int, size.split("x"))
    board = "\n".join(["RR" + "." * (cols - 2)] + ["." * cols] * (rows - 1))
    with pytest.raises(NotWritable, match=size):
        RUSH.write(instance(board))


def test_the_reference_boards_come_back(reference):
    text = (reference / "rushhour.csv").read_text()
    entries = read(RUSH, text)
    assert len(entries) == 54
    assert not any(entry.problem for entry in entries)
    assert "".join(entry.record for entry in entries) == text
    for entry in entries:
        line = RUSH.write(instance(rules.format(entry.state)))
        (again,) = read(RUSH, line)
        assert rules.canonical(again.state) == rules.canonical(entry.state)


def test_no_other_reference_file_is_claimed(reference):
    mine = {"rushhour.csv": RUSH, "parking.jsonl": VGAU}
    files = [path for path in reference.rglob("*") if path.is_file()]
    assert len(files) > 10
    for path in files:
        for form in (RUSH, VGAU):
            assert form.claims(path.read_text()) == (mine.get(path.name) is form), path


@pytest.mark.parametrize(
    "board", ["RR..\n....", "." * 36, "#" * 36, "S" + "." * 34 + "G", "[]", "{"]
)
def test_other_texts_are_not_claimed(board):
    assert not RUSH.claims(board)
    assert not VGAU.claims(board)


def test_records_of_the_suite_come_back_byte_for_byte(reference):
    text = (reference / "vgau" / "parking.jsonl").read_text()
    entries = read(VGAU, text)
    assert [entry.line for entry in entries] == list(range(1, 10))
    written = ""
    for entry in entries:
        assert entry.problem == ""
        assert entry.optimum == {"cell": json.loads(entry.record)["optimal_steps"]}
        kept = {"format": "vgau", "record": entry.record}
        written += VGAU.write(instance(rules.format(entry.state), source=kept))
    assert written == text
    (first, *_) = entries
    assert first.state.vehicles[:2] == (("R", 3, 5, 2, True), ("B", 0, 4, 3, True))


@pytest.mark.parametrize("difficulty", FAMILY.buckets)
@pytest.mark.parametrize("size", [None, (6, 6)])
def test_what_was_exported_is_imported_as_the_same_board(difficulty, size):
    recipe = Recipe("parking", difficulty=difficulty, size=size)
    made = [one.instance for block in (0, 1) for one in generate_block(recipe, block)][:20]
    text = "".join(VGAU.write(one) for one in made)
    assert VGAU.claims(text)
    entries = read(VGAU, text)
    for one, entry in zip(made, entries, strict=True):
        assert rules.format(entry.state) == one.board
        assert entry.optimum == {"cell": one.optimal_length}
        record = json.loads(entry.record)
        assert record["task_id"] == one.id
        assert record["difficulty"] == ("middle" if difficulty == "medium" else difficulty)
        assert record["exit_row"] == entry.state.vehicles[0].row + 1
        actions = rules.parse_answer(record["solution"])
        assert len(actions) == one.optimal_length
        assert rules.is_solved(rules.replay(entry.state, actions).state)
    if size:
        lines = "".join(RUSH.write(one) for one in made)
        boards = [rules.canonical(entry.state) for entry in read(RUSH, lines)]
        assert boards == [rules.canonical(lot(one.board)) for one in made]


def test_the_schema_is_that_of_the_suite(reference):
    published = json.loads((reference / "vgau" / "parking.jsonl").read_text().splitlines()[0])
    (one, *_) = generate_block(Recipe("parking", difficulty="easy"), 0)
    record = json.loads(VGAU.write(one.instance))
    assert list(record) == list(published)
    assert list(record["cars"][0]) == list(published["cars"][0])
    assert {type(value) for value in record.values()} == {
        type(value) for value in published.values()
    }


RED = {"id": "R", "orientation": "H", "length": 2, "row": 3, "col": 0}


def suite(*cars, **fields) -> str:
    return json.dumps({"grid_size": 8, "exit_row": 4, "cars": list(cars), **fields})


def car(name, row: int, col: int, length: int, orientation="V") -> dict[str, object]:
    return {"id": name, "orientation": orientation, "length": length, "row": row, "col": col}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (suite(), "the board has no red car R"),
        (suite(RED, car("B", 2, 3, 7)), "car B at (2,3) leaves the board"),
        (suite(RED, car("B", -1, 3, 2)), "car B at (-1,3) leaves the board"),
        (suite(RED, car("truck", 2, 1, 3)), "cars R and 'truck' overlap at (3,1)"),
        (suite(RED, car("B", 0, 0, 2), car("B", 0, 5, 2)), "two cars have the id B"),
        (suite({**RED, "orientation": "V"}), "the red car R at (3,0) is vertical"),
        (suite(RED, car("B", 0, 0, 2, "D")), "the orientation of car B is 'D', not H or V"),
        (suite(RED, car("B", 0, 0, 2, ["H"])), "the orientation of car B is ['H'], not H or V"),
        (suite(RED, car("B", 0, 0, 1)), "vehicle B at (0,0) is a single cell"),
        (suite(RED, car("B", 0, 0, 0)), "the length of car B is 0"),
        (suite(RED, car("B", 0.5, 0, 2)), "row of car B is 0.5, not a whole number"),
        (suite(RED, car("B", 0, True, 2)), "col of car B is True, not a whole number"),
        (suite(RED, {"id": "B"}), "row of car B is missing, not a whole number"),
        (suite(RED, {"id": 5}), "car 1 of the list is not an object with an id"),
        (suite(RED, "B"), "car 1 of the list is not an object with an id"),
        (suite(RED, exit_row=3), "the exit is in row 3 (from 1), but R is in row 4"),
        (suite(RED, grid_size=0), "grid_size is 0, not 1 to 1000"),
        (suite(RED, grid_size="8"), "grid_size of the record is '8', not a whole number"),
        (suite(*(car(str(k), 0, k, 2) for k in range(53)), grid_size=60), "53 cars are more than"),
        (json.dumps({"cars": {}}), "the record has no list of cars"),
        ("[[1]]", "the record is [1], not an object"),
        ("{oops}", "not JSON"),
    ],
)
def test_faults_of_a_record_are_named(text, words):
    (entry,) = read(VGAU, text)
    assert entry.state is None
    assert words in entry.problem


def test_ids_that_are_no_letters_become_letters():
    cars = [car("red", 3, 0, 2, "H"), car("truck", 0, 4, 3), car("A", 0, 0, 2), car("é", 5, 5, 2)]
    (entry,) = read(VGAU, suite(*cars))
    assert entry.problem == ""
    assert [(one.name, one.col) for one in entry.state.vehicles] == [
        *(("R", 0), ("A", 0), ("B", 4), ("C", 5))
    ]


def test_a_faulty_record_does_not_hide_the_next():
    entries = read(VGAU, f"{suite(RED)}\nnot json\n{suite()}\n{suite(RED, optimal_steps=6)}\n")
    assert [entry.line for entry in entries] == [1, 2, 3, 4]
    assert [bool(entry.state) for entry in entries] == [True, False, False, True]
    assert entries[3].optimum == {"cell": 6}


@pytest.mark.parametrize(
    ("board", "words"), [("RR.\n...", "2x3"), ("RR.\n..#\n...", "no walls.*\\(1,2\\)")]
)
def test_what_the_suite_cannot_say_is_not_written(board, words):
    with pytest.raises(NotWritable, match=words):
        VGAU.write(instance(board))
