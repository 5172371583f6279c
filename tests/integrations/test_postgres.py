"""The store in a real PostgreSQL: the same tests as for SQLite, and processes that share it."""

import asyncio
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

from oracle.errors import StoreError
from oracle.store import VERSION, Store
from tests.oracle import sturdy
from tests.oracle.keeping import Contract

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
NUMBERS = count()


def binaries() -> Path:
    """Return the folder with initdb and postgres."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not folders:
        pytest.fail("PostgreSQL is absent: apt-get install postgresql, or put initdb on the PATH")
    return folders[-1].parent


class Cluster:
    """A cluster of its own on a free port of loopback, in a folder that is removed again."""

    def __init__(self) -> None:
        # Not in pytest's folder: PostgreSQL doesn't run as root, and others can't enter that.
        self.folder = Path(mkdtemp(prefix="puzzles-postgres-"))
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        shutil.chown(self.folder, self.user)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", "data", "-U", "puzzles", "-A", "trust", "-E", "UTF8", "-N")
        self.start()

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run(self._command(name, *arguments), **self._as, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()

    @property
    def _as(self) -> dict:
        return {"cwd": self.folder, "user": self.user if os.geteuid() == 0 else None}

    def _command(self, name: str, *arguments: str) -> list[str]:
        return [str(binaries() / name), *arguments]

    def start(self) -> None:
        words = ("-D", "data", "-p", str(self.port), "-h", "127.0.0.1", "-k", "", "-F")
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command("postgres", *words), **self._as, stdout=log, stderr=log
            )
        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                said = (self.folder / "log").read_text()
                assert self.process.poll() is None, said
                assert time.monotonic() < end, said
                time.sleep(0.05)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)  # at once, whoever is connected
        self.process.wait(60)

    def url(self, database: str) -> str:
        return f"postgresql://puzzles@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """Return the URL of a new and empty database."""
        name = f"d{next(NUMBERS)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.stop()
    shutil.rmtree(cluster.folder)


@pytest.fixture
def url(cluster: Cluster) -> str:
    return cluster.database()


class TestPostgres(Contract):
    @pytest.fixture
    def place(self, url: str) -> str:
        return url


def test_two_processes_that_play_the_same_episodes_take_each_step_once(url: str) -> None:
    store = Store(url)
    names = asyncio.run(sturdy.begin(store, 40))
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.oracle.sturdy", url, "40"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    verdicts = []
    for worker in workers:
        told, said = worker.communicate(timeout=120)
        assert worker.returncode == 0, said.decode()
        assert len(told.splitlines()) == 40 * sturdy.LENGTH
        verdicts.append(json.loads(said))
    assert verdicts[0] == verdicts[1]
    assert all(verdict["optimal"] for verdict in verdicts[0])
    for name in names:
        steps = [json.loads(step) for step in store.steps(name) or []]
        assert [step["round"] for step in steps] == list(range(1, sturdy.LENGTH + 1))
    assert store.open_count() == 0
    store.close()


def test_a_worker_that_is_killed_is_continued_by_another(url: str) -> None:
    store = Store(url)
    told: dict[str, int] = {}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.oracle.sturdy", url, "40"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as worker:
        assert worker.stdout is not None
        for line in worker.stdout:
            name, number = line.split()
            told[name] = int(number)
            if len(told) == 40:
                worker.kill()
    for name, number in told.items():
        assert len(store.steps(name) or []) >= number
    verdicts = asyncio.run(sturdy.go_on(store, list(told)))
    assert all(verdict["optimal"] for verdict in verdicts)
    store.close()


def test_stores_that_are_made_at_once_are_one(url: str) -> None:
    code = (
        "import sys\nfrom oracle.store import Store\nStore(sys.argv[1]).open(sys.argv[2], {}, 1.0)"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", code, url, f"{number}"], cwd=ROOT)
        for number in range(4)
    ]
    assert [worker.wait(60) for worker in workers] == [0] * 4
    store = Store(url)
    assert store.open_count() == 4
    store.close()


def test_a_server_that_restarts_is_found_again(cluster: Cluster, url: str) -> None:
    store = Store(url)
    store.open("one", {"a": 1}, 1.0)
    cluster.stop()
    with pytest.raises(StoreError) as error:
        store.steps("one")
    assert "\n" not in str(error.value)
    cluster.start()
    assert store.opening("one") == {"a": 1}
    assert store.append("one", 1, "{}", False, 1.0)
    store.close()


def test_what_cannot_be_used_is_refused(cluster: Cluster, url: str) -> None:
    with pytest.raises(StoreError, match='database "none" does not exist'):
        Store(cluster.url("none"))
    Store(url).close()
    with psycopg.connect(url) as connection:
        connection.execute(f"UPDATE puzzles_schema SET version = {VERSION + 1}")
    with pytest.raises(StoreError, match="a newer version of the server has made it"):
        Store(url)


def test_other_tables_of_the_database_are_left_alone(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE episodes (name text)")
    store = Store(url)
    store.open("one", {}, 1.0)
    store.close()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM episodes").fetchone() == (0,)
