"""Requests that nobody thought of, made from the server's own description of itself."""

import json
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks

from oracle.errors import TooMany
from oracle.limits import Limits
from oracle.server.application import application
from oracle.server.settings import Settings
from oracle.workshop import Workshop
from tests.oracle.local import RIGHT, TWO, local, opened
from tests.protocols.playing import CORRIDORS, corridor, save

TOKEN = {"authorization": "Bearer t"}
PROTOCOLS = ["oracle-vcot", "self-vcot", "oracle-vcot+budget", "oracle-gta", "self-gta", "direct"]
UNFIT = [
    checks.positive_data_acceptance,  # a schema can't say which ids and families there are
    checks.ignored_auth,  # it can't take away the token that the test adds; see test_access.py
]
quiet = settings(
    deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), max_examples=20
)


async def busy(*_) -> None:
    raise TooMany("boards are made in tests/integrations/test_serving_fuzz.py")


@pytest.fixture
def described(tmp_path: Path, monkeypatch):
    """A server for each test: schemathesis ends it with the test."""
    monkeypatch.setattr(Workshop, "_done", busy)
    data = save(tmp_path / "data", [corridor(k, board, k + 1) for k, board in enumerate(CORRIDORS)])
    token = tmp_path / "token"
    token.write_text("t")
    app = application(
        Settings(
            data=(data,),
            store=str(tmp_path / "e.sqlite"),
            token_file=token,
            stateless=True,
            page=False,
            warm=False,
            limits=Limits(open_episodes=1 << 30),
        )
    )
    return schemathesis.openapi.from_asgi("/openapi.json", app, headers=TOKEN)


OPERATIONS = [
    *(("POST", "/episodes"), ("POST", "/episodes/{name}/steps"), ("GET", "/episodes/{name}")),
    *(("GET", "/episodes/{name}/images/{which}"), ("DELETE", "/episodes/{name}")),
    *(("POST", "/transition"), ("GET", "/families"), ("GET", "/healthz"), ("GET", "/metrics")),
]


def modes(method: str) -> list[GenerationMode]:
    """Return whether requests within the description are made, and with a body, others too."""
    return list(GenerationMode) if method == "POST" else [GenerationMode.POSITIVE]


def test_every_operation_is_tried(described) -> None:
    paths = described.raw_schema["paths"]
    assert {(m.upper(), path) for path in paths for m in paths[path]} == set(OPERATIONS)


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [(method, path, mode) for method, path in OPERATIONS for mode in modes(method)],
)
def test_no_request_is_a_mistake_of_ours(described, method: str, path: str, mode) -> None:
    operation = described[path][method]
    opening = described["/episodes"]["POST"]

    @quiet
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def asked(case, data) -> None:
        if "name" in (case.path_parameters or {}) and data.draw(st.booleans()):
            start = {"id": TWO, "protocol": data.draw(st.sampled_from(PROTOCOLS))}
            begun = opening.Case(body=start, media_type="application/json").call(headers=TOKEN)
            case.path_parameters["name"] = begun.json()["episode"]
        if isinstance(case.body, dict) and data.draw(st.booleans()):
            case.body |= {"round": 1} if "steps" in path else {"id": TWO}
        response = case.call_and_validate(headers=TOKEN, excluded_checks=UNFIT)
        if response.status_code >= 400:
            assert list(response.json()) == ["error"]

    asked()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
TEXT = st.text(max_size=20)
REPLY = TEXT | st.builds("{}<STEP_JSON>{}</STEP_JSON>{}".format, TEXT, JSON.map(json.dumps), TEXT)
STEP = st.fixed_dictionaries(
    {"round": st.integers(1, 3)},
    optional={
        "action": st.sampled_from([RIGHT, {"move": "left"}]) | JSON,
        "reply": REPLY,
        "remaining": st.integers(0, 3) | JSON,
        "drawing": st.sampled_from(["", "iVBORw0KGgo=", "data:image/png;base64,AA=="]) | TEXT,
    },
)


def test_no_step_is_a_mistake_of_ours(tmp_path: Path) -> None:
    with local(tmp_path) as client:

        @settings(quiet, max_examples=60)
        @given(st.sampled_from(PROTOCOLS), st.lists(STEP, min_size=1, max_size=5))
        def asked(protocol, steps) -> None:
            place = opened(client, protocol=protocol)
            for step in steps:
                body = json.dumps(step).encode()
                headers = {"content-type": "application/json"}
                ways = [
                    client.post(f"{place}/steps", content=body, headers=headers) for _ in range(2)
                ]
                assert ways[0].status_code in (200, 400, 409, 422)
                assert ways[1].content == ways[0].content
            assert client.get(place).status_code == 200

        asked()
