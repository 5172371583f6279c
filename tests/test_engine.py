"""Work spread over processes: in order, whatever runs where, and whatever fails."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import NamedTuple

import pytest

from puzzles import engine
from puzzles.engine import Local, WorkerLost


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
    with Local(workers) as pool:
        results = list(pool.map(square, tasks(12, False), 12))
    assert [result for result, _ in results] == [k * k for k in range(12)]
    processes = {process for _, process in results}
    assert (len(processes) > 1) == (workers > 1)


def threads(number: int) -> tuple[int, str | None]:
    return os.getpid(), os.environ.get("OPENBLAS_NUM_THREADS")


@pytest.mark.parametrize("asked", [None, "3"])
def test_a_worker_takes_one_thread_unless_more_are_asked_for(
    asked: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "WORTH", -1.0)
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if asked is not None:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", asked)
    with Local(2) as pool:
        found = list(pool.map(threads, range(4), 4))
    assert {said for process, said in found if process != os.getpid()} == {asked or "1"}
    assert os.environ.get("OPENBLAS_NUM_THREADS") == asked


def test_what_was_done_comes_before_the_failure_of_the_tasks(workers: int) -> None:
    results = []
    with Local(workers) as pool, pytest.raises(ValueError, match="no more"):
        for result, _ in pool.map(square, tasks(9, True), 20):
            results.append(result)
    assert results == [k * k for k in range(9)]


def test_nothing_comes_after_the_failure_of_a_task(workers: int) -> None:
    results = []
    with Local(workers) as pool, pytest.raises(ValueError, match="unlucky"):
        for result, _ in pool.map(square, tasks(30, False), 30):
            results.append(result)
    assert results == [k * k for k in range(13)]


class Task(NamedTuple):
    number: int
    deaths: int
    """How many processes it ends before it has a result."""
    log: Path


def fatal(task: Task) -> int:
    """Return the square of the task's number; every process that is at it is noted."""
    place = task.log / str(task.number)
    with place.open("a") as log:
        log.write("x")
    if place.stat().st_size <= task.deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return task.number * task.number


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "WORTH", 0.0)


@pytest.mark.usefixtures("eager")
def test_only_what_ends_workers_by_itself_is_lost(tmp_path: Path) -> None:
    deaths = {3: 1, 6: 9, 11: 9}
    tasks = [Task(k, deaths.get(k, 0), tmp_path) for k in range(12)]
    with Local(2) as pool:
        found = list(pool.map(fatal, tasks, 12, lambda task: -task.number))
    assert found == [-k if k in (6, 11) else k * k for k in range(12)]
    tries = [(tmp_path / str(k)).stat().st_size for k in range(12)]
    assert tries[3] == 2
    assert all(2 <= tries[k] <= 3 for k in (6, 11))
    assert tries[:2] == [1, 1]
    assert max(tries) <= 3


@pytest.mark.usefixtures("eager")
def test_without_a_word_for_it_a_lost_worker_ends_all(tmp_path: Path) -> None:
    tasks = [Task(k, k == 4, tmp_path) for k in range(9)]
    found: list[int] = []
    with Local(2) as pool, pytest.raises(WorkerLost, match="take fewer workers"):
        found.extend(pool.map(fatal, tasks, 9))
    assert found == [0, 1, 4, 9][: len(found)]


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_worker_may_start_as_another_is_lost(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(active_children())
    started: list[SpawnProcess] = []
    start = SpawnProcess.start

    def lose_the_first() -> None:
        started[0].kill()
        time.sleep(0.5)  # the executor ends all that it knows of

    def while_another_is_lost(process: SpawnProcess) -> None:
        if len(started) == 1 and when == "before":
            lose_the_first()
        start(process)
        started.append(process)
        if len(started) == 2 and when == "after":
            lose_the_first()

    monkeypatch.setattr(SpawnProcess, "start", while_another_is_lost)
    with Local(2) as pool:
        found = list(pool.map(square, range(9), 9, lambda task: (-1, 0)))
    assert [result for result, _ in found] == [k * k for k in range(9)]
    assert set(active_children()) == before


@pytest.mark.usefixtures("eager")
def test_where_no_worker_starts_nothing_is_said_to_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [Task(k, 9 * (k == 4), tmp_path) for k in range(9)]
    with Local(2) as pool, pytest.raises(WorkerLost, match="for want of memory"):
        for found in pool.map(fatal, tasks, 9, lambda task: -1):
            assert found >= 0
            monkeypatch.setattr(engine, "enter_worker", die)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


SCRIPT = """
from puzzles import engine
from puzzles.engine import Local

{before}
def run():
    engine.WORTH = 0.0
    with Local(2) as pool:
        print(list(pool.map(abs, range(9), 9{lost})))

{start}
"""
GUARD = "if __name__ == '__main__':\n    run()"


@pytest.mark.parametrize("lost", ["", ", lambda task: -1"])
@pytest.mark.parametrize(
    ("before", "start", "why"),
    [
        ("", GUARD, None),
        ("", "run()", "workers import the script that starts them again: what it does belongs "),
        ("__name__ == '__main__' or 1 / 0", GUARD, "a worker process ended while it started; why"),
    ],
)
def test_a_script_without_a_guard_is_told_so(
    tmp_path: Path, before: str, start: str, why: str | None, lost: str
) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.format(before=before, start=start, lost=lost))
    done = subprocess.run(
        [sys.executable, str(tmp_path / "script.py")],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        text=True,
        capture_output=True,
        timeout=100,
        check=False,
    )
    if why is None:
        assert done.stdout == "[0, 1, 2, 3, 4, 5, 6, 7, 8]\n"
        assert done.stderr == ""
    else:
        assert f"puzzles.engine.WorkerLost: {why}" in done.stderr
        worker_s_own = "ZeroDivisionError" in done.stderr
        assert worker_s_own == (start == GUARD)  # what the workers would say is said once, here
