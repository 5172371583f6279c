"""Pass at k, against the definition: every choice of k of the runs tried."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from protocols.reports.analyses.attempts import attempts, pass_at_k
from tests.protocols.reports.verdicts import rows_of, verdict


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_every_choice_of_runs(n: int) -> None:
    for c in range(n + 1):
        runs = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            tried = [any(choice) for choice in combinations(runs, k)]
            [found] = pass_at_k(np.array([n]), np.array([c]), k)
            assert found == pytest.approx(np.mean(tried))


def test_many_runs_stay_in_range() -> None:
    n, c = np.array([10_000] * 3), np.array([0, 1, 10_000])
    assert pass_at_k(n, c, 10_000).tolist() == pytest.approx([0, 1, 1])


def test_instances_with_fewer_runs_are_left_out_of_larger_k(tmp_path: Path) -> None:
    """Instance 0 is solved in 1 of 2 runs, instance 1 in its only one."""
    made = [verdict(0, True), verdict(0, False, run=2), verdict(1, True)]
    table = attempts(rows_of(tmp_path, made))
    assert table is not None
    shown = table.frame[["k", "instances", "optimal"]].values.tolist()
    assert shown == [[1, 2, 0.75], [2, 1, 1.0]]


def test_one_run_gives_no_table(tmp_path: Path) -> None:
    assert attempts(rows_of(tmp_path, [verdict(0, True), verdict(1, True)])) is None
