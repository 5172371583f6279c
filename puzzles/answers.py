"""From the free text of a reply to the answer that it contains.

Forgiving about form, strict about meaning: the last complete answer counts, whatever stands around
it; what is not an answer of the family's shape is said to be none, never mended by a guess.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from typing import Any, NamedTuple

from puzzles.family import AnswerFormat, Family, IllegalAction, MalformedAnswer
from puzzles.lenient import loads, objects_with, unfenced
from puzzles.reply import unwrapped, visible
from puzzles.tags import Found, tagged, wanted
from puzzles.verdict import Reason
from puzzles.wire import wire_of

_STEP = "STEP_JSON"
_COUNT = "answer"
"""The tag that a number of remaining steps is asked for in."""
_NUMBER = re.compile(
    r"([0-9]{1,6})\s*+(?:(?:more\s++)?(?:steps?|actions?|moves?))?\s*+\.?", re.IGNORECASE | re.ASCII
)


class Reading(NamedTuple):
    """What was found in a reply: the answer, or the reason why there is none.

    ``wire`` is the answer in wire format, where it has been put into it already.
    """

    answer: list[Any] | None
    format_ok: bool
    reason: Reason | None = None
    detail: str = ""
    wire: str | None = None


class StepReading(NamedTuple):
    """What a reply of a stepwise protocol names: one action, or the reason why there is none.

    ``items`` are those of the answer that it names beside the action (path: labels newly passed).
    """

    action: Any | None
    items: list[Any]
    format_ok: bool
    reason: Reason | None = None
    detail: str = ""


def extract(text: str, room: Family[Any, Any]) -> Reading:
    """Return the last complete answer in ``text``, read as one of the family ``room``."""
    said, seams = visible(unwrapped(text, room.answer_format.key))
    wire_format = wire_of(room)
    plain = wire_format.alone(said) if wire_format else None
    if plain is not None:
        return Reading(plain[0], True, wire=plain[1])
    found, complete, cut_off = _last_answer(said, room.answer_format)
    if found is None:
        if cut_off:
            return Reading(None, False, Reason.NO_ANSWER, "the answer is cut off")
        return Reading(None, False, Reason.NO_ANSWER, "the reply holds no answer")
    content = said[found.content]
    strict = complete == 1 and not cut_off and _is_exact(found, seams)
    plain = wire_format.read(content.strip()) if wire_format else None
    if plain is not None:
        return Reading(plain[0], strict, wire=plain[1])
    try:
        answer = room.parse_answer(_value(content, room.answer_format))
    except MalformedAnswer as error:
        return Reading(None, False, Reason.BAD_FORMAT, str(error))
    except RecursionError:
        return Reading(None, False, Reason.BAD_FORMAT, "the answer is nested too deep")
    wire = room.format_answer(answer)
    exact = strict and _is_wire_format(content, wire, room.answer_format)
    return Reading(answer, exact, wire=wire)


def read_step(text: str, room: Family[Any, Any]) -> StepReading:
    """Return the one action that ``text`` names.

    The last complete ``<STEP_JSON>`` counts; where there is none, an answer or a bare JSON value,
    or a sentence where the family reads these. One that names another action beside it makes them
    several.
    """
    said, seams = visible(unwrapped(text, room.answer_format.key))
    found, complete, cut_off = _steps(said, room)
    if not found and cut_off:
        return _no_step(Reason.NO_ANSWER, "the action is cut off")
    try:
        actions, items = _agreed(said, found, room)
    except MalformedAnswer as error:
        return _no_step(Reason.BAD_FORMAT, str(error))
    except IllegalAction as error:
        return _no_step(error.reason, str(error))
    if not actions:
        return _no_step(Reason.NO_ANSWER, "the reply names no action")
    if len(actions) > 1:
        return _no_step(Reason.SEVERAL_ACTIONS, "the reply names more than one action")
    strict = complete == 1 and not cut_off and _is_exact(found[0], seams)
    wire = room.step.format(actions[0], items)
    return StepReading(actions[0], items, strict and _is_json(said[found[0].content], wire))


def read_count(reply: str) -> tuple[int | None, bool]:
    """Return the number of remaining steps that ``reply`` names, or None, and if to the letter.

    It is what the last answer tag holds, or the whole reply.
    """
    said, _ = visible(unwrapped(reply))
    complete, cut_off = tagged(said, _COUNT)
    counts = [said[one.content] for one in complete if one.own]
    number = _NUMBER.fullmatch((counts[-1] if counts else said).strip())
    if number is None:
        return None, False
    exact = len(counts) == 1 and not cut_off
    return int(number[1]), exact and f"<answer>{int(number[1])}</answer>" in said


def _no_step(reason: Reason, detail: str) -> StepReading:
    return StepReading(None, [], False, reason, detail)


def _steps(text: str, room: Family[Any, Any]) -> tuple[list[Found], int, bool]:
    """Return where actions stand as JSON, the number of complete tags, and if one is cut off."""
    complete, cut_off = tagged(text, _STEP)
    found = [step for step in complete if step.own]
    if not found:
        answers, open_answer = _complete(text, room.answer_format)
        found = [answer._replace(own=False, exact=False) for answer in wanted(answers)]
        cut_off = cut_off or open_answer
    if not found and not cut_off and _is_bare(text):
        found = [Found(0, len(text), slice(None), exact=False)]
    return found, len(complete), cut_off


def _agreed(text: str, found: list[Found], room: Family[Any, Any]) -> tuple[list[Any], list[Any]]:
    """Return the actions that the last of ``found`` names, and those that others add; its items."""
    if not found:
        return room.step.sentence(text) if room.step.sentence else [], []
    (last, own), *others = dict.fromkeys((text[one.content], one.own) for one in reversed(found))
    actions, items = _named(last, room, own)
    same = [*map(room.step.same, actions)]
    for content, own in others:
        try:
            more, beside = _named(content, room, own)
        except (MalformedAnswer, IllegalAction):
            continue
        if more and [*map(room.step.same, more)] != same:
            return [*actions, *more], []
        if more and beside != items:
            raise MalformedAnswer("the reply names one action twice, with different labels")
    return actions, items


def _named(content: str, room: Family[Any, Any], own: bool) -> tuple[list[Any], list[Any]]:
    """Return the actions that ``content`` names, and the items where it is one action."""
    step = room.step
    try:
        value = loads(content, room.answer_format.repair)
    except MalformedAnswer:
        actions = step.sentence(content) if own and step.sentence else []
        if not actions:
            raise
        return actions, []
    actions = step.parse(value)
    return actions, step.items(value) if step.items and len(actions) == 1 else []


def _last_answer(text: str, asked: AnswerFormat) -> tuple[Found | None, int, bool]:
    """Return the answer that counts, how many complete ones there are, and if one is cut off."""
    found, cut_off = _complete(text, asked)
    if found:
        return wanted(found)[-1], len(found), cut_off
    if not cut_off and _is_bare(text):
        return Found(0, len(text), slice(None), exact=False), 1, False
    return None, 0, cut_off


def _complete(text: str, asked: AnswerFormat) -> tuple[list[Found], bool]:
    """Return all complete answers but a bare one, and whether one is cut off."""
    found, cut_off = tagged(text, asked.tag)
    if asked.tag is None and asked.key is not None:
        objects, left_open = objects_with(asked.key, text)
        cut_off = cut_off or left_open > max((o.start for o in objects), default=-1)
        found = sorted([*found, *_outside(objects, found)], key=lambda one: one.end)
    return found, cut_off


def _is_bare(text: str) -> bool:
    """Whether the whole text is a list or an object."""
    bare = unfenced(text).strip()
    return bare[:1] in ("[", "{") and bare[-1:] in ("]", "}")


def _outside(objects: list[slice], tags: list[Found]) -> list[Found]:
    """Return the objects that begin outside every tag."""
    starts, ends = [tag.start for tag in tags], [-1, *(tag.end for tag in tags)]
    return [
        Found(span.start, span.stop, span)
        for span in objects
        if span.start >= ends[bisect(starts, span.start)]
    ]


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


def _is_exact(found: Found, seams: list[int]) -> bool:
    """Whether an answer is marked to the letter, and no thought interrupts it."""
    return found.exact and not any(found.start < seam < found.end for seam in seams)


def _is_wire_format(content: str, wire: str, asked: AnswerFormat) -> bool:
    """Whether ``content`` says the answer ``wire`` to the letter, white space apart."""
    if asked.tag is not None:
        wire = wire.removeprefix(f"<{asked.tag}>").removesuffix(f"</{asked.tag}>")
    if asked.text:
        return ",".join(map(str.strip, content.split(","))) == wire
    return _is_json(content, wire)


def _is_json(content: str, wire: str) -> bool:
    """Whether ``content`` is the JSON of ``wire``, white space apart."""
    if content.strip() == wire:
        return True
    try:
        return bool(json.loads(content) == json.loads(wire))
    except ValueError:
        return False
