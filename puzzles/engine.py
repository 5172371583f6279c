"""Work spread over processes, results in the order of the tasks."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from multiprocessing import active_children, connection, get_context, parent_process
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

WORTH = 4.0
"""Seconds of work that must be left before it pays to start worker processes."""


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows don't say
        return os.cpu_count() or 1


class WorkerLost(ValueError):
    """A worker process has ended before its task did."""


class Engine(AbstractContextManager["Engine"]):
    """Maps functions over tasks, in this process while that is quicker, then in ``workers`` more.

    The results do not depend on where a task runs: tasks carry all that they need.
    """

    def __init__(self, workers: int | None = None):
        self.workers = workers or cores()
        self._pool: ProcessPoolExecutor | None = None
        self._others = set(active_children())

    def map(self, function: Callable[[T], R], tasks: Iterable[T], total: int) -> Iterator[R]:
        """Yield ``function(task)`` for each of the ``total`` tasks, in order.

        Where ``tasks`` itself raises, the results of the tasks before come first.
        """
        waiting: deque[Future[R]] = deque()
        failure: list[ValueError] = []
        started = time.monotonic()
        for done, task in enumerate(_until_failure(tasks, failure)):
            if self._pool is None:
                yield function(task)
                if done == 0:
                    started = time.monotonic()  # the first task also waits for kernels to load
                elif self._worth(time.monotonic() - started, done, total - done - 1):
                    self._pool = self._start()
                continue
            waiting.append(self._pool.submit(function, task))
            if len(waiting) > 2 * self.workers:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
        if failure:
            raise failure[0]

    def _worth(self, seconds: float, done: int, left: int) -> bool:
        return self.workers > 1 and seconds / done * left > WORTH

    def _start(self) -> ProcessPoolExecutor:
        # Spawned, not forked: a progress bar's thread may hold a lock at the moment of a fork.
        return ProcessPoolExecutor(
            self.workers, mp_context=get_context("spawn"), initializer=enter_worker
        )

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        if self._pool is None:
            return
        if kind is not None:  # nobody waits for what the workers are at
            for worker in set(active_children()) - self._others:
                worker.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _result(task: Future[R]) -> R:
    try:
        return task.result()
    except BrokenProcessPool:
        raise WorkerLost(
            "a worker process was killed, perhaps for want of memory: take fewer workers"
        ) from None


def _until_failure(tasks: Iterable[T], failure: list[ValueError]) -> Iterator[T]:
    """Yield ``tasks`` for as long as they come; keep the error that ends them."""
    try:
        yield from tasks
    except ValueError as error:
        failure.append(error)


def enter_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it even when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
