"""The routes: what an episode looks like from outside, and what is said of requests in error."""

import base64
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.websockets import WebSocketDisconnect

import puzzles
from oracle.server.strict import DEPTH
from protocols.aids import Aids
from puzzles import NAMES, family
from tests.oracle.local import RIGHT, TWO, local, opened, refused
from tests.protocols.playing import CORRIDORS, corridor, save

PNG = {"accept": "image/png"}


@pytest.fixture
def client(tmp_path: Path):
    with local(tmp_path) as client:
        yield client


def samples(client) -> dict[str, float]:
    """Return the counters, labels as Prometheus writes them."""
    text = client.get("/metrics").text
    return {
        f"{s.name}{{{','.join(f'{k}={v}' for k, v in sorted(s.labels.items()))}}}": s.value
        for group in text_string_to_metric_families(text)
        for s in group.samples
    }


def drawn(board: str) -> bytes:
    instance = puzzles.Instance(family="maze", board=board, optimal_length=1)
    return Aids().board(instance, family("maze").parse(board, {})).png


def test_an_episode_from_opening_to_verdict(client) -> None:
    response = client.post("/episodes", json={"id": TWO})
    begun = response.json()
    place = f"/episodes/{begun['episode']}"
    assert response.headers["location"] == place
    assert (begun["round"], begun["due"]) == (0, "action")
    assert base64.b64decode(begun["image"]) == drawn("######\n#S.G.#\n######")
    first = {"round": 1, "action": RIGHT, "remaining": 1}
    one = client.post(f"{place}/steps", json=first).json()
    assert (one["round"], one["legal"], one["done"], one["verdict"]) == (1, True, False, None)
    assert base64.b64decode(one["image"]) == drawn("######\n#.SG.#\n######")
    assert client.post(f"{place}/steps", json=first).json() == one
    last = {"round": 2, "reply": '<STEP_JSON>{"move":"right"}</STEP_JSON>', "remaining": 0}
    two = client.post(f"{place}/steps", json=last).json()
    assert two["done"]
    assert two["verdict"]["optimal"]
    told = client.get(place).json()
    assert [step["round"] for step in told["steps"]] == [1, 2]
    assert told["verdict"] == two["verdict"]
    assert told["answer"]["id"] == TWO
    assert client.delete(place).status_code == 204
    refused(client.get(place), 404, "no such episode")
    refused(client.delete(place), 404, "no such episode")


def test_rounds_that_don_t_fit_are_conflicts(client) -> None:
    place = opened(client)
    refused(client.post(f"{place}/steps", json={"round": 2, "action": RIGHT}), 409, "round 1")
    client.post(f"{place}/steps", json={"round": 1, "action": RIGHT})
    refused(client.post(f"{place}/steps", json={"round": 1, "action": {"move": "up"}}), 409)
    refused(client.post(f"{place}/steps", json={"round": 7, "action": RIGHT}), 409, "not come")


def test_pictures_alone_say_the_rest_in_headers(client) -> None:
    response = client.post("/episodes", json={"id": TWO}, headers=PNG)
    told = response.headers
    assert response.status_code == 201
    assert response.content == drawn("######\n#S.G.#\n######")
    assert (told["x-puzzles-round"], told["x-puzzles-due"]) == ("0", "action")
    place = f"/episodes/{told['x-puzzles-episode']}"
    step = {"round": 1, "action": RIGHT, "remaining": 1}
    response = client.post(f"{place}/steps", json=step, headers=PNG)
    told = response.headers
    assert response.content == drawn("######\n#.SG.#\n######")
    assert (told["x-puzzles-legal"], told["x-puzzles-done"]) == ("true", "false")
    assert told["x-puzzles-due"] == "action"
    assert "x-puzzles-reason" not in told
    bump = client.post(f"{place}/steps", json={"round": 2, "action": {"move": "up"}}, headers=PNG)
    assert bump.json()["reason"] == "hits_wall"  # nothing to be seen, so JSON


def test_links_lead_to_the_pictures(client) -> None:
    begun = client.post("/episodes", json={"id": TWO, "images": "link"}).json()
    place = f"/episodes/{begun['episode']}"
    assert begun["image"] == f"{place}/images/0"
    step = {"round": 1, "action": RIGHT}
    alone = client.post(f"{place}/steps", json=step, headers=PNG).content
    linked = client.post(f"{place}/steps", json=step).json()["image"]
    assert linked == f"{place}/images/1"
    assert client.get(linked).content == alone == drawn("######\n#.SG.#\n######")


def test_a_picture_is_known_by_its_mark(client) -> None:
    place = opened(client)
    response = client.get(f"{place}/images/0")
    assert response.headers["content-type"] == "image/png"
    assert "private" in response.headers["cache-control"]
    mark = {"if-none-match": response.headers["etag"]}
    again = client.get(f"{place}/images/0", headers=mark)
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"{place}/images/0", headers={"if-none-match": '"x"'}).status_code == 200
    refused(client.get(f"{place}/images/1"), 404)
    refused(client.get(f"{place}/images/..%2F0"), 404)
    refused(client.get(f"{place}/images/aid"), 404)


def test_the_second_picture_of_an_aided_protocol(client) -> None:
    begun = client.post("/episodes", json={"id": TWO, "protocol": "oracle-gta"}).json()
    assert begun["due"] == "answer"
    aid = client.get(f"/episodes/{begun['episode']}/images/aid")
    assert base64.b64decode(begun["aid"]) == aid.content


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "UTF-8"),
        ('{"id": "x"}'.encode("utf-16"), "UTF-8"),
        (b'\xef\xbb\xbf{"id": "x"}', "not JSON"),
        (b'{"rules": {"a": NaN}}', "NaN"),
        (b'{"rules": {"a": -Infinity}}', "Infinity"),
        (b'{"seed": 1e999}', "too large"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "too large"),
        (b'{"id": "x", "id": "y"}', "'id' comes twice"),
        (b'{"rules": {"\\ud800": 1}}', "surrogate"),
        (b"[" * 100_000, "deep"),
        (b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1), "deep"),
    ],
    ids=lambda part: part[:24] if isinstance(part, bytes) else part,
)
def test_bodies_that_are_not_quite_json(client, body: bytes, word: str) -> None:
    kind = {"content-type": "application/json"}
    refused(client.post("/episodes", content=body, headers=kind), 400, word)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ([], ["the body", "JSON object"]),
        ({"seed": -1}, ["seed", "greater"]),
        ({"cell": "wide"}, ["cell", "integer"]),
        ({"sead": 1}, ["no field sead"]),
        ({"history": "some"}, ["history", "all"]),
        ({"id": TWO, "protocol": "oracle-vcod"}, ["oracle-vcod", "oracle-vcot"]),
        ({"id": TWO, "protocol": "a\0"}, ["a\\x00"]),
        ({"seed": 1 << 70}, ["seed", "less"]),
        ({"rules": {"a": "\0" * 9}, "family": "maze", "board": "S.G"}, ["a"]),
    ],
)
def test_openings_that_can_t_be_met(client, start, words: list[str]) -> None:
    refused(client.post("/episodes", json=start), 422, *words)


def test_steps_that_say_nothing_of_use(client) -> None:
    steps = f"{opened(client)}/steps"
    refused(client.post(steps, json={"round": 1}), 422, "brings nothing")
    refused(client.post(steps, json={"action": RIGHT}), 422, "round is missing")
    refused(client.post(steps), 415)
    headers = {"content-type": "application/json"}
    refused(client.post(steps, content=b"", headers=headers), 422, "no body")
    refused(client.post(steps, json={"round": 1, "action": RIGHT, "left": 1}), 422, "left")


def test_a_reply_with_nul_characters_is_kept(client) -> None:
    place = opened(client)
    step = {"round": 1, "reply": 'a\0b <STEP_JSON>{"move":"right"}</STEP_JSON>'}
    assert client.post(f"{place}/steps", json=step).json()["legal"]
    assert client.get(place).json()["steps"][0]["reply"] == step["reply"]


def test_what_is_not_there(client) -> None:
    refused(client.get("/episodes"), 405, "/episodes", "GET")
    refused(client.get("/nowhere"), 404, "/nowhere")
    refused(client.put("/episodes/x", json={}), 405)
    refused(client.post("/transition", json={}), 404)
    for name in ("x", "%00", "%ff", "é", "a" * 300, "a%0ab"):
        refused(client.get(f"/episodes/{name}"), 404)
        refused(client.post(f"/episodes/{name}/steps", json={"round": 1, "action": 1}), 404)


def test_families_are_told_in_words_and_numbers(client) -> None:
    told = {entry["name"]: entry for entry in client.get("/families").json()}
    assert tuple(told) == NAMES
    assert told["maze"]["difficulties"] == {"easy": [1, 6], "medium": [7, 17], "hard": [18, 30]}
    assert told["onet"]["size"] == [6, 6]
    assert told["onet"]["rule_options"]["max_turns"] == 2
    assert all(entry["rules"] and entry["title"] for entry in told.values())


def test_metrics_count_by_template_and_outcome(client) -> None:
    place = opened(client)
    for k in (1, 2):
        step = {"round": k, "action": RIGHT, "remaining": 2 - k}
        client.post(f"{place}/steps", json=step)
        client.post(f"{place}/steps", json=step)  # known again, and not counted as a step
    client.get("/episodes/nobody")
    opened(client, protocol="oracle-gta")
    found = samples(client)
    vcot = "family=maze,protocol=oracle-vcot"
    steps = "method=POST,route=/episodes/{name}/steps"
    assert found[f"puzzles_requests_total{{{steps},status=200}}"] == 4
    assert found["puzzles_requests_total{method=GET,route=/episodes/{name},status=404}"] == 1
    assert found[f"puzzles_request_seconds_count{{{steps}}}"] == 4
    assert found[f"puzzles_episodes_opened_total{{{vcot}}}"] == 1
    assert found["puzzles_episodes_opened_total{family=maze,protocol=oracle-gta}"] == 1
    assert found[f"puzzles_steps_total{{{vcot}}}"] == 2
    ends = "family=maze,optimal=true,outcome=solved,protocol=oracle-vcot"
    finished = {name: value for name, value in found.items() if "_finished_total" in name}
    assert finished == {f"puzzles_episodes_finished_total{{{ends}}}": 1}
    assert found["puzzles_episodes_open{}"] == 1  # the one that is not over


def test_health_says_whether_the_store_answers(client, monkeypatch) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    head = client.head("/healthz")
    assert (head.status_code, head.content) == (200, b"")
    from oracle.errors import StoreError
    from oracle.store import Store

    def broken(self):
        raise StoreError("secret address")

    monkeypatch.setattr(Store, "open_count", broken)
    response = client.get("/healthz")
    refused(response, 503, "store")
    assert "secret" not in response.text


def test_a_store_that_fails_is_told_in_one_way_and_logged(client, monkeypatch, caplog) -> None:
    from oracle.errors import StoreError
    from oracle.server.trouble import UNKEPT
    from oracle.store import Store

    def broken(self, *row):
        raise StoreError("secret address")

    place = opened(client)
    step = {"round": 1, "action": RIGHT}
    for method in ("steps", "append", "opening"):
        monkeypatch.setattr(Store, method, broken)
    responses = [
        client.post(f"{place}/steps", json=step),
        client.get(place),
        client.get("/episodes/unknown"),
    ]
    with client.websocket_connect("ws://127.0.0.1:8000/ws") as socket:
        socket.send_json({"op": "step", "episode": place.split("/")[-1], **step})
        assert socket.receive_json() == {"error": UNKEPT, "status": 503}
    for response in responses:
        refused(response, 503, UNKEPT)
        assert response.headers["retry-after"] == "1"
    assert caplog.text.count("secret address") == 4
    monkeypatch.undo()
    assert client.post(f"{place}/steps", json=step).json()["legal"]


def test_a_mistake_of_ours_is_one_sentence(client, monkeypatch) -> None:
    from oracle.service import Service

    async def broken(self, name):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Service, "transcript", broken)
    response = client.get(opened(client))
    refused(response, 500, "log")
    assert "secret" not in response.text


def test_the_description_needs_nothing_from_elsewhere(client) -> None:
    page = client.get("/docs").text
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page)
    for place in re.findall(r"""(?:src|href)=["']([^"']+)""", page):
        assert client.get(place).status_code == 200
    described = client.get("/openapi.json").json()
    assert "/transition" not in described["paths"]
    responses = described["paths"]["/episodes"]["post"]["responses"]
    assert set(responses["201"]["content"]) == {"application/json", "image/png"}
    assert responses["409"]["content"]["application/json"]["schema"]["$ref"].endswith("/Trouble")


def test_the_stateless_route_is_there_when_asked_for(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("secret")
    headers = {"authorization": "Bearer secret"}
    with local(tmp_path, headers, token_file=token, stateless=True) as client:
        steps = [{"round": k, "action": RIGHT, "remaining": 2 - k} for k in (1, 2)]
        answered = client.post("/transition", json={"id": TWO, "steps": steps}).json()
        assert answered["verdict"]["optimal"]
        refused(client.post("/transition", json={"id": TWO, "steps": []}), 422, "steps")
        assert "/transition" in client.get("/openapi.json").json()["paths"]
        assert samples(client)["puzzles_episodes_open{}"] == 0


def test_a_study_serves_no_episodes_to_try_its_boards_on(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("secret")
    headers = {"authorization": "Bearer secret"}
    chosen = {"token_file": token, "stateless": True, "page": True, "study": True}
    with local(tmp_path, headers, **chosen) as client:
        assert client.get("/page/about").json()["views"] == ["study"]
        for path in ("/episodes", "/episodes/x/steps", "/transition"):
            refused(client.post(path, json={"id": TWO}), 404, path)
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws"):
            pass


@pytest.mark.parametrize("name", ["..", "../secret", "a/../../secret"])
@pytest.mark.parametrize("absolute", [False, True])
def test_no_picture_is_shown_from_outside_the_folder_of_pictures(
    tmp_path: Path, name: str, absolute: bool
) -> None:
    """An id of a dataset is the name of a file below --aids, whatever it looks like."""
    name = f"{tmp_path}/aids/{name}" if absolute else name
    one = corridor(0, CORRIDORS[0], 1).model_copy(update={"id": name})
    data = save(tmp_path / "own", [one])
    for folder in (tmp_path / "aids" / "a", tmp_path / "secret"):
        folder.mkdir(parents=True)
    for place in ("1.png", "secret.png", "secret/1.png"):
        (tmp_path / place).write_bytes(drawn(CORRIDORS[0]))
    with local(tmp_path, data=(data,), aids=tmp_path / "aids") as client:
        response = client.post("/episodes", json={"id": name, "protocol": "files-vcot"})
        refused(response, 422, "no place within the folder of pictures")
