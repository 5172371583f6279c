"""The store in a file of SQLite, and what is said where it can't be used."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from oracle.errors import StoreError
from oracle.store import VERSION, Store
from tests.oracle.keeping import Contract

ROOT = Path(__file__).parents[2]


class TestSqlite(Contract):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Path:
        return tmp_path / "episodes.db"

    def test_the_file_logs_ahead_and_waits_for_others(self, store: Store, place: Path) -> None:
        with store._transaction() as connection:
            found = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
        assert found == {
            **{"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 10_000}
        }


def refused(place: object, *words: str) -> None:
    with pytest.raises(StoreError) as error:
        Store(place)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    refused(tmp_path / "none" / "e.db", str(tmp_path / "none"), "unable to open")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    refused(tmp_path, str(tmp_path), "unable to open")


def test_what_is_no_database_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all\n" * 100)
    refused(path, "notes.txt", "file is not a database")
    assert path.read_text() == "not a database at all\n" * 100


def test_a_database_of_something_else_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name)")
    refused(path, "it holds something else")
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


def test_a_store_of_a_newer_server_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    Store(path).close()
    with sqlite3.connect(path) as file:
        file.execute("UPDATE puzzles_schema SET version = ?", (VERSION + 1,))
    refused(path, "a newer version of the server has made it")


def test_a_file_that_may_only_be_read_is_refused() -> None:
    with TemporaryDirectory() as name:
        folder, me = Path(name), os.geteuid()
        Store(folder / "e.db").close()
        folder.chmod(0o777)
        (folder / "e.db").chmod(0o444)
        try:
            if me == 0:
                os.seteuid(65534)  # root may write everything
            refused(folder / "e.db", "e.db", "readonly")
        finally:
            os.seteuid(me)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://localhost/x", "there is none for mysql"),
        ("://", "a path, or a URL postgresql://"),
        ("postgresql://me:secret@127.0.0.1:1/none", "127.0.0.1:1/none"),
    ],
)
def test_urls_that_lead_nowhere_are_refused_without_their_password(url: str, words: str) -> None:
    refused(url, words)
    with pytest.raises(StoreError) as error:
        Store(url)
    assert "secret" not in str(error.value)


def test_a_store_that_fails_later_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.db")
    with sqlite3.connect(tmp_path / "e.db") as file:
        file.execute("DROP TABLE puzzles_steps")
    store.open("one", {}, 1.0)
    with pytest.raises(StoreError, match="no such table: puzzles_steps"):
        store.append("one", 1, "{}", False, 1.0)
    assert store.opening("one") == {}
    store.close()


OPENER = """
import sys, time
from pathlib import Path
from oracle.store import Store
path, go, name = sys.argv[1:]
print("ready", flush=True)
while not Path(go).exists():
    time.sleep(0.001)
Store(path).open(name, {}, 1.0)
"""


@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_kept_in_a_file_that_is_gone(replaced: bool, tmp_path: Path) -> None:
    """SQLite would write on where nobody finds it again."""
    path = tmp_path / "e.sqlite"
    store = Store(path)
    store.open("one", {}, 1.0)
    for file in tmp_path.iterdir():
        file.unlink()
    if replaced:
        Store(path).close()
    with pytest.raises(StoreError, match="removed or replaced"):
        store.append("one", 1, "{}", False, 1.0)
    store.close()


def test_workers_that_start_at_once_make_one_store(tmp_path: Path) -> None:
    path, go = tmp_path / "e.db", tmp_path / "go"
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, path, go, f"{number}"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"ready\n"
    go.touch()
    for worker in workers:
        _, said = worker.communicate(timeout=30)
        assert worker.returncode == 0, said.decode()
    store = Store(path)
    assert store.open_count() == 4
    store.close()


def test_a_step_costs_well_under_a_millisecond(tmp_path: Path) -> None:
    """The quickest of many, since others may use this machine too."""
    store, quickest = Store(tmp_path / "e.db"), 1.0
    store.open("one", {"board": "." * 2_000}, 1.0)
    for number in range(1, 201):
        begun = time.perf_counter()
        assert store.steps("one", number - 1) == []
        assert store.append("one", number, '{"round":1}', False, 2.0)
        quickest = min(quickest, time.perf_counter() - begun)
    assert quickest < 0.001
    store.close()


def test_nobody_waits_while_another_process_writes(tmp_path: Path) -> None:
    """Calls that find the file locked wait for it in threads, and then have their turn."""
    store = Store(tmp_path / "e.db")
    store.open("one", {}, 1.0)

    async def ask() -> float:
        store.open_count()
        other = sqlite3.connect(tmp_path / "e.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = [
            asyncio.create_task(store.awaited(store.append, "one", number, "{}", False, 1.0))
            for number in (1, 1, 1)
        ]
        longest, end = 0.0, time.monotonic() + 0.5
        while time.monotonic() < end:
            begun = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - begun)
        assert not any(task.done() for task in waiting)
        assert await store.awaited(store.steps, "one") == []  # who reads need not wait
        other.execute("COMMIT")
        other.close()
        assert sorted(await asyncio.gather(*waiting)) == [False, False, True]
        return longest

    assert asyncio.run(ask()) < 0.4
    assert store.steps("one") == ["{}"]
    store.close()
