"""The published suite's names and percentages."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from protocols.reports.analyses import suite
from protocols.reports.analyses.suite import percent, suite_metrics, task
from protocols.reports.tables import markdown
from tests.protocols.reports.verdicts import rows_of, verdict


@pytest.mark.parametrize(
    ("n", "steps"),
    [
        (20, ["0.0", "5.0", "10.0", "15.0"]),
        (30, ["0.0", "3.3", "6.6", "10.0", "13.3", "16.6"]),
        (50, ["0.0", "2.0", "4.0", "6.0"]),
        (100, ["0.0", "1.0", "2.0"]),
    ],
)
def test_percentages_come_in_the_steps_of_the_published_tables(n: int, steps: list[str]) -> None:
    assert [str(percent(k, n)) for k in range(len(steps))] == steps
    assert percent(n, n) == 100.0


def test_whole_numbers_stay_whole() -> None:
    assert percent(2, 3) == 66.6
    assert all(percent(k, 50) == 2 * k for k in range(51))


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        ("direct", "maze_direct"),
        ("text-cot", "maze_cot"),
        ("oracle-gta", "maze_aux"),
        ("self-gta", "maze_gta"),
        ("oracle-vcot", "maze_step-by-step"),
        ("self-vcot+last", "maze_step-by-step"),
        ("oracle-aug-vcot+vgau", "maze_aux_step-by-step"),
        ("self-vr", "maze_vision_reasoning"),
        ("oracle-vr", None),
        ("noise-gta", None),
        ("of their own", None),
    ],
)
def test_the_tasks_of_the_suite(protocol: str, expected: str | None) -> None:
    assert task("maze", protocol) == expected


def named(metrics: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "family", lambda name: SimpleNamespace(metrics=metrics))


def test_every_metric_of_the_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of three easy, none of one medium: 66.6, 0 and 50 percent."""
    template = {"feasible": "maze_reach_any_{level}", "optimal": "maze_reach_optimal_{level}"}
    named(template, monkeypatch)
    made = [verdict(0, True), verdict(1, True), verdict(2, feasible=True)]
    made += [verdict(3, False, difficulty="medium")]
    table = suite_metrics(rows_of(tmp_path, made))
    assert table is not None
    assert "| 66.6 |" in re.sub(" +", " ", markdown(table))
    shown = dict(zip(table.frame["metric"], table.frame["percent"], strict=True))
    assert shown == {
        "maze_reach_any_easy": 100.0,
        "maze_reach_any_middle": 0.0,
        "maze_reach_any_overall": 75.0,
        "maze_reach_optimal_easy": 66.6,
        "maze_reach_optimal_middle": 0.0,
        "maze_reach_optimal_overall": 50.0,
    }
    assert set(table.frame["task"]) == {"maze_direct"}


def test_a_protocol_that_the_suite_has_not_gives_no_metric(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named({"optimal": "acc_{level}"}, monkeypatch)
    assert suite_metrics(rows_of(tmp_path, [verdict(0, True, protocol="oracle-vr")])) is None
