"""How stepwise episodes end, how far answers get, how success falls with length, what was met."""

import json
from pathlib import Path

import pytest

from protocols.reports.analyses.failures import formats
from protocols.reports.analyses.lengths import lengths, optimal_by_length
from protocols.reports.analyses.progress import progress
from protocols.reports.analyses.stopping import stopping
from protocols.reports.analyses.usage import usage
from tests.protocols.reports.verdicts import name, rows_of, verdict


def test_rounds_and_stops(tmp_path: Path) -> None:
    """Optimum 4: solved in 4 and in 6 rounds; said too early after 2; passed; cap; illegal."""
    made = [
        verdict(0, True, rounds=4, stop="claim"),
        verdict(1, feasible=True, reason="solved", rounds=6, stop="claim"),
        verdict(2, reason="claim_too_early", rounds=2, stop="claim"),
        verdict(3, reason="claim_too_late", rounds=8, stop="cap"),
        verdict(4, reason="round_cap", rounds=8, stop="cap"),
        verdict(5, reason="blocked", rounds=2, stop="action", at=1),
        verdict(6, reason="probe_unreadable", rounds=1, stop="probe"),
        verdict(7, True, protocol="direct"),
    ]
    for row in made[:7]:
        row["protocol"] = "oracle-vcot"
    table = stopping(rows_of(tmp_path, made))
    assert table is not None
    [row] = table.frame.to_dict("records")
    assert row["episodes"] == 7
    assert row["rounds"] == pytest.approx(31 / 7)
    assert row["rounds_to_optimum"] == pytest.approx(31 / 7 / 4)
    assert row["solved_rounds_to_optimum"] == pytest.approx((1 + 1.5) / 2)
    shares = {"claim": 3, "cap": 2, "action": 1, "probe": 1, "image": 0, "detour": 0, "break": 0}
    shares |= {"at_goal": 2, "too_early": 1, "too_late": 1}
    assert {key: round(7 * row[key]) for key in shares} == shares


def test_other_protocols_do_not_stop(tmp_path: Path) -> None:
    assert stopping(rows_of(tmp_path, [verdict(0, True)])) is None


def test_how_far_answers_get(tmp_path: Path) -> None:
    """Optimum 4. Solved; 1 of 4 actions legal, 3 left; farther than at first; dead; no answer."""
    made = [
        verdict(0, True, distance=0, dead=False),
        verdict(1, at=1, legal_moves=1, distance=3, dead=False),
        verdict(2, distance=9, dead=False),
        verdict(3, distance=None, dead=True),
        verdict(4, moves=None, legal_moves=0, distance=4, dead=False, reason="no_answer"),
    ]
    table = progress(rows_of(tmp_path, made))
    assert table is not None
    [row] = table.frame.to_dict("records")
    assert row["legal_share"] == pytest.approx((1 + 0.25 + 1 + 1 + 0) / 5)
    assert (row["answers"], row["measured"]) == (5, 5)
    assert row["distance_left"] == pytest.approx((0 + 3 + 9 + 4) / 4)
    assert row["median_left"] == 3.5
    assert row["dead"] == 0.2
    assert row["progress"] == pytest.approx((1 + 0.25 + 0 + 0 + 0) / 5)


def test_the_illegal_action_of_an_episode_is_not_among_its_moves(tmp_path: Path) -> None:
    made = [verdict(0, moves=3, legal_moves=3, at=3, stop="action", rounds=4)]
    table = progress(rows_of(tmp_path, made))
    assert table is not None
    assert table.frame["legal_share"].tolist() == [0.75]
    assert "distance_left" not in table.frame


def test_labels_of_an_episode_are_no_actions(tmp_path: Path) -> None:
    """Path: `moves` counts the three labels that were named, `legal_moves` the cells entered."""
    made = [
        verdict(0, True, family="path", moves=3, legal_moves=12, stop="claim", rounds=12),
        verdict(1, family="path", moves=1, legal_moves=3, at=3, stop="action", rounds=4),
        verdict(2, family="path", moves=4, legal_moves=1, at=1, reason="wrong_labels"),
    ]
    table = progress(rows_of(tmp_path, made))
    assert table is not None
    assert table.frame["legal_share"].tolist() == [pytest.approx((1 + 0.75 + 0.25) / 3)]


def test_success_by_length(tmp_path: Path) -> None:
    """Lengths 1, 2, 3, 60 and 101: the last bin has no end."""
    made = [verdict(k, k < 2, optimal_length=length) for k, length in enumerate((1, 2, 3, 60, 101))]
    rows = rows_of(tmp_path, made)
    table, wide = lengths(rows), optimal_by_length(rows)
    assert table is not None
    assert wide is not None
    shown = table.frame[["shortest", "longest", "length", "instances", "optimal"]].values.tolist()
    assert shown == [[1, 2, 1.5, 2, 1], [3, 3, 3, 1, 0], [60, 60, 60, 1, 0], [101, 101, 101, 1, 0]]
    assert list(wide.frame.columns)[3:] == ["1-2", "3-4", "41-60", "101+"]
    assert wide.frame.iloc[0].tolist()[3:] == [1.0, 0.0, 0.0, 0.0]


def test_formats(tmp_path: Path) -> None:
    made = [verdict(0, True), verdict(1, format_ok=False)]
    made += [verdict(2, format_ok=False, reason="no_answer", moves=None)]
    made += [verdict(3, format_ok=False, reason="bad_format", moves=None)]
    table = formats(rows_of(tmp_path, made))
    assert table is not None
    [row] = table.frame.to_dict("records")
    assert (row["format_ok"], row["no_answer"], row["bad_format"]) == (0.25, 0.25, 0.25)


def test_what_answers_took(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, [verdict(k, True) for k in range(4)])
    answers = [
        {"id": name(0), "usage": {"requests": 2, "completion_tokens": 10, "cost": 0.5}},
        {"id": name(1), "usage": {"requests": 4, "completion_tokens": 30}, "finish": "length"},
        {"id": name(7), "usage": {"requests": 99}},
        {"id": name(3)},
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in answers) + '{"usage"\n')
    table = usage(rows, [path])
    assert table is not None
    [row] = table.frame.to_dict("records")
    assert (row["answers"], row["requests"], row["completion_tokens"]) == (2, 3, 20)
    assert (row["all_completion_tokens"], row["all_cost"], row["cut_off"]) == (40, 0.5, 0.5)
    assert "seconds" not in row
    assert usage(rows, [None]) is None
