"""From the free text of a reply to the answer that it contains.

Forgiving about form, strict about meaning: the last complete answer counts, whatever stands around
it; what is not an answer of the family's shape is said to be none, never mended by a guess.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from puzzles.family import AnswerFormat, Family, MalformedAnswer
from puzzles.lenient import BRACKET, loads, unfenced
from puzzles.verdict import Reason

# Texts come from models that may repeat themselves for megabytes, so each pattern takes a time in
# proportion to the text: no repetition is given back, and a string left open runs to the end.
_FLAGS = re.IGNORECASE | re.ASCII
_THINK = re.compile(r"<\s{0,8}(/?)\s{0,8}think(?:ing)?\b[^<>]{0,200}>", _FLAGS)
_TAGS = ("answer_json", "answer")
"""The tags that an answer may stand in, whichever was asked for."""
_BRACES = 8
"""Opening braces before a key that are tried as the start of its object."""


class Reading(NamedTuple):
    """What was found in a reply: the answer, or the reason why there is none."""

    answer: list[Any] | None
    format_ok: bool
    reason: Reason | None = None
    detail: str = ""


class _Found(NamedTuple):
    """A complete answer: its content, where it stands, and how it is marked.

    ``own``: by the tag asked for, in any case; ``exact``: to the letter.
    """

    content: str
    start: int
    end: int
    own: bool = True
    exact: bool = True


def extract(text: str, room: Family[Any, Any]) -> Reading:
    """Return the last complete answer in ``text``, read as one of the family ``room``."""
    said = visible(unwrapped(text, room.answer_format.key))
    found, complete, cut_off = _last_answer(said, room.answer_format)
    if found is None:
        if cut_off:
            return Reading(None, False, Reason.NO_ANSWER, "the answer is cut off")
        return Reading(None, False, Reason.NO_ANSWER, "the reply holds no answer")
    try:
        answer = room.parse_answer(_value(found.content, room.answer_format))
    except MalformedAnswer as error:
        return Reading(None, False, Reason.BAD_FORMAT, str(error))
    except RecursionError:
        return Reading(None, False, Reason.BAD_FORMAT, "the answer is nested too deep")
    strict = found.exact and complete == 1 and not cut_off
    return Reading(answer, strict and _is_wire_format(found.content, answer, room))


def unwrapped(text: str, key: str | None = None) -> str:
    """Return the reply that a harness has wrapped in a JSON string or an object with ``text``.

    An object that has ``key`` is no wrapping but an answer.
    """
    for _ in range(2):
        stripped = text.strip()
        if stripped[:1] not in ('"', "{"):
            break
        try:
            value = json.loads(stripped)
        except (ValueError, RecursionError):
            break
        inner = value.get("text") if isinstance(value, dict) else value
        if not isinstance(inner, str) or (isinstance(value, dict) and key in value):
            break
        text = inner
    return text


def visible(text: str) -> str:
    """Return ``text`` without what stands inside ``<think>`` tags, closed or not."""
    kept: list[str] = []
    at, thinking = 0, False
    for tag in _THINK.finditer(text):
        closing = bool(tag[1])
        if closing and not thinking:
            kept.clear()
        elif not closing and not thinking:
            kept.append(text[at : tag.start()])
        thinking = not closing
        at = tag.end()
    if not thinking:
        kept.append(text[at:])
    return "".join(kept)


def _last_answer(text: str, asked: AnswerFormat) -> tuple[_Found | None, int, bool]:
    """Return the answer that counts, how many complete ones there are, and if one is cut off."""
    tagged, cut_off = _tagged(text, asked)
    if asked.tag is None and asked.key is not None:
        objects, open_object = _keyed_objects(text, asked.key)
        cut_off = cut_off or open_object
        outside = [o for o in objects if not any(t.start <= o.start < t.end for t in tagged)]
        tagged = sorted([*tagged, *outside], key=lambda found: found.end)
    if tagged:
        own = [found for found in tagged if found.own]
        return (own or tagged)[-1], len(tagged), cut_off
    bare = unfenced(text).strip()
    if not cut_off and bare[:1] in ("[", "{") and bare[-1:] in ("]", "}"):
        return _Found(bare, 0, len(text), exact=False), 1, False
    return None, 0, cut_off


@lru_cache
def _tag(own: str | None) -> re.Pattern[str]:
    """Return what matches the tag asked for, and those that models write in its place."""
    names = "|".join(map(re.escape, dict.fromkeys((own or _TAGS[0], *_TAGS))))
    return re.compile(rf"<\s{{0,8}}(/?)\s{{0,8}}({names})\s{{0,8}}>", _FLAGS)


def _tagged(text: str, asked: AnswerFormat) -> tuple[list[_Found], bool]:
    """Return the contents of all complete answer tags, and whether the last tag stays open."""
    found: list[_Found] = []
    opening: re.Match[str] | None = None
    for tag in _tag(asked.tag).finditer(text):
        if not tag[1]:
            opening = tag
        elif opening is not None and opening[2].lower() == tag[2].lower():
            own = asked.tag is None or tag[2].lower() == asked.tag.lower()
            exact = (opening[0], tag[0]) == (f"<{asked.tag}>", f"</{asked.tag}>")
            content = text[opening.end() : tag.start()]
            found.append(_Found(content, opening.start(), tag.end(), own, exact))
            opening = None
    tail = text[max(text.rfind("<"), 0) :].lower()
    torn = tail.startswith("<") and any(
        f"<{name}>".lower().startswith(tail) for name in (asked.tag or _TAGS[0], *_TAGS)
    )
    return found, opening is not None or torn


def _keyed_objects(text: str, key: str) -> tuple[list[_Found], bool]:
    """Return the complete objects that hold ``key``, and whether the last one is cut off."""
    found: list[_Found] = []
    cut_off, stop = False, len(text)
    for match in reversed(list(re.finditer(rf"[\"']?{key}[\"']?\s*+:", text))):
        if found and found[-1].start < match.start() < found[-1].end:
            continue
        start, end = _object_around(text, match.start(), stop)
        if end is None:
            cut_off = cut_off or not found
            stop = match.start() if start is None else start  # nothing that opens before closes
        else:
            found.append(_Found(text[start:end], start or 0, end))
    return found[::-1], cut_off


def _object_around(text: str, key_at: int, stop: int) -> tuple[int | None, int | None]:
    """Return the start and the end of the object with a key at ``key_at``, before ``stop``.

    The end is None where it is not closed. Brackets inside strings may look like its start, so
    some more are tried.
    """
    nearest = start = text.rfind("{", 0, key_at)
    for _ in range(_BRACES):
        if start < 0:
            break
        end = _closing(text, start, stop)
        if end is not None and end > key_at:
            return start, end
        start = text.rfind("{", 0, start)
    return (nearest if nearest >= 0 else None), None


def _closing(text: str, start: int, stop: int) -> int | None:
    """Return where the bracket that opens at ``start`` has been closed, or None."""
    depth = 0
    for token in BRACKET.finditer(text, start, stop):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def _value(content: str, asked: AnswerFormat) -> Any:
    """Return the object that ``content`` writes; raise MalformedAnswer where it is none."""
    if asked.text and unfenced(content).strip()[:1] not in ("[", "{"):
        return content
    try:
        value = loads(content, asked.repair)
    except MalformedAnswer:
        if not asked.text:
            raise
        return content  # words, such as [A, C, E]
    if asked.key is not None and isinstance(value, dict) and asked.key in value:
        return value[asked.key]
    return value


def _is_wire_format(content: str, answer: list[Any], room: Family[Any, Any]) -> bool:
    """Whether ``content`` says the answer to the letter, white space apart."""
    asked = room.answer_format
    wire = room.format_answer(answer)
    if asked.tag is not None:
        wire = wire.removeprefix(f"<{asked.tag}>").removesuffix(f"</{asked.tag}>")
    if asked.text:
        return re.sub(r"\s*,\s*", ",", content.strip()) == wire
    try:
        return bool(json.loads(content) == json.loads(wire))
    except ValueError:
        return False
