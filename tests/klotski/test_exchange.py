"""Klotski in the form of the published suite: read, written, and what is wrong with a record."""

import json
from pathlib import Path
from typing import Any

import pytest

from puzzles.dataset import make
from puzzles.exchange import Entry, NotWritable, Source
from puzzles.instance import Instance
from puzzles.klotski import FAMILY, rules
from puzzles.solve import solve

VGAU = FAMILY.formats["vgau"]
RECORD: dict[str, Any] = {
    "task_id": "easy_001",
    "level": "easy",
    "grid_w": 4,
    "grid_h": 3,
    "goal_t_pos": [1, 2],
    "optimal_steps": 4,
    "initial_state": {"T": [0, 0], "Vs": [[0, 2]], "Hs": [[2, 0]], "Ss": [[2, 2]]},
}


def entries(text: str) -> list[Entry]:
    return list(VGAU.read(Source(Path("file"), text)))


def instance(entry: Entry) -> Instance:
    solution = solve(FAMILY, entry.state)
    return Instance(
        id="klotski-easy-0123456789abcdef",
        family="klotski",
        board=rules.format(entry.state),
        rules=rules.rules_of(entry.state),
        optimal_length=solution.length,
        answer=FAMILY.format_answer(solution.actions),
        source={"format": "vgau", "record": entry.record},
    )


def test_published_records_reach_their_optimum_and_come_back_byte_for_byte(
    reference: Path,
) -> None:
    text = (reference / "vgau" / "klotski.jsonl").read_text(encoding="utf-8")
    found = entries(text)
    assert [entry.line for entry in found] == list(range(1, 10))
    instances = [instance(entry) for entry in found]
    assert [{"cell": i.optimal_length} for i in instances] == [e.optimum for e in found]
    assert "".join(map(VGAU.write, instances)) == text


def test_only_klotski_is_claimed(reference: Path) -> None:
    files = sorted((reference / "vgau").glob("*.jsonl"))
    assert len(files) == 6
    for file in files:
        assert VGAU.claims(file.read_text(encoding="utf-8")) == (file.stem == "klotski")
    for text in ("", "TTA.\nTTA.\n....", "[]", "{}", "[1]", '{"initial_state": 3}', "\0"):
        assert not VGAU.claims(text)
    assert VGAU.claims(json.dumps([RECORD], indent=1))


def test_a_record_is_read_as_it_says() -> None:
    (entry,) = entries(json.dumps(RECORD))
    assert entry.state == rules.parse("TTA.\nTTA.\nBBC.", {"goal": [1, 2]})
    assert json.loads(entry.record) == RECORD
    assert entry.optimum == {"cell": 4}
    without = {key: value for key, value in RECORD.items() if key != "optimal_steps"}
    assert entries(json.dumps(without))[0].optimum == {}


def changed(**change: Any) -> dict[str, Any]:
    return {**RECORD, **change}


def laid(**change: Any) -> dict[str, Any]:
    return changed(initial_state={**RECORD["initial_state"], **change})


MANY = {**laid(Ss=[[2 + row, 3] for row in range(90)]), "grid_h": 99}


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (laid(Hs=[[1, 0]]), "block H at (1,0) overlaps block T at (0,0)"),
        (laid(Ss=[[2, 2], [2, 2]]), "block S at (2,2) overlaps block S at (2,2)"),
        (laid(Vs=[[2, 3]]), "block V at (2,3) leaves the board"),
        (laid(Hs=[[2, 3]]), "block H at (2,3) leaves the board"),
        (laid(Ss=[[-1, 3]]), "block S at (-1,3) leaves the board"),
        (laid(T=[0, 3]), "block T at (0,3) leaves the board"),
        (laid(T=None), "T: None is not a cell [row, column]"),
        (laid(Ss=[[2, True]]), "Ss: [2, True] is not a cell"),
        (laid(Ss={}), "Ss is {}, not a list of cells"),
        (changed(initial_state={"T": [0, 0], "Vs": [], "Hs": []}), "the record has no Ss"),
        (changed(initial_state=[]), "initial_state is [], not an object"),
        (changed(grid_w="4"), "grid_w is '4', not a whole number from 1"),
        (changed(grid_h=0), "grid_h is 0, not a whole number from 1"),
        (changed(grid_h=10**12), "more than 10,000 cells"),
        (changed(goal_t_pos=[2, 0]), "the goal [2, 0] would put block T outside the board"),
        (changed(goal_t_pos=7), "goal_t_pos: 7 is not a cell"),
        (MANY, "92 blocks besides T; there are names for 61"),
        ({"goal_t_pos": [0, 0]}, "the record has no grid_h"),
        ([1, 2], "the record is [1, 2], not an object"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(record: Any, words: str) -> None:
    text = f"{json.dumps(RECORD)}\n{json.dumps(record)}\n{{broken\n{json.dumps(RECORD)}\n"
    first, second, third, fourth = entries(text)
    assert [first.line, second.line, third.line, fourth.line] == [1, 2, 3, 4]
    assert first.state is not None
    assert first.state == fourth.state
    assert second.state is third.state is None
    assert words in second.problem
    assert "\n" not in second.problem
    assert "not JSON" in third.problem


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_what_is_exported_is_imported_as_the_same_board(difficulty: str) -> None:
    for made in make("klotski", difficulty, 20):
        line = VGAU.write(made)
        assert line.count("\n") == 1
        (entry,) = entries(line)
        assert rules.format(entry.state) == made.board
        assert rules.rules_of(entry.state) == made.rules
        assert entry.optimum == {"cell": made.optimal_length}
        record = json.loads(entry.record)
        assert record["level"] == ("middle" if difficulty == "medium" else difficulty)
        assert record["task_id"] == made.id
        played = FAMILY.replay(entry.state, rules.parse_answer(record["solution"]))
        assert rules.is_solved(played.state)


def test_keys_are_those_of_the_published_records(reference: Path) -> None:
    published = json.loads((reference / "vgau" / "klotski.jsonl").read_text().splitlines()[3])
    written = json.loads(VGAU.write(make("klotski", "medium", 1)[0]))
    assert list(written) == list(published)
    assert list(written["initial_state"]) == list(published["initial_state"])


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("TA\n..", "block T at (0,0) is 1x1"),
        ("TT.A\nTT.A\n...A", "block A at (0,3) is 3x1"),
        ("TTAA\nTT.A", "block A at (0,2) is no rectangle"),
        ("TTAA\nTTAA\n....", "block A at (0,2) is 2x2"),
    ],
)
def test_other_shapes_have_no_place_there(board: str, words: str) -> None:
    with pytest.raises(NotWritable) as error:
        VGAU.write(Instance(family="klotski", board=board, optimal_length=1))
    assert words in str(error.value)
