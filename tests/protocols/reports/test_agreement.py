"""Agreement: worked examples of the literature, and inputs of which little can be said."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from protocols.reports.analyses.agreement import (
    _interval_alpha,
    agreement,
    alpha,
    icc,
    kappa,
    level,
    with_engine,
)
from protocols.reports.tables import csv, markdown
from tests.protocols.reports.measures import measured
from tests.protocols.reports.verdicts import rows_of, verdict

pytestmark = pytest.mark.filterwarnings("error")

STATISTICS = ["pearson", "spearman", "kendall", "icc", "kappa", "alpha"]


def sets(tmp_path: Path, one: list[dict[str, Any]], two: list[dict[str, Any]]) -> tuple[Any, Any]:
    out = []
    for name, rows in (("one", one), ("two", two)):
        (tmp_path / name).mkdir()
        out.append(rows_of(tmp_path / name, rows))
    return out[0], out[1]


def line(table: Any, judgement: str) -> Any:
    assert table is not None
    return table.frame.set_index("judgement").loc[judgement]


def test_icc_of_shrout_and_fleiss() -> None:
    # Shrout and Fleiss (1979), Psychological Bulletin 86, table 2: six targets, four judges;
    # ICC(2,1) = .29 in table 4.
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    assert icc(np.array(ratings, float)) == pytest.approx(0.29, abs=0.005)


def test_alpha_of_krippendorff_s_binary_example(tmp_path: Path) -> None:
    # Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section A: 0.095.
    meg, owen = "0100000010", "1110010000"
    one, two = (
        [verdict(at, digit == "1") for at, digit in enumerate(digits)] for digits in (meg, owen)
    )
    table = agreement(*sets(tmp_path, one, two))
    assert line(table, "feasible")["alpha"] == pytest.approx(0.095, abs=0.0005)
    assert line(table, "feasible")["n"] == 10


def test_alpha_of_krippendorff_s_nominal_example() -> None:
    # The same paper, section B: two observers, five categories, 0.692.
    ben, gerry = "aabbdcccedda", "babbbccceddd"
    ratings = np.array([[ord(x), ord(y)] for x, y in zip(ben, gerry, strict=True)], float)
    assert alpha(ratings, "nominal") == pytest.approx(0.692, abs=0.0005)


def test_kappa_of_fleiss() -> None:
    # Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, table 18.1:
    # 100 subjects diagnosed twice, in counts; agreement 0.89, by chance 0.66, kappa 0.68.
    counts = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
    ratings = [(i, j) for i in range(3) for j in range(3) for _ in range(counts[i][j])]
    assert kappa(np.array(ratings, float), "nominal") == pytest.approx(0.23 / 0.34, abs=1e-9)


def test_quadratic_weights_by_the_formula() -> None:
    # Cohen (1968): 1 - sum of weighted observed over sum of weighted expected disagreement.
    pairs = [(0, 0), (1, 2), (2, 2), (2, 1), (5, 3), (4, 4), (0, 5)]
    ratings = np.array(pairs, float)
    observed = np.mean([(x - y) ** 2 for x, y in pairs])
    expected = np.mean([(x - y) ** 2 for x, _ in pairs for _, y in pairs])
    assert kappa(ratings, "ordinal") == pytest.approx(1 - observed / expected)


def test_every_statistic_of_a_rubric_by_hand(tmp_path: Path) -> None:
    # Ranks without ties but one swap: rho = 1 - 6*2/(5*24) = 0.9, tau = (9 - 1)/10 = 0.8.
    scores = [(1, 1), (2, 3), (3, 2), (4, 4), (5, 5)]
    judged: list[list[dict[str, Any]]] = [[], []]
    for at, pair in enumerate(scores):
        for side, score in zip(judged, pair, strict=True):
            rubric = {"rubric": {"reasoning_correctness": score}}
            side.append(verdict(at, True, scores=rubric))
    found = line(agreement(*sets(tmp_path, *judged)), "rubric.reasoning correctness")
    assert found["scale"] == "ordinal"
    assert found["spearman"] == pytest.approx(0.9)
    assert found["kendall"] == pytest.approx(0.8)
    assert found["pearson"] == pytest.approx(0.9)
    # Mean squared disagreement 0.4, by chance 4: kappa 0.9.
    assert found["kappa"] == pytest.approx(0.9)
    # Equal means and variances of 2.5: between targets 4.75, error 0.25, raters 0.
    assert found["icc"] == pytest.approx((4.75 - 0.25) / (4.75 + 0.25 + 2 * (0 - 0.25) / 5))
    assert found["remark"] == ""


def test_answers_are_matched_by_what_was_asked(tmp_path: Path) -> None:
    one = [verdict(0, True), verdict(1, False), verdict(2, True, run=2), verdict(3, True)]
    two = [verdict(1, False), verdict(0, True), verdict(2, False, run=1), verdict(9, True)]
    table = agreement(*sets(tmp_path, one, two), ["feasible"])
    assert table is not None
    assert table.frame["judgement"].tolist() == ["feasible"]
    assert line(table, "feasible")["n"] == 2
    assert line(table, "feasible")["kappa"] == 1
    assert table.note.startswith("2 answers are in both sets, 2 only in the first, 2 only in")


@pytest.mark.parametrize(
    ("one", "two", "remark"),
    [
        ([True, True, True], [True, True, True], "all judgements are the same"),
        ([True], [False], "fewer than two answers to compare"),
    ],
)
def test_where_nothing_can_be_said(
    tmp_path: Path, one: list[bool], two: list[bool], remark: str
) -> None:
    rows = ([verdict(at, solved) for at, solved in enumerate(side)] for side in (one, two))
    table = agreement(*sets(tmp_path, *rows))
    found = line(table, "optimal")
    assert found[STATISTICS].isna().all()
    assert found["remark"] == remark
    assert table is not None
    assert "nan" not in markdown(table) + csv(table)


def test_where_one_side_never_varies_correlations_are_missing(tmp_path: Path) -> None:
    one = [verdict(at, True) for at in range(6)]
    two = [verdict(at, at > 2) for at in range(6)]
    found = line(agreement(*sets(tmp_path, one, two)), "feasible")
    assert found[["pearson", "spearman", "kendall"]].isna().all()
    assert "one side judges all alike" in found["remark"]
    assert found["kappa"] == 0


def test_two_answers_are_too_few_for_the_intraclass_correlation(tmp_path: Path) -> None:
    rows = [verdict(0, True), verdict(1, False)]
    found = line(agreement(*sets(tmp_path, rows, rows)), "feasible")
    assert np.isnan(found["icc"])
    assert found["kappa"] == found["alpha"] == 1
    assert found["remark"] == "ICC needs three answers"


def test_no_answer_in_common(tmp_path: Path) -> None:
    table = agreement(*sets(tmp_path, [verdict(0, True)], [verdict(1, True)]))
    assert line(table, "feasible")["n"] == 0
    assert line(table, "feasible")[STATISTICS].isna().all()


def test_a_set_in_which_every_line_is_broken(tmp_path: Path) -> None:
    good, broken = [verdict(0, True)], [verdict(0, error="the line is not JSON")]
    table = agreement(*sets(tmp_path, good, broken))
    assert line(table, "feasible")["n"] == 0
    (tmp_path / "again").mkdir()
    empty = rows_of(tmp_path / "again", broken)
    assert agreement(empty, empty) is None


def test_fractions_and_percents_have_no_kappa(tmp_path: Path) -> None:
    values = (10.5, 20, 35, 90)
    marks = ("background_consistency", "rule_obedience", "visual_quality", "reasoning_success")
    rows = [
        verdict(
            at,
            scores={
                "rubric": {"visual_quality": 1.5 if at == 1 else 2},
                "process": dict.fromkeys(marks, value),
            },
        )
        for at, value in enumerate(values)
    ]
    table = agreement(*sets(tmp_path, rows, rows))
    assert line(table, "rubric.visual quality")["remark"] == "kappa needs whole scores"
    overall = line(table, "process.overall")
    assert (overall["scale"], overall["remark"]) == ("interval", "kappa needs categories")
    assert overall[["pearson", "icc", "alpha"]].tolist() == pytest.approx([1, 1, 1])


def test_recorded_judgements_against_the_engine_s(tmp_path: Path) -> None:
    # Of ten drawings both pass four and fail four: 0.8 agree, 0.5 by chance, so kappa is 0.6.
    passes = [(True, True)] * 4 + [(False, False)] * 4 + [(True, False), (False, True)]
    rows = [
        verdict(at, scores={"pass": one, "checklist": {"rule_coherence": "good"}})
        | {"measured": measured(**{"pass": two, "rubric": {"visual_quality": 4}})}
        for at, (one, two) in enumerate(passes)
    ]
    alone = [verdict(20, scores={"pass": True}), verdict(21, measured=measured(**{"pass": True}))]
    table = with_engine(rows_of(tmp_path, rows + alone))
    assert table is not None
    assert table.name == "agreement-engine"
    assert table.frame["judgement"].tolist() == ["pass"]
    assert line(table, "pass")["n"] == 10
    assert line(table, "pass")["kappa"] == pytest.approx(0.6)


def test_without_both_judges_there_is_no_agreement(tmp_path: Path) -> None:
    rows = [verdict(0, scores={"pass": True}), verdict(1, measured=measured(**{"pass": True}))]
    assert with_engine(rows_of(tmp_path, rows)) is None


def test_scales() -> None:
    names = ["feasible", "pass", "result.visual_quality", "checklist.rule_coherence"]
    assert [level(name) for name in names] == ["nominal", "nominal", "nominal", "ordinal"]
    names = ["rubric.visual_quality", "rubric.composite", "result.overall", "process.overall"]
    assert [level(name) for name in names] == ["ordinal", "interval", "interval", "interval"]


def test_alpha_of_many_values_is_the_library_s() -> None:
    rng = np.random.default_rng(0)
    ratings = rng.normal(50, 9, (40, 1)) + rng.normal(0, 5, (40, 2))
    assert _interval_alpha(ratings) == pytest.approx(alpha(ratings, "interval"), abs=1e-9)
    many = np.concatenate([ratings] * 40) + np.arange(1600)[:, None] / 1e6
    assert alpha(many, "interval") == pytest.approx(alpha(ratings, "interval"), abs=0.01)
