"""Remote: an episode on a server, as far as its client has been told."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from json import dumps
from typing import Any

import httpx

from oracle.client.asking import Asker, Call, Plan, ServerError
from oracle.messages import (
    ChatMessage,
    Due,
    ImagePart,
    Opened,
    Stepped,
    TextPart,
    Transcript,
)
from protocols.messages import Image, Message, assistant, user, with_latest_image
from protocols.models.wire import chat
from puzzles.reply import visible


class Remote:
    """An episode on a server, as far as the client has been told.

    id
        Its name on the server.
    round
        The last round of which a step has been answered; 0 before the first.
    due
        What is to be sent next: action, answer, drawing, remaining; None when it is over.
    image
        The board as a PNG: the last that the server has sent.
    verdict
        As a line of verdicts.jsonl has it; None until the episode is over.
    """

    def __init__(self, asker: Asker, opened: Opened, start: Mapping[str, Any]):
        self._asker = asker
        self.id, self.round = opened.episode, 0
        self.due: Due | None = opened.due
        self.verdict: dict[str, Any] | None = None
        self._pictures: dict[str, Image] = {}
        self.image = self._received("0", opened.image)
        if opened.aid is not None:
            self._received("aid", opened.aid)
        variants = str(start.get("protocol")).split("+")
        self._last = "last" in (start.get("history"), *variants)
        self._history: list[Message] = []
        self._note(opened.messages)

    @property
    def done(self) -> bool:
        return self.due is None

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What a model is to be sent now, in the OpenAI chat format, pictures as data URIs.

        It is the conversation so far, the replies that were sent included. A request for a drawing
        stands alone, and questions for the number of remaining actions don't stay in it.
        """
        shown = self._asked if self.due == "drawing" else (*self._history, *self._asked)
        return chat(with_latest_image(shown) if self._last else tuple(shown))

    def _step(
        self,
        action: Any = None,
        reply: str | None = None,
        remaining: int | str | None = None,
        drawing: bytes | None = None,
    ) -> Plan[Stepped]:
        """Send a step of the round that is on, and note what is answered."""
        said = action is not None or reply is not None
        begins = self.due == "action" or (self.due == "remaining" and said)
        drawn = None if drawing is None else b64encode(drawing).decode()
        parts = {"action": action, "reply": reply, "remaining": remaining, "drawing": drawn}
        brought = {name: part for name, part in parts.items() if part is not None}
        body = {"round": max(1, self.round + begins), **brought}
        stepped = yield from self._asker.get(Stepped, Call("POST", f"{self._path}/steps", body))
        if said:
            self._keep(f"<STEP_JSON>{dumps(action)}</STEP_JSON>" if reply is None else reply)
        self.round, self.due, self.verdict = stepped.round, stepped.due, stepped.verdict
        if stepped.image is not None:
            self.image = self._received(str(self.round), stepped.image)
        yield from self._fetch(stepped.messages)
        self._note(stepped.messages)
        return stepped

    def _say(self, text: str) -> Plan[Stepped]:
        if self.due != "remaining":
            return (yield from self._step(reply=text))
        return (yield from self._step(remaining=text))

    def _transcript(self) -> Plan[Transcript]:
        return (yield from self._asker.get(Transcript, Call("GET", self._path)))

    def _answer(self, by: Mapping[str, Any]) -> Plan[dict[str, Any]]:
        transcript = yield from self._transcript()
        if transcript.answer is None:
            raise ValueError("the episode goes on; it has no answer yet")
        return {**transcript.answer, **by}

    def _delete(self) -> Plan[None]:
        try:
            yield from self._asker.call(Call("DELETE", self._path))
        except ServerError as error:
            if error.status != httpx.codes.NOT_FOUND:  # gone, perhaps by a try that seemed to fail
                raise

    @property
    def _path(self) -> str:
        return f"/episodes/{self.id}"

    def _received(self, name: str, base64: str) -> bytes:
        self._pictures[name] = Image(b64decode(base64))
        return self._pictures[name].png

    def _fetch(self, messages: Sequence[ChatMessage]) -> Plan[None]:
        """Get the pictures in ``messages`` that haven't come yet."""
        for part in (part for message in messages for part in message.content):
            if isinstance(part, ImagePart) and _name(part) not in self._pictures:
                call = Call("GET", f"{self._path}/images/{_name(part)}")
                self._pictures[_name(part)] = Image((yield from self._asker.call(call)).content)

    def _note(self, messages: Sequence[ChatMessage]) -> None:
        """Note what is asked now."""

        def shown(part: TextPart | ImagePart) -> str | Image:
            return part.text if isinstance(part, TextPart) else self._pictures[_name(part)]

        self._asked = [user(*map(shown, message.content)) for message in messages]

    def _keep(self, text: str) -> None:
        """Add what was asked and ``text`` to the conversation.

        Of a question that was left out only its picture is added, the state that ``text`` is about.
        """
        if self.due == "remaining":
            self._asked = [user(*message.images) for message in self._asked]
        self._history += [*self._asked, assistant(visible(text)[0].strip())]


def _name(part: ImagePart) -> str:
    """Return the name of a picture: its round, or aid."""
    return part.url.rsplit("/", 1)[-1]
