"""What the server refuses, each with its HTTP status and one sentence."""

from typing import ClassVar


class Refused(ValueError):
    """The request can't be met as it stands."""

    status: ClassVar[int] = 422


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
