"""The routes of the step server: what HTTP says, put to a Service."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from hashlib import blake2b
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from oracle.messages import Opened, Start, Step, Stepped, Transcript, Transition, Trouble
from oracle.server.families import FamilyEntry, families
from oracle.server.metrics import Metrics
from oracle.service import Service
from oracle.store import Store
from puzzles.rooms import NAMES

PNG = "image/png"
_KEPT = {"Cache-Control": "private, max-age=31536000, immutable"}
"""A picture of a round never changes, and is nobody else's."""
_SAID = ("round", "legal", "reason", "done", "due")
"""What a header says of a step whose picture is sent alone."""
_NEXT = {
    name: {"operationId": name, "parameters": {"name": "$response.body#/episode"}}
    for name in ("take_step", "transcript", "forget")
}
"""What OpenAPI is told of where the name of an episode goes."""
_WRITING = (404, 408, 409, 413, 415, 422, 429)
Name = Annotated[str, Path(description="The episode, as POST /episodes has named it.")]
Opening = Annotated[
    Start,
    Body(
        openapi_examples={
            "made on the spot": {"value": {"family": NAMES[0], "difficulty": "easy", "seed": 7}},
            "of the server's data": {"value": {"id": "NAME-easy-0123456789abcdef"}},
        }
    ),
]
Taking = Annotated[
    Step,
    Body(
        openapi_examples={
            "an action": {"value": {"round": 1, "action": {"move": "up"}, "remaining": 3}},
            "a model's text": {
                "value": {"round": 1, "reply": '<STEP_JSON>{"move":"up"}</STEP_JSON>'}
            },
        }
    ),
]


class Health(BaseModel):
    status: str = "ok"


def _refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI is told of how a route refuses."""
    always = (400, 401, 421, 503)
    return {status: {"model": Trouble} for status in sorted({*always, *statuses})}


def _with_png(status: int, *refusals: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"content": {PNG: {}}}, **_refusals(*refusals)}


def episodes(service: Service) -> APIRouter:
    """Return the routes below ``/episodes``."""
    routes = APIRouter(tags=["episodes"])

    begun = _with_png(201, *_WRITING)
    begun[201]["links"] = _NEXT

    @routes.post("/episodes", status_code=201, response_model=Opened, responses=begun)
    async def open_episode(start: Opening, request: Request, response: Response) -> Any:
        """Begin an episode: of an instance by id, of a board, or of one made on the spot."""
        opened = await service.open(start)
        place = {"Location": f"/episodes/{opened.episode}"}
        if _wants_png(request):
            png = await _png(service, opened.episode, "0", opened.image)
            told = {"episode": opened.episode, "round": 0, "done": False, "due": opened.due}
            return _picture(png, told, 201, place)
        response.headers.update(place)
        return opened

    @routes.post(
        "/episodes/{name}/steps", response_model=Stepped, responses=_with_png(200, *_WRITING)
    )
    async def take_step(name: Name, step: Taking, request: Request) -> Any:
        """Take a step; the same step again gets the same answer."""
        stepped = await service.step(name, step)
        if stepped.image is not None and _wants_png(request):
            png = await _png(service, name, str(stepped.round), stepped.image)
            told = {"episode": name, **{key: getattr(stepped, key) for key in _SAID}}
            return _picture(png, told)
        return stepped

    @routes.get("/episodes/{name}", responses=_refusals(404, 422))
    async def transcript(name: Name) -> Transcript:
        """Return what has happened so far; when the episode is over, also its verdict."""
        return await service.transcript(name)

    @routes.get(
        "/episodes/{name}/images/{which}",
        response_class=Response,
        responses={200: {"content": {PNG: {}}}, 304: {}, **_refusals(404, 422)},
    )
    async def picture(
        name: Name,
        which: Annotated[str, Path(description="A round (0: the board at first), or `aid`.")],
        request: Request,
    ) -> Response:
        """Return a picture of an episode."""
        png = await service.picture(name, which)
        mark = f'"{blake2b(png, digest_size=12).hexdigest()}"'
        headers = {**_KEPT, "ETag": mark}
        if mark in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers)
        return Response(png, 200, headers, media_type=PNG)

    @routes.delete("/episodes/{name}", status_code=204, responses=_refusals(404, 422))
    async def forget(name: Name) -> Response:
        """Forget an episode."""
        await service.delete(name)
        return Response(None, 204)

    return routes


def transitions(service: Service) -> APIRouter:
    """Return the route that keeps nothing."""
    routes = APIRouter(tags=["stateless"])

    @routes.post("/transition", responses=_refusals(*_WRITING))
    async def transition(transition: Transition) -> Stepped:
        """Answer the last of several steps of an episode that is kept nowhere."""
        return await service.transition(transition)

    return routes


def about(store: Store, metrics: Metrics) -> APIRouter:
    """Return the routes about the server itself."""
    routes = APIRouter(tags=["server"])

    @routes.get("/families", responses=_refusals())
    async def list_families() -> list[FamilyEntry]:
        """List the families: rules, difficulties, formats."""
        return families()

    @routes.head("/healthz", include_in_schema=False)
    @routes.get("/healthz", response_model=Health, responses={503: {"model": Trouble}})
    async def health() -> Any:
        """Say whether the server and its store answer; needs no token."""
        await store.awaited(store.open_count)
        return Health()

    @routes.get(
        "/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}}
    )
    async def measured() -> Response:
        """Return the counters for Prometheus."""
        text = metrics.text(await store.awaited(store.open_count))
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    return routes


def _wants_png(request: Request) -> bool:
    return PNG in request.headers.get("accept", "")


async def _png(service: Service, name: str, which: str, sent: str) -> bytes:
    """Return a picture that was sent in base64, or as a link."""
    if sent.startswith("/"):
        return await service.picture(name, which)
    return b64decode(sent)


def _picture(
    png: bytes,
    told: Mapping[str, Any],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a picture; what its JSON would have said stands in headers, but for nulls."""
    said = {
        f"X-Puzzles-{key.capitalize()}": _written(value)
        for key, value in told.items()
        if value is not None
    }
    return Response(png, status, {**said, **(headers or {})}, media_type=PNG)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
