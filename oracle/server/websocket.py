"""The same messages over a WebSocket: an operation a message, an answer to each, in order."""

from __future__ import annotations

import asyncio
import logging
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from oracle.errors import Refused, StoreError
from oracle.messages import Start, Step, Transition
from oracle.server import strict
from oracle.server.bounds import too_large, too_slow
from oracle.server.metrics import Metrics
from oracle.server.trouble import INTERNAL, UNKEPT, in_words, json_bytes
from oracle.service import Service

log = logging.getLogger("puzzles.oracle")
Operation = Callable[[dict[str, Any]], Awaitable[bytes]]


def operations(service: Service, stateless: bool) -> Mapping[str, Operation]:
    """Return what a message may ask for, by the name in its ``op``."""

    async def open_(message: dict[str, Any]) -> bytes:
        return _json(await service.open(Start.model_validate(message)))

    async def step(message: dict[str, Any]) -> bytes:
        name = _text(message, "episode")
        return _json(await service.step(name, Step.model_validate(message)))

    async def transcript(message: dict[str, Any]) -> bytes:
        name = _text(message, "episode")
        _end(message)
        return _json(await service.transcript(name))

    async def image(message: dict[str, Any]) -> bytes:
        name, which = _text(message, "episode"), _text(message, "name")
        _end(message)
        png = await service.picture(name, which)
        return json_bytes({"image": b64encode(png).decode()})

    async def close(message: dict[str, Any]) -> bytes:
        name = _text(message, "episode")
        _end(message)
        await service.delete(name)
        return json_bytes({"episode": name, "closed": True})

    async def transition(message: dict[str, Any]) -> bytes:
        return _json(await service.transition(Transition.model_validate(message)))

    known = {
        "open": open_,
        "step": step,
        "transcript": transcript,
        "image": image,
        "close": close,
    }
    return {**known, "transition": transition} if stateless else known


class Wire:
    """Answers messages as the routes answer requests, within the same limits."""

    def __init__(
        self, known: Mapping[str, Operation], metrics: Metrics, body_bytes: int, seconds: float
    ):
        self._known, self._metrics = known, metrics
        self._limit, self._seconds = body_bytes, seconds

    async def answer(self, raw: bytes) -> bytes:
        """Return what is sent back: a result, or ``{"error", "status"}``."""
        begun, name, status, sentence = perf_counter(), "", 200, ""
        try:
            async with asyncio.timeout(self._seconds) as clock:
                name, message = self._read(raw)
                return await self._known[name](message)
        except Refused as error:
            status, sentence = error.status, str(error)
        except ValidationError as error:
            status, sentence = 422, in_words(error.errors())
        except StoreError as error:
            log.error("the store: %s", error)
            status, sentence = 503, UNKEPT
        except Exception:  # as over HTTP, a mistake of ours ends a message, not the connection
            if clock.expired():
                status, sentence = 408, str(too_slow(self._seconds))
            else:
                log.exception("a message over the WebSocket")
                status, sentence = 500, INTERNAL
        finally:
            route = f"/ws {name}".strip()
            self._metrics.answered("WS", route, status, perf_counter() - begun)
        return json_bytes({"error": sentence, "status": status})

    def _read(self, raw: bytes) -> tuple[str, dict[str, Any]]:
        """Return the operation and its fields."""
        if len(raw) > self._limit:
            raise too_large(self._limit)
        message = strict.loads(raw)
        if not isinstance(message, dict):
            raise Refused('a message is a JSON object, such as {"op": "open", …}')
        name = _text(message, "op")
        if name not in self._known:
            raise Refused(f"there is no op {name[:80]!r} (known: {', '.join(self._known)})")
        return name, message


def websocket(wire: Wire) -> APIRouter:
    """Return the route ``/ws``."""
    routes = APIRouter()

    @routes.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect):  # gone before its answer
            while (message := await socket.receive())["type"] == "websocket.receive":
                raw = message.get("bytes")
                if raw is None:
                    raw = message["text"].encode()
                await socket.send_text((await wire.answer(raw)).decode())

    return routes


def _json(model: BaseModel) -> bytes:
    return model.model_dump_json().encode()


def _text(message: dict[str, Any], field: str) -> str:
    """Take a field out of ``message``."""
    value = message.pop(field, None)
    if not isinstance(value, str):
        raise Refused(f"{field} is missing" if value is None else f"{field} is a text")
    return value


def _end(message: dict[str, Any]) -> None:
    """Raise Refused where something is left over."""
    for field in message:
        raise Refused(f"there is no field {field[:80]}")
