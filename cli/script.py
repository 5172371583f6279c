"""An episode as it was put to a model, to be read: as lines, as a record, as a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from protocols.episode import Episode
    from protocols.messages import Message, Part

TEXT, RECORD = "prompt.md", "messages.json"
IMAGE = re.compile(r"image-[0-9]+\.png")
"""The names of the files that ``Script.write`` writes."""
_EXAMPLE = "example reply, by the player solver; no part of the prompt"


class Line(NamedTuple):
    """One thing to be shown: a heading, a note, a text, or an image with its file."""

    kind: str
    text: str
    file: str = ""


class Script:
    """An episode in the order in which it was sent, its pictures numbered."""

    def __init__(self, episode: Episode):
        self._episode = episode
        self._numbers: dict[bytes, int] = {}
        """The pictures in the order in which they come up; equal ones are one."""
        self.lines = self._lines()

    def pictures_in_words(self) -> str:
        n = len(self._numbers)
        return f"{n} image{'' if n == 1 else 's'}"

    def record(self) -> dict[str, Any]:
        """Return the requests in the form of the OpenAI chat, with the names of image files."""
        instance, protocol = self._episode.instance, self._episode.protocol
        about = ("id", "family", "difficulty", "board", "rules")
        return {
            "instance": {name: getattr(instance, name) for name in about},
            "protocol": protocol.name,
            "requests": [
                {
                    "round": request.round,
                    "purpose": request.purpose,
                    "due": request.due,
                    "messages": [self._message(message) for message in request.messages],
                    "example_reply": {
                        "text": reply.text,
                        "images": [self._file(png) for png in _received(reply.images)],
                    },
                }
                for request, reply in self._episode.transcript
            ],
        }

    def write(self, out: Path) -> None:
        """Write text, record and images into the folder ``out``, in place of older ones."""
        out.mkdir(parents=True, exist_ok=True)
        for entry in list(out.iterdir()):
            if IMAGE.fullmatch(entry.name):
                entry.unlink()
        for png in self._numbers:
            (out / self._file(png)).write_bytes(png)
        (out / TEXT).write_text(_markdown(self.lines), "utf-8")
        record = json.dumps(self.record(), ensure_ascii=False, indent=2)
        (out / RECORD).write_text(record + "\n", "utf-8")

    def _lines(self) -> list[Line]:
        instance, protocol = self._episode.instance, self._episode.protocol
        lines = [Line("title", f"{instance.id} under {protocol.name}")]
        before: Sequence[Message] = ()
        at = 0
        for number, (request, reply) in enumerate(self._episode.transcript, 1):
            rounds = f", round {request.round}" if request.round else ""
            about = f"request {number}{rounds}: purpose {request.purpose}, due {request.due}"
            lines.append(Line("heading", about))
            same = _common(before, request.messages)
            if same:
                which = "message 1" if same == 1 else f"messages 1 to {same}"
                lines.append(Line("note", f"{which}: as in request {at}"))
            for message in request.messages[same:]:
                lines.append(Line("note", message.role))
                lines += map(self._part, message.parts)
            if request.due == "text":
                before, at = request.messages, number
            lines.append(Line("reply", _EXAMPLE))
            lines += [Line("text", reply.text)] if reply.text else []
            lines += [self._image(png) for png in _received(reply.images)]
        return lines

    def _part(self, part: Part) -> Line:
        return Line("text", part) if isinstance(part, str) else self._image(part.png)

    def _image(self, png: bytes) -> Line:
        width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
        number = self._numbers.setdefault(png, len(self._numbers) + 1)
        return Line("image", f"image {number}: {width}x{height} PNG", self._file(png))

    def _file(self, png: bytes) -> str:
        return f"image-{self._numbers[png]}.png"

    def _message(self, message: Message) -> dict[str, Any]:
        """Return a message as it is sent, but for the names in place of the pictures."""
        from protocols.models.wire import chat

        (sent,) = chat((message,))
        images = iter(message.images)
        for part in sent["content"] if message.images else ():
            if part["type"] == "image_url":
                part["image_url"]["url"] = self._file(next(images).png)
        return sent


def _received(images: Sequence[bytes]) -> list[bytes]:
    """Return drawings in the form in which they are shown from then on."""
    from render.decode import received

    return list(map(received, images))


def _common(before: Sequence[Message], now: Sequence[Message]) -> int:
    """Return how many messages both begin with."""
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    return same


def _markdown(lines: Sequence[Line]) -> str:
    """Return a script as Markdown, texts to the letter."""
    forms = {
        "title": "# {}",
        "heading": "## {}",
        "note": "**{}**",
        "reply": "*{}*",
        "image": "![{0}]({1})",
        "text": "```text\n{}\n```",
    }
    return "\n\n".join(forms[line.kind].format(line.text, line.file) for line in lines) + "\n"
