"""The step server as a process of its own, and episodes that are played on it and here at once."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from oracle.client import Client
from oracle.messages import Stepped
from protocols.episode import Episode
from protocols.judge import Options, judge_file
from protocols.messages import Reply
from protocols.models.players import player
from protocols.models.wire import chat
from protocols.verdicts import VERDICT_FIELDS
from puzzles import Instance
from puzzles.generate import Recipe, generate

ROOT = Path(__file__).parents[2]
SOLVER = player("solver")
CLIENTS = 16
PROTOCOLS = ("oracle-vcot", "oracle-aug-vcot", "oracle-vcot+last")


class Server:
    """``puzzles serve`` on a free port of loopback, healthy when ``start`` returns.

    It keeps its address when it is started again, and what it says in ``log``.
    """

    def __init__(self, folder: Path, *arguments: str | Path):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        words = ["serve", "--port", self.port, "--store", folder / "episodes.db", *arguments]
        self._command = [sys.executable, "-m", "cli", *map(str, words)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, seconds: float = 30) -> Server:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        end = time.monotonic() + seconds
        while not self._healthy():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.05)
        return self

    def _healthy(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", trust_env=False).is_success
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """End it as a crash does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


class Place(NamedTuple):
    """Where an instance is made: here and on the server it must be the same one."""

    family: str
    difficulty: str
    seed: int
    index: int

    @property
    def instance(self) -> Instance:
        recipe = Recipe(self.family, seed=self.seed, difficulty=self.difficulty)
        return generate(recipe, self.index).instance


class Game:
    """An episode that is played on a server by a shortest solution, and here beside it.

    number
        Decides how steps are sent: as JSON or in a reply, with the number of remaining actions or
        before it, and some of them twice.
    """

    def __init__(self, client: Client, raw: httpx.Client, place: Place, number: int):
        self.client, self.raw, self.place, self.number = client, raw, place, number
        self.protocol = PROTOCOLS[number % len(PROTOCOLS)]
        self.local = Episode(place.instance, self.protocol)

    def play(self) -> dict[str, Any]:
        """Return the line for answers.jsonl, and in ``verdict`` what the server says of it."""
        self.remote = self.client.open(**self.place._asdict(), protocol=self.protocol)
        self._compare()
        while self.local.request is not None:
            at = self.local.request.round + self.number
            step = self._action(in_json=at % 2 == 0)
            if at % 3:
                self._step(at % 5 == 0, **step, remaining=self._remaining())
            else:
                self._step(at % 5 == 0, **step)
                self._compare()
                self._step(at % 7 == 0, remaining=self._remaining())
            self._compare()
        answer = self.remote.answer(model="solver", run=self.number)
        return {**answer, "verdict": self.remote.verdict}

    def _action(self, *, in_json: bool) -> dict[str, Any]:
        """Return the next action of the solver as a step has it, after it has been taken here."""
        said = SOLVER.reply(self.local).text
        if not in_json:
            self.local.take(Reply(said))
            return {"reply": said}
        action = json.loads(said.removeprefix("<STEP_JSON>").removesuffix("</STEP_JSON>"))
        self.local.take(Reply(f"<STEP_JSON>{json.dumps(action)}</STEP_JSON>"))
        return {"action": action}

    def _remaining(self) -> int:
        """Return what the solver says of the state that its last action has led to."""
        left = SOLVER.count(self.local.play)
        self.local.take(Reply(f"<answer>{left}</answer>"))
        return left

    def _step(self, twice: bool, **step: Any) -> None:
        first = self._posted(step) if twice else None
        stepped = self.remote.step(**step)
        assert first in (None, stepped)
        assert stepped.legal in (True, None)

    def _posted(self, step: dict[str, Any]) -> Stepped | None:
        """Send the step that the client is about to send; None where the connection is lost."""
        body = {"round": self.remote.round + (self.remote.due == "action"), **step}
        try:
            response = self.raw.post(f"/episodes/{self.remote.id}/steps", json=body)
        except httpx.TransportError:
            return None
        assert response.is_success, response.text
        return Stepped.model_validate_json(response.content)

    def _compare(self) -> None:
        """Hold what the server has sent to what is so here."""
        shown, request = self.local.play.image, self.local.request
        assert shown is not None
        assert self.remote.image == shown.png
        assert self.remote.done == (request is None)
        if request is not None and self.number % 10 == 0:
            assert self.remote.messages == chat(request.messages)
        shown.forget()


def judged(answers: Iterable[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Return the verdicts of a file of ``answers``, with the fields that a server tells."""
    lines = [{**answer, "verdict": None} for answer in answers]
    path, out = folder / "answers.jsonl", folder / "verdicts.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = judge_file(path, [], out, Options(images=False))
    assert report.error_count == 0, report.errors
    rows = map(json.loads, out.read_text().splitlines())
    return [{name: row[name] for name in VERDICT_FIELDS} for row in rows]


def played(url: str, places: Iterable[Place], token: str | None = None) -> list[dict[str, Any]]:
    """Play an episode at every place, 16 at a time; return their answers and verdicts."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with Client(url, token) as client, httpx.Client(base_url=url, headers=headers) as raw:
        games = [Game(client, raw, place, number) for number, place in enumerate(places)]
        with ThreadPoolExecutor(CLIENTS) as threads:
            return list(threads.map(Game.play, games))
