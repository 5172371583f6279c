"""How a client asks a step server: what is sent, sent again, given up; without input and output."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from oracle.messages import Opened, Stepped

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
_FIRST, _LONGEST = 0.1, 5.0
"""Seconds before a request is sent again: the first time, and at most; it doubles in between."""
_WORDS = 300
"""Characters that are shown of an answer that is none of a step server."""


class ServerError(Exception):
    """The server has refused a request, in its own sentence, or can't be reached.

    status
        The HTTP status; None where there was no answer.
    """

    def __init__(self, sentence: str, status: int | None = None):
        super().__init__(sentence)
        self.status = status


class Call(NamedTuple):
    """A request; ``path`` is below the server's address."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None


class Pause(NamedTuple):
    seconds: float


Sent = httpx.Response | httpx.TransportError | None
"""What a plan is sent: the response to a call, or what came in its place; after a pause, None."""
Plan = Generator[Call | Pause, Sent, T]
"""How something is got from a server. Whoever carries it out is all that differs between clients
that wait and those that don't."""


class Asker(NamedTuple):
    """Puts calls until they are answered.

    patience
        Seconds from the first try, after which a server that can't be reached, or can't answer
        now, is given up.
    """

    address: str
    patience: float

    def call(self, call: Call) -> Plan[httpx.Response]:
        """Return the response to ``call``; raise ServerError where it is refused.

        Steps may be sent again since the server knows them again; an episode that is opened twice
        is left to expire.
        """
        end, wait = monotonic() + self.patience, _FIRST
        while True:
            response = yield call
            if isinstance(response, httpx.Response) and not _passing(response):
                if response.is_success:
                    return response
                raise _refusal(response)
            delay = _asked_to_wait(response) or wait * random.uniform(0.5, 1)
            if monotonic() + delay > end:
                raise self._given_up(response)
            yield Pause(delay)
            wait = min(2 * wait, _LONGEST)

    def open(self, start: Mapping[str, Any]) -> Plan[Opened]:
        return self.get(Opened, Call("POST", "/episodes", {**start, "images": "inline"}))

    def transition(
        self, start: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]
    ) -> Plan[Stepped]:
        body = {**start, "images": "inline", "steps": steps}
        return self.get(Stepped, Call("POST", "/transition", body))

    def get(self, kind: type[M], call: Call) -> Plan[M]:
        """Return the ``kind`` that answers ``call``."""
        response = yield from self.call(call)
        try:
            return kind.model_validate_json(response.content)
        except ValidationError:
            shown = response.text[:_WORDS]
            raise ServerError(f"{self.address} is no step server; it says: {shown}") from None

    def _given_up(self, response: Sent) -> ServerError:
        if isinstance(response, httpx.Response):
            return _refusal(response)
        trouble = str(response) or type(response).__name__
        return ServerError(f"{self.address} can't be reached: {trouble}")


def _passing(response: httpx.Response) -> bool:
    """Whether another try may do better."""
    limited = response.status_code == httpx.codes.TOO_MANY_REQUESTS
    return response.is_server_error or (limited and "retry-after" in response.headers)


def _asked_to_wait(response: Sent) -> float | None:
    """Return the seconds that the server asks to wait."""
    text = response.headers.get("retry-after", "") if isinstance(response, httpx.Response) else ""
    return float(text) if text.isdecimal() else None


def _refusal(response: httpx.Response) -> ServerError:
    """Return the server's own sentence, or what there is in place of one."""
    try:
        sentence = str(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        sentence = response.text[:_WORDS] or response.reason_phrase
    return ServerError(sentence, response.status_code)
