"""Store: episodes and their steps in a database, so that any worker continues any of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from oracle.databases import BusyError, begun, database, is_remote, plainly
from oracle.errors import StoreError

T = TypeVar("T")
VERSION = 1
"""Of the tables below; a store that a newer server has made is refused."""
_SWEEP = 1_000
"""Episodes, or documents, that are forgotten at a time, so that nobody waits long."""
_MOMENT = 0.05
"""Seconds that an event loop may stand still while another process writes."""
_AT_ONCE: ContextVar[bool] = ContextVar("_AT_ONCE", default=False)
"""Whether a call rather fails than waits for longer than a moment."""

_TABLES = MetaData()
_schema = Table("puzzles_schema", _TABLES, Column("version", Integer, nullable=False))
_episodes = Table(
    "puzzles_episodes",
    _TABLES,
    Column("name", String(64), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("touched", Float, nullable=False),
    Column("opening", Text, nullable=False),
    Index("puzzles_episodes_done", "done"),
    Index("puzzles_episodes_touched", "touched"),
)
_steps = Table(
    "puzzles_steps",
    _TABLES,
    Column("episode", ForeignKey(_episodes.c.name, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("step", Text, nullable=False),
    sqlite_with_rowid=False,
)
_documents = Table(
    "puzzles_documents",
    _TABLES,
    Column("kind", String(64), primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("made", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("body", Text, nullable=False),
    Index("puzzles_documents_touched", "kind", "touched"),
)

# What every step runs, put together once.
_BEYOND = (
    select(_steps.c.step)
    .select_from(
        _episodes.outerjoin(
            _steps,
            and_(_steps.c.episode == _episodes.c.name, _steps.c.number > bindparam("after")),
        )
    )
    .where(_episodes.c.name == bindparam("of"))
    .order_by(_steps.c.number)
)
_TURN = (
    update(_episodes)
    .where(_episodes.c.name == bindparam("of"), _episodes.c.count == bindparam("before"))
    .values({name: bindparam(name) for name in ("count", "done", "touched")})
)
_APPENDED = insert(_steps)


class Store:
    """Episodes, and documents of the page, in SQLite (a path) or PostgreSQL (a URL).

    Any number of processes and threads may use one store. Every method is one transaction. Times
    are seconds since the epoch. What has been written survives the end of the process, however it
    ends; a power cut may take the last moments of a SQLite file, and leaves it sound.

    Raises StoreError where the database can't be used, also later on.
    """

    def __init__(self, place: str | Path):
        self.remote = is_remote(place)
        """Whether calls go over a network, so that they may take long."""
        self._engine: Engine = database(place)
        self._hasty: Engine = self._engine if self.remote else database(place, _MOMENT)
        self._waiting = 0
        try:
            with plainly(), begun(self._engine) as connection:
                _found(connection)
        except StoreError as error:
            self.close()
            shown = self._engine.url.render_as_string() if self.remote else place
            raise StoreError(f"the store {shown} can't be used: {error}") from None

    def close(self) -> None:
        """Let go of the database; nothing has to be saved."""
        self._engine.dispose()
        self._hasty.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        engine = self._hasty if _AT_ONCE.get() else self._engine
        with plainly(), engine.begin() as connection:
            yield connection

    async def awaited(self, call: Callable[..., T], *arguments: Any) -> T:
        """Return ``call(*arguments)``, a method of this store, without holding up the event loop.

        It is made in a thread where it would wait: for a network, or for another process that
        writes to the file. Otherwise it is made at once, which is quicker.
        """
        if not self.remote and not self._waiting:
            with suppress(BusyError):
                return _hastily(call, *arguments)
        self._waiting += 1
        try:
            return await asyncio.to_thread(call, *arguments)
        finally:
            self._waiting -= 1

    # Episodes.

    def open(self, name: str, opening: dict[str, Any], now: float) -> None:
        """Keep an episode that has no steps yet; ``name`` is new and at most 64 characters."""
        row = {"name": name, "count": 0, "done": False, "touched": now}
        with self._transaction() as connection:
            connection.execute(insert(_episodes), {**row, "opening": json.dumps(opening)})

    def opening(self, name: str) -> dict[str, Any] | None:
        """Return how an episode was opened; None where there is none of that name."""
        asked = select(_episodes.c.opening).where(_episodes.c.name == name)
        with self._transaction() as connection:
            found = connection.execute(asked).scalar()
        return None if found is None else json.loads(found)

    def steps(self, name: str, after: int = 0) -> list[str] | None:
        """Return the steps of an episode but the first ``after``; None where there is no such."""
        with self._transaction() as connection:
            found = list(connection.execute(_BEYOND, {"of": name, "after": after}).scalars())
        return [step for step in found if step is not None] if found else None

    def append(self, name: str, number: int, step: str, done: bool, now: float) -> bool:
        """Keep step ``number`` (from 1); whether it was that step's turn.

        It is False where someone else has taken that number, or the episode is gone: then nothing
        has changed.
        """
        turn = {"of": name, "before": number - 1, "count": number, "done": done, "touched": now}
        with self._transaction() as connection:
            if connection.execute(_TURN, turn).rowcount != 1:
                return False
            row = {"episode": name, "number": number, "step": step}
            connection.execute(_APPENDED, row)
        return True

    def delete(self, name: str) -> bool:
        """Forget an episode; whether there was one."""
        with self._transaction() as connection:
            gone = connection.execute(delete(_episodes).where(_episodes.c.name == name))
        return gone.rowcount == 1

    def open_count(self) -> int:
        """Return how many episodes go on."""
        asked = select(func.count()).where(_episodes.c.done.is_(False))
        with self._transaction() as connection:
            return connection.execute(asked).scalar() or 0

    def expire(self, before: float) -> int:
        """Forget episodes whose last step, or beginning, was before then; return how many.

        At most 1,000 go at a time, the longest idle first.
        """
        idle = _episodes.c.touched < before
        first = select(_episodes.c.name).where(idle).order_by(_episodes.c.touched).limit(_SWEEP)
        with self._transaction() as connection:
            gone = connection.execute(delete(_episodes).where(_episodes.c.name.in_(first), idle))
        return gone.rowcount

    # Documents: the page's games and participants, a JSON object each, by kind and name.

    def put(self, kind: str, name: str, body: dict[str, Any], now: float) -> None:
        """Keep a document, in place of the one of that kind and name if there is one."""
        row = {"kind": kind, "name": name, "made": now, "touched": now, "body": json.dumps(body)}
        kept = (postgresql if self.remote else sqlite).insert(_documents).values(row)
        changed = {"body": kept.excluded.body, "touched": kept.excluded.touched}
        kept = kept.on_conflict_do_update(index_elements=["kind", "name"], set_=changed)
        with self._transaction() as connection:
            connection.execute(kept)

    def swap(
        self, kind: str, name: str, old: dict[str, Any], new: dict[str, Any], now: float
    ) -> bool:
        """Keep ``new`` in place of ``old``; whether that was what ``get`` would have returned.

        It is False where someone else has been faster, or the document is gone: then nothing has
        changed.
        """
        same = (*_is(kind, name), _documents.c.body == json.dumps(old))
        changed = update(_documents).where(*same).values(body=json.dumps(new), touched=now)
        with self._transaction() as connection:
            return connection.execute(changed).rowcount == 1

    def get(self, kind: str, name: str) -> dict[str, Any] | None:
        """Return a document, or None."""
        asked = select(_documents.c.body).where(*_is(kind, name))
        with self._transaction() as connection:
            found = connection.execute(asked).scalar()
        return None if found is None else json.loads(found)

    def all(self, kind: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the documents of a kind with their names, in the order in which they were made."""
        asked = (
            select(_documents.c.name, _documents.c.body)
            .where(_documents.c.kind == kind)
            .order_by(_documents.c.made, _documents.c.name)
        )
        with self._transaction() as connection:
            return [(name, json.loads(body)) for name, body in connection.execute(asked)]

    def count(self, kind: str) -> int:
        """Return how many documents of a kind there are."""
        asked = select(func.count()).where(_documents.c.kind == kind)
        with self._transaction() as connection:
            return connection.execute(asked).scalar() or 0

    def fade(self, kind: str, before: float) -> int:
        """Forget documents of a kind that were last kept before then; return how many.

        At most 1,000 go at a time, the oldest first.
        """
        idle = and_(_documents.c.kind == kind, _documents.c.touched < before)
        first = select(_documents.c.name).where(idle).order_by(_documents.c.touched).limit(_SWEEP)
        with self._transaction() as connection:
            gone = connection.execute(delete(_documents).where(_documents.c.name.in_(first), idle))
        return gone.rowcount

    def drop(self, kind: str, name: str) -> bool:
        """Forget a document; whether there was one."""
        with self._transaction() as connection:
            gone = connection.execute(delete(_documents).where(*_is(kind, name)))
        return gone.rowcount == 1


def _hastily(call: Callable[..., T], *arguments: Any) -> T:
    """Return ``call(*arguments)``; raise BusyError where it would take more than a moment."""
    set_before = _AT_ONCE.set(True)
    try:
        return call(*arguments)
    finally:
        _AT_ONCE.reset(set_before)


def _is(kind: str, name: str) -> tuple[Any, Any]:
    return _documents.c.kind == kind, _documents.c.name == name


def _found(connection: Connection) -> None:
    """Make the tables where there are none; raise StoreError where they are of a newer server."""
    _TABLES.create_all(connection)
    version = connection.execute(select(_schema.c.version)).scalar()
    if version is None:
        connection.execute(insert(_schema), {"version": VERSION})
    elif version > VERSION:
        raise StoreError("a newer version of the server has made it")
    else:  # so that what may only be read is noticed now
        connection.execute(update(_schema).values(version=version))
