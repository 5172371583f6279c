"""A model behind an endpoint that speaks the OpenAI formats, asked until it answers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from time import monotonic
from typing import Any, NamedTuple

from protocols.episode import Episode
from protocols.messages import Reply, Request
from protocols.models import AskError, ModelError, Refused, Stopped, wire
from protocols.models.trouble import Kind, Trouble, trouble_of

LONGEST_WAIT = 600.0
"""Seconds that are waited at most before a request is put again, whatever the endpoint asks for."""

CONNECT = 30.0
"""Seconds until somebody has to listen."""


@dataclass(frozen=True)
class Options:
    """How a model is asked.

    timeout, retries, backoff
        Seconds for one request; how often it is put again; seconds before the first time, doubled
        with each further one.
    images
        Where pictures are asked for: in chat, or at the images endpoint, with the board (edit) or
        in words alone (generate).
    image_model
        The model that draws, if it is another one.
    extra, image_extra
        Fields added to the body of every chat request, and to that of every request for a picture.
    price
        USD per million tokens, in and out, where the endpoint names no cost.
    """

    temperature: float = 0.0
    max_tokens: int = 8192
    timeout: float = 600.0
    retries: int = 6
    backoff: float = 1.0
    images: str = "chat"
    image_model: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    image_extra: Mapping[str, Any] = field(default_factory=dict)
    price: tuple[float, float] | None = None

    def record(self) -> dict[str, Any]:
        """Return what replies depend on."""
        names = ("temperature", "max_tokens", "images", "image_model", "extra", "image_extra")
        return {name: getattr(self, name) for name in names}


class Dialect(NamedTuple):
    """Which of the fields that endpoints differ in are sent."""

    limit: str = "max_tokens"
    temperature: bool = True


class Endpoint:
    """The model called ``name`` at ``base_url``; safe to be asked from several threads.

    key
        Sent to the endpoint and to nobody else.
    stop
        Ends the waiting between two attempts, with Stopped.
    note
        Is told, once, when the endpoint refuses an option and does without.

    Raises ModelError where the package openai is missing, the address is none, or the key is none
    that can be sent.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        options: Options = Options(),
        *,
        key: str | None = None,
        stop: Event | None = None,
        note: Callable[[str], None] = lambda text: None,
    ):
        self.name, self.base_url, self.options = name, base_url.rstrip("/"), options
        self._key, self._stop, self._note = _sendable(key or ""), stop or Event(), note
        self._client = _client(self.base_url, self._key, options.timeout)
        self._fetch = partial(wire.fetched, timeout=min(60.0, options.timeout))
        self._has_replied = False
        self._dialects: dict[str, Dialect] = {}
        """By the name of the model: the one that draws may refuse what the other one takes."""

    def reply(self, episode: Episode) -> Reply:
        request = episode.request
        if request is None:
            raise ValueError("the episode is over; nothing is asked")
        reply = self._asked(request)
        self._has_replied = True
        if reply.finish == "content_filter":
            raise Refused("the endpoint has withheld the reply (content_filter)")
        return replace(reply, usage=self._priced(reply.usage or {}))

    def close(self) -> None:
        self._client.close()

    def _asked(self, request: Request) -> Reply:
        """Put ``request`` until there is a reply; raise AskError, ModelError or Stopped."""
        attempt, model = 0, self._asks(request)
        while True:
            sent = self._dialects.get(model, Dialect())
            try:
                return self._attempt(request, model, sent)
            except Exception as error:  # what is no trouble with a request is raised again
                trouble = trouble_of(error)
            if trouble.kind is Kind.OPTION and self._adapts(trouble, model, sent):
                continue
            self._check(trouble)
            if attempt == self.options.retries:
                times = f"{attempt + 1} attempts" if attempt else "1 attempt"
                raise AskError(f"no reply in {times}: {self._told(trouble)}")
            if self._stop.wait(self._delay(attempt, trouble)):
                raise Stopped
            attempt += 1

    def _asks(self, request: Request) -> str:
        """Return the name of the model that ``request`` is put to."""
        return (request.due != "text" and self.options.image_model) or self.name

    def _attempt(self, request: Request, model: str, dialect: Dialect) -> Reply:
        wants_image = request.due != "text"
        if wants_image and self.options.images != "chat":
            return wire.image_reply(self._draw(request, model), self._fetch)
        extra = {**self.options.extra, **(self.options.image_extra if wants_image else {})}
        limits: dict[str, Any] = {dialect.limit: self.options.max_tokens}
        if dialect.temperature:
            limits["temperature"] = self.options.temperature
        put = partial(
            self._client.chat.completions.with_streaming_response.create,
            model=model,
            messages=wire.chat(request.messages),
            extra_body=extra,
            **limits,
        )
        return wire.chat_reply(self._body(put), self._fetch)

    def _draw(self, request: Request, model: str) -> bytes:
        """Ask the images endpoint; return the body of what it says."""
        asked: dict[str, Any] = {
            "model": model,
            "prompt": wire.prompt(request),
            "extra_body": dict(self.options.image_extra),
        }
        images = self._client.images.with_streaming_response
        files = [("board.png", image.png, "image/png") for image in request.images]
        if self.options.images == "generate" or not files:
            return self._body(partial(images.generate, **asked))
        image = files[0] if len(files) == 1 else files
        return self._body(partial(images.edit, image=image, **asked))

    def _body(self, put: Callable[[], Any]) -> bytes:
        """Put a request; return the body of the response, whole within the time allowed."""
        end = monotonic() + self.options.timeout
        with put() as response:
            return wire.whole(_as_builtin(response.iter_bytes()), end, wire.MOST_BODY)

    def _check(self, trouble: Trouble) -> None:
        """Raise AskError or ModelError where there is no sense in asking again."""
        if trouble.kind in (Kind.RUN, Kind.ABSENT) or (
            trouble.kind in (Kind.ADDRESS, Kind.FORBIDDEN) and not self._has_replied
        ):
            address = re.sub("//[^/]*@", "//", self.base_url)  # without a password
            raise ModelError(f"{address}: {self._told(trouble)}{self._hint(trouble)}")
        if trouble.kind not in (Kind.PASSING, Kind.ADDRESS):
            raise Refused(self._told(trouble))

    def _hint(self, trouble: Trouble) -> str:
        if trouble.kind is Kind.ABSENT and not self.base_url.endswith("/v1"):
            return f" (the address or the model {self.name}; most addresses end in /v1)"
        return ""

    def _adapts(self, trouble: Trouble, model: str, sent: Dialect) -> bool:
        """Send what the endpoint refuses under its other name, or no more; False if it is neither.

        Another thread may have seen to it while the request was under way.
        """
        if self._dialects.get(model, Dialect()) != sent:
            return True
        who = "the endpoint" if model == self.name else f"the endpoint, for {model},"
        if sent.limit == "max_tokens" and "max_completion_tokens" in str(trouble):
            self._dialects[model] = sent._replace(limit="max_completion_tokens")
            self._note(f"{who} wants max_completion_tokens in place of max_tokens")
            return True
        if sent.temperature and "temperature" in str(trouble):
            self._dialects[model] = sent._replace(temperature=False)
            self._note(f"{who} takes no temperature; it is left out")
            return True
        return False

    def _delay(self, attempt: int, trouble: Trouble) -> float:
        """Return seconds to wait: what the endpoint asks for, else twice as long each time."""
        if trouble.retry_after is not None:
            return min(LONGEST_WAIT, trouble.retry_after * random.uniform(1, 1.1))
        return min(60.0, self.options.backoff * 2.0**attempt) * random.uniform(0.5, 1)

    def _told(self, trouble: Trouble) -> str:
        text = str(trouble)
        return text.replace(self._key, "[key]") if self._key else text

    def _priced(self, usage: dict[str, float]) -> dict[str, float]:
        if "cost" in usage or self.options.price is None:
            return usage
        tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        cost = sum(n * price for n, price in zip(tokens, self.options.price, strict=True)) / 1e6
        return {**usage, "cost": cost}


def _sendable(key: str) -> str:
    """Return the key without white space around it; raise ModelError, which doesn't show it."""
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        raise ModelError("the key of the endpoint holds a character that no key has")
    return key


def _as_builtin(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield ``chunks``; what the client's transport raises becomes Timeout- or ConnectionError.

    The package of the transport, and so of its errors, differs between versions of openai.
    """
    try:
        yield from chunks
    except Exception as error:  # its classes can't be named, as said above
        kind = TimeoutError if "Timeout" in type(error).__name__ else ConnectionError
        raise kind(str(error)) from error


def _client(base_url: str, key: str, timeout: float) -> Any:
    try:
        from openai import OpenAI, Timeout
    except ImportError:
        raise ModelError(
            "puzzles run needs more packages for endpoints: pip install 'puzzles[run]'"
        ) from None
    if not base_url.startswith(("http://", "https://")):
        raise ModelError(f"--base-url is an address such as http://localhost:8000/v1: {base_url!r}")
    # The client wants some key even where the endpoint wants none.
    patience = Timeout(timeout, connect=min(CONNECT, timeout))
    return OpenAI(base_url=base_url, api_key=key or "none", max_retries=0, timeout=patience)
