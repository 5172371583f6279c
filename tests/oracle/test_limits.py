"""Limits: each with a request just within it and one just above, and one sentence for that."""

import asyncio
import json
import threading
import time
from pathlib import Path

import pytest

from oracle.episodes import Episodes
from oracle.limits import Limits
from oracle.messages import Step
from oracle.service import Service
from oracle.session import Taken
from oracle.store import Store
from tests.oracle.local import ONE, RIGHT, TWO, local, opened, refused
from tests.oracle.solving import aids, corridor, right

KIND = {"content-type": "application/json"}


def padded(size: int) -> bytes:
    """Return an opening of ``size`` bytes."""
    body = json.dumps({"id": TWO}).encode()
    return body + b" " * (size - len(body))


def chunks(body: bytes):
    """Yield ``body`` in pieces, so that it is sent without a Content-Length."""
    for at in range(0, len(body), 100):
        yield body[at : at + 100]


@pytest.mark.parametrize("sent", [lambda body: body, chunks], ids=["with a length", "chunked"])
def test_the_size_of_a_body(tmp_path: Path, sent) -> None:
    with local(tmp_path, limits=Limits(body_bytes=1_000)) as client:
        good = client.post("/episodes", content=sent(padded(1_000)), headers=KIND)
        assert good.status_code == 201
        bad = client.post("/episodes", content=sent(padded(1_001)), headers=KIND)
        refused(bad, 413, "1,000 bytes")
        nowhere = client.post("/nowhere", content=sent(padded(1_001)), headers=KIND)
        refused(nowhere, 413, "1,000 bytes")


def test_a_length_that_is_no_number_is_not_believed(tmp_path: Path) -> None:
    with local(tmp_path, limits=Limits(body_bytes=1_000)) as client:
        for said in ("9" * 5_000, "-1", "٣", "1e3"):
            headers = {**KIND, "content-length": said.encode()}
            response = client.post("/episodes", content=padded(1_001), headers=headers)
            refused(response, 413, "1,000 bytes")


def test_the_steps_of_an_episode(tmp_path: Path) -> None:
    with local(tmp_path, limits=Limits(steps=1)) as client:
        steps = f"{opened(client)}/steps"
        one = {"round": 1, "action": RIGHT, "remaining": 1}
        assert client.post(steps, json=one).status_code == 200
        two = {"round": 2, "action": RIGHT}
        refused(client.post(steps, json=two), 429, "1 steps")
        assert client.post(steps, json=one).status_code == 200  # known again


def test_the_number_of_open_episodes(tmp_path: Path) -> None:
    with local(tmp_path, limits=Limits(open_episodes=2)) as client:
        first = opened(client, ONE)
        opened(client)
        refused(client.post("/episodes", json={"id": TWO}), 429, "2 episodes")
        step = {"round": 1, "action": RIGHT, "remaining": 0}
        assert client.post(f"{first}/steps", json=step).json()["done"]
        opened(client)


def test_the_cells_of_a_board_and_the_pixels_of_a_picture(tmp_path: Path) -> None:
    with local(tmp_path, limits=Limits(cells=18, pixels=18 * 64**2)) as client:
        opened(client)  # three rows of six
        refused(client.post("/episodes", json={"id": TWO, "cell": 65}), 413, "pixels", "cell")
        large = {"family": "maze", "board": "S" + "." * 17 + "G"}
        refused(client.post("/episodes", json=large), 413, "19 cells")


def test_an_idle_episode_is_forgotten(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("oracle.episodes._SWEEP_SECONDS", 0)
    with local(tmp_path, limits=Limits(idle_seconds=0.01)) as client:
        place = opened(client)
        time.sleep(0.05)
        opened(client)
        refused(client.get(place), 404, "no longer")


def test_the_time_of_a_request(tmp_path: Path, monkeypatch) -> None:
    async def slow(self, name):
        await asyncio.sleep(30)

    monkeypatch.setattr(Service, "transcript", slow)
    with local(tmp_path, limits=Limits(request_seconds=0.05)) as client:
        place = opened(client)
        refused(client.get(place), 408, "0.05 seconds")
        assert client.get(f"{place}/images/0").status_code == 200


def test_a_body_that_doesn_t_come(tmp_path: Path) -> None:
    """What is asked over a connection of its own: the test client sends all at once."""

    async def asked() -> list[dict]:
        sent: list[dict] = []

        async def receive():
            await asyncio.sleep(30)

        async def send(message) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/episodes", "query_string": b""}
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        await client.app({**scope, "headers": headers, "raw_path": b"/"}, receive, send)
        return sent

    with local(tmp_path, limits=Limits(request_seconds=0.05)) as client:
        start, body = asyncio.run(asked())
    assert start["status"] == 408
    assert b"0.05 seconds" in body["body"]


def test_a_time_out_of_somebody_else_is_a_mistake_of_ours(tmp_path: Path, monkeypatch) -> None:
    async def impatient(self, name):
        raise TimeoutError

    monkeypatch.setattr(Service, "transcript", impatient)
    with local(tmp_path) as client:
        refused(client.get(opened(client)), 500, "log")


def test_nesting_and_numbers_within_the_limits(tmp_path: Path) -> None:
    with local(tmp_path) as client:
        steps = f"{opened(client)}/steps"
        deep = 1
        for _ in range(20):
            deep = [deep]
        for action in (deep, 10**4_000, 1e308, "\0", "é", {"move": [None, True]}):
            place = opened(client)
            step = {"round": 1, "action": action}
            told = client.post(f"{place}/steps", json=step).json()
            assert told["done"]
            assert told["legal"] in (False, None)
            assert client.post(f"{place}/steps", json=step).json() == told
            assert client.get(place).status_code == 200
        refused(client.post(steps, json={"round": 10**400, "action": RIGHT}), 422, "round")


def test_the_length_of_a_text_that_is_read(tmp_path: Path) -> None:
    with local(tmp_path, limits=Limits(characters=1_000)) as client:
        place = opened(client)
        for part in ("reply", "remaining"):
            step = {"round": 1, "action": RIGHT, part: "x" * 1_001}
            refused(client.post(f"{place}/steps", json=step), 413, "1,000 characters")
        step = {"round": 1, "reply": '<STEP_JSON>{"move":"right"}</STEP_JSON>'.rjust(1_000)}
        assert client.post(f"{place}/steps", json=step).json()["legal"]


def test_nobody_waits_while_a_long_text_is_read(tmp_path: Path) -> None:
    """A reader that takes as long as it likes holds up one request, not the server."""
    store = Store(tmp_path / "e.sqlite")
    episodes = Episodes(store, Limits(), aids)

    async def ask() -> None:
        name, played = await episodes.begin(corridor())
        begun, going = threading.Event(), threading.Event()
        take = played.take

        def slowly(step: Step) -> Taken:
            begun.set()
            assert going.wait(10)
            return take(step)

        played.take = slowly  # type: ignore[method-assign]
        reply = '<STEP_JSON>{"move":"right"}</STEP_JSON>'.rjust(50_000)
        long = asyncio.create_task(episodes.take(name, Step(round=1, reply=reply)))
        assert await asyncio.to_thread(begun.wait, 10)
        other, _ = await episodes.begin(corridor())
        assert (await episodes.take(other, right(1)))[1].legal
        going.set()
        assert (await long)[1].legal

    asyncio.run(ask())
    store.close()
