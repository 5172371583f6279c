"""The page: play by hand, look through a dataset, watch episodes, take part in a study."""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Response
from pydantic_core import PydanticSerializationError, to_json

from oracle.errors import Unknown
from oracle.page.context import PageContext
from protocols import reports
from puzzles.rooms import NAMES, family

__all__ = ["PageContext", "router"]

STATIC = Path(__file__).parent / "static"
_REPORT = Path(reports.__file__).parent / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the browser may load: nothing that this server has not sent, and no inline code."""
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Reply(Response):
    """A reply in JSON; it may hold what JSON and UTF-8 can't, since files and models write that.

    Halves of characters become question marks, and numbers that are none become null.
    """

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        try:
            return to_json(content)
        except PydanticSerializationError:
            text = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
            return to_json(json.loads(text))


def router(context: PageContext) -> APIRouter:
    """Return the routes of the page: the shell at ``/``, all others below ``/page``."""
    routes = APIRouter(include_in_schema=False, default_response_class=Reply)

    @routes.get("/")
    async def shell() -> Response:
        text = static_files()["index.html"].decode().replace("VERSION", version())
        headers = {**_HEADERS, "Cache-Control": "no-cache"}
        return Response(text, media_type="text/html", headers=headers)

    @routes.get("/page/static/{edition}/{name}")
    async def static(edition: str, name: str) -> Response:
        """Send a file; its address changes with its content, so that it can be kept for ever."""
        content = static_files().get(name)
        if content is None:
            raise Unknown(f"the page has no file {name!r}")
        fresh = edition == version()
        kept = "public, max-age=31536000, immutable" if fresh else "no-cache"
        kind = guess_type(name)[0] or "application/octet-stream"
        return Response(content, media_type=kind, headers={**_HEADERS, "Cache-Control": kept})

    @routes.get("/page/about")
    async def about() -> dict[str, Any]:
        """Say what this server has."""
        return {
            "views": _views(context),
            "families": [_family(name) for name in NAMES],
            "saves": context.answers is not None,
        }

    for part in _views(context):
        if find_spec(f"oracle.page.{part}"):
            routes.include_router(import_module(f"oracle.page.{part}").router(context))
    return routes


def _views(context: PageContext) -> list[str]:
    """Return the parts that there are; beside a study none, since they give solutions away."""
    if context.study is not None:
        return ["study"]
    shown = {
        "play": True,
        "gallery": context.data is not None,
        "replay": bool(context.verdicts),
    }
    return [name for name, there in shown.items() if there]


def _family(name: str) -> dict[str, Any]:
    room = family(name)
    words = room.words(room.rule_options)
    levels = list(room.buckets)
    return {"name": name, "title": words.title, "kind": room.controls.kind, "difficulties": levels}


@cache
def static_files() -> dict[str, bytes]:
    """Return the page's files by name; what plays episodes is the report's."""
    files = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file()}
    files["player.js"] = (_REPORT / "player.js").read_bytes()
    # Its rules hold within the replay only: the names are the report's.
    files["player.css"] = b".replay {\n" + (_REPORT / "player.css").read_bytes() + b"}\n"
    return files


@cache
def version() -> str:
    """Return what changes whenever one of the page's files does."""
    digest = blake2b(digest_size=8)
    for name, content in static_files().items():
        digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()
