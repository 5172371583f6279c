"""Models: whatever answers the requests of episodes, and how one is found by its name."""

from __future__ import annotations

from typing import Protocol as Interface
from typing import runtime_checkable

from protocols.episode import Episode
from protocols.messages import Reply


@runtime_checkable
class Model(Interface):
    """Answers the request that an episode stands at.

    Several threads ask it at once. A method ``close``, if there is one, is called when a run has
    come to its end.
    """

    @property
    def name(self) -> str: ...

    def reply(self, episode: Episode) -> Reply:
        """Return the reply to ``episode.request``; raise AskError or ModelError."""
        ...


class AskError(ValueError):
    """One request gets no reply, however often it is put; the episode is left as it stands."""


class Refused(AskError):
    """The request is refused for what it holds; others may be answered."""


class ModelError(ValueError):
    """No request will get a reply: the run ends, and the message says why."""


class Stopped(Exception):
    """The run has been told to end while a model was waiting to ask again."""


PLAYERS = ("solver", "random", "greedy", "noisy")
"""The names of the built-in players, as far as a colon."""


def is_player(name: str) -> bool:
    return name.partition(":")[0] in PLAYERS


def is_own(name: str) -> bool:
    """Whether ``name`` stands for a class of the user's own."""
    return name.startswith("python:")
