"""Worker processes: how they start and end, and why they were lost."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from multiprocessing import connection, current_process, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

_LOST = "a worker process was killed, perhaps for want of memory: take fewer workers"
_ENDING = 2.0
"""Seconds that lost processes are given to end."""
_UNGUARDED = 86
"""The exit code of a worker that starts workers while it imports the script it was started from."""
_AGAIN = (
    "workers import the script that starts them again: what it does belongs below "
    'if __name__ == "__main__": (or take workers=1)'
)
_NEVER = "a worker process ended while it started; why is said above"


_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""How many threads numpy takes for products of matrices; it is read as numpy is loaded."""


class _OneThread(SpawnProcess):
    """A process whose numpy takes one thread, unless more are asked for.

    Boards are small, and there is a process a core: threads would only wait for each other.
    """

    def start(self) -> None:
        unset = [name for name in _THREADS if name not in os.environ]
        os.environ.update(dict.fromkeys(unset, "1"))
        try:
            super().start()
        finally:
            for name in unset:
                os.environ.pop(name, None)  # another thread may start one too


class Processes(SpawnContext):
    """Starts processes, and knows them: an executor forgets one that starts as another is lost.

    Spawned, not forked: a progress bar's thread may hold a lock at the moment of a fork.
    """

    def __init__(self) -> None:
        self._started: list[SpawnProcess] = []

    # multiprocessing calls it by this name, and declares it as the class of the processes.
    def Process(self, *args: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = _OneThread(*args, **named)
        self._started.append(process)
        return process

    def why(self) -> str:
        """Say in a sentence why one of them was lost."""
        until = time.monotonic() + _ENDING
        while None in (codes := {process.exitcode for process in self._started}):
            if time.monotonic() > until:  # one that the executor forgot
                break
            time.sleep(0.01)
        if _UNGUARDED in codes:
            return _AGAIN
        return _NEVER if 1 in codes else _LOST  # 1 is an error: that of a task comes back to us

    def end(self) -> None:
        """End all that have been started, and wait for that."""
        for process in self._started:
            if process.pid is not None:
                process.terminate()
                process.join()
        self._started.clear()


def refuse_while_starting() -> None:
    """End a worker that is about to start workers while it imports the script that started it.

    It would do all again that the script has done; ``Processes.why`` says so in its parent.
    """
    if getattr(current_process(), "_inheriting", False):  # what multiprocessing itself goes by
        sys.exit(_UNGUARDED)


def enter_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it even when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
