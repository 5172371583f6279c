"""What a model is to say: an episode played by the solver, cut where the target is.

The prompts are those of `puzzles run`, since they come from the same episodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from protocols.aids import Aids
from protocols.episode import Episode, Play
from protocols.messages import Image, Message, Part, Purpose
from protocols.models.players import Planner
from protocols.protocol import Protocol
from puzzles.instance import Instance
from puzzles.narration import narrate
from puzzles.pictures import Pictured, cell_of
from puzzles.replay import initial

_HAD: tuple[str | None, ...] = (None, "oracle", "noise")
"""Sources of aids that need nothing but the instance."""


class Conversation(NamedTuple):
    """What is put to a model, and what it is to reply; None where it finds that out itself."""

    prompt: tuple[Message, ...]
    reply: Message | None = None

    @property
    def messages(self) -> tuple[Message, ...]:
        return (*self.prompt, self.reply) if self.reply else self.prompt

    @property
    def images(self) -> list[Image]:
        return [image for message in self.messages for image in message.images]


@dataclass(frozen=True)
class Target:
    """A kind of target.

    protocol
        The one whose prompts are taken unless another is asked for.
    purpose
        The request that the target replies to; the last one of the episode where it is None.
    fits
        Whether a protocol makes such a request.
    drawn
        The target is a picture.
    """

    protocol: str
    purpose: Purpose | None
    fits: Callable[[Protocol], bool]
    drawn: bool = False


def asks(protocol: Protocol) -> bool:
    """Whether a protocol asks once, for the answer in text, and shows what it can draw itself."""
    return not protocol.stepwise and not protocol.draws and protocol.source in _HAD


TARGETS = {
    "answer": Target("direct", "answer", asks),
    "steps": Target("text-cot", "answer", lambda one: asks(one) and one.paradigm != "direct"),
    "vcot": Target("oracle-vcot", None, lambda one: one.stepwise and one.source in _HAD),
    "aid": Target("self-gta", "aid", lambda one: one.name == "self-gta", drawn=True),
    "overlay": Target(
        "self-vr", "drawing", lambda one: one.name in ("self-vr", "draw-true"), drawn=True
    ),
}
"""The targets by name: the answer alone; the solution told step by step; the rounds of a stepwise
episode; the visual aid as a picture; the solution drawn onto the board."""


@dataclass(frozen=True)
class Demonstrator(Planner):
    """The solver, which says nothing but the answer, or tells the whole solution."""

    tells: bool = False

    def _answer_text(self, play: Play) -> str:
        if self.tells:
            return narrate(play.room, play.state, self.plan(play))
        return str(play.room.format_answer(self.answer(play)))


@dataclass(frozen=True)
class _Kept(Aids):
    """Draws what the dataset of the one instance that is shown doesn't hold already."""

    pictured: Pictured | None = None

    def board(self, instance: Instance, state: Any, *, aug: bool = False) -> Image:
        if self.pictured is not None and state == initial(instance):
            kept = self.pictured.aid if aug else self.pictured.image
            if kept is not None:
                return Image(kept)
        return super().board(instance, state, aug=aug)


def _episode(pictured: Pictured, protocol: Protocol) -> Episode:
    """Return the episode at its beginning; raise ValueError where there is no picture."""
    instance, image = pictured.instance, pictured.image
    what = instance.id or "an instance"
    if image is None:
        raise ValueError(
            f"{what} has no picture to show: give pixels a cell (cell=), or take a dataset with "
            "pictures"
        )
    try:
        cell = cell_of(image, instance.board)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    return Episode(instance, protocol, _Kept(cell, pictured=pictured))


def asked(pictured: Pictured, protocol: Protocol) -> Conversation:
    """Return what a protocol that ``asks`` puts to a model."""
    request = _episode(pictured, protocol).request
    if request is None:
        raise ValueError(f"{protocol.name} asks nothing of {pictured.instance.id}")
    return Conversation(tuple(map(_merged, request.messages)))


def demonstrated(pictured: Pictured, name: str, protocol: Protocol) -> Conversation:
    """Return the request that the target called ``name`` replies to, and that reply.

    Raises ValueError where the solver can't play the episode to its end.
    """
    target, episode = TARGETS[name], _episode(pictured, protocol)
    solver = Demonstrator("solver", tells=name == "steps")
    while (request := episode.request) is not None:
        reply = solver.reply(episode)
        if target.purpose == request.purpose:
            break
        episode.take(reply)
    if target.purpose is None:
        verdict = episode.verdict()
        if verdict is None or not verdict.optimal:
            raise ValueError(f"{pictured.instance.id}: {protocol.name} ends before the solution")
        request, reply = episode.transcript[-1]
    if request is None:
        raise ValueError(f"{protocol.name} has no request for the target {name}")
    parts: tuple[Part, ...] = tuple(map(Image, reply.images)) or (reply.text,)
    return Conversation(tuple(map(_merged, request.messages)), Message("assistant", parts))


def _merged(message: Message) -> Message:
    """Return ``message`` with texts that follow each other as one, a blank line between them."""
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += f"\n\n{part}"
        else:
            parts.append(part)
    return replace(message, parts=tuple(parts))
