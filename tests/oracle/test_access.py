"""Who may ask: with a token, without one, from another page."""

from base64 import b64encode
from pathlib import Path

import pytest
from starlette.testclient import WebSocketDenialResponse

from oracle.server.access import is_loopback, read_token
from oracle.server.settings import Settings
from tests.oracle.local import HERE, TWO, local, refused

TOKEN = "Zm9v-bar_42"
PLACES = ["/docs", "/metrics", "/families", "/openapi.json", "/episodes/x", "/nowhere", "/"]
PLACES += ["/static-offline-docs/swagger-ui.css", "/episodes/x/images/0", "/healthz/"]


def basic(text: str) -> str:
    return f"Basic {b64encode(text.encode()).decode()}"


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(f"  {TOKEN}\n")
    return path


@pytest.fixture
def guarded(tmp_path: Path, token_file: Path):
    with local(tmp_path, token_file=token_file, page=True) as client:
        yield client


@pytest.mark.parametrize("place", PLACES)
def test_without_the_token_nothing_is_told(guarded, place: str) -> None:
    response = guarded.get(place, follow_redirects=False)
    refused(response, 401, "token")
    challenges = response.headers.get_list("www-authenticate")
    assert [text.split()[0] for text in challenges] == ["Basic", "Bearer"]


def test_health_needs_no_token(guarded) -> None:
    assert guarded.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "given",
    [f"Bearer {TOKEN}", f"bearer  {TOKEN}", basic(f":{TOKEN}"), basic(f"anybody:{TOKEN}")],
)
def test_the_token_opens(guarded, given: str) -> None:
    assert guarded.get("/families", headers={"authorization": given}).status_code == 200
    elsewhere = {"authorization": given, "host": "puzzles.example.org"}
    assert guarded.get("/families", headers=elsewhere).status_code == 200


@pytest.mark.parametrize(
    "given",
    [
        *("Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, "Basic", "é"),
        *(f"Token {TOKEN}", basic(TOKEN), basic(f"{TOKEN}:"), "Basic %%%", f"Basic {TOKEN}"),
        *("Basic /w==", basic(":é")),
    ],
)
def test_anything_else_does_not(guarded, given: str) -> None:
    headers = {"authorization": given.encode("latin-1")}
    refused(guarded.get("/families", headers=headers), 401, "token")


def test_the_description_says_how_the_token_is_brought(guarded) -> None:
    told = guarded.get("/openapi.json", headers={"authorization": f"Bearer {TOKEN}"}).json()
    assert told["security"] == [{"bearer": []}, {"basic": []}]
    assert set(told["components"]["securitySchemes"]) == {"bearer", "basic"}
    assert told["paths"]["/healthz"]["get"]["security"] == []


def test_a_body_of_a_stranger_is_not_looked_at(guarded) -> None:
    kind = {"content-type": "application/json"}
    refused(guarded.post("/episodes", content=b"{", headers=kind), 401)


@pytest.mark.parametrize(
    ("host", "taken"),
    [
        *(("127.0.0.1", True), ("127.0.0.1:8000", True), ("localhost:81", True)),
        *(("[::1]:8000", True), ("LocalHost", True), ("127.8.9.1", True)),
        *(("evil.example:8000", False), ("10.0.0.1", False), ("127.0.0.1.evil.example", False)),
        *(("", False), ("localhost.evil.example", False), ("[::1", False), ("x@localhost", False)),
    ],
)
def test_without_a_token_only_names_of_this_machine(tmp_path, host: str, taken: bool) -> None:
    with local(tmp_path) as client:
        response = client.get("/families", headers={"host": host})
        if taken:
            assert response.status_code == 200
        else:
            refused(response, 421, "this machine")


def test_a_server_for_others_goes_by_any_name(tmp_path: Path) -> None:
    with local(tmp_path, host="0.0.0.0") as client:
        assert client.get("/families", headers={"host": "box.lan"}).status_code == 200


@pytest.mark.parametrize(
    "kind",
    [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
)
def test_what_a_form_can_send_is_not_taken(tmp_path: Path, kind: str | None) -> None:
    body = f'{{"id": "{TWO}"}}'.encode()
    with local(tmp_path) as client:
        headers = {} if kind is None else {"content-type": kind}
        refused(client.post("/episodes", content=body, headers=headers), 415, "application/json")
        headers = {"content-type": "Application/JSON; charset=utf-8"}
        assert client.post("/episodes", content=body, headers=headers).status_code == 201


def test_other_pages_are_told_nothing_of_what_they_may(tmp_path: Path) -> None:
    asks = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    with local(tmp_path) as client:
        response = client.options("/episodes", headers=asks)
        assert response.status_code == 405
        answered = client.get("/families", headers={"origin": "https://evil.example"})
        for headers in (response.headers, answered.headers):
            assert not [name for name in headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("origin", "status"),
    [(None, 0), (HERE, 0), ("https://evil.example", 403), ("null", 403), ("http://[", 403)],
)
def test_a_websocket_is_for_our_own_pages(tmp_path, origin: str | None, status: int) -> None:
    headers = {} if origin is None else {"origin": origin}
    with local(tmp_path) as client:
        if not status:
            with client.websocket_connect(f"ws{HERE[4:]}/ws", headers=headers):
                return
        with (
            pytest.raises(WebSocketDenialResponse) as denied,
            client.websocket_connect(f"ws{HERE[4:]}/ws", headers=headers),
        ):
            pass
    refused(denied.value, status, "another server")


def test_a_websocket_needs_the_token(guarded) -> None:
    with pytest.raises(WebSocketDenialResponse) as denied, guarded.websocket_connect("/ws"):
        pass
    refused(denied.value, 401, "token")
    assert denied.value.headers.get_list("www-authenticate")
    with guarded.websocket_connect("/ws", headers={"authorization": f"Bearer {TOKEN}"}) as socket:
        socket.send_json({"op": "open", "id": TWO})
        assert "episode" in socket.receive_json()


@pytest.mark.parametrize(
    ("content", "word"),
    [(b"", "empty"), (b" \n", "empty"), (b"\xff", "UTF-8"), (b"two words", "one word")],
)
def test_tokens_that_are_none(tmp_path: Path, content: bytes, word: str) -> None:
    path = tmp_path / "token"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=word) as error:
        read_token(path)
    assert str(path) in str(error.value)


def test_a_token_file_that_isn_t_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        read_token(tmp_path / "nowhere")


def test_branches_are_for_who_has_the_token() -> None:
    with pytest.raises(ValueError, match="--token-file"):
        Settings(stateless=True)


def test_names_of_this_machine() -> None:
    assert all(map(is_loopback, ("localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.1", "example.org", "")))
