"""What a request may take of the server: the size of its body, and time."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oracle.errors import Refused, TooLarge, TooSlow
from oracle.server import strict
from oracle.server.trouble import trouble

_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


def too_large(limit: int) -> TooLarge:
    return TooLarge(f"the request is larger than {limit:,} bytes")


def too_slow(seconds: float) -> TooSlow:
    return TooSlow(f"the request took longer than {seconds:g} seconds")


class Bounds:
    """Reads bodies as far as they may go, checks that they are JSON, and ends what takes too long.

    The time counts from the first byte to the beginning of the response, so that neither a client
    that sends slowly nor one that reads slowly matters.
    """

    def __init__(self, app: ASGIApp, body_bytes: int, seconds: float):
        self.app, self._limit, self._seconds = app, body_bytes, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused: Refused
        try:
            async with asyncio.timeout(self._seconds) as clock:

                async def begin(message: Message) -> None:
                    if not clock.expired():
                        clock.reschedule(None)
                    await send(message)

                if scope["method"] in _WITH_BODY:
                    receive = await self._body(scope, receive)
                await self.app(scope, receive, begin)
            return
        except ClientDisconnect:
            return
        except Refused as error:
            refused = error
        except TimeoutError:
            if not clock.expired():
                raise
            refused = too_slow(self._seconds)
        await trouble(refused.status, str(refused))(scope, receive, send)

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """Return a ``receive`` that brings the whole body at once; raise Refused.

        What a Content-Length says is believed where it is too much; else the bytes are counted.
        """
        said = Headers(scope=scope).get("content-length", "")
        if said.isdecimal() and (len(said) > 18 or int(said) > self._limit):
            raise too_large(self._limit)
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self._limit:
                raise too_large(self._limit)
            more = message.get("more_body", False)
        if body:
            strict.loads(bytes(body))
        whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        return replay
