"""The engine ray on a real cluster of two nodes: the same bytes, whatever is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from puzzles import engine_ray, load, make
from puzzles.engine import WorkerLost
from puzzles.engine_ray import Ray
from tests.protocols.measures.cases import Case, as_line

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head, on which all runs are started, with a core; the tests add the nodes they need."""
    os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args=node(), shutdown_at_exit=False)
    yield made
    made.shutdown()


def node() -> dict[str, Any]:
    return {"num_cpus": 1, "object_store_memory": 100 * 1024 * 1024}


@pytest.fixture
def second(cluster: Any) -> Iterator[Any]:
    """Another node, which a test may kill."""
    added = cluster.add_node(**node())
    cluster.wait_for_nodes()
    yield added
    if added in cluster.worker_nodes:
        cluster.remove_node(added, allow_graceful=True)


def begun(cluster: Any, *words: str) -> subprocess.Popen[str]:
    """Start a command on the cluster; without one, on this machine alone."""
    where = ["--engine", "ray", "--address", cluster.address] if cluster else ["--workers", "1"]
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *words, *where],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=listen,
    )


def listen() -> None:
    """Undo that a shell's background jobs ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(run: subprocess.Popen[str]) -> str:
    """Return what it has printed; Ray may have had something to say of killed nodes besides."""
    out, said = run.communicate(timeout=300)
    assert run.returncode == 0, said
    assert all(line.startswith("ray: ") or "to recover" in line for line in said.splitlines()), said
    return out


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def wait_for(done: Callable[[], bool], run: subprocess.Popen[str]) -> None:
    for _ in range(12000):
        if done():
            return
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    raise AssertionError("it did not come to that")


# The engine itself.


def where(task: tuple[int, float]) -> tuple[int, str]:
    """Return the square of a number, and the node on which that was found."""
    import ray

    number, seconds = task
    time.sleep(seconds)
    return number * number, ray.get_runtime_context().get_node_id()


def unlucky(number: int) -> int:
    time.sleep(0.2 if number == 2 else 0.0)
    if number == 4:
        raise ValueError("4 is unlucky")
    return number


def fatal(task: tuple[int, int, Path]) -> int:
    """Return the number of the task, once it has ended so many processes."""
    number, deaths, log = task
    with (log / str(number)).open("a") as file:
        file.write("x")
    if (log / str(number)).stat().st_size <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def endless(taken: list[int]) -> Iterator[tuple[int, float]]:
    while True:
        taken.append(len(taken))
        yield taken[-1], 0.0


def test_both_nodes_work_and_the_results_come_in_order(cluster: Any, second: Any) -> None:
    tasks = [(k, 0.3 if k % 5 == 0 else 0.1) for k in range(40)]
    with Ray(cluster.address) as engine:
        assert engine.cores() == 2
        found = list(engine.map(where, iter(tasks), len(tasks)))
    assert [square for square, _ in found] == [k * k for k in range(40)]
    assert len({node for _, node in found}) == 2


def test_no_more_tasks_are_taken_than_are_needed(cluster: Any) -> None:
    taken: list[int] = []
    with Ray(cluster.address) as engine:
        results = engine.map(where, endless(taken), 10**9)
        for k in range(50):
            assert next(results)[0] == k * k
            assert len(taken) <= k + 1 + 2 * 2


def test_what_a_killed_node_was_at_is_done_by_the_other(cluster: Any, second: Any) -> None:
    with Ray(cluster.address) as engine:
        found = []
        for result in engine.map(where, [(k, 0.2) for k in range(40)], 40):
            found.append(result)
            if second in cluster.worker_nodes and len({node for _, node in found}) == 2:
                cluster.remove_node(second, allow_graceful=False)
        nodes = [node for _, node in found]
    assert [square for square, _ in found] == [k * k for k in range(40)]
    assert len(set(nodes)) == 2
    assert len(set(nodes[-10:])) == 1


def test_an_error_of_a_task_is_raised_here_after_the_results_before(cluster: Any) -> None:
    found = []
    with Ray(cluster.address) as engine, pytest.raises(ValueError, match=r"^4 is unlucky$"):
        for number in engine.map(unlucky, range(9), 9):
            found.append(number)
    assert found == [0, 1, 2, 3]


def test_only_what_ends_every_process_is_lost(cluster: Any, tmp_path: Path) -> None:
    tasks = [(k, {1: 1, 3: 99}.get(k, 0), tmp_path) for k in range(5)]
    with Ray(cluster.address) as engine:
        found = list(engine.map(fatal, tasks, 5, lambda task: -task[0]))
    assert found == [0, 1, 2, -3, 4]
    assert (tmp_path / "1").stat().st_size == 2
    assert (tmp_path / "3").stat().st_size == engine_ray.RETRIES + 1
    with Ray(cluster.address) as engine, pytest.raises(WorkerLost, match="for want of memory"):
        list(engine.map(fatal, [(7, 99, tmp_path)], 1))


def test_a_node_that_lacks_what_a_task_needs(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = ModuleType("absent")
    exec("def task(number): return number", absent.__dict__)
    monkeypatch.setitem(sys.modules, "absent", absent)
    lost: list[int] = []
    said = "^a node can't run a task: System error: No module named 'absent'$"
    with Ray(cluster.address) as engine, pytest.raises(ValueError, match=said):
        list(engine.map(absent.task, [1, 2], 2, lost.append))
    assert lost == []


@pytest.mark.parametrize("name", ["LocalRayletDiedError", "NodeDiedError", "RaySystemError"])
def test_where_the_cluster_fails_no_task_is_said_to_be_lost(
    cluster: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[int] = []
    with Ray(cluster.address) as engine:

        def gone(reference: Any) -> Any:
            raise getattr(engine._ray.exceptions, name)("it is gone\nfor good")

        monkeypatch.setattr(engine._ray, "get", gone)
        with pytest.raises(ValueError, match=r"^the Ray cluster has failed: [^\n]+$"):
            list(engine.map(unlucky, [1], 1, lost.append))
    assert lost == []


def test_a_node_with_another_version_is_named(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_ray, "VERSION", "0.0.7")
    with Ray(cluster.address) as engine, pytest.raises(ValueError, match=r"not 0\.0\.7 as here"):
        list(engine.map(unlucky, [1], 1))


def test_where_nobody_listens_is_said_at_once(tmp_path: Path) -> None:
    started = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-m", "cli", "make", "--out", str(tmp_path / "d"), "--engine", "ray"],
        cwd=ROOT,
        env={**os.environ, "RAY_ADDRESS": "127.0.0.1:1"},
        text=True,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.startswith("puzzles: the Ray cluster at 127.0.0.1:1 can't be used: ")
    assert not (tmp_path / "d").exists()
    assert time.monotonic() - started < 30


# The commands.


@pytest.mark.parametrize("format", ["folder", "parquet", "webdataset"])
def test_make_writes_the_same_bytes(cluster: Any, second: Any, format: str, tmp_path: Path) -> None:
    words = ["make", "--family", "all", "-n", "70", "--cell", "16", "--format", format]
    for name, on in (("here", None), ("there", cluster)):
        out = ended(begun(on, *words, "--out", str(tmp_path / name)))
        assert out.count("70 instances") == 6
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_export_writes_the_same_bytes(cluster: Any, second: Any, tmp_path: Path) -> None:
    make("onet", "easy", 150, out=tmp_path / "d", cell=16)
    exports = {  # rows made by tasks, a copy, and pictures drawn again that the rows don't hold
        "trl": ("d", "--for", "trl"),
        "parquet": ("d", "--format", "parquet"),
        "folder": ("here-trl", "--format", "folder"),
    }
    for kind, (source, *how) in exports.items():
        for name, on in (("here", None), ("there", cluster)):
            goal = tmp_path / f"{name}-{kind}"
            ended(begun(on, "export", str(tmp_path / source), *how, "-o", str(goal)))
        assert contents(tmp_path / f"here-{kind}") == contents(tmp_path / f"there-{kind}")
    assert contents(tmp_path / "there-folder") == contents(tmp_path / "d")


def test_verify_writes_the_same_verdicts(cluster: Any, second: Any, tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    case.saved(case.solution(), "right.png")
    case.saved(case.picture(case.start), "empty.png")
    (tmp_path / "text.png").write_text("no picture")
    make("parking", "easy", 20, out=tmp_path / "d", images=False)
    with (tmp_path / "answers.jsonl").open("w") as file:
        for at, instance in enumerate(load(tmp_path / "d") * 30):
            line = {"id": instance.id, "response": instance.answer, "model": f"model {at % 29}"}
            file.write(json.dumps(line) + "\n")
        file.write("no JSON\n")
        for name in ("right.png", "empty.png", "text.png", "gone.png", "../outside.png"):
            said = {"response": case.instance.answer, "model": name, "images": [name]}
            file.write(as_line(case, protocol="self-vr", **said))
    for name, on in (("here", None), ("there", cluster)):
        words = ["verify", str(tmp_path / "answers.jsonl"), "-o", str(tmp_path / name), "--json"]
        run = begun(on, *words)
        out, said = run.communicate(timeout=300)
        assert run.returncode == 1, said  # lines that can't be judged
        assert json.loads(out)["pictures"] == {"right": 1, "wrong": 1, "unclear": 3}
    rows = [json.loads(line) for line in (tmp_path / "here").read_text().splitlines()]
    assert len(rows) == 606
    assert sum(row["error"] is not None for row in rows) == 1 + 20
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_dedup_finds_the_same(cluster: Any, second: Any, tmp_path: Path) -> None:
    small: dict[str, Any] = {"size": (4, 4), "options": {"border": False}, "images": False}
    for seed, name in enumerate("ab"):
        make("maze", lengths=(2, 4), n=60, seed=seed, out=tmp_path / name, **small)
    for name, on in (("here", None), ("there", cluster)):
        words = ["dedup", str(tmp_path / "a"), str(tmp_path / "b"), "-o", str(tmp_path / name)]
        run = begun(on, *words)
        _, said = run.communicate(timeout=300)
        assert run.returncode == 1, said  # there are so few boards that some are in both
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes() != b""


# What is killed midway.

SHARDS = ["make", "--difficulty", "hard", "-n", "1500", "--cell", "32", "--format", "parquet"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed") / "d"
    ended(begun(None, *SHARDS, "--shard-size", "250", "--out", str(folder)))
    return contents(folder)


def run_shards(cluster: Any, out: Path, *more: str) -> subprocess.Popen[str]:
    return begun(cluster, *SHARDS, "--shard-size", "250", "--out", str(out), *more)


def test_a_node_killed_midway_makes_no_difference(
    cluster: Any, second: Any, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    run = run_shards(cluster, tmp_path / "d")
    wait_for((tmp_path / "d" / "data-00000-of-00006.parquet").exists, run)
    assert not (tmp_path / "d" / "data-00004-of-00006.parquet").exists()
    cluster.remove_node(second, allow_graceful=False)
    assert ended(run) == f"{tmp_path / 'd'}: 1,500 instances, lengths 18 to 30\n"
    assert contents(tmp_path / "d") == undisturbed


def test_a_killed_run_is_resumed_to_the_same_bytes(
    cluster: Any, second: Any, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    for at in (0, 2):
        run = run_shards(cluster, tmp_path / "d", "--resume")
        wait_for((tmp_path / "d" / f"data-0000{at}-of-00006.parquet").exists, run)
        run.kill()
        run.communicate()
    assert not (tmp_path / "d" / "data-00005-of-00006.parquet").exists()
    ended(run_shards(cluster, tmp_path / "d", "--resume"))
    assert contents(tmp_path / "d") == undisturbed


def test_ctrl_c_ends_a_run_at_once(
    cluster: Any, second: Any, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    run = run_shards(cluster, tmp_path / "d")
    wait_for((tmp_path / "d" / "data-00000-of-00006.parquet").exists, run)
    run.send_signal(signal.SIGINT)
    started = time.monotonic()
    _, said = run.communicate(timeout=60)
    assert time.monotonic() - started < 5
    assert run.returncode == 130
    assert said == "puzzles: interrupted; --resume completes a dataset\n"
    ended(run_shards(cluster, tmp_path / "d", "--resume"))
    assert contents(tmp_path / "d") == undisturbed
