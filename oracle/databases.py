"""The two databases that a store may lie in: a file of SQLite, and PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from oracle.errors import StoreError

PATIENCE = 10.0
"""Seconds to wait for another process that writes, or for the server to answer at all."""
_KEY = 0x70757A7A6C6573
"""What the makers of the tables lock against each other in PostgreSQL: any number will do."""


class BusyError(StoreError):
    """Another process has been writing to the file for longer than was waited."""


def is_remote(place: str | Path) -> bool:
    """Whether ``place`` is a URL rather than a path."""
    return isinstance(place, str) and "://" in place


def database(place: str | Path, patience: float = PATIENCE) -> Engine:
    """Return the way to the database; raise StoreError for a URL of another kind.

    patience
        Seconds that a call waits where another process is writing to the file of SQLite.
    """
    return _postgres(str(place)) if is_remote(place) else _sqlite(Path(place), patience)


def _sqlite(path: Path, patience: float) -> Engine:
    url = URL.create("sqlite", database=str(path.absolute()))
    engine = create_engine(url, connect_args={"timeout": patience})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        _logged_ahead(connection, patience)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        record.info["file"] = _identity(path)

    @event.listens_for(engine, "checkout")
    def checked_out(connection: Any, record: Any, proxy: Any) -> None:
        if record.info["file"] != _identity(path):  # what were written now would be lost
            raise StoreError("its file has been removed or replaced; start the server again")

    return engine


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another of its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _logged_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Have the file log ahead (WAL).

    SQLite waits for other processes by itself, but not while one of them changes that.
    """
    end = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _postgres(place: str) -> Engine:
    try:
        url = make_url(place)
    except ArgumentError:
        raise StoreError("the store is a path, or a URL postgresql://...") from None
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise StoreError(
            f"the store is a path, or a URL postgresql://...; there is none for {url.drivername}"
        )
    try:
        return create_engine(
            url.set(drivername="postgresql+psycopg"),
            connect_args={"connect_timeout": int(PATIENCE), "client_encoding": "utf8"},
            pool_pre_ping=True,  # a server that was restarted has closed what we hold
            pool_size=8,
        )
    except ImportError:
        raise StoreError("PostgreSQL needs `pip install puzzles[postgres]`") from None


@contextmanager
def begun(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction that no other of its kind runs beside.

    Raises StoreError for a SQLite file that holds something else.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            tables = inspect(connection).get_table_names()
            if any(not name.startswith("puzzles_") for name in tables):
                raise StoreError("it holds something else")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_KEY})")
        yield connection
        connection.commit()


@contextmanager
def plainly() -> Iterator[None]:
    """Raise StoreError, with one sentence, for whatever a database complains of."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise _said(cause) from None
    except (sqlite3.Error, OSError) as error:
        raise _said(error) from None


def _said(error: BaseException) -> StoreError:
    code = getattr(error, "sqlite_errorcode", 0)  # whose last byte says the kind
    busy = code & 0xFF == sqlite3.SQLITE_BUSY
    return (BusyError if busy else StoreError)(str(error).strip().split("\n")[0])
