"""Ten thousand episodes through loopback: memory stays flat, and a kill costs next to nothing."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocols.protocol import named
from protocols.selection import Selection
from puzzles.asked import checked
from puzzles.content import Content
from puzzles.dataset import write
from puzzles.generate import Recipe
from tests.protocols.endpoint import Loopback, Perfect

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
INSTANCES, RUNS, CONCURRENCY = 250, 40, 16
EPISODES = INSTANCES * RUNS


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("maze", "onet"):
        recipe = checked(Recipe(name, difficulty="easy"))
        write(Content(recipe, INSTANCES // 2, None), tmp_path / "data" / name)
    return tmp_path / "data"


def resident(process: subprocess.Popen[str]) -> float:
    """Return the memory that a process holds, in MB."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def sampled(process: subprocess.Popen[str], server: Loopback, end: int) -> Iterator[float]:
    """Yield the memory of a running process until the server has had ``end`` requests."""
    while process.poll() is None and server.count < end:
        yield resident(process)
        time.sleep(0.2)


def start(data: Path, out: Path, url: str) -> subprocess.Popen[str]:
    arguments = ["--data", data, "--protocol", "text-cot", "--model", "m", "--base-url", url]
    arguments += ["--runs", RUNS, "--concurrency", CONCURRENCY, "-o", out]
    return subprocess.Popen(
        [sys.executable, "-m", "cli", "run", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_memory_is_flat_and_a_kill_costs_no_more_than_what_was_under_way(
    data: Path, tmp_path: Path
) -> None:
    out, begin = tmp_path / "answers.jsonl", time.monotonic()
    with Loopback(Perfect(Selection([data], [named("text-cot")])), keep=False) as server:
        process = start(data, out, server.url)
        for _ in sampled(process, server, EPISODES // 4):
            pass
        process.kill()
        process.communicate()
        killed = server.count
        process = start(data, out, server.url)
        first = list(sampled(process, server, killed + (EPISODES - killed) // 2))
        second = list(sampled(process, server, 2 * EPISODES))
        said, _ = process.communicate()
        assert process.returncode == 0, said
        assert EPISODES <= server.count <= EPISODES + CONCURRENCY
    grown = max(second) - second[0]
    rate = server.count / (time.monotonic() - begin)
    print(f"{rate:.0f} episodes/s; {first[-1]:.0f} MB, then {grown:.1f} MB more")
    assert len(second) > 10
    assert second[0] > 10
    assert grown < 20
    with out.open() as lines:
        answered = [(a["id"], a["run"]) for a in map(json.loads, lines)]
    assert len(answered) == len(set(answered)) == EPISODES
