"""The published suite's records: read, written, and refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from puzzles.dataset import make
from puzzles.exchange import Entry, NotWritable, Source
from puzzles.instance import Instance
from puzzles.sokoban import FAMILY, rules

VGAU = FAMILY.formats["vgau"]
RECORD: dict[str, Any] = {
    "task_id": "sokoban_000",
    "image_path": "images/sokoban_0000.png",
    "grid_h": 3,
    "grid_w": 5,
    "difficulty": "easy",
    "step_range": [1, 1],
    "walls": [[0, 0], [2, 4]],
    "player_start": [1, 1],
    "box_start": [1, 2],
    "target": [1, 3],
    "solution": '["right"]',
    "optimal_steps": 1,
}


def entries(text: str) -> list[Entry]:
    return list(VGAU.read(Source(Path("suite.jsonl"), text)))


def imported(entry: Entry) -> Instance:
    assert not entry.problem
    board = rules.format(entry.state)
    source = {"format": "vgau", "record": entry.record}
    return Instance(
        family="sokoban", board=board, optimal_length=entry.optimum["cell"], source=source
    )


def test_the_published_records(reference: Path) -> None:
    """Each is read with its optimum, its solution holds, and it is written back byte for byte."""
    text = (reference / "vgau" / "sokoban.jsonl").read_text()
    found = entries(text)
    assert [entry.line for entry in found] == list(range(1, text.count("\n") + 1))
    for entry in found:
        actions = json.loads(json.loads(entry.record)["solution"])
        assert rules.is_solved(rules.replay(entry.state, actions).state)
        assert entry.optimum == {"cell": len(actions)}
    assert VGAU.write is not None
    assert "".join(VGAU.write(imported(entry)) for entry in found) == text
    # As the suite has them: one array in one file.
    array = json.dumps([json.loads(entry.record) for entry in found], indent=1)
    assert [entry.state for entry in entries(array)] == [entry.state for entry in found]


def test_only_its_own_records_are_claimed(reference: Path) -> None:
    claimed = {
        path.name
        for path in reference.rglob("*.*")
        for format in [VGAU]
        if format.claims(path.read_text())
    }
    assert claimed == {"sokoban.jsonl"}
    assert VGAU.claims((reference / "vgau" / "sokoban.jsonl").read_text())
    assert not VGAU.claims((reference / "sokoban.jsonl").read_text())
    assert VGAU.claims(json.dumps([RECORD], indent=2))
    assert not any(map(VGAU.claims, ("", "[]", "{", "####\n#@$.#", "[1]", '{"walls": []}')))


@pytest.mark.parametrize("tier", FAMILY.buckets)
def test_what_is_written_is_read_again(tier: str) -> None:
    assert VGAU.write is not None
    for instance in make("sokoban", tier, 20):
        line = VGAU.write(instance)
        (entry,) = entries(line)
        assert line.endswith("}\n")
        assert rules.format(entry.state) == instance.board
        assert entry.optimum == {"cell": instance.optimal_length}
        record = json.loads(entry.record)
        assert record.keys() == RECORD.keys()
        assert record["difficulty"] == {"medium": "middle"}.get(tier, tier)
        assert FAMILY.parse_answer(json.loads(record["solution"])) == json.loads(
            (instance.answer or "")[len("<ANSWER_JSON>") : -len("</ANSWER_JSON>")]
        )
        low, high = record["step_range"]
        assert low <= instance.optimal_length <= high


def test_boards_outside_every_bucket_and_without_an_answer() -> None:
    assert VGAU.write is not None
    record = json.loads(VGAU.write(Instance(family="sokoban", board="@-$.", optimal_length=2)))
    assert (record["difficulty"], record["step_range"]) == ("custom", [2, 2])
    assert "solution" not in record
    assert (record["grid_h"], record["grid_w"], record["walls"]) == (1, 4, [])


def test_two_boxes_can_not_be_said() -> None:
    assert VGAU.write is not None
    with pytest.raises(NotWritable, match="has one box, the board has 2"):
        VGAU.write(Instance(family="sokoban", board="@$.-$.", optimal_length=4))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"grid_h": None}, "'grid_h' is None, not a number from 0"),
        ({"grid_w": "5"}, "'grid_w' is '5', not a number from 0"),
        ({"grid_w": 0}, "a grid of 3x0 cells is none that can be read"),
        ({"grid_w": 10**9}, "a grid of 3x1,000,000,000 cells is none that can be read"),
        ({"walls": None}, "'walls' is no list of cells"),
        ({"walls": [[0, 0], [0]]}, "a wall is at [0], not at [row, column]"),
        ({"walls": [[3, 0]]}, "a wall at (3,0) is outside the 3x5 grid"),
        ({"walls": [[1, 1]]}, "the player at (1,1) stands in a wall"),
        ({"target": [1, -1]}, "the target at (1,-1) is outside the 3x5 grid"),
        ({"target": [True, 1]}, "the target is at [True, 1], not at [row, column]"),
        ({"box_start": [1, 1]}, "player and box both stand at (1,1)"),
        ({"player_start": ...}, "the record has no 'player_start'"),
    ],
)
def test_a_wrong_record_is_told_in_one_sentence(change: dict[str, Any], problem: str) -> None:
    record = {name: value for name, value in {**RECORD, **change}.items() if value is not ...}
    good, bad, again = entries("\n".join(map(json.dumps, (RECORD, record, RECORD))))
    assert (bad.line, bad.problem, bad.state) == (2, f"sokoban: {problem}", None)
    assert json.loads(bad.record) == record
    assert good.state == again.state == rules.parse("#----\n-@$.-\n----#", {})


def test_what_is_no_record() -> None:
    found = entries('{"walls": \n7\n' + json.dumps(RECORD))
    assert [entry.line for entry in found] == [1, 2, 3]
    assert found[0].problem.startswith("not JSON")
    assert found[1].problem == "the record is 7, not an object"
    assert not found[2].problem
