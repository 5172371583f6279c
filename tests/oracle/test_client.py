"""The client against scripted answers: what it sends, sends again, and makes of what it gets."""

import asyncio
import subprocess
import sys

import httpx
import pytest

from oracle import Client
from oracle.client import AsyncClient, ServerError


def asked(*parts):
    """A message as the server sends it: a number stands for a picture, the rest is text."""
    return {
        "content": [
            {"type": "image", "url": f"/episodes/e/images/{part}"}
            if isinstance(part, int)
            else {"type": "text", "text": part}
            for part in parts
        ]
    }


OPENED = {
    "episode": "e",
    "due": "action",
    "messages": [
        {
            "content": [
                {"type": "image", "url": "/episodes/e/images/0"},
                {"type": "text", "text": "?"},
            ]
        }
    ],
    "image": "Ym9hcmQ=",
}
STEPPED = {
    "round": 1,
    "legal": True,
    "reason": None,
    "detail": None,
    "image": "bmV4dA==",
    "done": False,
    "verdict": None,
    "due": "remaining",
    "messages": [
        {
            "content": [
                {"type": "image", "url": "/episodes/e/images/1"},
                {"type": "text", "text": "n?"},
            ]
        }
    ],
}


class Script:
    """Answers one request after the other, and keeps them; an exception is raised."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append((request.method, request.url.path, request.content))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)


def refusal(status: int, sentence: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"error": sentence}, headers=headers)


@pytest.fixture
def naps(monkeypatch):
    """The seconds that were slept, which take no time."""
    slept: list[float] = []
    now = [1000.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr("oracle.client.clients.time.sleep", sleep)
    monkeypatch.setattr("oracle.client.asking.monotonic", lambda: now[0])
    return slept


def client_of(*answers, **more):
    script = Script(*answers)
    return Client("http://test", transport=httpx.MockTransport(script), **more), script


def test_a_step_is_sent_again_until_it_is_answered_and_counts_once(naps):
    client, script = client_of(
        OPENED,
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("cut off"),
        refusal(503, "starting"),
        refusal(429, "too many", **{"retry-after": "7"}),
        STEPPED,
    )
    episode = client.open(family="maze", difficulty="easy")
    episode.step(action={"move": "up"})
    assert episode.round == 1
    assert episode.due == "remaining"
    assert {body for _, path, body in script.asked if path == "/episodes/e/steps"} == {
        b'{"round":1,"action":{"move":"up"}}'
    }
    assert len(script.asked) == 7
    assert naps[-1] == 7
    assert naps[0] < naps[2] < naps[3] < 1


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (refusal(422, "the step brings nothing"), 422),
        (refusal(409, "the step brings nothing"), 409),
        (refusal(429, "the step brings nothing"), 429),
        (httpx.Response(404, text="the step brings nothing"), 404),
    ],
)
def test_what_is_refused_is_not_sent_again_and_says_why(naps, answer, status):
    client, script = client_of(OPENED, answer, STEPPED)
    episode = client.open(id="x")
    with pytest.raises(ServerError, match=r"^the step brings nothing$") as refused:
        episode.step()
    assert refused.value.status == status
    assert len(script.asked) == 2
    episode.step(reply="up")  # nothing has changed by the error
    assert script.asked[-1][2] == b'{"round":1,"reply":"up"}'


def test_a_server_that_stays_away_is_given_up_in_one_sentence(naps):
    client, script = client_of(*[httpx.ConnectError("refused")] * 100, patience=20)
    with pytest.raises(ServerError, match=r"^http://test can't be reached: refused$") as gone:
        client.open(id="x")
    assert gone.value.status is None
    assert 10 < sum(naps) <= 20
    assert len(script.asked) < 20


def test_a_server_that_keeps_failing_is_quoted(naps):
    client, _ = client_of(*[refusal(500, "no disk")] * 100, patience=1)
    with pytest.raises(ServerError, match=r"^no disk$") as failed:
        client.open(id="x")
    assert failed.value.status == 500


def test_another_kind_of_server_is_named():
    client, _ = client_of(httpx.Response(200, text="<html>welcome"))
    with pytest.raises(ServerError, match="http://test is no step server; it says: <html>welcome"):
        client.open(id="x")


def test_what_is_gone_is_deleted():
    client, script = client_of(OPENED, httpx.ReadTimeout(""), refusal(404, "no such episode"))
    client.open(id="x").delete()
    assert [method for method, *_ in script.asked] == ["POST", "DELETE", "DELETE"]


def test_the_token_goes_with_every_request():
    heads = []

    def answer(request):
        heads.append(request.headers["authorization"])
        return httpx.Response(200, json=OPENED)

    with Client("http://test", "secret", transport=httpx.MockTransport(answer)) as client:
        client.open(id="x")
    assert heads == ["Bearer secret"]


def test_messages_hold_the_replies_and_no_question_for_the_rest():
    second = {
        **STEPPED,
        "due": "action",
        "messages": [{"content": [{"type": "text", "text": "2?"}]}],
    }
    client, script = client_of(OPENED, STEPPED, second)
    episode = client.open(id="x")
    board = {"type": "image_url", "image_url": {"url": "data:image/png;base64,Ym9hcmQ="}}
    shown = {"type": "image_url", "image_url": {"url": "data:image/png;base64,bmV4dA=="}}
    first = {"role": "user", "content": [board, {"type": "text", "text": "?"}]}
    assert episode.messages == [first]
    episode.say("<think>left?</think> up")
    said = {"role": "assistant", "content": "up"}
    left = {"role": "user", "content": [shown, {"type": "text", "text": "n?"}]}
    assert episode.messages == [first, said, left]
    assert episode.image == b"next"
    episode.say("<answer>4</answer>")
    assert episode.messages == [first, said, {"role": "user", "content": "2?"}]
    assert script.asked[-1][2] == b'{"round":1,"remaining":"<answer>4</answer>"}'


def test_a_question_left_out_leaves_its_picture():
    client, script = client_of(OPENED, STEPPED, {**STEPPED, "round": 2})
    episode = client.open(id="x")
    episode.step(action=["up"])
    episode.step(action=["left"])
    assert script.asked[-1][2] == b'{"round":2,"action":["left"]}'
    assert [message["role"] for message in episode.messages] == ["user", "assistant"] * 2 + ["user"]
    assert [part["type"] for part in episode.messages[2]["content"]] == ["image_url"]
    assert episode.messages[3]["content"] == '<STEP_JSON>["left"]</STEP_JSON>'


def test_both_clients_ask_the_same(naps, monkeypatch):
    async def sleep(seconds: float) -> None:
        naps.append(seconds)

    monkeypatch.setattr("oracle.client.clients.asyncio.sleep", sleep)
    over = {**STEPPED, "due": None, "messages": [], "done": True}
    told = {"episode": "e", "protocol": "self-vcot", "round": 1, "due": None, "done": True}
    told |= {"steps": [], "verdict": {}, "answer": {"id": "x"}}

    def answers():
        refused = refusal(422, "no such field")
        return OPENED, httpx.ConnectError(""), STEPPED, over, told, told, refused, STEPPED, {}

    client, script = client_of(*answers())
    episode = client.open(family="maze", protocol="self-vcot")
    episode.step(reply="up", remaining=3, drawing=b"png")
    episode.say("<answer>0</answer>")
    assert episode.transcript().done
    line = episode.answer(model="m", run=2)
    with pytest.raises(ServerError, match="no such field"):
        client.open(colour="red")
    stepped = client.transition([{"round": 1, "reply": "up"}], family="maze")
    episode.delete()
    again = Script(*answers())

    async def play():
        async with AsyncClient("http://test", transport=httpx.MockTransport(again)) as other:
            episode = await other.open(family="maze", protocol="self-vcot")
            await episode.step(reply="up", remaining=3, drawing=b"png")
            await episode.say("<answer>0</answer>")
            assert (await episode.transcript()).done
            assert await episode.answer(model="m", run=2) == line
            with pytest.raises(ServerError, match="no such field"):
                await other.open(colour="red")
            assert await other.transition([{"round": 1, "reply": "up"}], family="maze") == stepped
            await episode.delete()

    asyncio.run(play())
    assert line == {"id": "x", "model": "m", "run": 2}
    assert len(naps) == 2
    assert again.asked == script.asked


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_an_address_without_its_scheme_is_refused_at_once(kind):
    with pytest.raises(ValueError, match="begins with http:// or https://, not 'localhost:8000'"):
        kind("localhost:8000")


@pytest.mark.parametrize(
    ("package", "module", "sentence"),
    [
        ("httpx", "oracle.client", "the client needs more packages: pip install 'puzzles[serve]'"),
        (
            "gymnasium",
            "oracle.envs",
            "the environments need more packages: pip install 'puzzles[gym]'",
        ),
        (
            "openenv",
            "oracle.trainers.openenv_app",
            "the app needs more packages (openenv.core): pip install 'puzzles[openenv]'",
        ),
    ],
)
def test_a_missing_package_is_one_sentence(package: str, module: str, sentence: str):
    code = f"import sys; sys.modules[{package!r}] = None\nimport {module}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stderr.splitlines()[-1] == f"ImportError: {sentence}"
