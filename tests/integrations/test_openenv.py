"""The OpenEnv app over HTTP, in a process of its own, played by the package's own client."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from protocols.episode import Episode
from protocols.models.players import player
from puzzles import NAMES, Instance, make

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        find_spec("openenv") is None, reason="openenv has an environment of its own"
    ),
]
ROOT = Path(__file__).parents[2]


@contextmanager
def serving(**variables: str) -> Iterator[str]:
    """Serve the app on loopback; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = [*(sys.executable, "-m", "uvicorn", "oracle.trainers.openenv_app:app")]
    words += ["--port", str(port), "--log-level", "warning"]
    server = subprocess.Popen(words, cwd=ROOT, env={**os.environ, **variables})
    try:
        for _ in range(600):
            try:
                urlopen(f"http://127.0.0.1:{port}/health").close()
                break
            except OSError:
                assert server.poll() is None
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


@contextmanager
def client(url: str) -> Iterator[Any]:
    from openenv.core import GenericEnvClient

    with GenericEnvClient(base_url=url).sync() as env:
        yield env


def get(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"content-type": "application/json"})
    with urlopen(request) as response:
        return json.load(response)


def instance_at(task: dict[str, Any]) -> Instance:
    """Return the instance of a task that was made, made here."""
    where = {"seed": task["seed"], "split": task["split"]}
    return make(task["family"], task["difficulty"], task["place"] + 1, **where)[-1]


def play(env: Any, skill: str = "solver", **chosen: Any) -> Any:
    """Play an episode as the player does, who plays it here as well; return the last result.

    What is shown must be what is shown here.
    """
    shown = env.reset(**chosen).observation
    task = env.state()["task"]
    twin = Episode(instance_at(task), chosen.get("protocol", "oracle-vcot"))
    while True:
        assert twin.request is not None
        message = twin.request.messages[-1]
        pictures = [image.png for image in message.images]
        assert [b64decode(shown[n]) for n in ("image", "aid") if shown[n]] == pictures
        assert shown["text"] == message.text
        reply = player(skill).reply(twin)
        twin.take(reply)
        result = env.step({"reply": reply.text})
        if result.done:
            verdict = twin.verdict()
            assert verdict is not None
            assert result.observation["verdict"]["optimal"] == verdict.optimal
            return result
        assert result.reward == 0
        shown = result.observation


@pytest.mark.parametrize("name", NAMES)
def test_a_solver_earns_everything(url: str, name: str) -> None:
    with client(url) as env:
        for protocol in ("direct", "oracle-gta", "oracle-vcot", "oracle-vcot+budget"):
            chosen = {"family": name, "difficulty": "easy", "protocol": protocol}
            assert play(env, seed=5, **chosen).reward == 1


def test_actions_in_json(url: str) -> None:
    with client(url) as env:
        env.reset(seed=5, family="maze", difficulty="easy")
        instance = instance_at(env.state()["task"])
        moves = json.loads((instance.answer or "")[13:-14])
        for at, move in enumerate(moves):
            result = env.step({"action": {"move": move}})  # the question is passed by
            assert result.observation["legal"]
            assert result.observation["due"] == "remaining"
            assert env.state()["step_count"] == at + 1
        result = env.step({"remaining": 0})
        assert (result.done, result.reward) == (True, 1)
        for again in (*({"action": {"move": move}} for move in moves), {"remaining": 0}):
            with pytest.raises(Exception, match="the episode is over"):  # it is paid for once
                env.step(again)


def test_an_illegal_action_ends_it(url: str) -> None:
    with client(url) as env:
        env.reset(seed=5, family="maze", difficulty="easy")
        result = env.step({"action": {"move": "nowhere"}})
        assert (result.done, result.reward) == (True, 0)
        assert result.observation["reason"] == "unknown_action"
        with pytest.raises(Exception, match="the episode is over"):
            env.step({"action": {"move": "up"}})


def test_reset_honours_the_seed(url: str) -> None:
    with client(url) as one, client(url) as two:
        first = [one.reset(seed=k).observation["image"] for k in range(4)]
        again = [two.reset(seed=k).observation["image"] for k in range(4)]
        assert first == again
        assert len(set(first)) == 4
        one.reset()
        again = two.reset(seed=one.state()["seed"])
        assert two.state()["task"] == one.state()["task"]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"sed": 3}, "unknown parameters sed"),
        ({"seed": 3, "family": "chess"}, "no task of chess"),
        ({"seed": 3, "protocol": "oracle-vct"}, "did you mean oracle-vcot"),
        ({"split": "test", "index": 0}, "unknown split 'test'"),
        ({"index": 10**9}, "train has tasks 0 to"),
        ({"seed": 3, "reward": "much"}, "unknown reward 'much'"),
        ({"seed": 3, "protocol": 5}, "reset: protocol can't be 5"),
        ({"seed": 3, "family": 5}, "reset: family can't be 5"),
        ({"index": "3"}, "reset: index can't be '3'"),
        ({"seed": 3, "strict": "no"}, "reset: strict can't be 'no'"),
    ],
)
def test_what_cannot_be_met_is_refused(url: str, chosen: dict[str, Any], said: str) -> None:
    with client(url) as env, pytest.raises(Exception, match=said):
        env.reset(**chosen)
    with pytest.raises(HTTPError) as error:
        get(f"{url}/reset", chosen)
    assert error.value.code == 422
    assert said in error.value.read().decode().replace('\\"', '"')


def test_nothing_tells_the_solution_while_it_lasts(url: str) -> None:
    with client(url) as env:
        shown = env.reset(seed=5, family="maze", difficulty="easy")
        instance = instance_at(env.state()["task"])
        said = json.dumps([shown.observation, env.state()])
        assert instance.board not in said
        assert "optimal" not in said
        assert str(instance.answer) not in said


def test_tasks(url: str) -> None:
    assert get(f"{url}/puzzles/splits") == [
        {"name": "train", "type": "train"},
        {"name": "eval", "type": "validation"},
    ]
    count = get(f"{url}/puzzles/num_tasks", {"split": "eval"})["num_tasks"]
    assert count == 1000 * 3 * len(NAMES)
    task = get(f"{url}/puzzles/task", {"split": "eval", "index": 19})["task"]
    wanted = {"split": "eval", "index": 19, "family": NAMES[0], "difficulty": "medium"}
    assert task == {**wanted, "seed": 0, "place": 1}
    with client(url) as env:
        env.reset(split="eval", index=19)
        assert env.state()["task"] == task
        assert instance_at(task).split == "eval"
    with pytest.raises(HTTPError) as error:
        get(f"{url}/puzzles/task", {"split": "eval", "index": count})
    assert error.value.code == 400


def test_a_folder(tmp_path: Path) -> None:
    made = make("maze", "easy", 12, out=tmp_path, images=False, cell=20)
    by_split = {name: [one.id for one in made if one.split == name] for name in ("train", "eval")}
    with serving(PUZZLES_DATA=str(tmp_path)) as url:
        for split, ids in by_split.items():
            tasks = get(f"{url}/puzzles/tasks", {"split": split})["tasks"]
            assert [task["id"] for task in tasks] == ids
        with client(url) as env:
            env.reset(split="train", index=2)
            assert env.state()["task"]["id"] == by_split["train"][2]


def test_the_manifest() -> None:
    from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser

    manifest = OpenEnvYamlParser().parse(ROOT / "oracle" / "trainers")
    assert tuple(manifest.reward.range) == (0.0, 1.0)


def test_the_document_as_written(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "trainers.md").read_text()
    [code] = [
        one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "openenv" in one
    ]
    exec(code.replace("http://127.0.0.1:8000", url), {})
    assert capsys.readouterr().out == "0.0 bad_format\n"
