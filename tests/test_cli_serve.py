"""puzzles serve as a user types it: what it says, how it ends, and what several workers share."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

import cli
from tests.oracle.local import RIGHT, THREE, TWO
from tests.protocols.playing import CORRIDORS, corridor, save

ROOT = Path(__file__).parents[1]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return save(tmp_path / "data", [corridor(k, board, k + 1) for k, board in enumerate(CORRIDORS)])


@contextmanager
def served(folder: Path, *words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Yield a server that was started in ``folder``, its address, and what it has said."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "serve", "--port", "0", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline() + process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found, process.communicate()
        yield process, found[0], said
    finally:
        process.kill()
        process.communicate()


def asked(address: str, path: str, seconds: float = 30) -> httpx.Response:
    """Return the response of a server that may still be starting."""
    end = time.monotonic() + seconds
    while True:
        try:
            return httpx.get(address + path, trust_env=False)
        except httpx.TransportError:
            assert time.monotonic() < end
            time.sleep(0.05)


def refused(*words: str | Path, code: int = 2) -> str:
    """Return the one sentence with which the command ends at once."""
    result = CliRunner().invoke(cli.app, ["serve", *map(str, words)])
    assert result.exit_code == code, result.output
    lines = result.stderr.strip().split("\n")
    assert len(lines) == 1, lines
    assert lines[0].startswith("puzzles: ")
    return lines[0]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_ends_when_told_to(tmp_path: Path, data: Path, end) -> None:
    with served(tmp_path, "--data", "data") as (process, address, said):
        assert asked(address, "/healthz").json() == {"status": "ok"}
        begun = httpx.post(f"{address}/episodes", json={"id": TWO}).json()
        process.send_signal(end)
        out, err = process.communicate(timeout=20)
        out = said + out
    assert process.returncode == 0
    assert err == ""
    store = tmp_path / "puzzles-episodes.sqlite"
    assert str(store) in out
    assert "ended" in out
    assert store.is_file()
    with served(tmp_path, "--data", "data") as (_, address, _):
        assert asked(address, f"/episodes/{begun['episode']}").json()["round"] == 0


def test_a_study_says_where_its_answers_go(tmp_path: Path, data: Path) -> None:
    with served(tmp_path, "--data", "data", "--study") as (_, _, said):
        assert said.startswith("serving the study at http://")
        assert "answers are appended to answers.jsonl; " in said


def test_a_page_is_there_unless_it_is_not_wanted(tmp_path: Path) -> None:
    with served(tmp_path) as (_, address, _):
        assert asked(address, "/").headers["content-type"].startswith("text/html")
    with served(tmp_path, "--no-page") as (_, address, _):
        assert asked(address, "/").status_code == 404


def test_a_websocket_that_is_refused_is_no_error_of_the_server(tmp_path: Path) -> None:
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    token = tmp_path / "token"
    token.write_text("secret")
    token.chmod(0o600)
    with served(tmp_path, "--token-file", token, "--no-page") as (process, address, _):
        assert asked(address, "/healthz").status_code == 200
        with pytest.raises(InvalidStatus) as error, connect(f"ws{address[4:]}/ws", proxy=None):
            pass
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=20)
    assert error.value.response.status_code == 401
    assert b"wants its token" in (error.value.response.body or b"")
    assert err == ""


def test_workers_share_episodes_and_counters_and_one_may_be_lost(tmp_path: Path, data) -> None:
    with served(tmp_path, "--data", "data", "--workers", "2") as (process, address, _):
        asked(address, "/healthz")
        # A connection each, so that both workers are asked.
        with httpx.Client(base_url=address, headers={"connection": "close"}) as client:
            for k in range(20):
                name = client.post("/episodes", json={"id": THREE}).json()["episode"]
                for n in (1, 2, 3):
                    if k == 10 and n == 2:
                        os.kill(workers(process.pid)[0], signal.SIGKILL)
                    step = {"round": n, "action": RIGHT, "remaining": 3 - n}
                    last = stepped(client, f"/episodes/{name}/steps", step)
                assert last["verdict"]["optimal"]
        text = asked(address, "/metrics").text
        kind = 'family="maze",protocol="oracle-vcot"'
        assert f"puzzles_episodes_opened_total{{{kind}}} 20.0" in text
        assert f"puzzles_steps_total{{{kind}}} 60.0" in text
        end = time.monotonic() + 30
        while len(workers(process.pid)) < 2:  # another takes its place
            assert time.monotonic() < end
            time.sleep(0.1)
        process.terminate()
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "ended" in out
    assert "Traceback" not in err


def stepped(client: httpx.Client, path: str, step: dict) -> dict:
    """Send a step until it is answered: the worker that has it may be lost."""
    while True:
        try:
            return client.post(path, json=step).json()
        except httpx.TransportError:
            time.sleep(0.05)


def workers(parent: int) -> list[int]:
    """Return the processes that have been started to answer."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if is_worker(child)]


def is_worker(process: str) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it has just ended
        return False


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused("--port", str(port), "--store", tmp_path / "e")
    assert f"port {port}" in said
    assert "--port" in said


def test_an_address_that_is_not_ours(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("t")
    token.chmod(0o600)
    said = refused("--host", "192.0.2.1", "--token-file", token, "--store", tmp_path / "e")
    assert "192.0.2.1" in said


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--stateless"], ["--stateless", "--token-file"]),
        (["--data", "nowhere"], ["--data nowhere"]),
        (["--aids", "nowhere"], ["--aids nowhere"]),
        (["--verdicts", "nowhere"], ["--verdicts nowhere"]),
        (["--token-file", "nowhere"], ["nowhere", "No such file"]),
        (["--store", "mysql://x"], ["postgresql"]),
        (["--store", "/"], ["store", "/"]),
        (["--study", "--no-page"], ["--study", "--no-page"]),
        (["--study-per-bucket", "3"], ["--study"]),
        (["--study-intro", "x"], ["--study"]),
        (["--study", "--data", ".", "--study-intro", "nowhere"], ["nowhere"]),
        (["--limit", "stepps=3"], ["stepps", "steps"]),
        (["--limit", "steps"], ["--limit steps", "whole number"]),
        (["--limit", "steps=-1"], ["--limit steps", "-1"]),
        (["--limit", "seconds=nan"], ["--limit seconds"]),
    ],
)
def test_what_can_t_be_served_is_one_sentence(
    tmp_path: Path, monkeypatch, words: list[str], parts: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = refused("--port", "0", *words)
    for part in parts:
        assert part in said


def test_warnings(tmp_path: Path, monkeypatch, capfd) -> None:
    started = []
    monkeypatch.setattr("uvicorn.run", lambda *_, **options: started.append(options))
    monkeypatch.delenv("PUZZLES_SERVE", raising=False)
    token = tmp_path / "token"
    token.write_text("t")
    token.chmod(0o640)
    place = ["--store", str(tmp_path / "e.sqlite"), "--port", "0", "--no-page"]
    runner = CliRunner()
    open_to_all = runner.invoke(cli.app, ["serve", *place, "--host", "0.0.0.0"])
    assert "everybody" in open_to_all.stderr
    readable = runner.invoke(cli.app, ["serve", *place, "--token-file", str(token)])
    assert "chmod 600" in readable.stderr
    token.chmod(0o600)
    quiet = runner.invoke(cli.app, ["serve", *place, "--token-file", str(token)])
    assert (quiet.stderr, quiet.exit_code) == ("", 0)
    assert [options["host"] for options in started] == ["0.0.0.0", "127.0.0.1", "127.0.0.1"]


def test_a_missing_extra_is_one_sentence() -> None:
    code = (
        "import sys\n"
        "sys.modules['fastapi'] = None\n"
        "import cli\n"
        "cli.app(['serve', '--port', '0', '--store', '/nowhere/e.sqlite'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 2
    assert done.stderr == (
        "puzzles: puzzles serve needs more packages (fastapi): pip install 'puzzles[serve]'\n"
    )


def test_settings_reach_the_workers_whole(tmp_path: Path) -> None:
    from oracle.limits import Limits
    from oracle.server.settings import VARIABLE, Settings

    told = Settings(
        data=(tmp_path, Path("b")),
        store="postgresql://a@b/c",
        host="::1",
        token_file=Path("t"),
        stateless=True,
        aids=Path("a"),
        verdicts=(Path("v"),),
        study=True,
        study_per_bucket=2,
        study_intro=Path("i"),
        answers=Path("x"),
        limits=Limits(steps=7, idle_seconds=0.5, request_seconds=1.5),
    )
    assert Settings.from_environment({VARIABLE: told.record()}) == told
    assert Settings.of(Settings().record()) == Settings()


def test_the_document_names_every_limit_and_route(tmp_path: Path) -> None:
    from dataclasses import asdict

    from oracle.limits import Limits
    from oracle.server.application import application
    from oracle.server.settings import STORE, Settings

    page = (ROOT / "docs" / "serving.md").read_text()
    for name, value in asdict(Limits()).items():
        assert f"| `{name}` | {value:,.0f} |" in page
    assert STORE in page
    token = tmp_path / "token"
    token.write_text("t")
    asked = Settings(store=str(tmp_path / "e"), token_file=token, stateless=True)
    paths = application(asked).openapi()["paths"]
    for path, methods in paths.items():
        place = path.replace("{name}", "NAME").replace("{which}", "ROUND")
        for method in methods:
            assert f"| `{method.upper()} {place}` |" in page
