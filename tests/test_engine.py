"""Work spread over processes: in order, whatever runs where, and whatever fails."""

import os
import time
from collections.abc import Iterator

import pytest

from puzzles import engine
from puzzles.engine import Engine


def square(number: int) -> tuple[int, int]:
    time.sleep(0.02 if number % 3 == 0 else 0.0)
    if number == 13:
        raise ValueError("unlucky")
    return number * number, os.getpid()


def tasks(last: int, failure: bool) -> Iterator[int]:
    yield from range(last)
    if failure:
        raise ValueError("no more")


@pytest.fixture(params=[1, 2])
def workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(engine, "WORTH", 0.0)
    return int(request.param)


def test_results_come_in_order(workers: int) -> None:
    with Engine(workers) as pool:
        results = list(pool.map(square, tasks(12, False), 12))
    assert [result for result, _ in results] == [k * k for k in range(12)]
    processes = {process for _, process in results}
    assert (len(processes) > 1) == (workers > 1)


def test_what_was_done_comes_before_the_failure_of_the_tasks(workers: int) -> None:
    results = []
    with Engine(workers) as pool, pytest.raises(ValueError, match="no more"):
        for result, _ in pool.map(square, tasks(9, True), 20):
            results.append(result)
    assert results == [k * k for k in range(9)]


def test_nothing_comes_after_the_failure_of_a_task(workers: int) -> None:
    results = []
    with Engine(workers) as pool, pytest.raises(ValueError, match="unlucky"):
        for result, _ in pool.map(square, tasks(30, False), 30):
            results.append(result)
    assert results == [k * k for k in range(13)]
