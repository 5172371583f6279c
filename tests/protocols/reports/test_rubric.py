"""Recorded judgements: the composite, the checklist and the marks, worked out by hand."""

from pathlib import Path
from typing import Any

import pytest

from protocols.reports.analyses.rubric import (
    MARKS,
    checklist,
    judgements,
    process_marks,
    result_marks,
    rubric,
)
from tests.protocols.reports.measures import measured
from tests.protocols.reports.verdicts import rows_of, verdict

pytestmark = pytest.mark.filterwarnings("error")


def scored(at: int, scores: Any, **fields: Any) -> dict[str, Any]:
    return verdict(at, scores=scores, protocol=fields.pop("protocol", "self-vr"), **fields)


def rubric_scores(quality: float, alignment: float, reasoning: float) -> dict[str, Any]:
    return {
        "rubric": {
            "visual_quality": quality,
            "structural_alignment": alignment,
            "reasoning_correctness": reasoning,
        }
    }


@pytest.mark.parametrize(
    ("scores", "composite"),
    [((5, 5, 5), 100), ((0, 0, 0), 0), ((5, 0, 0), 15), ((0, 5, 0), 20), ((0, 0, 5), 65),
     ((4, 3, 2), 12 + 12 + 26)],
)  # fmt: skip
def test_the_composite(scores: tuple[int, int, int], composite: float) -> None:
    assert judgements(rubric_scores(*scores))["rubric.composite"] == composite


def test_nothing_is_made_up_where_a_part_is_missing() -> None:
    scores = rubric_scores(5, 5, 5)
    del scores["rubric"]["structural_alignment"]
    assert "rubric.composite" not in judgements(scores)
    three = dict.fromkeys(MARKS[:3], True)
    assert judgements({"result": three}) == {f"result.{mark}": 1 for mark in MARKS[:3]}
    assert judgements(None) == {}


@pytest.mark.parametrize(
    "scores",
    [
        rubric_scores(6, 5, 5),
        rubric_scores(-1, 5, 5),
        rubric_scores(float("nan"), 5, 5),
        rubric_scores(True, 5, 5),
        {"checklist": {"rule_coherence": "great"}},
        {"result": {"visual_quality": "yes"}},
        {"process": {"visual_quality": 101}},
        {"rubric": [5, 5, 5]},
        {"pass": "no"},
    ],
)
def test_of_scores_that_are_not_valid_nothing_is_read(scores: Any) -> None:
    assert judgements(scores) == {}


def test_marks_and_grades_as_numbers() -> None:
    result = dict(zip(MARKS, (True, False, True, True), strict=True))
    process = dict(zip(MARKS, (100, 50, 0, 10), strict=True))
    grades = {"rule_coherence": "bad", "visual_fidelity": "good", "visual_consistency": "medium"}
    said = judgements({"result": result, "process": process, "checklist": grades, "pass": False})
    assert said["result.overall"] == 0.75
    assert said["process.overall"] == 40
    assert said["pass"] == 0
    assert [said[f"checklist.{item}"] for item in grades] == [0, 2, 1]


def test_the_rubric_is_a_mean_by_model_protocol_family_and_difficulty(tmp_path: Path) -> None:
    rows = rows_of(
        tmp_path,
        [
            scored(0, rubric_scores(5, 5, 5)),
            scored(1, rubric_scores(5, 5, 0), run=2),
            scored(2, {"rubric": {"visual_quality": 2}}),
            scored(3, rubric_scores(0, 0, 5), family="onet", difficulty="hard"),
            scored(4, rubric_scores(0, 0, 9)),
            scored(5, rubric_scores(0, 0, 0), error="broken"),
            scored(6, None),
        ],
    )
    table = rubric(rows)
    assert table is not None
    lines = table.frame.set_index("family")
    assert lines.index.tolist() == ["maze", "onet", "all"]
    assert set(lines["judge"]) == {"recorded"}
    maze = lines.loc["maze"]
    assert maze["n"] == 2
    assert maze["visual_quality"] == 80
    assert maze["reasoning_correctness"] == 50
    assert maze["composite"] == pytest.approx((100 + 35) / 2)
    assert lines.loc["onet", "composite"] == 65
    assert lines.loc["all", ["n", "composite"]].tolist() == [3, pytest.approx((100 + 35 + 65) / 3)]
    assert "hold nothing valid: 1." in table.note


def test_the_checklist_is_shares(tmp_path: Path) -> None:
    grades = ["good", "good", "medium", "bad"]
    rows = rows_of(
        tmp_path,
        [scored(at, {"checklist": {"rule_coherence": grade}}) for at, grade in enumerate(grades)]
        + [scored(9, {"checklist": {"instruction_following": "bad"}})],
    )
    table = checklist(rows)
    assert table is not None
    lines = table.frame.set_index("item")
    assert lines.index.tolist() == ["instruction following", "rule coherence"]
    assert lines.loc["rule coherence", ["n", "good", "medium", "bad"]].tolist() == [
        4, 0.5, 0.25, 0.25
    ]  # fmt: skip
    assert lines.loc["instruction following", "bad"] == 1


def test_the_dual_track(tmp_path: Path) -> None:
    yes, no = dict.fromkeys(MARKS, True), {**dict.fromkeys(MARKS, True), "rule_obedience": False}
    rows = rows_of(
        tmp_path,
        [
            scored(0, {"result": yes, "process": dict.fromkeys(MARKS, 80)}),
            scored(1, {"result": no, "process": dict.fromkeys(MARKS, 40)}),
        ],
    )
    result, process = result_marks(rows), process_marks(rows)
    assert result is not None
    assert process is not None
    assert result.frame.loc[0, ["rule_obedience", "visual_quality", "overall"]].tolist() == [
        0.5, 1, 0.875
    ]  # fmt: skip
    assert process.frame.loc[0, ["n", "overall"]].tolist() == [2, 60]


def test_judges_stand_below_each_other(tmp_path: Path) -> None:
    """Recorded scores and what the engine measures are never mixed."""
    yes = dict.fromkeys(MARKS, True)
    rows = rows_of(
        tmp_path,
        [
            scored(0, rubric_scores(5, 5, 5), measured=measured(**rubric_scores(0, 0, 5))),
            scored(1, None, measured=measured(**rubric_scores(5, 0, 0), result=yes)),
            scored(2, {"checklist": {"rule_coherence": "good"}}, family="onet"),
            scored(3, None, measured=measured(checklist={"rule_coherence": "bad"}), family="onet"),
        ],
    )
    table = rubric(rows)
    assert table is not None
    lines = table.frame[["family", "judge", "n", "composite"]]
    assert lines.to_numpy().tolist() == [
        ["maze", "recorded", 1, 100],
        ["maze", "engine", 2, pytest.approx((65 + 15) / 2)],
    ]
    grades = checklist(rows)
    assert grades is not None
    lines = grades.frame[["item", "judge", "good", "bad"]]
    assert lines.to_numpy().tolist() == [
        ["rule coherence", "recorded", 1, 0],
        ["rule coherence", "engine", 0, 1],
    ]
    marks = result_marks(rows)
    assert marks is not None
    assert marks.frame[["judge", "overall"]].to_numpy().tolist() == [["engine", 1]]


@pytest.mark.parametrize("analysis", [rubric, checklist, result_marks, process_marks])
def test_without_scores_there_is_no_table(tmp_path: Path, analysis: Any) -> None:
    rows = rows_of(tmp_path, [verdict(0, True), scored(1, {"pass": True})])
    assert analysis(rows) is None
