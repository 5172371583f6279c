"""A reply as its reader sees it: out of a harness's wrapping, and without thoughts."""

from __future__ import annotations

import json
import re

from puzzles.tags import FLAGS

_THINK = re.compile(r"<\s{0,8}(/?)\s{0,8}think(?:ing)?\b[^<>]*+>", FLAGS)


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
