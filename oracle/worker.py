"""Worker: a process that runs functions one at a time, and is killed when one takes too long."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from oracle.errors import Refused, TooLarge, TooSlow
from puzzles.processes import enter_worker

_LOST = "the process that worked on it has ended, perhaps for want of memory"


class Worker:
    """One process, started when it is first needed, and again when it was lost or killed.

    It ends with this process, even when that is killed.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: Any = None
        self._connection: Connection | None = None
        self._greeted = False

    def call(self, function: Callable[..., Any], *arguments: Any, seconds: float | None) -> Any:
        """Return ``function(*arguments)``, run in the worker; others wait for their turn.

        ``function`` is one of a module's own, and what goes to and fro can be pickled. Raises
        TooSlow after ``seconds`` of work, TooLarge where the process is lost, Refused where the
        function does, and RuntimeError for all else that it raises.
        """
        with self._turn:
            try:
                connection = self._ready()
                connection.send((function, arguments))
                if not connection.poll(seconds):
                    self._end()
                    self._start()  # ready again by the time that it is needed
                    raise TooSlow(f"it takes more than the {seconds:g} seconds that are allowed")
                value, problem = connection.recv()
            except (EOFError, ConnectionError):
                self._end()
                raise TooLarge(_LOST) from None
        if problem is not None:
            raise problem
        return value

    def close(self) -> None:
        """End the process, whatever it is at: who waits for it gets TooLarge."""
        process = self._process
        with suppress(AttributeError, ValueError):  # there is none, or it has just been ended
            process.kill()
        with self._turn:
            self._end()

    def _start(self) -> Connection:
        context = get_context("spawn")  # never forked: other threads may hold locks
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()  # so that the end of the process is the end of the connection
        self._greeted = False
        return self._connection

    def _ready(self) -> Connection:
        """Return the way to a process that is up: its start takes from nobody's time."""
        connection = self._connection or self._start()
        if not self._greeted:
            connection.recv()
            self._greeted = True
        return connection

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _serve(connection: Connection) -> None:
    """Run what is sent, for as long as somebody sends."""
    enter_worker()
    import numba  # noqa: F401  # what takes longest to load

    connection.send("ready")
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        outcome: tuple[Any, Exception | None]
        try:
            outcome = function(*arguments), None
        except Refused as error:
            outcome = None, error
        except MemoryError:
            outcome = None, TooLarge("it takes more memory than there is")
        except Exception:  # a fault of ours: whoever asked is told where
            outcome = None, RuntimeError(traceback.format_exc())
        connection.send(outcome)
