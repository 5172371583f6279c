"""The OpenAI formats: requests as JSON, and JSON as replies with text, pictures and tokens."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from http.client import HTTPException
from time import monotonic
from typing import Any
from urllib.request import urlopen

from protocols.messages import Image, Message, Reply, Request, counted
from render.decode import MOST_BYTES

Fetch = Callable[[str], bytes]
"""From the address of a picture to its bytes."""

_DATA_URI = re.compile(r"data:image/[\w.+-]{1,40};base64,([A-Za-z0-9+/_-]+={0,2})")
_IN_PLACE = "image"
"""What stays in a text where a picture has been taken out of it."""

MOST_BODY = 4 * MOST_BYTES
"""Bytes of a response; a picture in base64 is a third larger than its file."""


class Unreadable(ValueError):
    """The body of a response is not what the format says: cut off, or something else."""


class ErrorBody(ValueError):
    """The body tells of an error, whatever the status of the response."""

    def __init__(self, body: Mapping[str, Any]):
        self.body = body
        super().__init__(str(body.get("message") or body))


def chat(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Return ``messages`` as the chat format has them, pictures as data URIs in their order."""
    return [{"role": message.role, "content": _content(message)} for message in messages]


def _content(message: Message) -> str | list[dict[str, Any]]:
    if not message.images:
        return message.text
    return [
        {"type": "image_url", "image_url": {"url": part.data_uri}}
        if isinstance(part, Image)
        else {"type": "text", "text": part}
        for part in message.parts
    ]


def prompt(request: Request) -> str:
    """Return the text of a request for a picture, whose pictures are sent as files."""
    return "\n\n".join(message.text for message in request.messages)


def whole(chunks: Iterable[bytes], end: float, most: int) -> bytes:
    """Return what arrives, up to the chunk that goes beyond ``most`` bytes.

    Raises TimeoutError after ``end`` (of the monotonic clock): an endpoint that sends a byte now
    and then never is silent for long.
    """
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > most:
            break
        if monotonic() > end:
            raise TimeoutError("it took longer than the time allowed")
    return bytes(body)


def parsed(body: bytes) -> dict[str, Any]:
    """Return the object in ``body``; raise Unreadable or ErrorBody."""
    if len(body) > MOST_BODY:
        raise Unreadable(f"the response has more than {MOST_BODY:,} bytes")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise Unreadable("the response is not JSON, or is cut off") from None
    if not isinstance(value, dict):
        raise Unreadable("the response is not a JSON object")
    error = value.get("error")
    if error and isinstance(error, dict | str):
        raise ErrorBody(error if isinstance(error, dict) else {"message": error})
    return value


def chat_reply(body: bytes, fetch: Fetch) -> Reply:
    """Return the reply in the body of a chat completion; raise Unreadable or ErrorBody.

    fetch
        Gets the pictures that are given by address. An address in the model's own text is none of
        them: what a model writes must not send this machine anywhere.
    """
    value = parsed(body)
    try:
        choice = value["choices"][0]
        message = choice["message"]
        content = message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise Unreadable("the response has no choices[0].message") from None
    if isinstance(choice.get("error"), dict):
        raise ErrorBody(choice["error"])
    text, images, thoughts = _parts(content, fetch)
    images += [_picture(part, fetch) for part in _list(message.get("images"))]
    text, drawn = _taken_out(text)
    images += drawn
    return Reply(
        text or _text(message.get("refusal")),
        tuple(images),
        _text(message.get("reasoning_content")) or _text(message.get("reasoning")) or thoughts,
        _text(choice.get("finish_reason")),
        usage(value),
    )


def image_reply(body: bytes, fetch: Fetch) -> Reply:
    """Return the reply in the body of an images response; raise Unreadable or ErrorBody."""
    value = parsed(body)
    images = [_picture(part, fetch) for part in _list(value.get("data"))]
    return Reply("", tuple(images), finish="stop" if images else "", usage=usage(value))


def usage(value: Mapping[str, Any]) -> dict[str, float]:
    """Return the tokens, and the cost if the endpoint names it, under the names of chat."""
    told = value.get("usage")
    told = told if isinstance(told, dict) else {}
    found = {
        "prompt_tokens": told.get("prompt_tokens", told.get("input_tokens")),
        "completion_tokens": told.get("completion_tokens", told.get("output_tokens")),
        "cost": told.get("cost"),
    }
    return counted(found)


def _parts(content: Any, fetch: Fetch) -> tuple[str, list[bytes], str]:
    """Return text, pictures and reasoning of a content, which is a text or a list of parts."""
    texts, images, thoughts = [], [], []
    for part in _list(content):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
            thoughts.append(_thought(part))
        elif isinstance(part, dict) and "text" in part:
            texts.append(_text(part["text"]))
        elif isinstance(part, dict) and "image" in str(part.get("type")):
            images.append(_picture(part, fetch))
    return "".join(texts), images, "\n\n".join(filter(None, thoughts))


def _thought(part: Mapping[str, Any]) -> str:
    """Return the text of a part that is reasoning, in which it may be one of parts again."""
    inner = part.get("thinking") or part.get("reasoning") or part.get("text")
    texts = (one.get("text") if isinstance(one, dict) else one for one in _list(inner))
    return "".join(map(_text, texts))


def _picture(part: Any, fetch: Fetch) -> bytes:
    """Return the bytes of a picture, however the part holds it; none at all are empty."""
    while isinstance(part, dict):
        names = ("image_url", "url", "b64_json", "result", "data")
        part = next((part[name] for name in names if part.get(name)), None)
    if not isinstance(part, str):
        return b""
    if part.startswith(("http://", "https://")):
        try:
            return fetch(part)
        except (OSError, ValueError):
            return b""  # the reply has been paid for: it is kept, without its picture
    return _decoded(part.partition(",")[2] if part.startswith("data:") else part)


def _decoded(text: str) -> bytes:
    """Return what base64 stands for; of what is none, the bytes as they are, which are no PNG."""
    try:
        return b64decode(
            "".join(text.split()) + "==", altchars=b"-_" if set("-_") & set(text) else None
        )
    except ValueError:
        return text.encode("utf-8", "replace")


def _taken_out(text: str) -> tuple[str, list[bytes]]:
    """Return the text without the pictures that stand in it as data URIs, and these."""
    if "data:image/" not in text:
        return text, []
    images = [_decoded(found) for found in _DATA_URI.findall(text)]
    return _DATA_URI.sub(_IN_PLACE, text), images


def fetched(address: str, timeout: float) -> bytes:
    """Return what is at an http address, no more than shows that it is too large; raise OSError.

    It is tried three times: the reply that names it has been paid for.
    """
    problem: Exception | None = None
    for _ in range(3):
        try:
            with urlopen(address, timeout=timeout) as response:
                read = iter(partial(response.read1, 1 << 16), b"")
                return whole(read, monotonic() + timeout, MOST_BYTES)
        except (OSError, HTTPException) as error:
            problem = error
    raise OSError(str(problem))


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
