"""Who may ask: the token, the names that the server goes by, and where a page comes from."""

from __future__ import annotations

import hmac
import logging
import re
from base64 import b64decode
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from oracle.server.trouble import trouble

OPEN = "/healthz"
"""The one place that needs no token."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]*)?")
_CHALLENGES = ('Basic realm="puzzles", charset="UTF-8"', 'Bearer realm="puzzles"')
"""A header each, since browsers read only one challenge in a line."""


class Refusal(NamedTuple):
    status: int
    sentence: str


def read_token(path: Path) -> str:
    """Return the token in ``path``, without white space around it; raise ValueError.

    It is sent in a header, so it has to be printable ASCII without spaces.
    """
    try:
        token = path.read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: the token is not UTF-8 text") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    if not token:
        raise ValueError(f"{path} is empty; put a long random token into it")
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise ValueError(f"{path}: a token is one word of printable ASCII characters")
    return token


def is_loopback(host: str) -> bool:
    """Whether ``host``, a name or an address, is this machine's own."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Access:
    """Refuses whoever may not ask, before anything of a request is read.

    token
        What every request has to bring, as ``Authorization: Bearer TOKEN``, or as the password of
        HTTP Basic, so that a browser asks for it by itself. None where nothing is asked for.
    local
        Without a token, only requests that call the server by a name of this machine are taken:
        a page from elsewhere can have its own name point here (DNS rebinding).

    A body is only taken as ``application/json``, which a form on another page can't send, and a
    WebSocket only from a page of this server, or from no page.
    """

    def __init__(self, app: ASGIApp, token: str | None, local: bool):
        self.app = app
        self._token = None if token is None else token.encode()
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refusal is None:
            await self.app(scope, receive, send)
            return
        response = trouble(refusal.status, refusal.sentence)
        for challenge in _CHALLENGES if refusal.status == 401 else ():
            response.headers.append("WWW-Authenticate", challenge)
        await response(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope=scope)
        if self._token is None:
            host = headers.get("host", "")
            if self._local and not is_loopback(_name(host)):
                return Refusal(
                    421,
                    f"this server is for this machine alone, and doesn't go by {host[:100]!r}; "
                    "started with --token-file it does",
                )
        elif scope.get("raw_path") != OPEN.encode() and not self._knows(headers):
            return Refusal(
                401, "this server wants its token: Authorization: Bearer TOKEN, or as a password"
            )
        if scope["type"] == "websocket":
            return _foreign(headers)
        if scope["method"] == "POST":
            return _unreadable(headers)
        return None

    def _knows(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "basic":
            try:
                given = b64decode(given.strip(), validate=True).decode().partition(":")[2]
            except ValueError:
                return False
        elif scheme.lower() != "bearer":
            return False
        assert self._token is not None
        return hmac.compare_digest(given.strip().encode(), self._token)


def log_no_refusals() -> None:
    """Have uvicorn not log an error for a WebSocket that is refused with a status and a sentence.

    Versions of it say then that the application hasn't completed the handshake; and where one
    really failed to, they log the traceback anyway.
    """
    logging.getLogger("uvicorn.error").addFilter(_is_no_refusal)


def _is_no_refusal(record: logging.LogRecord) -> bool:
    return record.getMessage() != "ASGI callable returned without completing handshake."


def _name(host: str) -> str:
    """Return the name or the address in a Host header, without the port."""
    found = _HOST.fullmatch(host)
    return found[1].strip("[]") if found else ""


def _foreign(headers: Headers) -> Refusal | None:
    """Refuse a WebSocket that a page of another origin opens: browsers let any page try."""
    origin = headers.get("origin")
    if origin is None:
        return None
    try:
        same = urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:
        same = False
    return None if same else Refusal(403, "a page of another server may not connect")


def _unreadable(headers: Headers) -> Refusal | None:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return None
    return Refusal(415, "a body is sent as Content-Type: application/json")
