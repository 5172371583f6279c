"""From the free text of a reply to the answer that it contains.

Forgiving about form, strict about meaning: the last complete answer counts, whatever stands around
it; what is not an answer of the family's shape is said to be none, never mended by a guess.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from functools import lru_cache
from typing import Any, NamedTuple

from puzzles.family import AnswerFormat, Family, MalformedAnswer
from puzzles.lenient import loads, objects_with, unfenced
from puzzles.verdict import Reason

# Texts come from models that may repeat themselves for megabytes, so each pattern takes a time in
# proportion to the text: no repetition is given back, and a string left open runs to the end.
_FLAGS = re.IGNORECASE | re.ASCII
_THINK = re.compile(r"<\s{0,8}(/?)\s{0,8}think(?:ing)?\b[^<>]*+>", _FLAGS)
_TAGS = ("answer_json", "answer")
"""The tags that an answer may stand in, whichever was asked for."""


class Reading(NamedTuple):
    """What was found in a reply: the answer, or the reason why there is none."""

    answer: list[Any] | None
    format_ok: bool
    reason: Reason | None = None
    detail: str = ""


class StepReading(NamedTuple):
    """What a reply of a stepwise protocol names: one action, or the reason why there is none.

    ``items`` are those of the answer that it names beside the action (path: labels newly passed).
    """

    action: Any | None
    items: list[Any]
    format_ok: bool
    reason: Reason | None = None
    detail: str = ""


class _Found(NamedTuple):
    """A complete answer: where it stands, its content, and how it is marked.

    ``own``: by the tag asked for, in any case; ``exact``: to the letter.
    """

    start: int
    end: int
    content: slice
    own: bool = True
    exact: bool = True


def extract(text: str, room: Family[Any, Any]) -> Reading:
    """Return the last complete answer in ``text``, read as one of the family ``room``."""
    said, seams = visible(unwrapped(text, room.answer_format.key))
    found, complete, cut_off = _last_answer(said, room.answer_format)
    if found is None:
        if cut_off:
            return Reading(None, False, Reason.NO_ANSWER, "the answer is cut off")
        return Reading(None, False, Reason.NO_ANSWER, "the reply holds no answer")
    content = said[found.content]
    try:
        answer = room.parse_answer(_value(content, room.answer_format))
    except MalformedAnswer as error:
        return Reading(None, False, Reason.BAD_FORMAT, str(error))
    except RecursionError:
        return Reading(None, False, Reason.BAD_FORMAT, "the answer is nested too deep")
    strict = found.exact and complete == 1 and not cut_off
    strict = strict and not any(found.start < seam < found.end for seam in seams)
    return Reading(answer, strict and _is_wire_format(content, answer, room))


def read_step(text: str, room: Family[Any, Any]) -> StepReading:
    """Return the one action that ``text`` names."""
    raise NotImplementedError


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


def visible(text: str) -> tuple[str, list[int]]:
    """Return ``text`` without what stands inside ``<think>`` tags, closed or not.

    A line break takes its place, so that what it parts is not joined to a tag or a word; the list
    says where. A closing tag without its opening ends thinking from the very start; an opening one
    inside a thought is part of it, since a thought may well name the tag.
    """
    kept: list[str] = []
    at, thinking = 0, False
    for tag in _THINK.finditer(text):
        if not thinking:
            kept.append(text[at : tag.start()])
        at = tag.end()
        if tag[1]:
            if not thinking:
                kept.clear()
            thinking = False
        elif not tag[0].endswith("/>"):
            thinking = True
    if not thinking:
        kept.append(text[at:])
    seams, end = [], -1
    for part in kept[:-1]:
        end += len(part) + 1
        seams.append(end)
    return "\n".join(kept), seams


def _last_answer(text: str, asked: AnswerFormat) -> tuple[_Found | None, int, bool]:
    """Return the answer that counts, how many complete ones there are, and if one is cut off."""
    tagged, cut_off = _tagged(text, asked)
    if asked.tag is None and asked.key is not None:
        objects, left_open = objects_with(asked.key, text)
        cut_off = cut_off or left_open > max((o.start for o in objects), default=-1)
        tagged = sorted([*tagged, *_outside(objects, tagged)], key=lambda found: found.end)
    if tagged:
        own = [found for found in tagged if found.own]
        return (own or tagged)[-1], len(tagged), cut_off
    bare = unfenced(text).strip()
    if not cut_off and bare[:1] in ("[", "{") and bare[-1:] in ("]", "}"):
        return _Found(0, len(text), slice(None), exact=False), 1, False
    return None, 0, cut_off


def _outside(objects: list[slice], tagged: list[_Found]) -> list[_Found]:
    """Return the objects that begin outside every tag."""
    starts, ends = [tag.start for tag in tagged], [-1, *(tag.end for tag in tagged)]
    return [
        _Found(span.start, span.stop, span)
        for span in objects
        if span.start >= ends[bisect(starts, span.start)]
    ]


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
            content = slice(opening.end(), tag.start())
            found.append(_Found(opening.start(), tag.end(), content, own, exact))
            opening = None
    tail = text[max(text.rfind("<"), 0) :].lower()
    torn = tail.startswith("<") and any(
        f"<{name}>".lower().startswith(tail) for name in (asked.tag or _TAGS[0], *_TAGS)
    )
    return found, opening is not None or torn


def _value(content: str, asked: AnswerFormat) -> Any:
    """Return the object that ``content`` writes; raise MalformedAnswer where it is none."""
    words = unfenced(content)
    if asked.text and words.strip()[:1] not in ("[", "{"):
        return words
    try:
        value = loads(content, asked.repair)
    except MalformedAnswer:
        if not asked.text:
            raise
        return words  # such as [A, C, E]
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
        return ",".join(map(str.strip, content.split(","))) == wire
    try:
        return bool(json.loads(content) == json.loads(wire))
    except ValueError:
        return False
