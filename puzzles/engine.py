"""Tasks spread over processes, or further, with their results in the order of the tasks."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # it takes a while to load, and few tasks need no process
    from concurrent.futures import Future, ProcessPoolExecutor

from puzzles.processes import Processes, enter_worker, refuse_while_starting

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


_TRIES = 2
"""Workers that a task may end when nothing else is done."""


class WorkerLost(ValueError):
    """A worker process has ended before its task did."""


class Engine(AbstractContextManager["Engine"], ABC):
    """Maps functions over tasks; with ``with`` it is ended, whatever it is at.

    The results do not depend on where a task runs: functions are pure and belong to a module, tasks
    carry all that they need, and what is to be kept is written by the caller.
    """

    sees_files = True
    """Whether tasks see the files of this machine."""

    @abstractmethod
    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        total: int,
        lost: Callable[[T], R] | None = None,
    ) -> Iterator[R]:
        """Yield ``function(task)`` for each of the ``total`` tasks, in order.

        Tasks are taken as they are needed, so any number of them takes little memory. Where
        ``tasks`` itself raises, the results of the tasks before come first.

        lost
            Gives what stands for the result of a task that ends one process after another, those
            that do nothing else too. Without it such a task raises WorkerLost.
        """


class Local(Engine):
    """Runs tasks in this process while that is quicker, then in ``workers`` more."""

    def __init__(self, workers: int | None = None):
        """``workers`` are as many as there are cores unless given; ValueError for what is none."""
        self.workers = cores() if workers is None else _processes(workers)
        if self.workers > 1:
            refuse_while_starting()
        self._pool: ProcessPoolExecutor | None = None
        self._processes = Processes()

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        total: int,
        lost: Callable[[T], R] | None = None,
    ) -> Iterator[R]:
        """See ``Engine``; without ``lost`` the first process that is killed raises WorkerLost."""
        waiting: deque[tuple[T, Future[R]]] = deque()
        failure: list[ValueError] = []
        started = time.monotonic()
        for done, task in enumerate(until_failure(tasks, failure)):
            if self._pool is None:
                yield function(task)
                if done == 0:
                    started = time.monotonic()  # the first task also waits for kernels to load
                elif self._worth(time.monotonic() - started, done, total - done - 1):
                    self._pool = self._start(self.workers)
                continue
            waiting.append((task, _submitted(self._pool, function, task)))
            if len(waiting) > 2 * self.workers:
                yield from self._next(function, waiting, lost)
        while waiting:
            yield from self._next(function, waiting, lost)
        if failure:
            raise failure[0]

    def _worth(self, seconds: float, done: int, left: int) -> bool:
        return self.workers > 1 and seconds / done * left > WORTH

    def _next(
        self,
        function: Callable[[T], R],
        waiting: deque[tuple[T, Future[R]]],
        lost: Callable[[T], R] | None,
    ) -> Iterator[R]:
        """Yield the next result; where a worker was lost, those of all that is waiting."""
        if not _is_lost(waiting[0][1]):
            yield waiting.popleft()[1].result()
        elif lost is None:
            raise WorkerLost(self._processes.why())
        else:
            yield from self._one_by_one(function, waiting, lost)

    def _one_by_one(
        self,
        function: Callable[[T], R],
        waiting: deque[tuple[T, Future[R]]],
        lost: Callable[[T], R],
    ) -> Iterator[R]:
        """Yield the results of all that was waiting when a worker was lost.

        Nothing says which task it was at. So each that has no result runs again by itself.
        """
        pool = self._renewed(1)
        while waiting:
            task, future = waiting.popleft()
            tries = 0
            while _is_lost(future) and tries < _TRIES:
                future = _submitted(pool, function, task)
                tries += 1
                if _is_lost(future):
                    pool = self._renewed(1)
            yield lost(task) if _is_lost(future) else future.result()
        self._renewed(self.workers)

    def _renewed(self, workers: int) -> ProcessPoolExecutor:
        """Return fresh workers in place of those that were; raise WorkerLost where none starts."""
        if self._pool is not None:
            self._processes.end()  # first, or the pool waits for one that it forgot to end
            self._pool.shutdown()
        self._pool = pool = self._start(workers)
        if _is_lost(_submitted(pool, os.getpid)):
            raise WorkerLost(self._processes.why())
        return pool

    def _start(self, workers: int) -> ProcessPoolExecutor:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(workers, mp_context=self._processes, initializer=enter_worker)

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        if self._pool is None:
            return
        if kind is not None:  # nobody waits for what the workers are at
            self._processes.end()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _processes(workers: int) -> int:
    """Return how many processes are asked for, a plain number; raise ValueError."""
    from puzzles.asked import whole  # it loads what makes boards

    what = "workers are 1 or more processes"
    number = whole(workers, what)
    if number < 1:
        raise ValueError(f"{what}, not {number}")
    return number


def _submitted(pool: ProcessPoolExecutor, function: Callable[..., R], *arguments: Any) -> Future[R]:
    """Submit a task; to a pool that has lost a worker, it is as lost as those before it.

    A pool that loses one while it starts another says so with an OSError.
    """
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    try:
        return pool.submit(function, *arguments)
    except (BrokenProcessPool, OSError) as error:
        never: Future[R] = Future()
        never.set_exception(BrokenProcessPool(str(error)))
        return never


def _is_lost(future: Future[Any]) -> bool:
    """Wait for a task; return whether it has ended with a worker, its own or another."""
    from concurrent.futures.process import BrokenProcessPool

    return isinstance(future.exception(), BrokenProcessPool)


def until_failure(tasks: Iterable[T], failure: list[ValueError]) -> Iterator[T]:
    """Yield ``tasks`` for as long as they come; keep the error that ends them."""
    try:
        yield from tasks
    except ValueError as error:
        failure.append(error)


def engine_of(name: str, workers: int | None = None, address: str | None = None) -> Engine:
    """Return an engine by its name: local or ray.

    workers
        Of local: processes, as many as there are cores unless given.
    address
        Of ray: the cluster, see ``puzzles.engine_ray``.

    Raises ValueError for what can't be meant, where a package is missing, and where there is no
    such cluster.
    """
    if name == "local":
        if address is not None:
            raise ValueError("--address is where a cluster is found: give --engine ray")
        return Local(workers)
    if name != "ray":
        raise ValueError(f"--engine is local or ray, not {name!r}")
    if workers is not None:
        raise ValueError("--workers is for --engine local; ray takes all cores of its nodes")
    from puzzles.engine_ray import Ray

    return Ray(address)


def using(engine: Engine | None, workers: int | None) -> AbstractContextManager[Engine]:
    """Return ``engine``, which its owner ends, or one of ``workers`` processes, for a ``with``."""
    return Local(workers) if engine is None else nullcontext(engine)
