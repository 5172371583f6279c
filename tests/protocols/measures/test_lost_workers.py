"""Processes killed while pictures are measured: nothing is lost, and nothing is there twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path, PosixPath
from typing import Any

import pytest

from protocols.answer_line import Answer
from protocols.measures.spread import Task, filled
from puzzles.engine import Local
from tests.protocols.measures.cases import Case, as_line

ROOT = Path(__file__).parents[3]
COUNT = 24
HELD = """
import time
from pathlib import Path
from puzzles.engine import Local

_next = Local._next

def held(self, *given):
    while not Path({!r}).exists():
        time.sleep(0.01)
    yield from _next(self, *given)

Local._next = held
"""
"""Takes no result before there is a file, so as not to end before a worker is killed."""
EAGER = "import puzzles.engine as e; e.WORTH = 0.0; import cli; cli.app(['verify', {!r}, *{!r}])"


class Fatal(PosixPath):
    """A folder at which every other process ends."""

    def __reduce__(self) -> Any:
        return os._exit, (1,)


def test_pictures_that_end_processes_are_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzles.engine.WORTH", 0.0)
    case = Case("maze", tmp_path)
    case.saved(case.solution(), "good.png")
    answer = Answer(protocol="self-vr", images=["good.png"])
    fatal = 4

    def rows() -> Iterator[tuple[dict[str, Any], Task]]:
        for at in range(8):
            folder = Fatal(tmp_path) if at == fatal else tmp_path
            yield {"line": at, "measured": None}, Task(case.instance, answer, folder)

    with Local(2) as engine:
        found = list(filled(rows(), 8, engine))
    assert [row["line"] for row in found] == list(range(8))
    lost = found.pop(fatal)["measured"]
    assert "was killed" in lost["problem"]
    assert lost["pass"] is lost["drawing"] is None
    assert all(row["measured"]["drawing"]["feasible"] for row in found)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Drawings by many models, right and empty in turn, and text between them."""
    case = Case("maze", tmp_path_factory.mktemp("answers"))
    case.saved(case.solution(), "0.png")
    case.saved(case.picture(case.start), "1.png")
    path = case.folder / "answers.jsonl"
    with path.open("w") as file:
        for at in range(COUNT):
            said = {"response": case.instance.answer, "model": f"model {at}"}
            file.write(as_line(case, protocol="self-vr", images=[f"{at % 2}.png"], **said))
            file.write(as_line(case, **said))
    return path


def begun(answers: Path, out: Path, workers: int, go: Path | None = None) -> subprocess.Popen[str]:
    words = HELD.format(str(go)) if go else ""
    words += EAGER.format(str(answers), ["-o", str(out), "--workers", str(workers)])
    return subprocess.Popen(
        [sys.executable, "-c", words],
        cwd=ROOT,
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def ended(run: subprocess.Popen[str]) -> str:
    """Return what it has complained of."""
    _, said = run.communicate(timeout=300)
    assert run.returncode == 0, said
    return said


def left(answers: Path) -> list[Path]:
    return [*answers.parent.glob(".verdicts-*.new")]


def workers_of(run: subprocess.Popen[str]) -> list[int]:
    """Return its workers as soon as it has some."""
    for _ in range(30_000):
        assert run.poll() is None
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        found = [int(child) for child in children if _is_worker(child)]
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("there is no worker after five minutes")


def _is_worker(process: str) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it has just ended
        return False


@pytest.fixture(scope="module")
def undisturbed(answers: Path) -> bytes:
    out = answers.with_name("undisturbed.verdicts.jsonl")
    ended(begun(answers, out, 1))
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    passed = [row["measured"]["pass"] for row in lines[::2]]
    assert passed == [at % 2 == 0 for at in range(COUNT)]
    assert all(row["measured"] is None for row in lines[1::2])
    return out.read_bytes()


def test_the_number_of_workers_makes_no_difference(answers: Path, undisturbed: bytes) -> None:
    out = answers.with_name("four.verdicts.jsonl")
    ended(begun(answers, out, 4))
    assert out.read_bytes() == undisturbed


needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds workers in /proc")


@needs_proc
def test_a_killed_worker_makes_no_difference(answers: Path, undisturbed: bytes) -> None:
    out = answers.with_name("killed.verdicts.jsonl")
    run = begun(answers, out, 2, go=out.with_suffix(".go"))
    os.kill(workers_of(run)[0], signal.SIGKILL)
    out.with_suffix(".go").touch()
    assert ended(run) == ""
    assert out.read_bytes() == undisturbed


@needs_proc
def test_a_killed_run_leaves_what_was_there_and_can_be_repeated(
    answers: Path, undisturbed: bytes
) -> None:
    out = answers.with_name("repeated.verdicts.jsonl")
    out.write_bytes(undisturbed.splitlines(keepends=True)[0])
    run = begun(answers, out, 2, go=out.with_suffix(".never"))
    workers = workers_of(run)
    run.kill()
    run.communicate()
    assert out.read_bytes() == undisturbed.splitlines(keepends=True)[0]
    _wait_for_the_end_of(workers)
    assert len(left(answers)) == 1
    ended(begun(answers, out, 2))
    assert out.read_bytes() == undisturbed
    assert not left(answers)


def _wait_for_the_end_of(processes: list[int]) -> None:
    for _ in range(12_000):
        if not any(Path(f"/proc/{process}").exists() for process in processes):
            return
        time.sleep(0.01)
    raise AssertionError("the workers of a killed run are still there")


def test_of_two_runs_at_once_one_is_kept_whole(answers: Path, undisturbed: bytes) -> None:
    out = answers.with_name("twice.verdicts.jsonl")
    runs = [begun(answers, out, 1) for _ in range(2)]
    assert [ended(run) for run in runs] == ["", ""]
    assert out.read_bytes() == undisturbed
    assert not left(answers)
