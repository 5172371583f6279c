"""Success rates: means over runs, totals, missing answers, and what their intervals hold."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from protocols.reports.intervals import clustered
from protocols.reports.success import feasible, optimal, success
from tests.reports.verdicts import rows_of, verdict


def test_the_rate_is_the_mean_of_the_runs(tmp_path: Path) -> None:
    """Run 1 solves 1 of 4, run 2 has two answers and solves 1 of 2: (0.25 + 0.5) / 2."""
    made = [verdict(k, k == 0) for k in range(4)] + [verdict(k, k == 1, run=2) for k in range(2)]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    [row] = table.frame.to_dict("records")
    assert row["optimal"] == pytest.approx(0.375)
    assert (row["instances"], row["runs"], row["answers"], row["missing"]) == (4, 2, 6, 2)
    assert row["optimal_low"] < 0.375 < row["optimal_high"]


def test_the_interval_is_for_what_the_answers_are_worth(tmp_path: Path) -> None:
    """Means over two runs 1, 1/2, 1/2, 0: variance 1/8, so 4 * 1/4 / (1/8) = 8 answers."""
    made = [verdict(k, k < 2) for k in range(4)] + [
        verdict(k, k in (0, 2), run=2) for k in range(4)
    ]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    expected = binomtest(4, 8).proportion_ci(method="wilson")
    found = table.frame[["optimal_low", "optimal_high"]].values.tolist()
    assert found[0] == pytest.approx(list(expected))


def test_optimal_and_feasible_are_counted_apart(tmp_path: Path) -> None:
    made = [verdict(0, True), verdict(1, feasible=True, reason="solved"), verdict(2, False)]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    assert table.frame["optimal"].tolist() == pytest.approx([1 / 3])
    assert table.frame["feasible"].tolist() == pytest.approx([2 / 3])


def test_totals_count_every_instance_alike(tmp_path: Path) -> None:
    """3 easy and 1 hard of one family, 2 of another: totals are not means of the groups' rates."""
    made = [verdict(k, True) for k in range(3)] + [verdict(9, False, difficulty="hard")]
    made += [verdict(k, k == 0, family="onet", difficulty="hard") for k in range(2)]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    shown = (
        table.frame[["family", "difficulty", "instances", "optimal"]].astype(str).values.tolist()
    )
    assert shown == [
        ["maze", "easy", "3", "1.0"],
        ["maze", "hard", "1", "0.0"],
        ["maze", "all", "4", "0.75"],
        ["onet", "hard", "2", "0.5"],
        ["all", "all", "6", str(4 / 6)],
    ]


def test_answers_that_are_missing_are_said(tmp_path: Path) -> None:
    """The other model has answered ten instances; this one six, and two of them once."""
    made = [verdict(k, True, model="other") for k in range(10)]
    made += [verdict(k, True, run=run) for run in (1, 2) for k in range(6 if run == 1 else 4)]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    missing = dict(zip(table.frame["model"].astype(str), table.frame["missing"], strict=True))
    assert missing == {"m": 10, "other": 0}


def test_a_column_for_each_family(tmp_path: Path) -> None:
    made = [verdict(0, True), verdict(0, False, family="path"), verdict(1, True, family="path")]
    made += [verdict(0, False, model="z")]
    rows = rows_of(tmp_path, made)
    for analysis in (optimal, feasible):
        table = analysis(rows)
        assert table is not None
        assert list(table.frame.columns) == ["model", "protocol", "maze", "path", "all"]
        assert table.frame.iloc[0].tolist()[2:] == pytest.approx([1.0, 0.5, 2 / 3])
        assert table.frame.iloc[1].isna().tolist() == [False, False, False, True, True]


def test_nothing_judged_gives_no_table(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, [verdict(0, feasible=None, optimal=None, reason=None)])
    assert success(rows) is None
    assert optimal(rows) is None


@pytest.mark.parametrize(("k", "n"), [(0, 20), (1, 20), (10, 20), (7, 30), (30, 30), (49, 50)])
def test_one_run_has_the_interval_of_wilson(k: int, n: int) -> None:
    rate = k / n
    expected = binomtest(k, n).proportion_ci(method="wilson")
    assert clustered(rate, rate * (1 - rate), n, n) == pytest.approx(tuple(expected))


def test_runs_that_agree_are_worth_one() -> None:
    assert clustered(0.3, 0.21, 20, 60) == pytest.approx(clustered(0.3, 0.21, 20, 20))


def test_runs_that_are_independent_are_worth_all_answers() -> None:
    expected = binomtest(18, 60).proportion_ci(method="wilson")
    assert clustered(0.3, 0.21 / 3, 20, 60) == pytest.approx(tuple(expected))
    assert clustered(0.3, 0.0, 20, 60) == pytest.approx(tuple(expected))


@pytest.mark.parametrize(("instances", "spread"), [(20, 0.0), (20, 1.5), (50, 4.0)])
def test_the_interval_holds_the_true_rate_as_often_as_it_says(
    instances: int, spread: float
) -> None:
    """Instances differ in difficulty; three runs each; the true rate is that of all instances."""
    rng = np.random.default_rng(1)
    logits = spread * rng.standard_normal((1500, instances)) - 0.5
    chances = 1 / (1 + np.exp(-logits))
    true = (1 / (1 + np.exp(-(spread * rng.standard_normal(200_000) - 0.5)))).mean()
    means = rng.binomial(3, chances) / 3
    held = [
        low <= true <= high
        for low, high in (
            clustered(row.mean(), row.var(), instances, 3 * instances) for row in means
        )
    ]
    assert 0.93 <= np.mean(held) <= 0.985
