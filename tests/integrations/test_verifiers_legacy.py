"""``load_environment`` for verifiers up to 0.1.14, run by the installed package on loopback."""

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from protocols.adapters.documents import documents
from protocols.messages import Reply
from protocols.protocol import named
from protocols.selection import Selection
from puzzles import NAMES, make

try:
    INSTALLED = version("verifiers")
except PackageNotFoundError:
    INSTALLED = "9"
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        INSTALLED >= "0.2", reason="verifiers 0.1.14 is in an environment of its own"
    ),
]
CELL = 20
PROTOCOLS = ("direct", "text-cot", "oracle-gta", "oracle-vcot", "mismatch-aug-vcot+last")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name in NAMES:
        make(name, "easy", 2, out=folder / name, images=False, cell=CELL)
    return folder


def played(answer: Any, rollouts: int = 1, **chosen: Any) -> list[Any]:
    """Return the rollouts of all rows, played by a model that says what ``answer`` says."""
    import verifiers as vf

    from tests.protocols.endpoint import Loopback

    env = vf.load_environment("puzzles-verifiers", cell=CELL, **chosen)
    with Loopback(answer) as server:
        client = vf.ClientConfig(api_base_url=server.url, api_key_var="ANY_KEY", max_retries=0)
        done = env.evaluate_sync(client, "m", rollouts_per_example=rollouts, max_concurrent=8)
    return list(done["outputs"])


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANY_KEY", "x")


def perfect(data: Path, protocol: str, skill: str = "solver", cell: int | None = CELL) -> Any:
    from tests.protocols.endpoint import Perfect

    return Perfect(Selection([data], [named(protocol)], cell=cell), skill)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_solver_earns_everything(data: Path, protocol: str) -> None:
    rollouts = played(perfect(data, protocol), data=str(data), protocol=protocol)
    assert len(rollouts) == 2 * len(NAMES)
    for rollout in rollouts:
        assert rollout["error"] is None
        assert rollout["reward"] == 1
        assert rollout["metrics"]["optimal"] == rollout["metrics"]["feasible"] == 1


@pytest.mark.parametrize("reward", ["mix", "efficiency"])
def test_a_reply_is_worth_what_it_is_elsewhere(data: Path, reward: str) -> None:
    from protocols.reward import REWARDS, score

    chosen = {"data": str(data), "protocol": "direct", "reward": reward}
    for skill in ("solver", "noisy:0.3"):
        for rollout in played(perfect(data, "direct", skill), **chosen):
            found = score(rollout["completion"], rollout["info"]["record"], strict=True)
            assert rollout["reward"] == pytest.approx(REWARDS[reward](found))


def test_a_rollout_is_judged_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from oracle.trainers import rewards

    calls, judged = [], rewards.judged

    def counted(*given: Any, **options: Any) -> Any:
        calls.append(given)
        return judged(*given, **options)

    monkeypatch.setattr(rewards, "judged", counted)
    played(perfect(data, "oracle-vcot", "noisy:0.2"), data=str(data), protocol="oracle-vcot")
    assert len(calls) == 2 * len(NAMES)


def test_there_is_one_score_for_every_completion(data: Path) -> None:
    rollouts = played(lambda _: Reply("up"), rollouts=3, data=str(data), protocol="oracle-vcot")
    assert [rollout["reward"] for rollout in rollouts] == [0] * 3 * 2 * len(NAMES)


def test_an_answer_is_a_text_and_pictures_are_data_uris(data: Path) -> None:
    import verifiers as vf

    env = vf.load_environment("puzzles-verifiers", data=str(data), protocol="direct", cell=CELL)
    read = documents(data, [named("direct")], CELL, None)
    for row, document in zip(env.get_dataset(), read, strict=True):
        assert isinstance(row["answer"], str)
        assert row["answer"] == document.instance.answer
        request = document.episode(named("direct"), None).request
        assert request is not None
        [message] = row["prompt"]
        picture, text = message["content"]
        assert picture["image_url"]["url"] == request.images[0].data_uri
        assert text["text"] == request.messages[0].text


def test_boards_are_made_where_no_data_are_named() -> None:
    import verifiers as vf

    chosen = {"families": ["maze"], "n": 3, "seed": 7, "split": "eval", "protocol": "direct"}
    env = vf.load_environment("puzzles-verifiers", **chosen)
    wanted = [one.answer for one in make("maze", "easy", 3, seed=7, split="eval")]
    assert env.get_dataset()["answer"] == wanted


def test_the_document_as_written(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.protocols.endpoint import Loopback

    (tmp_path / "data").symlink_to(data)
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "trainers.md").read_text()
    [code] = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "vf" in one]
    with Loopback(perfect(data, "oracle-vcot", cell=None)) as server:
        exec(code.replace("http://127.0.0.1:8000/v1", server.url), {})
    assert capsys.readouterr().out.strip().endswith("1.0")
