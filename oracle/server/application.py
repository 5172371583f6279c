"""The step server put together: routes, limits, access, metrics, and the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline

from oracle.page import PageContext
from oracle.page import router as page
from oracle.page.study import Study
from oracle.server.access import OPEN, Access, is_loopback, log_no_refusals, read_token
from oracle.server.bounds import Bounds
from oracle.server.metrics import Metered, Metrics
from oracle.server.routes import about, episodes, transitions
from oracle.server.settings import Settings
from oracle.server.trouble import handle_errors
from oracle.server.websocket import Wire, operations, websocket
from oracle.service import Service
from oracle.store import Store
from oracle.workshop import Workshop
from protocols.selection import Selection
from puzzles.version import VERSION

_ABOUT = """Episodes of visual planning puzzles, one step at a time: docs/serving.md."""


def served() -> FastAPI:
    """Return the application that the environment describes: the factory of every worker."""
    return application(Settings.from_environment())


def application(settings: Settings) -> FastAPI:
    """Return a server with ``settings``.

    Raises ValueError and its kin where the token, the data or the store can't be used.
    """
    token = None if settings.token_file is None else read_token(settings.token_file)
    selection = Selection(settings.data, ()) if settings.data else None
    limits = settings.limits
    store, workshop, metrics = Store(settings.store), Workshop(limits), Metrics()
    service = Service(store, workshop, limits, selection, settings.aids, watch=metrics)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(workshop.warm()) if settings.warm else None
        yield
        if warming is not None:
            warming.cancel()
        service.close()
        workshop.close()
        store.close()

    app = FastAPIOffline(
        redoc_url=None,
        title="puzzles",
        version=VERSION,
        description=_ABOUT,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: route.name,  # the names of operations
    )
    handle_errors(app)
    log_no_refusals()
    app.include_router(about(store, metrics))
    if not settings.study:  # whose participants could try their boards there
        _include_episodes(app, settings, service, metrics)
    if settings.page:
        app.include_router(page(_context(settings, store, workshop, selection)))
    if token is not None:
        _describe_token(app)
    # The last added is asked first.
    app.add_middleware(Bounds, body_bytes=limits.body_bytes, seconds=limits.request_seconds)
    app.add_middleware(Access, token=token, local=is_loopback(settings.host))
    app.add_middleware(Metered, metrics=metrics)
    return app


def _include_episodes(app: FastAPI, settings: Settings, service: Service, metrics: Metrics) -> None:
    app.include_router(episodes(service))
    if settings.stateless:
        app.include_router(transitions(service))
    known, limits = operations(service, settings.stateless), settings.limits
    wire = Wire(known, metrics, limits.body_bytes, limits.request_seconds)
    app.include_router(websocket(wire))


def _describe_token(app: FastAPI) -> None:
    """Say in the OpenAPI description how the token is brought; ``Access`` looks at it."""
    described = app.openapi()
    described["components"]["securitySchemes"] = {
        scheme: {"type": "http", "scheme": scheme} for scheme in ("bearer", "basic")
    }
    described["security"] = [{"bearer": []}, {"basic": []}]
    described["paths"][OPEN]["get"]["security"] = []


def _context(
    settings: Settings, store: Store, workshop: Workshop, selection: Selection | None
) -> PageContext:
    return PageContext(
        store,
        workshop,
        settings.limits,
        data=selection,
        verdicts=settings.verdicts,
        study=Study.of(settings.study_per_bucket, settings.study_intro) if settings.study else None,
        answers=settings.saved,
    )
