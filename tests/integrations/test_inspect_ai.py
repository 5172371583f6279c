"""The tasks for inspect_ai, run by the installed package with models of known skill, offline."""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocols.adapters.documents import CARRIED, documents
from protocols.episode import Episode
from protocols.messages import Reply
from protocols.models.players import player
from protocols.protocol import named
from puzzles import NAMES, Instance, make

pytestmark = pytest.mark.integration

WITHOUT_FILES = [name for name in CARRIED if named(name).source != "files"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name in NAMES:
        make(name, "easy", 2, out=folder / name, images=False)
    return folder


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))


def model(said: Callable[[list[Any]], str]) -> Any:
    """Return a model of inspect's that says what ``said`` returns for the messages it is sent."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def output(messages: list[Any], *_: Any) -> Any:
        result = ModelOutput.from_content("mockllm", said(messages))
        result.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return result

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def run(task: str, answers: Callable[[list[Any]], str], data: Path, **more: Any) -> Any:
    from inspect_ai import eval as evaluate

    told = {"data": str(data), "cell": 20} | more.pop("task_args", {})
    [log] = evaluate(
        f"puzzles/{task}", model=model(answers), task_args=told, display="none", **more
    )
    return log


def shown(messages: list[Any]) -> list[tuple[str, list[str]]]:
    """Return the role of each message, and its texts and images in order."""
    return [(one.role, [_part(part) for part in _parts(one)]) for one in messages]


def _parts(message: Any) -> list[Any]:
    return [message.content] if isinstance(message.content, str) else message.content


def _part(part: Any) -> str:
    return part if isinstance(part, str) else part.image if part.type == "image" else part.text


def wanted(episode: Episode) -> list[tuple[str, list[str]]]:
    """Return the same of what the episode asks."""
    assert episode.request is not None
    return [
        (one.role, [part if isinstance(part, str) else _uri(part.png) for part in one.parts])
        for one in episode.request.messages
    ]


def _uri(png: bytes) -> str:
    return "data:image/png;base64," + b64encode(png).decode()


class Twin:
    """Answers as a player does; it plays the episode anew from the messages that arrive.

    So it fails where these are not exactly what the episode asks, texts and images in order.
    """

    def __init__(self, data: Path, protocol: str, skill: str = "solver"):
        self.player, self.protocol = player(skill), named(protocol)
        self.first = {}
        for one in documents(data, [self.protocol], 20, None):
            board = wanted(one.episode(self.protocol, None))[0][1][0]
            self.first[board] = one
        self.only = list(self.first.values())[:1]

    def __call__(self, messages: list[Any]) -> str:
        conversation = shown(messages)
        document = self.first.get(conversation[0][1][0], *self.only)
        episode = document.episode(self.protocol, None)
        said = [parts[0] for role, parts in conversation if role == "assistant"]
        for text in said:
            self._past_probe(episode)
            episode.take(Reply(text))
        if wanted(episode) != conversation:
            self._past_probe(episode)
        assert wanted(episode) == conversation
        return self.player.reply(episode).text

    def _past_probe(self, episode: Episode) -> None:
        if episode.request is not None and episode.request.purpose == "probe":
            episode.take(self.player.reply(episode))


def metrics(log: Any) -> dict[str, dict[str, float]]:
    assert log.status == "success", log.error
    return {
        one.name: {name: measured.value for name, measured in one.metrics.items()}
        for one in log.results.scores
    }


@pytest.mark.parametrize("protocol", WITHOUT_FILES)
def test_a_perfect_model_scores_one_under_every_protocol(protocol: str, data: Path) -> None:
    log = run(protocol.replace("-", "_"), Twin(data, protocol), data)
    for measured in metrics(log).values():
        assert measured["accuracy"] == 1.0
        assert all(measured[f"in_{name}/easy"] == 1.0 for name in NAMES)
    assert len(log.samples) == 2 * len(NAMES)
    for sample in log.samples:
        assert "solved" in sample.scores["verdict"].explanation
        assert sample.scores["verdict"].metadata["optimal_length"] > 0


@pytest.mark.parametrize("protocol", ["text-cot", "oracle-vcot"])
def test_a_model_that_says_nothing_useful_scores_nothing(protocol: str, data: Path) -> None:
    log = run(protocol.replace("-", "_"), lambda messages: "I can't tell.", data)
    assert metrics(log)["optimal"]["accuracy"] == metrics(log)["feasible"]["accuracy"] == 0.0
    assert {sample.scores["verdict"].metadata["reason"] for sample in log.samples} == {"no_answer"}


def test_scores_are_those_of_the_episodes_one_by_one(data: Path) -> None:
    skill = "noisy:0.3"
    log = run("oracle_vcot", Twin(data, "oracle-vcot", skill), data)
    expected = {}
    for one in documents(data, [named("oracle-vcot")], 20, None):
        episode, noisy = one.episode(named("oracle-vcot"), None), player(skill)
        while episode.request is not None:
            episode.take(noisy.reply(episode))
        found = episode.verdict()
        assert found is not None
        expected[one.instance.id] = found.feasible
    assert {s.id: s.scores["verdict"].value["feasible"] == 1.0 for s in log.samples} == expected
    assert 0 < sum(expected.values()) < len(expected)


def test_epochs_are_episodes_of_their_own(data: Path) -> None:
    log = run("oracle_vcot", Twin(data, "oracle-vcot"), data, epochs=2)
    assert len(log.samples) == 4 * len(NAMES)
    assert metrics(log)["optimal"]["accuracy"] == 1.0


def test_variants_go_by_their_names(tmp_path: Path) -> None:
    make("maze", lengths=(5, 5), n=1, out=tmp_path / "one", images=False)
    twin, images = Twin(tmp_path / "one", "oracle-vcot+last"), []

    def count(messages: list[Any]) -> str:
        images.append(sum(part.startswith("data:") for _, said in shown(messages) for part in said))
        return twin(messages)

    log = run("protocol", count, tmp_path / "one", task_args={"protocol": "oracle-vcot+last"})
    assert metrics(log)["optimal"]["accuracy"] == 1.0
    assert images == [1] * 10


def test_the_log_holds_the_whole_episode(data: Path) -> None:
    log = run("oracle_vcot", Twin(data, "oracle-vcot"), data, limit=1)
    [sample] = log.samples
    episode = Episode.resume(sample.store["episode"])
    steps = episode.answer([])["steps"]
    assert len(steps) == sample.scores["verdict"].metadata["optimal_length"]
    assert [step["remaining"] for step in steps] == list(range(len(steps)))[::-1]
    assert len([event for event in sample.events if event.event == "model"]) == 2 * len(steps)


def test_an_episode_that_a_limit_ends_is_judged_as_far_as_it_got(data: Path) -> None:
    log = run("oracle_vcot", Twin(data, "oracle-vcot"), data, token_limit=3)
    stops = {sample.scores["verdict"].metadata["stop"] for sample in log.samples}
    assert "break" in stops
    assert log.status == "success"


def test_what_a_model_is_sent_tells_neither_id_nor_optimum(tmp_path: Path) -> None:
    sent: list[list[tuple[str, list[str]]]] = []

    def note(messages: list[Any]) -> str:
        sent.append(shown(messages))
        return '<STEP_JSON>"right"</STEP_JSON>' if "Choose the next" in messages[-1].text else "1"

    for name, length in (("one", 2), ("two", 9)):
        folder = tmp_path / name
        folder.mkdir()
        board = Instance(
            id=f"maze-easy-{length:016x}",
            family="maze",
            difficulty="easy",
            board="#####\n#S.G#\n#####",
            optimal_length=length,
        )
        (folder / "metadata.jsonl").write_text(board.line())
        run("oracle_vcot", note, folder, task_args={"cell": 20})
    half = len(sent) // 2
    assert half > 2
    assert sent[:half] == sent[half:]
    assert not any(
        "maze-easy" in part for messages in sent for _, parts in messages for part in parts
    )


def test_an_answer_that_refutes_its_instance_is_not_scored(tmp_path: Path) -> None:
    wrong = Instance(id="w", family="maze", difficulty="easy", board="S.G", optimal_length=5)
    right = Instance(id="r", family="maze", difficulty="easy", board="S.G#", optimal_length=2)
    (tmp_path / "metadata.jsonl").write_text(wrong.line() + right.line())
    log = run("direct", lambda messages: '<ANSWER_JSON>["right","right"]</ANSWER_JSON>', tmp_path)
    assert metrics(log)["optimal"]["accuracy"] == 1.0
    assert log.results.scores[0].unscored_samples == 1


def test_a_protocol_in_which_the_model_draws_is_refused(data: Path) -> None:
    with pytest.raises(Exception, match="self-vcot: the model draws in it"):
        run("protocol", lambda messages: "", data, task_args={"protocol": "self-vcot"})
