"""Onet in the form of the published suite: read, written, and what is said of bad records."""

import json
from pathlib import Path
from typing import Any

import pytest

from puzzles.exchange import Entry, NotWritable, Source
from puzzles.generate import Recipe, generate
from puzzles.instance import Instance
from puzzles.onet import FAMILY, rules
from puzzles.onet.exchange import ICONS
from puzzles.onet.fruits import FRUITS
from puzzles.onet.vegetables import VEGETABLES
from puzzles.replay import verify
from puzzles.solve import solve

VGAU = FAMILY.formats["vgau"]
GOOD: dict[str, Any] = {
    "task_id": "a",
    "grid_size": 3,
    "board": [["A", None, "A"], [None, None, None], ["b", "b", None]],
    "one_solution_steps": [[[0, 0], [0, 2]], [[2, 0], [2, 1]]],
}


def read(*records: Any) -> list[Entry]:
    text = "".join(json.dumps(record) + "\n" for record in records)
    return list(VGAU.read(Source(Path("some.jsonl"), text)))


def imported(record: Any, line: str) -> Instance:
    """Return the instance that keeps ``record``, as an import makes it."""
    (entry,) = VGAU.read(Source(Path("some.jsonl"), line))
    return Instance(
        family="onet",
        board=rules.format(entry.state),
        rules=rules.rules_of(entry.state),
        optimal_length=entry.optimum["cell"],
        source={"format": "vgau", "record": entry.record},
    )


def test_a_record_and_its_board() -> None:
    (entry,) = read(GOOD)
    assert entry.state == rules.parse("A.A\n...\nbb.", {})
    assert (entry.line, entry.optimum, entry.problem) == (1, {"cell": 2}, "")
    (entry,) = read({"board": [["A", "A"]]})
    assert (entry.state, entry.optimum) == (rules.parse("AA", {}), {})


def test_published_records_are_read_and_given_back(reference: Path) -> None:
    text = (reference / "vgau" / "onet.jsonl").read_text()
    assert VGAU.claims(text)
    entries = list(VGAU.read(Source(Path("onet.jsonl"), text)))
    assert [entry.line for entry in entries] == list(range(1, 10))
    for entry, line in zip(entries, text.splitlines(keepends=True), strict=True):
        assert entry.problem == ""
        assert solve(FAMILY, entry.state).length == entry.optimum["cell"]
        assert VGAU.write is not None
        assert VGAU.write(imported(entry.record, line)) == line


def test_other_files_are_not_claimed(reference: Path) -> None:
    for path in sorted((reference / "vgau").glob("*.jsonl")):
        assert VGAU.claims(path.read_text()) == (path.stem == "onet")
    for path in ("rushhour.csv", "klotski.csv", "sokoban.jsonl", "maze/arena.map"):
        assert not VGAU.claims((reference / path).read_text())


@pytest.mark.parametrize("text", ["", "AB\nBA", "{", "[]", "[1]", '{"board": "AA"}', "null"])
def test_texts_that_are_not_claimed(text: str) -> None:
    assert not VGAU.claims(text)


def test_our_own_records_are_not_claimed() -> None:
    made = generate(Recipe("onet", difficulty="easy"), 0).instance
    assert not VGAU.claims(made.line())


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_what_is_written_is_read_back(difficulty: str) -> None:
    assert VGAU.write is not None
    for index in range(20):
        made = generate(Recipe("onet", difficulty=difficulty), index).instance
        line = VGAU.write(made)
        assert VGAU.claims(line)
        (entry,) = VGAU.read(Source(Path("x"), line))
        assert rules.format(entry.state) == made.board
        assert rules.rules_of(entry.state) == made.rules
        assert entry.optimum == {"cell": made.optimal_length}
        record = json.loads(line)
        steps = json.dumps(record["one_solution_steps"])
        assert verify(made, f"<answer_json>{steps}</answer_json>").optimal
        assert record["difficulty"] == {"medium": "middle"}.get(difficulty, difficulty)
        assert set(record["tile_legend"]) == set(made.board) - {".", "\n"}
        assert line == json.dumps(record, ensure_ascii=False) + "\n"


def test_the_fields_are_those_of_the_published_records(reference: Path) -> None:
    first = (reference / "vgau" / "onet.jsonl").read_text().splitlines()[0]
    made = generate(Recipe("onet", difficulty="easy"), 0).instance
    assert VGAU.write is not None
    assert list(json.loads(VGAU.write(made))) == list(json.loads(first))


def test_boards_that_are_not_square() -> None:
    recipe = Recipe("onet", lengths=(60, 60), size=(9, 14), options={"copies": 4})
    made = generate(recipe, 0).instance
    assert VGAU.write is not None
    line = VGAU.write(made)
    (entry,) = VGAU.read(Source(Path("x"), line))
    assert json.loads(line)["grid_size"] == [9, 14]
    assert (rules.format(entry.state), entry.optimum) == (made.board, {"cell": 60})


@pytest.mark.parametrize("rule", [{"outside": True}, {"max_turns": 1}])
def test_other_rules_can_not_be_written(rule: dict[str, Any]) -> None:
    made = generate(Recipe("onet", difficulty="easy", rules=rule), 0).instance
    assert VGAU.write is not None
    with pytest.raises(NotWritable, match=next(iter(rule))):
        VGAU.write(made)


def test_without_a_solution_nothing_is_written() -> None:
    assert VGAU.write is not None
    with pytest.raises(NotWritable, match="has none"):
        VGAU.write(Instance(family="onet", board="AA", optimal_length=1))


def test_the_legend_names_what_the_pictures_show() -> None:
    drawn = {letter: paint.__name__[1:] for letter, paint in (FRUITS | VEGETABLES).items()}
    assert drawn == ICONS
    board = "AaA\na.."
    answer = "<answer_json>[[[0,0],[0,2]],[[0,1],[1,0]]]</answer_json>"
    assert VGAU.write is not None
    line = VGAU.write(Instance(family="onet", board=board, optimal_length=2, answer=answer))
    assert json.loads(line)["tile_legend"] == {"A": "apple", "a": "apple_on_blue"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"board": None}, "board is None, not a list of rows"),
        ({"board": ["AA", "BB"]}, "board is ['AA', 'BB'], not a list of rows"),
        ({"board": []}, "onet: the board is empty"),
        ({"board": [[], []]}, "onet: the board is empty"),
        ({"board": [["A", "A"], ["B"]]}, "row 1 has 1 cells, row 0 has 2"),
        ({"board": [["A", "A"], ["B", "BB"]]}, "'BB' at (1,1) is neither a letter nor null"),
        ({"board": [["A", "A"], ["", None]]}, "'' at (1,0) is neither a letter nor null"),
        ({"board": [["A", "A"], [7, None]]}, "7 at (1,0) is neither a letter nor null"),
        ({"board": [["A", "A"], ["ä", "ä"]]}, "'ä' at (1,0) is neither a letter nor null"),
        ({"board": [["A", "A"], [["B"], None]]}, "['B'] at (1,0) is neither a letter nor null"),
        ({"board": [["A", "A"], ["B", None]]}, "onet: kind B has an odd number of tiles, 1"),
        ({"grid_size": 6}, "grid_size is 6, but the board is 3x3"),
        ({"grid_size": "3"}, "grid_size is '3', but the board is 3x3"),
    ],
)
def test_what_is_wrong_with_a_record_is_said(change: dict[str, Any], words: str) -> None:
    record = {**GOOD, "grid_size": None, **change}
    before, entry, after = read(GOOD, record, GOOD)
    assert entry.line == 2
    assert entry.state is None
    assert words in entry.problem
    assert before.state == after.state == rules.parse("A.A\n...\nbb.", {})


def test_records_that_are_no_objects_or_no_json() -> None:
    text = json.dumps(GOOD) + '\n[1]\n{"board": \n"AA"\n{}\n'
    entries = list(VGAU.read(Source(Path("x"), text)))
    assert [entry.line for entry in entries[:3]] == [1, 2, 3]
    assert entries[1].problem == "the record is [1], not an object"
    assert "not JSON" in entries[2].problem
    assert entries[-1].problem == "the record has no board"
    assert all(entry.state is None for entry in entries[1:])


def test_a_list_of_records() -> None:
    text = json.dumps([GOOD, GOOD], indent=1)
    assert VGAU.claims(text)
    entries = list(VGAU.read(Source(Path("x"), text)))
    assert [entry.problem for entry in entries] == ["", ""]
    assert entries[0].line < entries[1].line
