"""JSON as models write it: with fences, text around it, trailing commas, single quotes.

Texts come from models that may repeat themselves for megabytes, so each pattern takes a time in
proportion to the text: no repetition is given back, and a string left open runs to the end.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from puzzles.directions import quoted
from puzzles.family import MalformedAnswer

Repair = Callable[[str], str]

# A word after the fence is the name of a language only where a line or a value begins behind it.
_LANGUAGE = r"(?:[\w-]{2,}+(?=[^\S\n]*+\n|\s*+[\[{]))?+"
_FENCE = re.compile(rf"\A\s*+```{_LANGUAGE}\s*+(.*?)```\s*+\Z", re.DOTALL)
_QUOTED = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|' + r"'(?:[^'\\]|\\.)*+(?:'|\\?\Z)"
_BRACKET = re.compile(_QUOTED + r"|[\[\]{}]", re.DOTALL)
"""A bracket, or a string, whose brackets are none."""
_SLIP = re.compile(_QUOTED + r"|,(?=\s*+[\]}])|[“”‘’]", re.DOTALL)
_PART_BEFORE = re.compile(r"""(?:[0-9]\s*+[*×x]|[\w\])]\s*+\+|["']\s*+,)\s*+\Z""")
_PART_AFTER = re.compile(r"""\s*+(?:[*×x]\s*+[0-9]|\+\s*+[\w\[(]|,\s*+["'])""")
"""What makes of a value a part of something larger, which is not written out: ``["up"] * 3``."""
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_DEPTH = 32
"""Brackets nested deeper than this are no answer of any family."""


def objects_with(key: str, text: str) -> tuple[list[slice], int]:
    """Return the complete objects in ``text`` that have ``key``, none inside another, in order.

    Also returns where the last object with ``key`` that is not closed begins, or -1. Takes one
    scan: the brackets that are open lie on a stack, and a key belongs to the innermost of them. A
    bracket left open by prose is never closed, so it stays at the bottom and hides nothing.
    """
    alone = _only_object(key, text)
    if alone is not None:
        return [alone], -1
    found: list[slice] = []
    opened: list[int] = []
    keyed: set[int] = set()
    at, token_of = 0, _tokens(key)
    while True:
        at = at if opened else text.find("{", at)
        token = token_of.search(text, at) if at >= 0 else None
        if token is None:
            break
        at, mark = token.end(), token[0]
        if mark in ("{", "["):
            opened.append(token.start())
        elif mark in ("}", "]"):
            start = opened.pop()
            if start in keyed:
                while found and found[-1].start > start:
                    found.pop()
                found.append(slice(start, at))
        elif token["key"] and text[opened[-1]] == "{":
            keyed.add(opened[-1])
    return found, max((start for start in opened if start in keyed), default=-1)


def _only_object(key: str, text: str) -> slice | None:
    """Return the object that ``text`` holds, where it is JSON, and ``key`` comes first in it.

    No scan has to find it then. None where there may be others, or anything else is unusual.
    """
    start = text.find("{")
    if start < 0 or not text.startswith(f'{{"{key}":', start):
        return None
    try:
        _, end = _json.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return slice(start, end) if text.find("{", end) < 0 else None


_json = json.JSONDecoder()


@lru_cache
def _tokens(key: str) -> re.Pattern[str]:
    """Return what matches a bracket, ``key`` with its colon, or another string.

    There may be prose within brackets, whose quotes and apostrophes are no strings: a string stands
    between marks of JSON, or runs to the end of a text that is cut off.
    """
    name = rf"(?P<quote>[\"']?){re.escape(key)}(?P=quote)\s*+:"
    strings = "|".join(
        rf"{quote}(?:[^{quote}\\]|\\.)*+{quote}(?=\s*+[,:\]}}])"
        rf"|{quote}(?:[^{quote}\\{{]|\\.)*+\\?\Z"
        for quote in "\"'"
    )
    between = rf"(?<=[\[{{,:])\s*+(?![\"']{re.escape(key)}[\"']\s*+:)(?:{strings})"
    return re.compile(rf"[\[\]{{}}]|(?P<key>(?<![\w-]){name})|{between}", re.DOTALL)


def unfenced(text: str) -> str:
    """Return what stands inside a code fence that encloses the whole text."""
    fence = _FENCE.match(text)
    return fence[1] if fence else text


def loads(content: str, repair: Repair | None = None) -> Any:
    """Return the value that ``content`` writes, text around it and slips of form forgiven.

    ``repair`` rewrites further slips into JSON. Raises MalformedAnswer where it is no JSON, names a
    key twice in one object, nests too deep, or holds what JSON has no number for.
    """
    for text in _readings(content, repair):
        _check_depth(text)
        try:
            return _decode(text)
        except MalformedAnswer:
            raise
        except (ValueError, RecursionError):
            continue
    raise MalformedAnswer("the answer is not JSON")


def _readings(content: str, repair: Repair | None) -> Iterator[str]:
    """Yield ``content``, then the same with ever more slips of form taken out."""
    text = unfenced(content).strip()
    yield text
    starts = [at for at in (text.find("["), text.find("{")) if at >= 0]
    ends = max(text.rfind("]"), text.rfind("}"))
    if starts and ends >= min(starts):
        if _PART_BEFORE.search(text, 0, min(starts)) or _PART_AFTER.match(text, ends + 1):
            raise MalformedAnswer("the answer is not JSON")
        text = text[min(starts) : ends + 1]
    text = _SLIP.sub(_mended, text)
    yield text
    if repair:
        yield repair(text)


def _mended(slip: re.Match[str]) -> str:
    token = slip[0]
    if token == ",":
        return ""
    if token in "“”‘’":
        return '"'
    if token[0] == "'" == token[-1] and len(token) > 1:
        return json.dumps(token[1:-1].replace("\\'", "'"), ensure_ascii=False)
    return token


def _check_depth(text: str) -> None:
    brackets = text.encode("utf-8", "surrogatepass").translate(None, _NO_BRACKETS)
    for _ in range(_DEPTH // 2):  # each time the innermost go, those inside strings included
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if not brackets:
            return
    depth = _depth([token[0] for token in _BRACKET.finditer(text)])
    if depth > _DEPTH:
        raise MalformedAnswer(f"brackets are nested more than {_DEPTH} deep")


def _depth(tokens: Iterable[str]) -> int:
    depth = most = 0
    for token in tokens:
        if token in ("[", "{"):
            depth += 1
            most = max(most, depth)
        elif token in ("]", "}"):
            depth -= 1
    return most


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs; raise MalformedAnswer for a key that stands twice."""
    result = dict(pairs)
    if len(result) < len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name in times if times[name] > 1)
        raise MalformedAnswer(f"the key {quoted(twice)} stands twice in one object")
    return result


def _refuse(constant: str) -> Any:
    raise MalformedAnswer(f"{constant} is not a number of any answer")


_decode = json.JSONDecoder(object_pairs_hook=unique, parse_constant=_refuse).decode
