"""A line of answers.jsonl: what it may hold, and what is wrong with it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ValidationError

from protocols.protocol import Protocol, UnknownProtocol, named
from protocols.scores import Scores
from puzzles.family import MalformedAnswer
from puzzles.instance import Instance
from puzzles.lenient import unique

LABELS = ("id", "protocol", "model", "run")
_ANY_STEPWISE = Protocol("vcot", "oracle")
"""The rules for rounds of a protocol that is none of ours."""


class Unjudged(ValueError):
    """A line that can't be judged, and why."""


class Answer(BaseModel):
    """One line of answers.jsonl; what else it holds makes no difference to its verdict."""

    id: str = ""
    response: str | None = None
    protocol: str | None = None
    model: str | None = None
    run: int | str | None = None
    instance: Instance | None = None
    steps: Any = None
    images: Any = None
    problem: Any = None
    scores: Scores | None = None

    @property
    def known(self) -> Protocol | None:
        """The protocol, where its name is one of ours; case and white space around it are not."""
        return _known(self.protocol)

    @property
    def label(self) -> str | None:
        """The protocol's name; variants stand in our order, since it makes no difference."""
        return self.protocol if self.known is None else self.known.name

    @property
    def rules(self) -> Protocol:
        """The protocol by whose rules rounds are judged."""
        return self.known or _ANY_STEPWISE

    @property
    def rounds(self) -> list[Any] | None:
        """The steps that the line is judged by; None where it is judged by its response.

        Under a label that is none of ours a list called steps may be anything: it counts where its
        first item says what a model replied or did. Raises Unjudged.
        """
        protocol, steps = self.known, self.steps
        if steps is None or steps == [] or (protocol is not None and not protocol.stepwise):
            return None
        if protocol is None and not _begins_with_a_round(steps):
            return None
        if not isinstance(steps, list):
            raise Unjudged("steps: it is not a list of rounds")
        return steps

    @property
    def drawn(self) -> bool | None:
        """Whether the one drawing that the protocol asks for came; None where it asks for none."""
        protocol = self.known
        if protocol is None or not protocol.draws or protocol.stepwise:
            return None
        return bool(self.images)

    @property
    def trouble(self) -> str | None:
        """What the line says of a picture that can't be used."""
        return self.problem if isinstance(self.problem, str) and self.problem else None


@lru_cache(maxsize=1024)
def _known(label: str | None) -> Protocol | None:
    try:
        return named((label or "").strip().lower())
    except UnknownProtocol:
        return None


def _begins_with_a_round(steps: Any) -> bool:
    first = steps[0] if isinstance(steps, list) else None
    return isinstance(first, dict) and ("reply" in first or "action" in first)


def parsed(line: bytes, row: dict[str, Any]) -> Answer:
    """Return the answer in ``line``; what can be told of a broken one goes into ``row``.

    Raises Unjudged.
    """
    value = translated(_object(line))
    for name in LABELS:
        if isinstance(value.get(name), str) and not is_unicode(value[name]):
            raise Unjudged(f"{name} holds half a surrogate pair, which is no text")
    row |= {name: value[name] for name in LABELS if isinstance(value.get(name), str | int)}
    try:
        answer = Answer.model_validate(value)
    except ValidationError as error:
        problem = error.errors()[0]
        raise Unjudged(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}") from None
    drawn = answer.known is not None and not answer.known.answers
    if answer.response is None and answer.rounds is None and not drawn:
        hint = '; of pictures alone it is ""' if answer.images else ""
        raise Unjudged(f"the line has no response{hint}")
    row["scores"] = value.get("scores")
    return answer


def named_by(line: bytes) -> str:
    """Return the id of the instance that a line is an answer to, its inline one's too.

    It is "" where there is none, and for every line that ``parsed`` refuses.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    value = translated(value)
    inline = value.get("instance")
    for holder in (value, inline if isinstance(inline, dict) else {}):
        name = holder.get("id")
        if name:
            return name if isinstance(name, str) else ""
    return ""


def translated(value: dict[str, Any]) -> dict[str, Any]:
    """Return a line as answers.jsonl would hold it: other harnesses have shapes of their own."""
    if value.get("response") is not None or "steps" in value:
        return value
    from protocols.adapters.lmms_samples import answer_of

    return answer_of(value) or value


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode(), object_pairs_hook=unique)
    except UnicodeDecodeError:
        raise Unjudged("the line is not UTF-8 text") from None
    except MalformedAnswer as error:
        raise Unjudged(str(error)) from None
    except (ValueError, RecursionError):
        raise Unjudged("the line is not JSON") from None
    if not isinstance(value, dict):
        raise Unjudged("the line is not a JSON object")
    return value


def is_unicode(text: str) -> bool:
    """Whether ``text`` can be written: half a surrogate pair, which JSON may hold, can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
