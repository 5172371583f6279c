"""A server within the test's own process, with three corridors as its data."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from oracle.server.application import application
from oracle.server.settings import Settings
from tests.protocols.playing import CORRIDORS, corridor, save

HERE = "http://127.0.0.1:8000"
ONE, TWO, THREE = (f"maze-easy-{k:016x}" for k in range(3))
"""Solved by one, two and three steps to the right."""
RIGHT = {"move": "right"}


@contextmanager
def local(folder: Path, headers: dict[str, str] | None = None, **changed: Any) -> Iterator[Any]:
    """Yield a client of a server that keeps its episodes in ``folder``."""
    data = folder / "data"
    if not data.exists():
        save(data, [corridor(k, board, k + 1) for k, board in enumerate(CORRIDORS)])
    chosen = {"data": (data,), "page": False, "warm": False, "store": str(folder / "e.sqlite")}
    app = application(Settings(**{**chosen, **changed}))
    with TestClient(app, HERE, raise_server_exceptions=False, headers=headers) as client:
        yield client


def opened(client: Any, name: str = TWO, **start: Any) -> str:
    """Return the address of a new episode."""
    response = client.post("/episodes", json={"id": name, **start})
    assert response.status_code == 201, response.text
    return f"/episodes/{response.json()['episode']}"


def refused(response: Any, status: int, *words: str) -> None:
    """Check that a request was refused with one sentence that holds ``words``."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    (sentence,) = response.json().values()
    assert list(response.json()) == ["error"]
    assert "\n" not in sentence
    for word in words:
        assert word in sentence
