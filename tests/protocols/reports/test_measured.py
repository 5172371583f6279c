"""What the engine has measured of pictures, in tables whose numbers can be counted by hand."""

from pathlib import Path
from typing import Any

import pytest

from protocols.reports.analyses import against_text, drawn_aids, states
from protocols.reports.contents import CONTENTS, Asked, tables
from tests.protocols.reports.measures import aid, drawn, frames, measured
from tests.protocols.reports.verdicts import rows_of, verdict

pytestmark = pytest.mark.filterwarnings("error")


def answers(protocol: str, *found: tuple[bool | None, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return verdicts: whether the text is right, None where there is none, and ``measured``."""
    return [
        verdict(at, protocol=protocol, measured=said)
        | {"feasible": text, "optimal": text, "reason": None if text is None else "unsolved"}
        for at, (text, said) in enumerate(found)
    ]


def only(table: Any) -> Any:
    """Return the first row of a table."""
    assert table is not None
    return table.frame.iloc[0]


def test_drawn_solutions_stand_beside_the_text(tmp_path: Path) -> None:
    found = answers(
        "self-vr",
        (True, drawn(True, agrees=True)),
        (True, drawn(True, agrees=False)),
        (True, drawn(False, agrees=False)),
        (False, drawn(True, optimal=False, agrees=False)),
        (False, drawn(False, agrees=True)),
        (True, drawn(None, reason="uncertain")),
    )
    row = only(against_text.drawings(rows_of(tmp_path, found)))
    assert (row["answers"], row["with_text"]) == (6, 5)
    assert row["drawing_feasible"] == pytest.approx(3 / 5)
    assert row["drawing_optimal"] == pytest.approx(2 / 5)
    assert row["untold"] == pytest.approx(1 / 6)
    crossed = ["both_right", "only_text", "only_drawing", "neither"]
    assert row[crossed].tolist() == pytest.approx([2 / 5, 1 / 5, 1 / 5, 1 / 5])
    assert row["disagree"] == pytest.approx(3 / 5)


def test_drawings_without_a_text_are_told_alone(tmp_path: Path) -> None:
    found = answers("draw-true", (None, drawn(True)), (None, drawn(False)))
    row = only(against_text.drawings(rows_of(tmp_path, found)))
    assert (row["answers"], row["with_text"], row["drawing_feasible"]) == (2, 0, 0.5)
    assert row[["both_right", "only_text", "only_drawing", "neither", "disagree"]].isna().all()


def test_the_reasons_of_drawings_are_shares(tmp_path: Path) -> None:
    found = answers(
        "self-vr",
        (True, drawn(True)),
        (True, drawn(False, reason="gap")),
        (True, drawn(False, reason="gap")),
        (True, drawn(None, reason="no_file")),
    )
    table = against_text.flaws(rows_of(tmp_path, found))
    assert only(table)[["solved", "gap", "no_file"]].tolist() == [0.25, 0.5, 0.25]
    assert table is not None
    assert list(table.percent) == ["solved", "gap", "no_file"]


def test_text_and_frames_may_tell_other_stories(tmp_path: Path) -> None:
    found = answers(
        "self-vcot",
        (True, frames("xx", feasible=True, agrees=True)),
        (True, frames("x.", feasible=False, agrees=False)),
        (False, frames("x?", feasible=None, agrees=None)),
        (False, frames("..", feasible=False, agrees=False)),
    )
    row = only(against_text.frames(rows_of(tmp_path, found)))
    assert (row["answers"], row["with_text"]) == (4, 3)
    crossed = ["both_right", "only_text", "only_frames", "neither"]
    assert row[crossed].tolist() == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    assert row["untold"] == 0.25
    assert row["disagree"] == pytest.approx(2 / 3)


FILMS = ("xxxx", "xx..", ".x", "x?.", "xx")


def test_states_in_the_frames_on_average(tmp_path: Path) -> None:
    found = [(True, frames(told)) for told in FILMS[:4]]
    short = (True, frames("xx", expected=4))
    row = only(states.states(rows_of(tmp_path, answers("self-vcot", *found, short))))
    assert row["frames"] == (4 + 4 + 2 + 3 + 2) / 5
    assert row["expected"] == (4 + 4 + 2 + 3 + 4) / 5
    assert row["fidelity"] == pytest.approx((1 + 0.75 + 0.75 + 0.75 + 1) / 5)
    assert row["exact"] == pytest.approx((1 + 1 / 2 + 1 / 2 + 1 / 3 + 1) / 5)
    assert row["unreadable"] == pytest.approx((1 / 3) / 5)
    assert row["all_exact"] == 1 / 5


def test_drift_by_round_is_counted_until_what_can_t_be_told(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, answers("self-vcot", *((True, frames(told)) for told in FILMS)))
    table = states.states_by_round(rows)
    assert table is not None
    by_round = table.frame.set_index("round")
    assert by_round["frames"].tolist() == [5, 5, 3, 2]
    # One drifts at once, one can't be told from round 2 on; of the rest one drifts in round 3, one
    # has ended before.
    assert by_round["at_risk"].tolist() == [5, 3, 2, 1]
    assert by_round["drifted"].tolist() == [1, 0, 1, 0]
    assert by_round["survival"].tolist() == pytest.approx([0.8, 0.8, 0.4, 0.4])
    assert by_round["fidelity"].tolist() == pytest.approx([0.9, 1.0, 2 / 3, 0.75])
    assert by_round["exact"].tolist() == pytest.approx([4 / 5, 1.0, 1 / 3, 1 / 2])
    drifts = only(states.drift(rows))
    assert (drifts["answers"], drifts["drifted"], drifts["median"]) == (5, 2, 3)
    assert drifts[["round 1", "round 2", "round 3"]].tolist() == pytest.approx([0.8, 0.8, 0.4])


def test_a_round_without_a_picture_keeps_its_place(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, answers("self-vcot", (True, frames("x-x")), (True, frames("xxx"))))
    row = only(states.states(rows))
    assert row[["frames", "expected", "exact", "unreadable", "all_exact"]].tolist() == [
        2.5, 3, 1, 0, 0.5
    ]  # fmt: skip
    table = states.states_by_round(rows)
    assert table is not None
    assert table.frame[["frames", "at_risk"]].to_numpy().tolist() == [[2, 2], [1, 1], [2, 1]]


def test_frames_that_never_drift_have_no_median(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, answers("self-vcot", (True, frames("xx")), (True, frames("??"))))
    row = only(states.drift(rows))
    assert (row["answers"], row["drifted"], row["round 2"]) == (1, 0, 1.0)
    assert states.drift(rows).frame["median"].isna().all()  # type: ignore[union-attr]


def test_frames_of_which_none_can_be_told_have_no_drift(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, answers("self-vcot", (True, frames("??"))))
    assert states.drift(rows) is None
    assert only(states.states(rows))[["exact", "unreadable"]].tolist() == [0, 1]


def test_an_episode_without_frames_is_counted(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, answers("self-vcot", (True, frames("", expected=3))))
    row = only(states.states(rows))
    assert row[["frames", "expected", "all_exact"]].tolist() == [0, 3, 0]
    assert states.states_by_round(rows) is None


def test_aids_line_by_line(tmp_path: Path) -> None:
    found = answers(
        "self-gta",
        (True, aid()),
        (True, aid(lines=0.5)),
        (False, aid(stray=1, right=50, missing=50)),
        (False, aid(preserved=False, added=2)),
        (False, aid(**dict.fromkeys(NOTHING), reason="unusable")),
    )
    rows = rows_of(tmp_path, found)
    row = only(drawn_aids.aids(rows))
    assert row["answers"] == 5
    assert row["line_share"] == pytest.approx((1 + 0.5 + 1 + 1) / 4)
    assert row["label_share"] == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    right = ["lines_right", "labels_right", "board_right", "all_right", "unusable"]
    assert row[right].tolist() == pytest.approx([2 / 4, 2 / 4, 3 / 4, 1 / 4, 1 / 5])
    table = drawn_aids.success_by_aid(rows)
    assert table is not None
    lines = table.frame.set_index(["aid", "is"])[["answers", "feasible"]]
    assert lines.loc[("lines", "right")].tolist() == [2, 0.5]
    assert lines.loc[("lines", "not right")].tolist() == [2, 0.5]
    assert lines.loc[("labels", "right")].tolist() == [2, 1.0]
    assert lines.loc[("board", "not right")].tolist() == [1, 0.0]
    assert lines.loc[("all", "right")].tolist() == [1, 1.0]


def test_labels_that_can_t_be_told_leave_it_open(tmp_path: Path) -> None:
    found = answers(
        "self-gta",
        (True, aid(right=90, unclear=10)),
        (True, aid(right=89, unclear=10, wrong=1)),
        (True, aid(right=90, unclear=10, lines=0.9)),
        (True, aid()),
    )
    rows = rows_of(tmp_path, found)
    row = only(drawn_aids.aids(rows))
    assert row[["label_share", "untold_labels"]].tolist() == pytest.approx([3.69 / 4, 0.3 / 4])
    assert row["labels_right"] == 1 / 2  # of the second and the fourth
    assert row["all_right"] == 1 / 3  # the third is not right, whatever its labels are
    table = drawn_aids.success_by_aid(rows)
    assert table is not None
    counts = table.frame.set_index(["aid", "is"])["answers"]
    assert counts["labels"].tolist() == [1, 1]
    assert counts["all"].tolist() == [1, 2]


NOTHING = ("lines", "stray", "labels", "right", "wrong", "missing", "unclear", "added", "preserved")


def test_families_have_a_row_each_and_one_for_all(tmp_path: Path) -> None:
    one, two = answers("self-vr", (True, drawn(True)), (True, drawn(False)))
    two = verdict(1, True, protocol="self-vr", family="onet", measured=two["measured"])
    table = against_text.drawings(rows_of(tmp_path, [one, two]))
    assert table is not None
    assert table.frame["family"].tolist() == ["maze", "onet", "all"]
    assert table.frame["drawing_feasible"].tolist() == [1, 0, 0.5]


def test_verdicts_of_earlier_versions_have_no_such_tables(tmp_path: Path) -> None:
    old = verdict(0, True, protocol="self-vr")
    del old["measured"]
    empty = verdict(1, True, protocol="self-vr", measured=measured(problem="no picture"))
    broken = verdict(2, True, protocol="self-vr", measured=drawn(True), error="the line is broken")
    rows = rows_of(tmp_path, [old, empty, broken])
    assert [analysis(rows) for analysis in CONTENTS["what drawings show"]] == [None] * 7
    assert not {table.name for table in tables(Asked(rows))} & {"rubric", "agreement-engine"}


@pytest.mark.parametrize("value", ["yes", 3, [1]])
def test_measured_is_an_object_or_no_verdict(tmp_path: Path, value: Any) -> None:
    rows = rows_of(tmp_path, [verdict(0, True), verdict(1, True, measured=value)])
    assert rows["error"].tolist()[1] == "the line is no verdict: measured is not an object"


def test_a_file_whose_name_is_no_text_keeps_no_report_from_being_written(tmp_path: Path) -> None:
    """Half a surrogate pair, which JSON may hold, fits in no column of texts."""
    found = answers("self-vr", (True, drawn(True, agrees=True, image="\ud800.png")))
    assert only(against_text.drawings(rows_of(tmp_path, found)))["answers"] == 1
