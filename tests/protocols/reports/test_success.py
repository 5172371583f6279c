"""Success rates: means over runs, totals, missing answers, and what their intervals hold."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, norm, t

from protocols.reports.analyses.intervals import clustered
from protocols.reports.analyses.lengths import optimal_by_length
from protocols.reports.analyses.success import (
    feasible,
    feasible_by_difficulty,
    optimal,
    optimal_by_difficulty,
    success,
)
from protocols.success import wilson
from tests.protocols.reports.verdicts import rows_of, verdict


def test_with_every_answer_the_rate_is_the_mean_of_the_runs(tmp_path: Path) -> None:
    """Run 1 solves 1 of 4, run 2 solves 3 of 4: (0.25 + 0.75) / 2."""
    made = [verdict(k, k == 0) for k in range(4)] + [verdict(k, k > 0, run=2) for k in range(4)]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    assert table.frame["optimal"].tolist() == pytest.approx([0.5])


def test_a_run_that_broke_off_weighs_no_more_than_its_answers(tmp_path: Path) -> None:
    """Two runs solve the 10 easy ones and none of the 90 hard ones; the third has the easy ones."""
    made = [verdict(k, True, run=run) for run in (1, 2, 3) for k in range(10)]
    made += [verdict(k, False, run=run, difficulty="hard") for run in (1, 2) for k in range(90)]
    rows = rows_of(tmp_path, made)
    shown, whole = optimal(rows), success(rows)
    assert shown is not None
    assert whole is not None
    assert shown.frame["maze"].tolist() == pytest.approx([0.1])
    assert (shown.frame["answers"].tolist(), shown.frame["missing"].tolist()) == ([210], [90])
    low, rate, high = whole.frame.iloc[-1][["optimal_low", "optimal", "optimal_high"]]
    assert (rate, low < 0.1 < high) == (pytest.approx(0.1), True)


def test_the_rate_is_the_mean_of_the_instances(tmp_path: Path) -> None:
    """Of four, one is solved in one of two runs, another in one of two: (1/2 + 1/2) / 4."""
    made = [verdict(k, k == 0) for k in range(4)] + [verdict(k, k == 1, run=2) for k in range(2)]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    [row] = table.frame.to_dict("records")
    assert row["optimal"] == pytest.approx(0.25)
    assert (row["instances"], row["runs"], row["answers"], row["missing"]) == (4, 2, 6, 2)
    assert row["optimal_low"] < 0.25 < row["optimal_high"]


def test_the_interval_is_for_what_the_answers_are_worth(tmp_path: Path) -> None:
    """Means over two runs 1, 1/2, 1/2, 0 forty times: variance 1/8, so 159 * 1/4 / (1/8) = 318
    answers, less by (1.960 / 1.975)^2 because the variance is that of 160 instances."""
    made = [verdict(k, k % 4 < 2) for k in range(160)] + [
        verdict(k, k % 4 in (0, 2), run=2) for k in range(160)
    ]
    table = success(rows_of(tmp_path, made))
    assert table is not None
    worth = 318 * (norm.ppf(0.975) / t.ppf(0.975, 159)) ** 2
    assert worth == pytest.approx(313.2, abs=0.1)
    found = table.frame[["optimal_low", "optimal_high"]].values.tolist()
    assert found[0] == pytest.approx(list(wilson(worth / 2, worth)))


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
        heads = ["model", "protocol", "answers", "missing", "maze", "path", "all"]
        assert list(table.frame.columns) == [*heads, "all_low", "all_high"]
        assert table.frame.iloc[0].tolist()[2:7] == pytest.approx([3, 0, 1.0, 0.5, 2 / 3])
        assert table.frame.iloc[1].tolist()[2:5] == [1, 2, 0.0]
        assert table.frame.iloc[1].isna().tolist()[5:] == [True] * 4


def test_a_column_for_each_difficulty_over_all_families(tmp_path: Path) -> None:
    made = [verdict(0, True), verdict(1, False, family="path"), verdict(2, True, difficulty="hard")]
    rows = rows_of(tmp_path, made)
    for analysis in (optimal_by_difficulty, feasible_by_difficulty):
        table = analysis(rows)
        assert table is not None
        [row] = table.frame.drop(columns=["model", "protocol"]).to_dict("records")
        shown = {key: row[key] for key in ("answers", "missing", "easy", "hard", "all")}
        expected = {"answers": 3, "missing": 0, "easy": 1 / 2, "hard": 1, "all": 2 / 3}
        assert shown == pytest.approx(expected)
        assert row["all_low"] < 2 / 3 < row["all_high"]


def test_protocols_stand_in_their_order_whatever_comes_first(tmp_path: Path) -> None:
    made = [verdict(0, True, model="a", protocol="oracle-vcot")]
    made += [verdict(0, True, protocol=name) for name in ("oracle-vcot", "self-gta", "direct")]
    rows = rows_of(tmp_path, made)
    for table in (optimal(rows), optimal_by_length(rows)):
        assert table is not None
        shown = table.frame[["model", "protocol"]].astype(str).values.tolist()
        expected = [["m", "direct"], ["m", "self-gta"], ["m", "oracle-vcot"]]
        assert shown == [["a", "oracle-vcot"], *expected]


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
    assert clustered(0.3, 0.21 / 4, 20, 60) == pytest.approx(tuple(expected))
    assert clustered(0.3, 0.0, 20, 60) == pytest.approx(tuple(expected))


def test_one_instance_has_an_interval() -> None:
    assert clustered(0.5, 0.0, 1, 2) == pytest.approx(wilson(0.5, 1))


@pytest.mark.parametrize("runs", [3, 10])
@pytest.mark.parametrize(("instances", "spread"), [(5, 1.5), (20, 0.0), (20, 1.5), (50, 4.0)])
def test_the_interval_holds_the_true_rate_as_often_as_it_says(
    instances: int, spread: float, runs: int
) -> None:
    """Instances differ in difficulty; several runs each; the true rate is that of all of them."""
    rng = np.random.default_rng(1)
    logits = spread * rng.standard_normal((1500, instances)) - 0.5
    chances = 1 / (1 + np.exp(-logits))
    true = (1 / (1 + np.exp(-(spread * rng.standard_normal(200_000) - 0.5)))).mean()
    means = rng.binomial(runs, chances) / runs
    held = [
        low <= true <= high
        for low, high in (
            clustered(row.mean(), row.var(), instances, runs * instances) for row in means
        )
    ]
    assert 0.93 <= np.mean(held) <= 0.995
