"""The engine whose tasks run on the nodes of a Ray cluster."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from socket import create_connection
from typing import Any, TypeVar

from puzzles.engine import Engine, WorkerLost, until_failure
from puzzles.version import VERSION

T = TypeVar("T")
R = TypeVar("R")

RETRIES = 4
"""How often a task is tried again where its process or its node has gone."""
_AHEAD = 2
"""Tasks a core that are under way, or done and not yet asked for."""
_PATIENCE = 10.0
"""Seconds to wait for a cluster to be reached at all."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NOTE = 150
"""Characters that are shown of what Ray has to say."""
_TOKEN = "; if it has a token, set RAY_AUTH_MODE=token and have the token in ~/.ray/auth_token"
"""Ray shows its token only to a cluster on this machine that it finds by itself, unless told to."""
_COUNTED = 5.0
"""Seconds for which a count of the cluster's cores is good; nodes come and go."""


class Ray(Engine):
    """Runs every task on some node of a cluster, which needs nothing but the installed packages.

    Functions and results travel as values, so no folder has to be shared. What a lost node was at,
    or held, is done again by others.

    address
        Of a cluster, such as 10.0.0.1:6379, or auto. Else that of the environment variable
        RAY_ADDRESS, else a cluster that was started on this machine, else one that lasts as long
        as the engine.

    Raises ValueError where ray is not installed, or where there is no such cluster.
    """

    sees_files = False

    def __init__(self, address: str | None = None):
        self._ray = _imported()
        self._joined = not self._ray.is_initialized()
        if self._joined:
            self._join(address)
        self._run = self._ray.remote(max_retries=RETRIES)(_run)
        self._cores, self._counted = 1, -_COUNTED

    def _join(self, address: str | None) -> None:
        given = address or os.environ.get("RAY_ADDRESS")
        reached = False
        try:
            _check_answers(given or "")
            reached = True
            self._ray.init(
                address,
                log_to_driver=False,
                configure_logging=False,
                logging_level="critical",
                **({} if given else {"include_dashboard": False}),
            )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            where = f"the Ray cluster at {given}" if given else "a Ray cluster"
            hint = _TOKEN if given and reached and _tokenless() else ""
            raise ValueError(f"{where} can't be used: {_line(error)}{hint}") from None

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        total: int,
        lost: Callable[[T], R] | None = None,
    ) -> Iterator[R]:
        waiting: deque[tuple[T, Any]] = deque()
        failure: list[ValueError] = []
        for task in until_failure(tasks, failure):
            waiting.append((task, self._run.remote(VERSION, function, task)))
            if len(waiting) > _AHEAD * self.cores():
                yield self._result(*waiting.popleft(), lost)
        while waiting:
            yield self._result(*waiting.popleft(), lost)
        if failure:
            raise failure[0]

    def cores(self) -> int:
        """Return how many cores the nodes have together."""
        if time.monotonic() - self._counted > _COUNTED:
            self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self._counted = time.monotonic()
        return self._cores

    def _result(self, task: T, reference: Any, lost: Callable[[T], R] | None) -> R:
        """Wait for a result; raise what the task has raised, as if it had run here.

        Only what ends one process after another is ``lost``: where the cluster has failed, nothing
        is known of the task.
        """
        errors = self._ray.exceptions
        try:
            result: R = self._ray.get(reference)
        except errors.RayTaskError as error:
            if not isinstance(error.cause, errors.RayError):
                raise error.cause from None
            raise ValueError(f"a node can't run a task: {_line(error.cause)}") from None
        except (errors.WorkerCrashedError, errors.OutOfMemoryError) as error:
            if lost is not None:
                return lost(task)
            raise WorkerLost(
                f"a task has ended {RETRIES + 1} processes, perhaps for want of memory: "
                f"{_line(error)}"
            ) from None
        except errors.RayError as error:
            raise ValueError(f"the Ray cluster has failed: {_line(error)}") from None
        return result

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        if self._joined:
            self._ray.shutdown()


_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # else it reports on its use, or asks whether it may
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # of tasks that nobody waits for any more
    "RAY_task_oom_retries": str(RETRIES),  # for want of memory it would try again for ever
}


def _imported() -> Any:
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        import ray
        from ray._private import worker
    except ModuleNotFoundError:
        raise ValueError("--engine ray needs Ray: pip install 'puzzles[ray]'") from None
    worker.print_to_stdstream = _print_note
    return ray


def _print_note(data: Mapping[str, Any], ignore_prefix: bool = False) -> None:
    """Say in a line what Ray would print at length, and among the results: of lost nodes."""
    for note in data["lines"]:
        print(f"ray: {_line(note)}", file=sys.stderr)


def _line(said: object) -> str:
    """Return the first line of what Ray has to say, without colours and cut short."""
    return _COLOUR.sub("", str(said)).strip().partition("\n")[0][:_NOTE]


def _tokenless() -> bool:
    return os.environ.get("RAY_AUTH_MODE", "").lower() != "token"


def _check_answers(address: str) -> None:
    """Raise OSError where nobody listens at HOST:PORT; Ray itself looks for ten minutes."""
    host, _, port = address.rpartition(":")
    if host and "/" not in host and port.isascii() and port.isdigit():
        create_connection((host.strip("[]"), int(port)), _PATIENCE).close()


def _run(version: str, function: Callable[[T], R], task: T) -> R:
    if version != VERSION:
        raise ValueError(
            f"the node {os.uname().nodename} has version {VERSION} of puzzles, not {version} as "
            "here: install the same everywhere"
        )
    return function(task)
