"""What an endpoint answers in place of a reply, and whether it is worth while to ask again."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from time import time
from typing import Any

from protocols.models.wire import ErrorBody, Unreadable

_PASSING = frozenset({408, 409, 425, 429})
_REFUSED = re.compile("support|deprecated|not allowed|not permitted|unrecogni|unexpected", re.I)
"""How endpoints say that they don't take a field, as opposed to its value."""
_WORDS = 300
"""Characters of an endpoint's own words that are shown."""


class Kind(Enum):
    """What follows from trouble."""

    PASSING = auto()
    """It may be gone the next time."""
    REQUEST = auto()
    """This request will never be answered."""
    OPTION = auto()
    """The endpoint refuses a field of the request."""
    FORBIDDEN = auto()
    """This request, or all of them: until one has been answered, nobody knows."""
    ADDRESS = auto()
    """Nobody listens at the address; once there have been replies, it may come back."""
    ABSENT = auto()
    """There is no such model, or nothing at that address."""
    RUN = auto()
    """No request will be answered: no access, no credit."""


class Trouble(Exception):
    """Why there is no reply.

    retry_after
        Seconds that the endpoint asks to wait, if it does.
    """

    def __init__(self, kind: Kind, text: str, retry_after: float | None = None):
        self.kind, self.retry_after = kind, retry_after
        super().__init__(" ".join(text.split())[:_WORDS])


def trouble_of(error: Exception) -> Trouble:
    """Return what has gone wrong with a request; what is no trouble with it is raised again."""
    if isinstance(error, Unreadable):
        return Trouble(Kind.PASSING, str(error))
    if isinstance(error, ErrorBody):
        code = str(error.body.get("code"))
        status = int(code) if re.fullmatch("[45][0-9]{2}", code) else 500
        return _of_status(status, str(error), error.body)
    import openai

    if isinstance(error, openai.APIStatusError):
        body = error.body if isinstance(error.body, Mapping) else {}
        text = f"{error.status_code}: {body.get('message') or error.message}"
        return _of_status(error.status_code, text, body, error.response.headers)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return Trouble(Kind.PASSING, "it took longer than the time allowed (--timeout)")
    if isinstance(error, openai.APIConnectionError | ConnectionError):
        return _of_connection(error)
    raise error


def _of_connection(error: Exception) -> Trouble:
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Trouble(Kind.RUN, f"its certificate is not trusted: {cause.verify_message}")
        if isinstance(cause, ConnectionRefusedError | socket.gaierror):
            return Trouble(Kind.ADDRESS, "nobody listens there")
    return Trouble(Kind.PASSING, f"the connection was cut: {str(causes[-1]) or error}")


def _causes(error: BaseException) -> Iterator[BaseException]:
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__ or following.__context__


def _of_status(
    status: int, text: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Trouble:
    code = str(body.get("code") or "")
    kind = Kind.REQUEST
    if status in (401, 402) or code == "insufficient_quota":
        kind = Kind.RUN
    elif status == 404 or code == "model_not_found":
        kind = Kind.ABSENT
    elif status == 403:
        kind = Kind.FORBIDDEN
    elif status in _PASSING or status >= 500:
        kind = Kind.PASSING
    elif _REFUSED.search(text):
        kind = Kind.OPTION
    return Trouble(kind, text, _retry_after(headers or {}))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the headers ask to wait, given as a number or as a date."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "")
        try:
            return max(0.0, float(text) * scale)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - time())
        except (ValueError, TypeError, OverflowError):
            pass
    return None
