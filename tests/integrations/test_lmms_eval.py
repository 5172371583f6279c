"""The task folder, run by the installed lmms-eval with models of known skill, offline."""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, cycle
from pathlib import Path
from typing import Any

import pytest

from protocols.adapters.documents import CARRIED, METRICS, Document
from protocols.adapters.lmms_folder import write_tasks
from protocols.episode import Episode
from protocols.judge import Options, judge_file
from protocols.models.players import player
from protocols.protocol import named
from puzzles import NAMES, make

pytestmark = pytest.mark.integration

OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
WITHOUT_FILES = [name for name in CARRIED if named(name).source != "files"]
SINGLE = [name for name in WITHOUT_FILES if not named(name).stepwise]
STEPWISE = [name for name in WITHOUT_FILES if named(name).stepwise]


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lmms")
    for name in NAMES:
        make(name, "easy", 3, out=folder / "data" / name, images=False)
    write_tasks(folder / "data", folder / "tasks", [*WITHOUT_FILES, "oracle-vcot+last"], cell=20)
    return folder / "tasks"


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tasks: Path) -> None:
    for name, value in OFFLINE.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HF_HOME", str(tasks.parent / "hf"))
    monkeypatch.setenv("LMMS_EVAL_DATASETS_CACHE", str(tasks.parent / "cache"))


def group(protocol: str) -> str:
    return "puzzles_" + protocol.replace("-", "_").replace("+", "_")


class Twins:
    """Answers as a player does, with an episode of its own for each document.

    It fails where what arrives is not what this episode asks.
    """

    def __init__(self, skill: str):
        self.player = player(skill)
        self.episodes: dict[tuple[str, int], Episode] = {}

    def reply(self, task: str, number: int, doc: dict[str, Any], content: list[Any]) -> str:
        protocol = next(
            name
            for name in sorted([*WITHOUT_FILES, "oracle-vcot+last"], key=len, reverse=True)
            if task.startswith(group(name) + "_")
        )
        if (task, number) not in self.episodes:
            self.episodes[task, number] = Document(**doc).episode(named(protocol), None)
        episode = self.episodes[task, number]
        assert episode.request is not None
        pictures = [part["url"] for part in content if part["type"] == "image"]
        [text] = [part["text"] for part in content if part["type"] == "text"]
        assert [picture.size for picture in pictures] == [
            _size(image.png) for image in episode.request.images
        ]
        assert all(one.text.split("\n\n")[-1] in text for one in episode.request.messages)
        assert episode.instance.id not in text
        said = self.player.reply(episode)
        episode.take(said)
        return said.text


def _size(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def evaluate(tasks: Path, names: Sequence[str], out: Path, reply: Callable[..., str]) -> Any:
    """Run the harness as its command does; write its samples files to ``out``."""
    from lmms_eval.api.model import lmms
    from lmms_eval.evaluator import simple_evaluate
    from lmms_eval.loggers import EvaluationTracker
    from lmms_eval.tasks import TaskManager

    class Model(lmms):
        is_simple = False

        def generate_until(self, requests: list[Any]) -> list[str]:
            said = []
            for request in requests:
                _, doc_to_messages, _, number, task, split = request.args
                doc = self.task_dict[task][split][number]
                [message] = doc_to_messages(doc)
                assert message["role"] == "user"
                said.append(reply(task, number, doc, message["content"]))
            return said

        def loglikelihood(self, requests: list[Any]) -> Any:
            raise NotImplementedError  # the harness wants the method; no task of ours calls it

        generate_until_multi_round = loglikelihood

    tracker = EvaluationTracker(output_path=str(out))
    manager = TaskManager(include_path=str(tasks), include_defaults=False)
    found = simple_evaluate(
        model=Model(),
        tasks=[group(name) for name in names],
        task_manager=manager,
        batch_size=1,
        bootstrap_iters=0,
        evaluation_tracker=tracker,
    )
    samples = found.pop("samples")
    tracker.save_results_aggregated(results=found, samples=samples, datetime_str="now")
    for task, lines in samples.items():
        tracker.save_results_samples(task_name=task, samples=lines)
    return found["results"]


def judged_again(out: Path) -> dict[str, dict[str, float]]:
    """Return the figures of `puzzles verify` for each samples file, by task."""
    figures = {}
    for path in sorted(out.rglob("*_samples_*.jsonl")):
        report = judge_file(path, (), path.with_suffix(".verdicts"), Options(images=False))
        assert not report.error_count, report.errors
        rows = [json.loads(line) for line in path.with_suffix(".verdicts").open()]
        figures[path.stem.partition("_samples_")[2]] = {
            name: sum(row[name] for row in rows) / len(rows) for name in METRICS
        }
    return figures


def measured(results: Any) -> dict[str, dict[str, float]]:
    return {
        task: {name: values[f"{name},none"] for name in METRICS} for task, values in results.items()
    }


def test_a_perfect_model_scores_one_and_keeps_it(tasks: Path, tmp_path: Path) -> None:
    names = [*SINGLE, "oracle-vcot", "mismatch-aug-vcot", "oracle-vcot+last"]
    figures = measured(evaluate(tasks, names, tmp_path, Twins("solver").reply))
    assert len(figures) == len(names) * (1 + len(NAMES))
    assert all(set(values.values()) == {1.0} for values in figures.values())
    again = judged_again(tmp_path)
    assert len(again) == len(names) * len(NAMES)
    assert all(set(values.values()) == {1.0} for values in again.values())


def test_figures_of_a_model_that_errs_are_those_of_verify(tasks: Path, tmp_path: Path) -> None:
    names = ["direct", "text-cot", "oracle-vcot"]
    figures = measured(evaluate(tasks, names, tmp_path, Twins("noisy:0.2").reply))
    again = judged_again(tmp_path)
    assert again == {task: figures[task] for task in again}
    totals = defaultdict(list)
    for name in names:
        totals[name] = [again[f"{group(name)}_{family}_easy"]["feasible"] for family in NAMES]
        assert figures[group(name)]["feasible"] == pytest.approx(sum(totals[name]) / len(NAMES))
    assert 0 < sum(totals["direct"]) < len(NAMES)


def test_what_is_no_answer_scores_nothing(tasks: Path, tmp_path: Path) -> None:
    texts = ["", "A", "\x00" + "{" * 50_000, "<think>" * 1000]
    said = cycle(texts)
    names = ["oracle-gta", "oracle-vcot"]
    figures = measured(evaluate(tasks, names, tmp_path, lambda *_: next(said)))
    assert {values["feasible"] for values in figures.values()} == {0.0}
    again = judged_again(tmp_path)
    assert again == {task: figures[task] for task in again}


def test_the_command_takes_the_folder(tasks: Path, tmp_path: Path) -> None:
    told = {
        "--model": "dummy",
        "--batch_size": "1",
        "--limit": "2",
        "--include_path": str(tasks),
        "--tasks": "puzzles_direct,puzzles_oracle_vcot",
        "--output_path": str(tmp_path),
    }
    subprocess.run(
        [sys.executable, "-m", "lmms_eval", "--log_samples", *chain(*told.items())],
        check=True,
        capture_output=True,
        timeout=300,
    )
    again = judged_again(tmp_path)
    assert len(again) == 2 * len(NAMES)
    assert {values["optimal"] for values in again.values()} == {0.0}
