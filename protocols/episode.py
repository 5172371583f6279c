"""Episode: one instance under one protocol, as a state machine without input and output.

Each paradigm is a generator that yields requests and is sent replies. An episode is a function of
its instance, protocol, aids and the replies so far, so the replies are all that has to be kept to
continue it elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocols.aids import Aids
from protocols.messages import UNASKED, Image, Reply, Request
from protocols.outcome import outcome
from protocols.protocol import Protocol, named
from protocols.stepwise import Walk
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.reply import visible
from puzzles.rooms import family
from puzzles.verdict import Verdict
from render.decode import UnusablePicture, received

_QUOTED = 200
"""Characters that are quoted of a reply that should have held a picture."""

Script = Generator[Request, Reply, str]
"""What a paradigm is: it ends with the response, the text that is judged."""


@dataclass
class Step:
    """One round as answers.jsonl keeps it; ``image`` counts in ``Play.drawings``."""

    reply: str
    action: str | None
    """The JSON of the action, as its family writes it."""
    legal: bool
    image: int | None = None
    probe: str | None = None
    remaining: int | None = None


@dataclass
class Play:
    """What an episode knows, shared between its script and whoever looks on.

    walk
        The rules' view of a stepwise episode; None in the others.
    drawings
        The pictures that the model has drawn, as PNG, in their order.
    problem
        Why a picture that was due can't be used, where that has happened.
    image
        The picture of the present state that the model is shown, in stepwise protocols.
    """

    instance: Instance
    protocol: Protocol
    aids: Aids
    walk: Walk | None = None
    steps: list[Step] = field(default_factory=list)
    drawings: list[bytes] = field(default_factory=list)
    problem: str | None = None
    image: Image | None = None

    @property
    def room(self) -> Any:
        return family(self.instance.family)

    @property
    def state(self) -> Any:
        """The true state, whatever a model has drawn."""
        return self.walk.state if self.walk else initial(self.instance)

    def drawn(self, reply: Reply) -> bytes | None:
        """Return the picture of ``reply``, the last if there are several, or None.

        It is kept among the drawings; of one that can't be used ``problem`` says why.
        """
        if not reply.images:
            self.problem = f"the reply holds no picture{_said(reply)}"
            return None
        try:
            picture = received(reply.images[-1])
        except UnusablePicture as error:
            self.problem = str(error)
            return None
        self.drawings.append(picture)
        return picture


class Episode:
    """One instance put to a model under one protocol.

    Carry ``request`` to the model and hand its reply to ``take``, until ``request`` is None; then
    ``verdict()`` and ``answer()`` say how it went.

    Raises UnknownProtocol for a name that is none, InvalidBoard for a board that can't be read, and
    AidsError for an aid that can't be had.
    """

    def __init__(self, instance: Instance, protocol: Protocol | str, aids: Aids | None = None):
        from protocols.paradigms import script_of

        protocol = named(protocol) if isinstance(protocol, str) else protocol
        self.play = Play(instance, protocol, aids or Aids())
        self.transcript: list[tuple[Request, Reply]] = []
        self.response: str | None = None
        self._script = script_of(self.play)
        self.request: Request | None = next(self._script)

    @property
    def instance(self) -> Instance:
        return self.play.instance

    @property
    def protocol(self) -> Protocol:
        return self.play.protocol

    @property
    def done(self) -> bool:
        return self.request is None

    def take(self, reply: Reply) -> None:
        """Go on with what the model has said; raise ValueError where nothing is asked any more."""
        if self.request is None:
            raise ValueError("the episode is over; it takes no more replies")
        self.transcript.append((self.request, reply))
        self._go_on(reply)

    def skip(self) -> None:
        """Go on without asking how many steps remain; raise ValueError for any other request."""
        if self.request is None or self.request.purpose != "probe":
            raise ValueError("only the question for the number of remaining steps can be left out")
        self._go_on(UNASKED)

    def _go_on(self, reply: Reply) -> None:
        try:
            self.request = self._script.send(reply)
        except StopIteration as end:
            self.request, self.response = None, end.value

    def verdict(self, *, strict: bool = False, distance: bool = False) -> Verdict | None:
        """Return the verdict; None where the answer is a drawing, or the episode goes on."""
        if self.response is None:
            return None
        if self.play.walk is not None:
            return self.play.walk.verdict(strict=strict, distance=distance)
        return outcome(
            self.instance,
            self.protocol,
            self.response,
            drawn=bool(self.play.drawings),
            problem=self.play.problem,
            strict=strict,
            distance=distance,
        )

    def answer(self, files: Sequence[str]) -> dict[str, Any]:
        """Return what answers.jsonl holds of an episode that is over, apart from who answered.

        files
            Where the drawings (``play.drawings``) have been put, in their order.
        """
        line: dict[str, Any] = {
            "id": self.instance.id,
            "protocol": self.protocol.name,
            "response": self.response,
        }
        if self.play.problem is not None:
            line["problem"] = self.play.problem
        if self.play.drawings:
            line["images"] = list(files)
        if self.play.walk is not None:
            line["steps"] = [_step_record(step, files) for step in self.play.steps]
        return line

    def record(self) -> dict[str, Any]:
        """Return the episode as JSON; see ``resume``."""
        return {
            "instance": self.instance.model_dump(mode="json"),
            "protocol": self.protocol.name,
            "replies": [reply.record() for _, reply in self.transcript],
        }

    @classmethod
    def resume(cls, record: Mapping[str, Any], aids: Aids | None = None) -> Episode:
        """Return the episode that ``record`` holds, where it had got to."""
        episode = cls(Instance.model_validate(record["instance"]), record["protocol"], aids)
        for reply in record["replies"]:
            episode.take(Reply.of(reply))
        return episode


def _said(reply: Reply) -> str:
    """Return the beginning of what is said in place of a picture; nothing else would keep it."""
    text = " ".join(visible(reply.text)[0].split())
    shown = "".join(filter(str.isprintable, text[:_QUOTED]))
    return f", but says: {shown}{'…' if len(text) > _QUOTED else ''}" if shown else ""


def _step_record(step: Step, files: Sequence[str]) -> dict[str, Any]:
    return {
        "reply": step.reply,
        "action": None if step.action is None else json.loads(step.action),
        "legal": step.legal,
        "image": None if step.image is None else files[step.image],
        "probe": step.probe,
        "remaining": step.remaining,
    }
