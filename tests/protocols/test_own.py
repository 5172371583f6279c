"""Models of the user's own, well behaved and not."""

import sys
from pathlib import Path

import pytest

from tests.protocols.playing import lines, puzzles_run

OWN = """
import asyncio, threading, time
from protocols.messages import Reply

class Slow:
    inside = most = 0

    def reply(self, request):
        type(self).inside += 1
        type(self).most = max(self.most, self.inside)
        time.sleep(0.02)
        type(self).inside -= 1
        return '<ANSWER_JSON>["right"]</ANSWER_JSON>'

class Several:
    thread_safe = True
    together = threading.Barrier(3)

    def reply(self, request):
        self.together.wait(10)  # for the other two
        return "up"

class Failing:
    def reply(self, request):
        raise KeyError("weights")

class Steering:
    def reply(self, request):
        raise ValueError("\x1b[2J")

class Leaving:
    def reply(self, request):
        raise SystemExit("enough")

class Wrong:
    def reply(self, request):
        return 7

class Halves:
    def reply(self, request):
        return Reply(None)

class NoImages:
    def reply(self, request):
        return Reply("up", None)

class Cancelled:
    def reply(self, request):
        raise asyncio.CancelledError("enough")

class Interrupting:
    def reply(self, request):
        raise KeyboardInterrupt

class Costly:
    def reply(self, request):
        return Reply("up", usage={"cost": "abc", "prompt_tokens": 10**400, "x": object()})

class Ending:
    def reply(self, request):
        return "up"

    def close(self):
        raise OSError("gone")
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    (tmp_path / "own_models.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("own_models", None)
    sys.path.remove(str(tmp_path))


def test_own_models_are_asked_one_at_a_time(data, own):
    puzzles_run("--data", data, "--protocol", "direct", "--model", "python:own_models:Slow")
    assert sys.modules["own_models"].Slow.most == 1
    assert {line["model"] for line in lines(Path("answers.jsonl"))} == {"python:own_models:Slow"}


def test_own_models_that_say_so_are_asked_by_several_threads(data, own):
    puzzles_run("--data", data, "--protocol", "direct", "--model", "python:own_models:Several")
    assert [line["response"] for line in lines(Path("answers.jsonl"))] == ["up"] * 3


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Failing", "raised KeyError: 'weights'"),
        ("Steering", r"raised ValueError: \x1b[2J"),
        ("Leaving", "raised SystemExit: enough"),
        ("Wrong", "returned int '7'; Reply or str is wanted"),
        ("Halves", "Reply or str is wanted"),
        ("NoImages", "Reply or str is wanted"),
        ("Cancelled", "raised CancelledError: enough"),
        ("Interrupting", "KeyboardInterrupt"),
    ],
)
def test_what_goes_wrong_in_an_own_model_ends_its_episode(name, sentence, data, own):
    said = puzzles_run(
        "--data", data, "--protocol", "direct", "--model", f"python:own_models:{name}", code=1
    )
    assert said.count(sentence) == 3
    assert "judge them" not in said  # there is no file


def test_what_an_own_model_says_of_its_cost_may_be_anything(data, own):
    given = ["--data", data, "--protocol", "direct", "--model", "python:own_models:Costly"]
    assert "episodes: 3; requests: 3\n" in puzzles_run(*given)
    assert all(
        set(line["usage"]) == {"requests", "seconds"} for line in lines(Path("answers.jsonl"))
    )


def test_an_own_model_that_fails_to_close_loses_no_answer(data, own):
    given = ["--data", data, "--protocol", "direct", "--model", "python:own_models:Ending"]
    assert "close raised OSError: gone; all answers are kept" in puzzles_run(*given, code=2)
    assert len(lines(Path("answers.jsonl"))) == 3
