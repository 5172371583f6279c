"""What /metrics tells Prometheus: requests, episodes and steps, over all workers together."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oracle.watch import Watch

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the folder through which several workers add up."""
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_NONE = "none"
"""Stands for the route of a request that was refused before one was found."""


class Metrics(Watch):
    """The counters of one worker; ``text`` gives those of all.

    A restarted worker goes on where the one before it was, so nothing is lost when one is killed.
    """

    def __init__(self) -> None:
        disable_created_metrics()  # a line a counter: its birth
        own = self._registry = CollectorRegistry()
        self._requests = Counter(
            "puzzles_requests", "Requests answered.", ["method", "route", "status"], registry=own
        )
        self._seconds = Histogram(
            "puzzles_request_seconds",
            "Time to the end of the response.",
            ["method", "route"],
            buckets=_SECONDS,
            registry=own,
        )
        kind = ["family", "protocol"]
        self._opened = Counter("puzzles_episodes_opened", "Episodes begun.", kind, registry=own)
        self._finished = Counter(
            "puzzles_episodes_finished",
            "Episodes over, by the reason code of their verdict.",
            [*kind, "outcome", "optimal"],
            registry=own,
        )
        self._steps = Counter("puzzles_steps", "Steps taken.", kind, registry=own)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; ``route`` is its template, so that ids make no series of their own."""
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)

    def opened(self, family: str, protocol: str) -> None:
        """Count an episode that has begun."""
        self._opened.labels(family, protocol).inc()

    def stepped(self, family: str, protocol: str, verdict: dict[str, Any] | None) -> None:
        """Count a step, and the end of its episode where it brought the verdict."""
        self._steps.labels(family, protocol).inc()
        if verdict is not None:
            optimal = str(bool(verdict.get("optimal"))).lower()
            outcome = str(verdict.get("reason") or "none")
            self._finished.labels(family, protocol, outcome, optimal).inc()

    def text(self, open_episodes: int) -> bytes:
        """Return all of them in Prometheus's format.

        open_episodes
            How many the store holds, which no single worker knows.
        """
        registry = self._registry
        if SHARED in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
        return generate_latest(registry) + generate_latest(_now(open_episodes))


def _now(open_episodes: int) -> CollectorRegistry:
    """Return what is true at the moment, and so is asked for rather than counted."""
    registry = CollectorRegistry()
    still = Gauge("puzzles_episodes_open", "Episodes that go on, in the store.", registry=registry)
    still.set(open_episodes)
    return registry


class Metered:
    """Counts the requests to an application, whatever becomes of them."""

    def __init__(self, app: ASGIApp, metrics: Metrics):
        self.app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, begun = 500, perf_counter()

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, note)
        finally:
            found = scope.get("route")
            route = found.path if isinstance(found, Route | Mount) else _NONE
            self._metrics.answered(_method(scope), route, status, perf_counter() - begun)


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _method(scope: Scope) -> str:
    """Return the method, or OTHER: anybody may make up methods, each of which were a series."""
    return scope["method"] if scope["method"] in _METHODS else "OTHER"
