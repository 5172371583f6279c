"""lmms-eval: a data folder written as a folder of tasks that ``--include_path`` takes.

``python -m protocols.adapters.lmms_tasks DATA -o TASKS`` writes it; the harness then calls Task.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocols.adapters.documents import METRICS, Document, carried
from protocols.adapters.lmms_samples import answer_of, replied, target_of
from protocols.episode import Episode
from protocols.messages import Image, Message, Reply
from protocols.stepwise import rejudged
from puzzles.instance import Instance
from puzzles.replay import WrongInstance, verify
from puzzles.verdict import Verdict

if TYPE_CHECKING:
    import PIL.Image

Doc = dict[str, Any]
Round = tuple[list["PIL.Image.Image"] | None, str | None, bool, list[str], dict[str, Any]]
"""What the harness wants of a round: pictures, text, whether it was the last, outputs, state."""


class Task:
    """The functions of a task: one protocol; a doc holds the fields of a Document.

    The pictures and the prompts are drawn and written as they are asked for.
    """

    def __init__(self, protocol: str, files: str | None = None):
        self.protocol = carried(protocol)
        self.files = Path(files) if files else None

    def doc_to_visual(self, doc: Doc) -> list[PIL.Image.Image]:
        return _flat(self._episode(doc))[0]

    def doc_to_text(
        self,
        doc: Doc,
        lmms_eval_specific_kwargs: Any = None,
        previous_output: Sequence[str] | None = None,
        round_idx: int | None = None,
        previous_round_info: dict[str, Any] | None = None,
    ) -> str | Round:
        """Return the text of the first request, or what follows the newest reply.

        The state between rounds is the record of the episode.
        """
        if not round_idx or not previous_output:
            return _flat(self._episode(doc))[1]
        episode, outputs = self._episode(doc, previous_round_info), list(previous_output)
        if not replied(outputs[-1]):
            return None, None, True, [*outputs, json.dumps({"response": None})], episode.record()
        episode.take(Reply(outputs[-1]))
        record = episode.record()
        if not episode.done:
            return *_flat(episode), False, outputs, record
        said = json.dumps(episode.answer([]), ensure_ascii=False)
        said = said.replace("<", "\\u003c")  # the harness cuts from <think> to </think>
        return None, None, True, [*outputs, said], record

    def doc_to_target(self, doc: Doc) -> str:
        """Return what judging takes, which is how `puzzles verify` reads the samples file."""
        return target_of(self.protocol.name, _document(doc).instance.told())

    def process_results(self, doc: Doc, results: Sequence[Any]) -> dict[str, float]:
        """Return the metrics of a reply; none where it can't be judged, as `puzzles verify` says.

        That is where no reply has come, or where it shows the instance itself to be wrong. The
        harness runs this again on an exception, and then gives up the whole run.
        """
        sample = {"doc_id": 0, "target": self.doc_to_target(doc), "filtered_resps": list(results)}
        answer = answer_of(sample) or {}
        if answer.get("response") is None:
            return {}
        try:
            verdict = self._verdict(_document(doc).instance, answer)
        except WrongInstance:
            return {}
        return {name: float(getattr(verdict, name)) for name in METRICS}

    def _verdict(self, instance: Instance, answer: dict[str, Any]) -> Verdict:
        if self.protocol.stepwise:
            return rejudged(instance, self.protocol, answer.get("steps") or []).verdict()
        return verify(instance, answer["response"])

    def _episode(self, doc: Doc, record: dict[str, Any] | None = None) -> Episode:
        document = _document(doc)
        if record is not None:
            return Episode.resume(record, document.aids(self.files))
        return document.episode(self.protocol, self.files)


def _document(doc: Doc) -> Document:
    return Document(doc["record"], doc["donor"], tuple(doc["bucket"]), doc["cell"])


def _flat(episode: Episode) -> tuple[list[PIL.Image.Image], str]:
    """Return what is asked next as pictures and one text, which is all that the harness carries.

    One message is shown as it is: its pictures come first. Of a conversation the text says who has
    said what, and where each picture belongs.
    """
    messages = episode.request.messages if episode.request else ()
    pictures = [_pil(image) for message in messages for image in message.images]
    if len(messages) <= 1:
        return pictures, messages[0].text if messages else ""
    return pictures, _told(messages)


def _told(messages: Sequence[Message]) -> str:
    told, count = ["Our conversation so far; its pictures are shown above, in their order."], 0
    for message in messages:
        parts = []
        for part in message.parts:
            count += isinstance(part, Image)
            parts.append(f"[picture {count}]" if isinstance(part, Image) else part)
        said = "\n\n".join(parts)
        told.append(f"You have said: {said}" if message.role == "assistant" else said)
    return "\n\n".join(told)


def _pil(image: Image) -> PIL.Image.Image:
    from PIL import Image as Pillow

    return Pillow.open(BytesIO(image.png)).convert("RGB")
