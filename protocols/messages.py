"""What goes to a model and what comes back: messages with text and images, and replies."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["user", "assistant"]
Due = Literal["text", "image", "both"]
Purpose = Literal["answer", "aid", "drawing", "action", "frame", "probe"]
"""What a request is for: the final answer; a picture of the visual aid, of the solution, of the
next state; one action; the number of remaining steps."""


class Image:
    """A PNG, drawn when its bytes are asked for."""

    def __init__(self, source: bytes | Callable[[], bytes]):
        self._source = source
        self._png: bytes | None = None

    @property
    def png(self) -> bytes:
        if isinstance(self._source, bytes):
            return self._source
        if self._png is None:
            self._png = self._source()
        return self._png

    def forget(self) -> None:
        """Let go of the bytes, where they can be drawn again."""
        self._png = None

    @property
    def data_uri(self) -> str:
        return f"data:image/png;base64,{b64encode(self.png).decode()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Image) and self.png == other.png

    def __repr__(self) -> str:
        return "Image()"


Part = str | Image
_ABSURD = 1e15


@dataclass(frozen=True)
class Message:
    """One turn of a conversation: texts and images in the order in which they are shown."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> list[Image]:
        return [part for part in self.parts if isinstance(part, Image)]


@dataclass(frozen=True)
class Request:
    """What is put to a model next, and what is due of it.

    A request for an image is always a conversation of one message, whose text says all that the
    drawing needs, so that endpoints that edit pictures take it as it is.

    round
        Counts the rounds of stepwise protocols from 1; 0 in the others.
    """

    messages: tuple[Message, ...]
    due: Due
    purpose: Purpose
    round: int = 0

    @property
    def images(self) -> list[Image]:
        return [image for message in self.messages for image in message.images]


@dataclass(frozen=True)
class Reply:
    """What a model has said and drawn.

    reasoning
        What it has thought apart from the reply; never read for an answer.
    finish
        Why it stopped, in the words of its endpoint: stop, length, ...
    usage
        What the reply took: prompt_tokens, completion_tokens, cost, as far as that is known.
    """

    text: str = ""
    images: tuple[bytes, ...] = ()
    reasoning: str = ""
    finish: str = ""
    usage: dict[str, float] | None = None

    def record(self) -> dict[str, Any]:
        """Return the reply as JSON, its images in base64; ``of`` reads it."""
        images = [b64encode(image).decode() for image in self.images]
        return {**vars(self), "images": images}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Reply:
        """Return the reply that ``record`` holds."""
        images = tuple(b64decode(image) for image in record.get("images", ()))
        return cls(**{**record, "images": images})


UNASKED = Reply()
"""Stands for the reply to a question that is left out; see ``protocols.episode.Episode.skip``."""


def counted(usage: object) -> dict[str, float]:
    """Return what can be a number of tokens or a cost among ``usage``; nobody vouches for it."""
    if not isinstance(usage, Mapping):
        return {}
    return {
        name: n
        for name, n in usage.items()
        if isinstance(name, str) and type(n) in (int, float) and 0 <= n < _ABSURD
    }


def user(*parts: Part) -> Message:
    return Message("user", parts)


def assistant(text: str) -> Message:
    return Message("assistant", (text,))


NO_LONGER_SHOWN = "(An earlier picture, no longer shown.)"


def with_latest_image(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return ``messages`` with the images of the last message that has some; of others it is said.

    For models that take a single image.
    """
    last = max((at for at, message in enumerate(messages) if message.images), default=-1)
    return tuple(
        message if at == last else _without_images(message) for at, message in enumerate(messages)
    )


def _without_images(message: Message) -> Message:
    if not message.images:
        return message
    parts = (NO_LONGER_SHOWN if isinstance(part, Image) else part for part in message.parts)
    return Message(message.role, tuple(parts))
