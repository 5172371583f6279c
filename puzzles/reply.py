"""A reply as its reader sees it: out of a harness's wrapping, and without thoughts."""

from __future__ import annotations

import json
import re

from puzzles.tags import FLAGS

_MARKS = {
    "THINK]": {"[THINK]": "<think>", "[/THINK]": "</think>"},
    "think▷": {"◁think▷": "<think>", "◁/think▷": "</think>"},
    "seed:": {"<seed:think>": "<think>", "</seed:think>": "</think>"},
    "|": {
        **{"<|begin_of_thought|>": "<think>", "<|end_of_thought|>": "</think>"},
        **{"<|channel>thought": "<think>", "<channel|>": "</think>"},
        **{"<|channel|>analysis": "<think>", "<|channel|>final": "</think>"},
        **{"<|open|>think<|sep|>": "<think>", "<|close|>think<|sep|>": "</think>"},
        **{"<|START_THINKING|>": "<think>", "<|END_THINKING|>": "</think>"},
    },
}
"""How models whose chat templates have other marks write the tags, by what such a text has in it.

Magistral, Kimi, Seed, OpenThinker, Gemma 4, gpt-oss, Kimi K3, Command A.
"""
_THINK = re.compile(r"<\s{0,8}(/?)\s{0,8}think(?:ing)?\b[^<>]*+>", FLAGS)


def unwrapped(text: str, key: str | None = None) -> str:
    """Return the reply that a harness has wrapped in a JSON string or an object with ``text``.

    An object that has ``key`` is no wrapping but an answer.
    """
    for _ in range(2):
        stripped = text.strip()
        if stripped[:1] not in ('"', "{") or (key and stripped.startswith(f'{{"{key}":')):
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

    The marks that other models have for that count as such tags (Magistral's ``[THINK]``, Gemma's
    ``<|channel>thought``, ...); one that a prompt may ask for, such as ``<reasoning>``, is text.
    A line break takes its place, so that what it parts is not joined to a tag or a word; the list
    says where. A closing tag without its opening ends thinking from the very start; an opening one
    inside a thought is part of it, since a thought may well name the tag.
    """
    for sign, marks in _MARKS.items():
        if sign in text:
            for mark, tag in marks.items():
                text = text.replace(mark, tag)
    kept: list[str] = []
    at, thinking = 0, False
    for found in _THINK.finditer(text, max(text.find("<"), 0)):  # prose is skipped at once
        if not thinking:
            kept.append(text[at : found.start()])
        at = found.end()
        if found[1]:
            if not thinking:
                kept.clear()
            thinking = False
        elif not found[0].endswith("/>"):
            thinking = True
    if not thinking:
        kept.append(text[at:])
    seams, end = [], -1
    for part in kept[:-1]:
        end += len(part) + 1
        seams.append(end)
    return "\n".join(kept), seams
