"""What goes wrong, as the server says it: a status and one sentence, never a traceback."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from oracle.errors import Refused, StoreError

log = logging.getLogger("puzzles.oracle")
INTERNAL = "the server has made a mistake with this request; its log says which"
UNKEPT = "the store can't be used at the moment; send the same request again"
_QUOTED = 300
"""Characters of a sentence's part that the request itself brought."""


def json_bytes(value: Any) -> bytes:
    """Return ``value`` as JSON in UTF-8; halves of characters become question marks."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def trouble(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response that says what is wrong."""
    body = json_bytes({"error": sentence})
    return Response(body, status, headers, media_type="application/json")


def in_words(errors: Sequence[Any]) -> str:
    """Return what pydantic found wrong, first of all, as a sentence that names the field."""
    error = errors[0]
    # What a field may be else is part of the place too, as in remaining.constrained-int.
    place = [str(part) for part in error["loc"] if part not in ("body", "constrained-int")]
    field = ".".join(place)[:_QUOTED]
    if error["type"] == "extra_forbidden":
        return f"there is no field {field}"
    if error["type"] == "missing":
        return f"{field} is missing" if place else "the request has no body"
    if error["type"] in ("model_type", "model_attributes_type"):
        return f"{field or 'the body'} is not a JSON object"
    said = error["msg"][:_QUOTED]
    what = said[:1].lower() + said[1:]
    return f"{field}: {what}" if field else f"the body: {what}"


def handle_errors(app: FastAPI) -> None:
    """Have every error of ``app`` answered with ``{"error": sentence}``."""

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return trouble(error.status, str(error))

    @app.exception_handler(StoreError)
    async def unkept(request: Request, error: StoreError) -> Response:
        log.error("the store: %s", error)
        return trouble(503, UNKEPT, {"Retry-After": "1"})

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return trouble(422, in_words(error.errors()))

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        return trouble(error.status_code, _routing(request, error), error.headers)

    @app.exception_handler(Exception)
    async def mistake(request: Request, error: Exception) -> Response:
        return trouble(500, INTERNAL)  # uvicorn logs the traceback


def _routing(request: Request, error: HTTPException) -> str:
    """Return a sentence for what the framework itself refuses."""
    if error.status_code == HTTPStatus.NOT_FOUND:
        return f"there is nothing at {request.url.path[:_QUOTED]}; /docs lists what there is"
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return f"{request.url.path[:_QUOTED]} takes no {request.method}"
    return str(error.detail)
