"""The WebSocket carries the same messages as the routes, within the same limits."""

import asyncio
import base64
from pathlib import Path

import pytest

from oracle.limits import Limits
from oracle.service import Service
from tests.oracle.local import HERE, RIGHT, TWO, local

ADDRESS = f"ws{HERE[4:]}/ws"


@pytest.fixture
def client(tmp_path: Path):
    with local(tmp_path, limits=Limits(body_bytes=2_000, request_seconds=1)) as client:
        yield client


@pytest.fixture
def ask(client):
    with client.websocket_connect(ADDRESS) as socket:

        def ask(text=None, **message):
            if text is None:
                socket.send_json(message)
            elif isinstance(text, bytes):
                socket.send_bytes(text)
            else:
                socket.send_text(text)
            return socket.receive_json()

        yield ask


def test_an_episode_is_the_same_over_both(client, ask) -> None:
    begun = ask(op="open", id=TWO)
    name = begun["episode"]
    by_http = client.post("/episodes", json={"id": TWO}).json()
    assert {**begun, "episode": 0, "messages": 0} == {**by_http, "episode": 0, "messages": 0}
    step = {"round": 1, "action": RIGHT, "remaining": 1}
    one = ask(op="step", episode=name, **step)
    assert one == client.post(f"/episodes/{name}/steps", json=step).json()
    image = ask(op="image", episode=name, name="1")
    assert image == {"image": one["image"]}
    assert base64.b64decode(one["image"]) == client.get(f"/episodes/{name}/images/1").content
    two = ask(op="step", episode=name, round=2, action=RIGHT, remaining=0)
    assert two["verdict"]["optimal"]
    assert ask(op="transcript", episode=name) == client.get(f"/episodes/{name}").json()
    assert ask(op="close", episode=name) == {"episode": name, "closed": True}
    assert client.get(f"/episodes/{name}").status_code == 404


@pytest.mark.parametrize(
    ("text", "status", "word"),
    [
        ("{", 400, "not JSON"),
        ('{"op": "open", "rules": {"a": NaN}}', 400, "NaN"),
        ("[" * 1_000, 400, "deep"),
        (b"\xff", 400, "UTF-8"),
        ("[]", 422, "JSON object"),
        ("{}", 422, "op is missing"),
        ('{"op": 1}', 422, "op"),
        ('{"op": "jump"}', 422, "transcript"),
        ('{"op": "transition"}', 422, "no op 'transition'"),
        ('{"op": "open", "sead": 1}', 422, "sead"),
        ('{"op": "step", "round": 1}', 422, "episode is missing"),
        ('{"op": "step", "episode": "x"}', 422, "round is missing"),
        ('{"op": "step", "episode": "x", "round": 1, "action": 1}', 404, "episode"),
        ('{"op": "transcript", "episode": "\\u0000"}', 404, "episode"),
        ('{"op": "transcript", "episode": "x", "round": 1}', 422, "no field round"),
        ('{"op": "image", "episode": "x"}', 422, "name is missing"),
        ('{"op": "close", "episode": ["x"]}', 422, "episode"),
        ('{"op": "open", "id": "' + "x" * 2_000 + '"}', 413, "2,000 bytes"),
    ],
)
def test_errors_leave_the_connection_open(ask, text, status: int, word: str) -> None:
    told = ask(text)
    assert list(told) == ["error", "status"]
    assert told["status"] == status
    assert word in told["error"]
    assert "episode" in ask(op="open", id=TWO)


def test_a_binary_message_is_read_too(ask) -> None:
    assert "episode" in ask(f'{{"op": "open", "id": "{TWO}"}}'.encode())


@pytest.mark.parametrize("error", [ZeroDivisionError("secret"), TimeoutError("secret")])
def test_a_mistake_of_ours_is_one_sentence(ask, monkeypatch, error: Exception) -> None:
    async def broken(self, name):
        raise error

    monkeypatch.setattr(Service, "transcript", broken)
    told = ask(op="transcript", episode="x")
    assert (told["status"], "secret" in told["error"]) == (500, False)


def test_the_time_of_a_message(ask, monkeypatch) -> None:
    async def slow(self, name):
        await asyncio.sleep(30)

    monkeypatch.setattr(Service, "transcript", slow)
    told = ask(op="transcript", episode="x")
    assert (told["status"], told["error"]) == (408, "the request took longer than 1 seconds")
    assert "episode" in ask(op="open", id=TWO)


def test_messages_are_counted(client, ask) -> None:
    ask(op="open", id=TWO)
    ask(op="jump")
    text = client.get("/metrics").text
    assert 'puzzles_requests_total{method="WS",route="/ws open",status="200"} 1.0' in text
    assert 'puzzles_requests_total{method="WS",route="/ws",status="422"} 1.0' in text
