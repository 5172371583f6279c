"""The taskset for verifiers from 0.4, run by the installed package against endpoints on loopback.

The perfect endpoint refuses every conversation that isn't one of its episodes, to the last byte;
so pictures and histories arrive as they are meant.
"""

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from base64 import b64encode
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from protocols.adapters.documents import documents
from protocols.protocol import named
from protocols.selection import Selection
from puzzles import NAMES, make

try:
    INSTALLED = version("verifiers")
except PackageNotFoundError:
    INSTALLED = "0"
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(INSTALLED < "0.4", reason="verifiers 0.4 is in an environment of its own"),
]
ROOT = Path(__file__).parents[2]
CELL = 20
PROTOCOLS = ("direct", "text-cot", "oracle-gta", "oracle-vcot", "mismatch-aug-vcot+last")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name in NAMES:
        make(name, "easy", 2, out=folder / name, images=False, cell=CELL)
    return folder


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANY_KEY", "x")
    monkeypatch.chdir(tmp_path)


def played(answer: Any, agent: dict[str, Any] | None = None, **taskset: Any) -> list[Any]:
    """Return the traces of all tasks, played by a model that says what ``answer`` says."""
    import verifiers.v1 as vf

    from tests.protocols.endpoint import Loopback

    chosen = {"taskset": {"id": "puzzles-verifiers", **taskset}, "agent": agent or {}}
    env = vf.load_environment(vf.resolve_env_config(chosen))

    async def run(url: str) -> list[Any]:
        client = vf.EvalClientConfig(base_url=url, api_key_var="ANY_KEY")
        model = vf.ModelContext(model="m", client=client, sampling=vf.SamplingConfig())
        async with env.serving():
            slots = [slot for task in env.taskset for slot in env.slots(task)]
            episodes = [await env.run_slot(slot, model) for slot in slots]
        return [trace for episode in episodes for trace in episode.traces]

    with Loopback(answer) as server:
        return asyncio.run(run(server.url))


def perfect(data: Path, protocol: str, skill: str = "solver", cell: int | None = CELL) -> Any:
    from tests.protocols.endpoint import Perfect

    return Perfect(Selection([data], [named(protocol)], cell=cell), skill)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_solver_earns_everything(data: Path, protocol: str) -> None:
    traces = played(perfect(data, protocol), data=str(data), protocol=protocol, cell=CELL)
    assert len(traces) == 2 * len(NAMES)
    for trace in traces:
        assert trace.ok, trace.errors
        assert trace.reward == 1
        assert trace.metrics == {"optimal": 1, "feasible": 1}


def test_rewards_are_those_of_the_judge(data: Path) -> None:
    from protocols.episode import Episode
    from protocols.messages import Reply

    answer = perfect(data, "oracle-vcot", "noisy:0.15")
    traces = played(answer, data=str(data), protocol="oracle-vcot", cell=CELL)
    for trace in traces:
        [document] = [
            one
            for one in documents(data, [named("oracle-vcot")], CELL, None)
            if one.instance.id == trace.task.data.id
        ]
        episode = Episode(document.instance, "oracle-vcot")
        for reply in trace.info["replies"]:
            episode.take(Reply.of(reply))
        verdict = episode.verdict()
        assert verdict is not None
        assert trace.metrics == {"optimal": verdict.optimal, "feasible": verdict.feasible}
        assert verdict.feasible >= trace.reward >= verdict.optimal
    assert 0 < sum(trace.reward for trace in traces) < len(traces)


@pytest.mark.parametrize("reward", ["mix", "efficiency"])
def test_a_reply_is_worth_what_it_is_elsewhere(data: Path, reward: str) -> None:
    from protocols.reward import REWARDS, score

    chosen = {"data": str(data), "protocol": "direct", "cell": CELL, "task": {"reward": reward}}
    for skill in ("solver", "noisy:0.3"):
        for trace in played(perfect(data, "direct", skill), **chosen):
            found = score(trace.last_reply, trace.task.data.record, strict=True)
            assert trace.reward == pytest.approx(REWARDS[reward](found))
            assert trace.metrics == {"optimal": found.optimal, "feasible": found.feasible}


def test_a_rollout_is_judged_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from oracle.trainers import rewards

    calls, judged = [], rewards.judged
    rewards.replayed.cache_clear()

    def counted(*given: Any, **options: Any) -> Any:
        calls.append(given)
        return judged(*given, **options)

    monkeypatch.setattr(rewards, "judged", counted)
    chosen = {"data": str(data), "protocol": "oracle-vcot", "cell": CELL}
    played(perfect(data, "oracle-vcot", "noisy:0.2"), **chosen)
    assert len(calls) == 2 * len(NAMES)


@pytest.mark.parametrize("said", ["", "up", "<think>" * 1000, "{" * 50_000])
def test_what_is_no_answer_earns_nothing(data: Path, said: str) -> None:
    from protocols.messages import Reply

    for protocol in ("text-cot", "oracle-vcot"):
        chosen = {"data": str(data), "families": ["maze"], "protocol": protocol}
        traces = played(lambda _: Reply(said), **chosen)
        assert [trace.reward for trace in traces] == [0, 0]


def test_a_slip_of_the_format_is_paid_for_on_request_only(data: Path) -> None:
    from protocols.messages import Reply

    read = documents(data, [named("direct")], CELL, None)
    answer = next(one.instance.answer for one in read if one.bucket[0] == "maze") or ""
    chosen = {"data": str(data), "families": ["maze"], "n": 1, "protocol": "direct"}
    bare = answer.removeprefix("<ANSWER_JSON>").removesuffix("</ANSWER_JSON>")
    strict = played(lambda _: Reply(bare), **chosen)
    lenient = played(lambda _: Reply(bare), **chosen, task={"strict": False})
    assert [trace.reward for trace in strict + lenient] == [0, 1]


def test_a_limit_ends_an_episode_without_reward(data: Path) -> None:
    traces = played(
        perfect(data, "oracle-vcot"),
        {"max_turns": 1},
        **{"data": str(data), "protocol": "oracle-vcot", "cell": CELL, "n": 1},
    )
    assert {trace.stop_condition for trace in traces} == {"max_turns"}
    assert {trace.reward for trace in traces} == {0}


def test_the_prompt_holds_the_picture(data: Path) -> None:
    from oracle.trainers.verifiers_tasks import PuzzleConfig, PuzzleTaskset

    tasks = list(PuzzleTaskset(PuzzleConfig(data=str(data), protocol="direct", cell=CELL)))
    for task, document in zip(tasks, documents(data, [named("direct")], CELL, None), strict=True):
        request = document.episode(named("direct"), None).request
        assert request is not None
        [message] = task.data.prompt
        picture, text = message.content
        png = b64encode(request.images[0].png).decode()
        assert picture.image_url.url == f"data:image/png;base64,{png}"
        assert text.text == request.messages[0].text


def test_boards_are_made_where_no_data_are_named() -> None:
    from oracle.trainers.verifiers_tasks import PuzzleConfig, PuzzleTaskset

    chosen = PuzzleConfig(families=["maze"], n=3, seed=7, split="eval", protocol="direct")
    tasks = list(PuzzleTaskset(chosen))
    wanted = [one.id for one in make("maze", "easy", 3, seed=7, split="eval")]
    assert [task.data.id for task in tasks] == wanted


def command(name: str, *words: str, at: Path) -> None:
    """Run a command of the framework; ``at`` is where its results go."""
    done = subprocess.run(
        [Path(sys.executable).with_name(name), *words, "-o", str(at)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def document() -> list[list[str]]:
    """Return the commands of the document, as lists of words."""
    page = (ROOT / "docs" / "trainers.md").read_text()
    [block] = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    return [shlex.split(line) for line in block.replace("\\\n", " ").splitlines()]


def test_the_commands_of_the_document(data: Path, tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(data)
    validate, evaluate = document()
    command(*validate, at=tmp_path / "validated")
    [found] = tmp_path.glob("validated/*/summary.json")
    summary = json.loads(found.read_text())
    assert summary["total"] == 2 * len(NAMES)
    assert summary["valid_rate"] == 1.0
    from tests.protocols.endpoint import Loopback

    with Loopback(perfect(data, "oracle-vcot", cell=None)) as server:
        words = [server.url if word.startswith("http") else word for word in evaluate]
        command(*words, at=tmp_path / "evaluated")
    [found] = tmp_path.glob("evaluated/*/**/traces.jsonl")
    episodes = [json.loads(line) for line in found.read_text().splitlines()]
    scores = [trace["rewards"]["reward"]["score"] for one in episodes for trace in one["traces"]]
    assert scores == [1] * 2 * len(NAMES)
