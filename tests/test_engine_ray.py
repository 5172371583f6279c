"""What is said where a Ray cluster can't be joined; the cluster itself is an integration test."""

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from puzzles import engine_ray
from puzzles.engine_ray import Ray


@pytest.mark.parametrize("mode", [None, "disabled", "token"])
def test_a_cluster_that_turns_us_away_may_want_a_token(
    mode: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(*given: Any, **options: Any) -> None:
        raise ConnectionError("Failed to connect to Ray cluster at 127.0.0.1")

    fake = SimpleNamespace(is_initialized=lambda: False, init=init)
    monkeypatch.setattr(engine_ray, "_imported", lambda: fake)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    if mode is not None:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = f"127.0.0.1:{head.getsockname()[1]}"
        with pytest.raises(ValueError, match="Failed to connect") as refused:
            Ray(address)
    assert str(refused.value).startswith(f"the Ray cluster at {address} can't be used: ")
    assert ("set RAY_AUTH_MODE=token" in str(refused.value)) == (mode != "token")


def test_where_nobody_listens_a_token_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = SimpleNamespace(is_initialized=lambda: False)
    monkeypatch.setattr(engine_ray, "_imported", lambda: fake)
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = f"127.0.0.1:{head.getsockname()[1]}"
    with pytest.raises(ValueError, match="can't be used") as refused:
        Ray(address)
    assert "RAY_AUTH_MODE" not in str(refused.value)
