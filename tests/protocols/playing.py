"""What the tests of running share: small data sets, the command, models that are scripted."""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from typer.testing import CliRunner

import cli
from protocols.episode import Episode
from protocols.journal import Journal
from protocols.judge import Options, judge_file
from protocols.messages import Reply
from protocols.models import ModelError
from protocols.protocol import named
from protocols.run import Runner
from protocols.selection import Selection
from puzzles import Instance

ROOT = Path(__file__).parents[2]
RIGHT = '<ANSWER_JSON>["right"]</ANSWER_JSON>'

# One, two and three cells to the right; boards of odd sizes.
CORRIDORS = ["#####\n#SG.#\n#####", "######\n#S.G.#\n######", "######\n#S..G#\n#..###\n######"]


def corridor(k: int, board: str, length: int) -> Instance:
    answer = f"<ANSWER_JSON>{json.dumps(['right'] * length)}</ANSWER_JSON>"
    return Instance(
        id=f"maze-easy-{k:016x}",
        family="maze",
        difficulty="easy",
        board=board,
        optimal_length=length,
        answer=answer,
    )


def save(folder: Path, instances: list[Instance]) -> Path:
    folder.mkdir(parents=True)
    lines = "".join(instance.line() for instance in instances)
    (folder / "metadata.jsonl").write_text(lines)
    return folder


def puzzles_run(*arguments, code: int = 0):
    result = CliRunner().invoke(cli.app, ["run", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.output


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def keys(path: Path) -> Counter:
    return Counter((a["id"], a["protocol"], a["model"], a["run"]) for a in lines(path))


def judged(path: Path, data: Path):
    report = judge_file(path, [data], path.with_suffix(".verdicts"), Options(images=False))
    assert report.error_count == 0, report.errors
    return lines(path.with_suffix(".verdicts"))


class Scripted:
    """Counts what it is asked; after ``last`` requests no more are answered."""

    thread_safe = True
    name = "scripted"

    def __init__(self, last: int | None = None, answer: str = RIGHT):
        self.asked: Counter[tuple] = Counter()
        self.last, self.answer = last, answer
        self.mutex = threading.Lock()

    def reply(self, episode: Episode) -> Reply:
        with self.mutex:
            if self.last is not None and self.asked.total() >= self.last:
                raise ModelError("that was all")
            self.asked[episode.instance.id, episode.request.purpose, episode.request.round] += 1
        if episode.request.purpose == "action":
            return Reply('<STEP_JSON>"right"</STEP_JSON>')
        if episode.request.purpose == "probe":
            left = episode.instance.optimal_length - episode.request.round
            return Reply(f"<answer>{left}</answer>")
        if episode.request.due == "image":
            return Reply(images=(episode.request.images[0].png,))
        return Reply(self.answer)


def play(data: Path, out: Path, model, protocols: str = "direct", concurrency: int = 1, **more):
    selection = Selection([data], [named(name) for name in protocols.split(",")], **more)
    with Journal(out, selection.library, "scripted", {}) as journal:
        return Runner(journal, lambda run: model).run(selection.jobs(), concurrency)


def start(*arguments, **more) -> subprocess.Popen:
    command = [sys.executable, "-m", "cli", "run", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **more,
    )


def wait_for(condition, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)
