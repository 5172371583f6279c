"""What the server refuses, each with its HTTP status and one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class Refused(ValueError):
    """The request can't be met as it stands."""

    status: ClassVar[int] = 422


class NoWay(Refused):
    """The goal of the board can't be reached."""


class Unknown(Refused):
    """There is no such episode, instance, picture or game."""

    status = 404


class Conflict(Refused):
    """The request doesn't fit to where the episode has got to."""

    status = 409


class TooLarge(Refused):
    """The request, its board or its picture is larger than the limits allow."""

    status = 413


class TooMany(Refused):
    """There are too many episodes, or too many steps of one."""

    status = 429


class TooSlow(Refused):
    """What is asked for takes longer than the limits allow."""

    status = 408


class Unavailable(Refused):
    """Kernels aren't compiled yet; the same request can be met later."""

    status = 503


class StoreError(ValueError):
    """The store can't be used; the message says which, or why, in the database's words.

    Nothing is wrong with the request, so it is none of those above, and whoever asks is told no
    more than that; the words are for the log.
    """


@contextmanager
def refusing() -> Iterator[None]:
    """Raise Refused, with the same sentence, for every ValueError but those of this module."""
    try:
        yield
    except (Refused, StoreError):
        raise
    except ValueError as error:
        raise Refused(str(error)) from None
