"""Session: an episode as it is served, a function of how it was opened and of the steps taken."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from oracle.errors import Conflict, Refused
from oracle.messages import ChatMessage, Due, ImagePart, Step, TextPart
from protocols.aids import CELL, Aids
from protocols.episode import Episode
from protocols.messages import Image, Message, Reply, Request
from protocols.protocol import Protocol
from puzzles.instance import Instance
from puzzles.replay import WrongInstance

AID = "aid"
"""The name of the second picture of gta and vr; the others go by their round."""
_DUE: dict[str, Due] = {
    "action": "action",
    "answer": "answer",
    "aid": "drawing",
    "drawing": "drawing",
    "frame": "drawing",
    "probe": "remaining",
}


@dataclass(frozen=True)
class Opening:
    """All that an episode depends on but its steps, as the store keeps it.

    donor
        The instance whose aid is shown in place of the true one (source mismatch).
    link
        Pictures are sent as links.
    """

    instance: Instance
    protocol: str
    donor: Instance | None = None
    cell: int = CELL
    link: bool = False

    def record(self) -> dict[str, Any]:
        """Return the opening as JSON; ``of`` reads it."""
        donor = self.donor and self.donor.model_dump(mode="json")
        return {
            **{"instance": self.instance.model_dump(mode="json"), "donor": donor},
            **{"protocol": self.protocol, "cell": self.cell, "link": self.link},
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Opening:
        """Return the opening that ``record`` holds."""
        instances = {
            name: record[name] and Instance.model_validate(record[name])
            for name in ("instance", "donor")
        }
        return cls(**{**record, **instances})


@dataclass(frozen=True)
class Taken:
    """How a step went; ``oracle.messages.Stepped`` says what the fields are.

    image
        The round whose picture is sent with it.
    said
        What the model is told next.
    """

    step: Step
    legal: bool | None
    reason: str | None
    detail: str | None
    image: int | None
    due: Due | None
    said: tuple[Message, ...]


class Session:
    """An episode and the steps that it has taken, each with what is answered to it.

    A step that comes again is known and changes nothing, and one that doesn't fit raises Conflict
    before anything has changed; so a caller may send a step until it gets an answer.

    Raises what ``protocols.episode.Episode`` raises.
    """

    def __init__(self, opening: Opening, aids: Aids):
        self.opening = opening
        self.episode = Episode(opening.instance, opening.protocol, aids)
        self.taken: list[Taken] = []
        self.pictures: dict[int | str, Image] = {}
        self.first = self._said()

    @property
    def protocol(self) -> Protocol:
        return self.episode.protocol

    @property
    def done(self) -> bool:
        return self.episode.done

    @property
    def round(self) -> int:
        """The last round of which a step has been taken; 0 before the first."""
        return self.taken[-1].step.round if self.taken else 0

    @property
    def due(self) -> Due | None:
        """What is due next; None when the episode is over."""
        request = self.episode.request
        return _DUE[request.purpose] if request else None

    def take(self, step: Step) -> Taken:
        """Take ``step``, or know it again; raise Conflict or Refused where it can't be taken."""
        if (known := self.known(step)) is not None:
            return known
        request = self._request_for(step)
        order = self._order()
        brought = _parts(step)
        # Where the drawing comes first, it does so too in a step that brings both.
        parts = [p for p in order if p in brought] + [p for p in brought if p not in order]
        self._check_parts(request, step, parts)
        drawing = None if step.drawing is None else decoded(step.drawing)
        if request.purpose == "probe" and parts[0] != "remaining":
            self.episode.skip()
        taken = self._taken(step, parts, drawing)
        self.taken.append(taken)
        return taken

    def known(self, step: Step) -> Taken | None:
        """Return how ``step`` went if it has been taken; the order of keys makes no other step."""
        of_round = [taken for taken in self.taken if taken.step.round == step.round]
        return next((taken for taken in of_round if _same(taken.step, step)), None)

    def _request_for(self, step: Step) -> Request:
        """Return the request that ``step`` answers, by its round."""
        request = self.episode.request
        if request is None:
            raise Conflict("the episode is over; it takes no more steps")
        due = max(1, request.round)
        if request.purpose == "probe" and step.round == due + 1:
            return request
        if step.round < due:
            raise Conflict(f"round {step.round} is past; round {due} is on")
        if step.round > due:
            raise Conflict(f"round {step.round} has not come; round {due} is on")
        return request

    def _check_parts(self, request: Request, step: Step, parts: list[str]) -> None:
        """Raise where ``step`` doesn't bring what is due, or more than can be due after it."""
        due = _DUE[request.purpose]
        if due == "remaining" and step.round > request.round:
            due = "action"
        if step.action is not None and due == "answer":
            raise Refused(f"{self.protocol.name} takes a whole answer: send the text as `reply`")
        order = self._order()
        first = order.index("said" if due in ("action", "answer") else due)
        wanted = order[first:]
        if parts != wanted[: len(parts)]:
            what = f"round {step.round} waits for {_named(due)}"
            raise Conflict(f"{what}, and the step brings {', '.join(parts)}")

    def _order(self) -> list[str]:
        """Return the parts of a round in the order in which they are due."""
        protocol = self.protocol
        if not protocol.stepwise:
            return ["drawing", "said"] if protocol.draws else ["said"]
        drawing = ["drawing"] if protocol.draws else []
        return ["said", *drawing, *([] if protocol.budget else ["remaining"])]

    def _taken(self, step: Step, parts: list[str], drawing: bytes | None) -> Taken:
        play = self.episode.play
        played, shown = len(play.steps), play.image
        for part in parts:
            if self.done:
                break  # an illegal action has ended it: what comes with it has no meaning any more
            self.episode.take(_reply(part, step, drawing))
            if not self.protocol.stepwise:
                self._said()  # the drawing gets its name, also where the answer comes with it
        if self.due == "remaining" and play.walk and play.walk.rounds >= play.walk.cap:
            self.episode.skip()  # nothing can follow, so the state decides at once
        image = None
        if play.image is not None and play.image is not shown:
            self.pictures[step.round], image = play.image, step.round
        verdict = self.verdict() if self.done else {}
        return Taken(
            step,
            play.steps[-1].legal if len(play.steps) > played else None,
            verdict.get("reason"),
            verdict.get("detail"),
            image,
            self.due,
            self._said()[-1:],
        )

    def _said(self) -> tuple[Message, ...]:
        """Return what is asked now, after a look for pictures that have no name yet."""
        request = self.episode.request
        if request is None:
            return ()
        known = {id(image) for image in self.pictures.values()}
        for image in request.images:
            if id(image) not in known:
                self.pictures[AID if self.pictures else 0] = image
        return request.messages

    def verdict(self) -> dict[str, Any]:
        """Return the verdict of an episode that is over, as JSON.

        Where the instance contradicts itself there is none, and ``error`` says so.
        """
        try:
            verdict = self.episode.verdict()
        except WrongInstance as error:
            return {"error": str(error)}
        return {} if verdict is None else asdict(verdict)

    def chat(self, messages: tuple[Message, ...], place: str) -> list[ChatMessage]:
        """Return ``messages`` as they are sent; pictures lie below the address ``place``."""
        names = {id(image): name for name, image in self.pictures.items()}

        def part(part: str | Image) -> TextPart | ImagePart:
            if isinstance(part, str):
                return TextPart(text=part)
            return ImagePart(url=f"{place}/images/{names[id(part)]}")

        return [ChatMessage(content=[part(p) for p in message.parts]) for message in messages]

    def answer(self, place: str) -> dict[str, Any] | None:
        """Return a line for answers.jsonl, its instance within; None while the episode goes on."""
        if not self.done:
            return None
        count = len(self.episode.play.drawings)
        names = range(1, count + 1) if self.protocol.stepwise else [AID] * count
        files = [f"{place}/images/{name}" for name in names]
        return {**self.episode.answer(files), "instance": self.opening.instance.told()}


def _parts(step: Step) -> list[str]:
    """Return what ``step`` brings."""
    if step.action is not None and step.reply is not None:
        raise Refused("a step brings an action or a reply, not both")
    given = {
        "said": step.action is not None or step.reply is not None,
        "drawing": step.drawing is not None,
        "remaining": step.remaining is not None,
    }
    parts = [name for name, brought in given.items() if brought]
    if not parts:
        raise Refused("the step brings nothing: send action, reply, drawing or remaining")
    return parts


def _named(due: Due) -> str:
    return {"action": "action or reply", "answer": "reply"}.get(due, due)


def _reply(part: str, step: Step, drawing: bytes | None) -> Reply:
    """Return what a model would have said."""
    if part == "remaining":
        said = step.remaining
        return Reply(said if isinstance(said, str) else f"<answer>{said}</answer>")
    if part == "drawing":
        return Reply(images=(drawing or b"",))
    if step.reply is not None:
        return Reply(step.reply)
    action = json.dumps(step.action).replace("<", "\\u003c")  # no tag within
    return Reply(f"<STEP_JSON>{action}</STEP_JSON>")


def decoded(drawing: str) -> bytes:
    """Return the bytes of a drawing in base64, or in a data URL; raise Refused."""
    text = drawing.partition(",")[2] if drawing[:5] == "data:" else drawing
    try:
        return b64decode("".join(text.split()), validate=True)  # it may come in lines
    except ValueError:
        raise Refused("drawing is not base64") from None


def _same(one: Step, other: Step) -> bool:
    return _canonical(one) == _canonical(other)


def _canonical(step: Step) -> str:
    """Return a text that two steps share if they bring the same; 1 is neither 1.0 nor true."""
    return json.dumps(step.model_dump(), sort_keys=True)
