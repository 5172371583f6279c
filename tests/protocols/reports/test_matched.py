"""Matched conditions: a handful of items whose answer can be counted."""

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from protocols.reports.analyses.matched import CONDITIONS, matched
from tests.protocols.reports.measures import drawn
from tests.protocols.reports.verdicts import rows_of, verdict

pytestmark = pytest.mark.filterwarnings("error")


def item(at: int, passes: str, **fields: Any) -> list[dict[str, Any]]:
    """Return the answers of an item: letters of the conditions, upper case where they pass."""
    rows = []
    for letter in passes:
        protocol, passed = CONDITIONS[letter.upper()], letter.isupper()
        row = verdict(at, protocol=protocol, **fields)
        if letter.upper() == "T":
            row |= {"feasible": passed, "optimal": False}
        else:
            row["scores"] = {"pass": passed}
        rows.append(row)
    return rows


def lines(tmp_path: Path, *items: list[dict[str, Any]]) -> Any:
    table = matched(rows_of(tmp_path, chain.from_iterable(items)))
    assert table is not None
    return table.frame.set_index("family")


def test_the_gap_is_where_text_and_told_pass_and_drawn_fails(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        item(0, "TdhO"),
        item(1, "TDHO"),
        item(2, "tdHO"),
        item(3, "Tdho"),
        item(4, "TdHO"),
    ).loc["maze"]
    assert found["items"] == 5
    assert found[list(CONDITIONS)].tolist() == pytest.approx([0.8, 0.2, 0.6, 0.8])
    assert found["integration gap"] == pytest.approx(0.4)
    assert 0 <= found["integration gap_low"] < 0.4 < found["integration gap_high"] <= 1


def test_items_without_all_conditions_are_left_out(tmp_path: Path) -> None:
    found = lines(tmp_path, item(0, "TdHO"), item(1, "TdO"), item(2, "TDH"), item(3, "O"))
    assert found.loc["maze", "items"] == 2


def test_h_is_that_of_the_items_that_have_it(tmp_path: Path) -> None:
    none = lines(tmp_path, item(0, "TdO"), item(1, "TDO")).loc["maze"]
    assert (none["items"], none["with H"], str(none["H"])) == (2, 0, "nan")
    assert none["integration gap"] == 0.5
    one = lines(tmp_path, item(0, "TdO"), item(1, "TDHO"), item(2, "H")).loc["maze"]
    assert (one["items"], one["with H"], one["H"]) == (2, 1, 1)
    assert one["integration gap"] == 0.5


def test_runs_are_items_and_instances_are_the_clusters(tmp_path: Path) -> None:
    one = [item(0, "TdO", run=run) for run in (1, 2, 3)]
    found = lines(tmp_path, *one, item(1, "TDO", run=1)).loc["maze"]
    assert (found["items"], found["instances"]) == (4, 2)
    assert found["integration gap"] == 0.5


def test_a_gap_that_never_shows_has_an_interval(tmp_path: Path) -> None:
    """None of 20 is no proof of none: Wilson's interval goes up to 16%."""
    found = lines(tmp_path, *[item(at, "TDO") for at in range(20)]).loc["maze"]
    assert found["integration gap_low"] == found["integration gap"] == 0
    assert found["integration gap_high"] == pytest.approx(0.161, abs=0.001)


def test_families_and_all_of_them(tmp_path: Path) -> None:
    found = lines(tmp_path, item(0, "TdO"), item(0, "TDO", family="onet"))
    assert found.index.tolist() == ["maze", "onet", "all"]
    assert found["integration gap"].tolist() == [1, 0, 0.5]


@pytest.mark.parametrize(
    ("scores", "passed"),
    [
        ({"rubric": {"reasoning_correctness": 3}}, 1),
        ({"rubric": {"reasoning_correctness": 2.9}}, 0),
        ({"pass": False, "rubric": {"reasoning_correctness": 5}}, 0),
        ({"pass": True, "rubric": {"reasoning_correctness": 0}}, 1),
    ],
)
def test_when_a_drawing_passes(tmp_path: Path, scores: Any, passed: int) -> None:
    rows = item(0, "TdO")
    rows[1]["scores"] = scores
    assert lines(tmp_path, rows).loc["maze", "D"] == passed


@pytest.mark.parametrize(
    ("scores", "measured", "passed", "judge"),
    [
        (None, drawn(True), 1, "engine 1"),
        (None, drawn(False), 0, "engine 1"),
        ({"pass": False}, drawn(True), 0, "engine 0"),
        ({"rubric": {"reasoning_correctness": 4}}, drawn(False), 1, "engine 0"),
        ({"rubric": {"visual_quality": 4}}, drawn(True), 1, "engine 1"),
    ],
)
def test_the_engine_judges_what_nobody_has(
    tmp_path: Path, scores: Any, measured: Any, passed: int, judge: str
) -> None:
    rows = item(0, "TdO")
    rows[1] |= {"scores": scores, "measured": measured, "drawn": True}
    table = matched(rows_of(tmp_path, rows))
    assert table is not None
    assert table.frame["D"].tolist() == [passed]
    assert judge in table.note
    assert f"recorded {2 - int(judge[-1])}" in table.note


def test_a_drawing_that_nobody_can_tell_is_no_item(tmp_path: Path) -> None:
    rows = item(0, "TdO")
    rows[1] |= {"scores": None, "measured": drawn(None, reason="uncertain"), "drawn": True}
    assert matched(rows_of(tmp_path, rows)) is None


def test_the_answer_after_the_drawing_does_not_count(tmp_path: Path) -> None:
    rows = item(0, "TdO")
    rows[1] |= {"feasible": True, "optimal": True}
    assert lines(tmp_path, rows).loc["maze", "integration gap"] == 1


def test_a_drawing_that_did_not_come_fails(tmp_path: Path) -> None:
    rows = item(0, "TDO")
    rows[1] |= {"scores": None, "reason": "no_image"}
    assert lines(tmp_path, rows).loc["maze", "D"] == 0


@pytest.mark.parametrize("letter", "DHO")
def test_a_drawing_that_verify_has_not_found_fails(tmp_path: Path, letter: str) -> None:
    rows = item(0, "TDHO")
    at = "TDHO".index(letter)
    rows[at] |= {"scores": None, "drawn": False}
    assert lines(tmp_path, rows).loc["maze", letter] == 0
    rows[at] |= {"scores": {"pass": True}}
    assert lines(tmp_path, rows).loc["maze", letter] == 1
    rows[at] |= {"scores": None, "drawn": True}
    found = matched(rows_of(tmp_path, rows))
    assert (found is None) == (letter != "H")


def test_without_items_there_is_no_table(tmp_path: Path) -> None:
    rows = [*item(0, "TD"), *item(1, "O"), verdict(0, protocol="self-vr", model="other")]
    assert matched(rows_of(tmp_path, rows)) is None
    unscored = item(2, "TDO")
    unscored[1]["scores"] = None
    assert matched(rows_of(tmp_path, unscored)) is None
