"""Where answers fail: reasons, and survival by step with a second opinion from scipy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import CensoredData, ecdf

from protocols.reports.analyses.failures import reasons, steps, survival
from tests.protocols.reports.verdicts import rows_of, verdict


def test_the_shares_of_the_reasons(tmp_path: Path) -> None:
    made = [verdict(0, True), verdict(1, True), verdict(2, False), verdict(3, reason="blocked")]
    table = reasons(rows_of(tmp_path, made))
    assert table is not None
    [row] = table.frame.drop(columns=["model", "protocol", "family"]).to_dict("records")
    assert row == {"answers": 4, "solved": 0.5, "unsolved": 0.25, "blocked": 0.25}


def test_the_step_of_the_first_illegal_action(tmp_path: Path) -> None:
    """Fail at steps 1 and 3, end without failing after 2 and 3; one has no answer."""
    made = [
        verdict(0, at=0, legal_moves=0, reason="blocked"),
        verdict(1, at=2, legal_moves=2, reason="blocked"),
        verdict(2, moves=2, legal_moves=2),
        verdict(3, moves=3, legal_moves=3),
        verdict(4, moves=None, legal_moves=0, reason="no_answer"),
    ]
    rows = rows_of(tmp_path, made)
    table = steps(rows)
    assert table is not None
    shown = table.frame[["step", "at_risk", "failed", "hazard", "survival"]].values.tolist()
    assert shown == [[1, 4, 1, 0.25, 0.75], [2, 3, 0, 0, 0.75], [3, 2, 1, 0.5, 0.375]]
    wide = survival(rows)
    assert wide is not None
    [row] = wide.frame.drop(columns=["model", "protocol", "family"]).to_dict("records")
    assert row == {"answers": 4, "failed": 2, "step 1": 0.75, "step 2": 0.75, "step 3": 0.375}


def test_survival_is_that_of_scipy(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    lasting, failing = rng.integers(1, 25, 300), rng.random(300) < 0.6
    made = [
        verdict(k, moves=30, legal_moves=n - 1, at=n - 1, reason="blocked")
        if failed
        else verdict(k, moves=n, legal_moves=n)
        for k, (n, failed) in enumerate(zip(lasting.tolist(), failing.tolist(), strict=True))
    ]
    table = steps(rows_of(tmp_path, made))
    assert table is not None
    expected = ecdf(CensoredData(lasting[failing], right=lasting[~failing])).sf
    for step, share in zip(table.frame["step"], table.frame["survival"], strict=True):
        assert share == pytest.approx(expected.evaluate(step))


def test_a_step_that_nobody_gets_to_has_no_share(tmp_path: Path) -> None:
    made = [verdict(0, moves=2, legal_moves=2), verdict(0, moves=9, legal_moves=9, model="z")]
    table = survival(rows_of(tmp_path, made))
    assert table is not None
    assert table.frame["step 2"].tolist() == [1.0, 1.0]
    assert table.frame["step 8"].isna().tolist() == [True, False]


def test_answers_without_any_action_give_no_steps(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, [verdict(0, moves=None, legal_moves=0, reason="no_answer")])
    assert steps(rows) is None
    assert survival(rows) is None
