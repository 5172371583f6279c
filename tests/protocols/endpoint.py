"""An endpoint on loopback that speaks the OpenAI formats, and misbehaves on demand.

``with Loopback(answer) as server`` listens at ``server.url`` and replies by any function from what
is asked; ``Perfect`` is one that knows all episodes of a selection.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from email.parser import BytesParser
from hashlib import sha256
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from protocols.episode import Episode
from protocols.messages import Image, Message, Reply
from protocols.models.players import player
from protocols.selection import Selection


@dataclass
class Asked:
    """One request: ``kind`` is chat, edit or generate, ``body`` its JSON or its form's texts."""

    kind: str
    messages: tuple[Message, ...]
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)
    at: float = field(default_factory=time.monotonic)

    @property
    def key(self) -> bytes:
        return key_of(self.messages)


Answer = Callable[[Asked], Reply]


class Unknown(Exception):
    """The conversation is none that the perfect player has had."""


class Loopback:
    """The endpoint, in a thread.

    answer
        From what is asked to the reply.
    acts
        What happens to the first requests, one after the other: see ``_act``; "" is a good answer.
    always
        What happens to all that follow.
    style
        How chat replies hold pictures: images, parts, markdown, raw, linked.
    keep
        Remember what was asked, in ``asked``.
    """

    def __init__(
        self,
        answer: Answer | str = "",
        acts: Iterable[str] = (),
        *,
        always: str = "",
        style: str = "images",
        keep: bool = True,
        port: int = 0,
    ):
        self.keep = keep
        self.plan(answer, acts, always=always, style=style)
        self._socket = socket.create_server(("127.0.0.1", port))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        config = uvicorn.Config(self._app(), log_level="critical", lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )

    def plan(
        self,
        answer: Answer | str = "",
        acts: Iterable[str] = (),
        *,
        always: str = "",
        style: str = "images",
    ) -> None:
        """Begin anew, with other answers."""
        self.answer = (lambda asked: Reply(answer)) if isinstance(answer, str) else answer
        self.acts, self.always, self.style = list(acts), always, style
        self.asked: list[Asked] = []
        self.count, self.cost = 0, 0.0
        self.pictures: list[bytes] = []

    def __enter__(self) -> Loopback:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(5)
        self._socket.close()

    def _app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        async def chat(request: Request) -> Response:
            body = await request.json()
            messages = tuple(_message(one) for one in body["messages"])
            return await self._respond(Asked("chat", messages, body, dict(request.headers)))

        @app.post("/v1/images/edits")
        async def edit(request: Request) -> Response:
            fields, files = _form(request.headers["content-type"], await request.body())
            parts = (*map(Image, files), fields["prompt"])
            asked = Asked("edit", (Message("user", parts),), fields, dict(request.headers))
            return await self._respond(asked)

        @app.post("/v1/images/generations")
        async def generate(request: Request) -> Response:
            body = await request.json()
            said = (Message("user", (body["prompt"],)),)
            return await self._respond(Asked("generate", said, body, dict(request.headers)))

        @app.get("/pictures/{number}.png")
        def picture(number: int) -> Response:
            return Response(self.pictures[number], media_type="image/png")

        return app

    async def _respond(self, asked: Asked) -> Response:
        act = self.acts.pop(0) if self.acts else self.always
        self.count += 1
        if self.keep:
            self.asked.append(asked)
        name, _, value = act.partition(":")
        if name == "slow":
            await asyncio.sleep(float(value))
        elif name:
            response = _act(name, value)
            if response is not None:
                return response
        try:
            reply = _changed(name, value, self.answer(asked))
        except Unknown as error:
            return _error(400, str(error))
        body = self._chat(reply) if asked.kind == "chat" else self._images(reply)
        if name == "drip":
            return _dripping(json.dumps(body).encode(), float(value))
        if name in ("truncated", "cut"):
            return _broken(json.dumps(body).encode(), cut=name == "cut")
        return JSONResponse(body) if name != "raw" else Response(value.encode())

    def _usage(self, reply: Reply) -> dict[str, Any]:
        told: dict[str, Any] = {"prompt_tokens": 100, "completion_tokens": len(reply.text)}
        told["total_tokens"] = sum(told.values())
        return {**told, "cost": self.cost} if self.cost else told

    def _chat(self, reply: Reply) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.reasoning:
            message["reasoning_content"] = reply.reasoning
        shown = [{"type": "image_url", "image_url": {"url": uri(i)}} for i in reply.images]
        if shown and self.style == "images":
            message["images"] = shown
        elif shown and self.style == "parts":
            message["content"] = [{"type": "text", "text": reply.text}, *shown]
        elif shown and self.style == "raw":
            raw = [{"type": "output_image", "b64_json": b64(image)} for image in reply.images]
            message["content"] = [{"type": "output_text", "text": reply.text}, *raw]
        elif shown and self.style == "markdown":
            message["content"] += "".join(f"\n![drawn]({uri(image)})" for image in reply.images)
        elif shown:
            message["images"] = [{"image_url": {"url": self._link(i)}} for i in reply.images]
        choice = {"index": 0, "message": message, "finish_reason": reply.finish or "stop"}
        return {
            "id": "x", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [choice], "usage": self._usage(reply),
        }  # fmt: skip

    def _images(self, reply: Reply) -> dict[str, Any]:
        if self.style == "linked":
            data = [{"url": self._link(image)} for image in reply.images]
        else:
            data = [{"b64_json": b64(image)} for image in reply.images]
        return {"created": 0, "data": data, "usage": {"input_tokens": 50, "output_tokens": 1000}}

    def _link(self, image: bytes) -> str:
        self.pictures.append(image)
        return f"{self.url.removesuffix('/v1')}/pictures/{len(self.pictures) - 1}.png"


def _act(name: str, value: str) -> Response | None:
    """Return what comes in place of an answer, if ``name`` asks for that.

    A status (``429``, ``500``; ``429:SECONDS`` with Retry-After; others with ``:MESSAGE``), or
    ``body`` with a body of one's own.
    """
    if name.isdigit() and name == "429":
        headers = {"retry-after": value} if value else {}
        return _error(429, "too many requests", headers=headers)
    if name.isdigit():
        return _error(int(name), value or "no")
    if name == "quota":
        return _error(429, "no credit left", code="insufficient_quota")
    if name == "body":
        return Response(value.encode(), media_type="application/json")
    return None


def _changed(name: str, value: str, reply: Reply) -> Reply:
    """Return a spoilt reply: ``empty``, ``text:N`` characters, ``finish:WHY``, or as it is."""
    if name == "empty":
        return Reply("", finish="stop")
    if name == "text":
        return Reply("x" * int(value), finish="length")
    if name == "finish":
        return Reply(reply.text, reply.images, reply.reasoning, value)
    return reply


def _error(
    status: int, message: str, *, code: str | None = None, headers: dict[str, str] | None = None
) -> Response:
    error = {"message": message, "type": "error", "param": None, "code": code}
    return JSONResponse({"error": error}, status, headers=headers)


def _broken(body: bytes, *, cut: bool) -> Response:
    """Return half of ``body``: as if it were all, or with the connection cut there."""
    if not cut:
        return Response(body[: len(body) // 2], media_type="application/json")

    async def half() -> AsyncIterator[bytes]:
        yield body[: len(body) // 2]
        raise ConnectionAbortedError

    return StreamingResponse(half(), headers={"content-length": str(len(body))})


def _dripping(body: bytes, pause: float) -> Response:
    """Return ``body`` a byte at a time: never silent, and never at its end."""

    async def drops() -> AsyncIterator[bytes]:
        for byte in body:
            yield bytes([byte])
            await asyncio.sleep(pause)

    return StreamingResponse(drops(), headers={"content-length": str(len(body))})


def _message(record: dict[str, Any]) -> Message:
    content = record["content"]
    if isinstance(content, str):
        return Message(record["role"], (content,))
    parts = (
        part["text"]
        if part["type"] == "text"
        else Image(b64decode(part["image_url"]["url"].partition(",")[2]))
        for part in content
    )
    return Message(record["role"], tuple(parts))


def _form(content_type: str, body: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Return the texts and the files of a multipart form."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    fields: dict[str, Any] = {}
    files = []
    for part in BytesParser().parsebytes(head + body).walk():
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if part.get_filename():
            files.append(bytes(payload))
        elif name:
            fields[str(name)] = bytes(payload).decode()
    return fields, files


def b64(data: bytes) -> str:
    return b64encode(data).decode()


def uri(data: bytes) -> str:
    return f"data:image/png;base64,{b64(data)}"


def key_of(messages: Iterable[Message]) -> bytes:
    """Return the hash of a conversation: its roles, its texts and its pictures, in order."""
    digest = sha256()
    for message in messages:
        parts = message.parts if message.images else (message.text,)
        for part in (message.role, *parts):
            data = part.encode() if isinstance(part, str) else part.png
            digest.update(f"{type(part).__name__} {len(data)}\n".encode() + data)
    return digest.digest()


class Perfect:
    """Answers what the player ``solver`` answers, to whoever leads the same conversation.

    An instance is told by the first picture of a conversation. Then all its episodes are played
    here, and what comes over the wire must be one of their requests, to the last byte.
    """

    def __init__(self, selection: Selection, name: str = "solver"):
        self._player, self._mutex = player(name), threading.Lock()
        self._known: dict[bytes, Reply] = {}
        self._jobs: dict[bytes, list[Any]] = {}
        for job in selection.jobs():
            first = Episode(*job[:2], job.aids).request
            assert first is not None
            self._jobs.setdefault(sha256(first.images[0].png).digest(), []).append(job)

    def __call__(self, asked: Asked) -> Reply:
        key = asked.key
        with self._mutex:  # another request of the same episode waits until it has been played
            if key not in self._known:
                for job in self._jobs.pop(self._first(asked), ()):
                    self._known.update(self._played(job))
        if key not in self._known:
            raise Unknown("a conversation that no episode leads to")
        return self._known[key]

    @staticmethod
    def _first(asked: Asked) -> bytes:
        images = (image for message in asked.messages for image in message.images)
        image = next(images, None)
        return sha256(image.png).digest() if image else b""

    def _played(self, job: Any) -> Iterator[tuple[bytes, Reply]]:
        episode = Episode(*job[:2], job.aids)
        while episode.request is not None:
            reply = self._player.reply(episode)
            yield key_of(episode.request.messages), reply
            episode.take(reply)
