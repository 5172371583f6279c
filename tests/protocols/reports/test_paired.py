"""Paired differences: which are drawn, on which instances, and what their intervals hold."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from protocols.reports.analyses.intervals import bootstrap
from protocols.reports.analyses.paired import Contrast, contrasts, paired
from tests.protocols.reports.verdicts import rows_of, verdict


def under(protocol: str, solved: Iterable[bool], **fields: Any) -> list[dict[str, Any]]:
    return [verdict(k, good, protocol=protocol, **fields) for k, good in enumerate(solved)]


def test_the_comparisons_that_conclusions_are_drawn_from() -> None:
    protocols = ["direct", "text-cot", "self-gta", "oracle-gta", "oracle-vcot", "self-aug-vcot"]
    protocols += ["oracle-vcot+budget", "oracle-aug-vcot", "self-vr", "of their own"]
    found = set(contrasts(protocols))
    assert {(first, second) for question, first, second in found if "text-cot" in question} == {
        (name, "text-cot") for name in protocols if name != "text-cot"
    }
    assert {contrast for contrast in found if "text-cot" not in contrast.question} == {
        Contrast("self against oracle", "self-gta", "oracle-gta"),
        Contrast("self against oracle", "self-aug-vcot", "oracle-aug-vcot"),
        Contrast("gta against aug-vcot", "oracle-gta", "oracle-aug-vcot"),
        Contrast("vcot against aug-vcot", "oracle-vcot", "oracle-aug-vcot"),
        Contrast("leak", "oracle-vcot+budget", "oracle-vcot"),
    }


def test_an_answer_given_before_the_drawing_is_not_compared_with_its_like() -> None:
    assert not list(contrasts(["text-cot", "draw-own"]))


def test_variants_are_compared_with_their_like() -> None:
    protocols = ["self-vcot+last", "oracle-vcot+last", "oracle-vcot", "oracle-vcot+budget+last"]
    assert set(contrasts(protocols)) == {
        Contrast("self against oracle", "self-vcot+last", "oracle-vcot+last"),
        Contrast("leak", "oracle-vcot+budget+last", "oracle-vcot+last"),
    }


def test_only_common_instances_count(tmp_path: Path) -> None:
    """direct solves 0, 1 of 0-3; text-cot solves 1-4 of 1-5: common are 1, 2, 3."""
    made = under("direct", [True, True, False, False])
    made += under("text-cot", [False, True, True, True, True, False])[1:]
    table = paired(rows_of(tmp_path, made))
    assert table is not None
    [row] = table.frame.to_dict("records")
    assert (row["protocol"], row["against"], row["pairs"]) == ("direct", "text-cot", 3)
    assert row["optimal_first"] == pytest.approx(1 / 3)
    assert row["optimal_second"] == 1.0
    assert row["optimal_difference"] == pytest.approx(-2 / 3)
    assert row["optimal_difference_low"] == -1.0
    assert row["optimal_difference_high"] == 0.0


def test_runs_are_averaged_before_instances_are_compared(tmp_path: Path) -> None:
    made = under("direct", [True, False]) + under("direct", [False, False], run=2)
    made += under("text-cot", [True, True])
    table = paired(rows_of(tmp_path, made))
    assert table is not None
    assert table.frame["optimal_difference"].tolist() == pytest.approx([0.25 - 1.0])


def test_families_and_all_of_them_for_each_model(tmp_path: Path) -> None:
    made = []
    for model, good in (("m", True), ("n", False)):
        made += under("direct", [good], model=model) + under("text-cot", [False], model=model)
        made += under("direct", [good] * 3, model=model, family="path")
        made += under("text-cot", [True] * 3, model=model, family="path")
    table = paired(rows_of(tmp_path, made))
    assert table is not None
    shown = table.frame[["model", "family", "pairs", "optimal_difference"]].values.tolist()
    assert shown == [
        ["m", "maze", 1, 1.0],
        ["m", "path", 3, 0.0],
        ["m", "all", 4, 0.25],
        ["n", "maze", 1, 0.0],
        ["n", "path", 3, -1.0],
        ["n", "all", 4, -0.75],
    ]


def test_nothing_in_common_gives_no_table(tmp_path: Path) -> None:
    made = [*under("direct", [True]), verdict(7, True, protocol="text-cot")]
    assert paired(rows_of(tmp_path, made)) is None
    assert paired(rows_of(tmp_path, under("direct", [True]))) is None


@pytest.mark.parametrize("instances", [30, 400])
def test_the_bootstrap_is_that_of_scipy(instances: int) -> None:
    values = np.random.default_rng(3).integers(-3, 4, instances) / 3
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(4)
    ).confidence_interval
    assert bootstrap(values) == pytest.approx(tuple(expected), abs=0.02)
    assert bootstrap(values) == bootstrap(values[::-1])


def test_a_difference_that_never_varies_has_no_interval() -> None:
    """Every draw of it is the same; that two rates are the same of one pair is no certainty."""
    for values in (np.full(50, 1 / 3), np.zeros(1)):
        assert np.isnan(bootstrap(values)).all()


def test_the_interval_holds_the_true_difference_nearly_as_often_as_it_says() -> None:
    """50 instances of differing difficulty, three runs under each of two protocols."""
    rng = np.random.default_rng(5)
    hard = 1.5 * rng.standard_normal((250, 50))
    one, two = (1 / (1 + np.exp(-(hard + lift))) for lift in (0.6, 0.0))
    many = 1.5 * rng.standard_normal(500_000)
    true = (1 / (1 + np.exp(-(many + 0.6))) - 1 / (1 + np.exp(-many))).mean()
    gaps = (rng.binomial(3, one) - rng.binomial(3, two)) / 3
    held = [low <= true <= high for low, high in map(bootstrap, gaps)]
    assert 0.90 <= np.mean(held) <= 0.98
