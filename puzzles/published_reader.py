"""How the published suite finds an answer in a reply (arXiv:2608.22174), where it differs from us.

It does not look for thinking, reads nothing but strict JSON, and takes the last tag; of answers
that stand in no tag the first object. Letters stand for directions only where the answer has a tag
and a key. Of labels in words it takes the last tag, else the last line that has a letter alone.
"""

from __future__ import annotations

import json
import re
from typing import Any

from puzzles.directions import STEPS
from puzzles.family import AnswerFormat, Family
from puzzles.lenient import objects_with

_MOST = 1000
"""More repeats of one action than this leave every board."""
_LETTERS = {"u": "up", "d": "down", "l": "left", "r": "right"}
_LABELS = re.compile(r"(?<!\w)[A-E](?!\w)")


def rewritten(text: str, room: Family[Any, Any]) -> str:
    """Return the answer that the published reader finds in ``text``, as our readers read it.

    It is empty where there is none.
    """
    asked, text = room.answer_format, _unwrapped(text)
    if asked.text:
        labels = _labels(text)
        return f"<{asked.tag}>{','.join(labels)}</{asked.tag}>" if labels else ""
    value = _first_object(text, str(asked.key)) if asked.tag is None else _tagged(text, asked)
    if value is None:
        return ""
    try:
        content = json.dumps(_items(value, asked)).replace("<", "\\u003c")  # no tag within
    except RecursionError:
        return ""
    return content if asked.tag is None else f"<{asked.tag}>{content}</{asked.tag}>"


def _unwrapped(text: str) -> str:
    value = _loads(text)
    return str(value["text"]) if isinstance(value, dict) and "text" in value else text


def _loads(text: str | None) -> Any | None:
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return None


def _first_object(text: str, key: str) -> Any | None:
    """Return the first object in ``text`` that is strict JSON and has ``key``."""
    for span in objects_with(key, text)[0]:
        value = _loads(text[span])
        if isinstance(value, dict) and key in value:
            return value
    return None


def _tagged(text: str, asked: AnswerFormat) -> Any | None:
    """Return the value in the last tag, or that of the whole text where no tag is complete."""
    pairs = {"[": "]", "{": "}"} if asked.key else {"[": "]"}
    found = _last_tag(text, str(asked.tag), pairs)
    bare = text.strip()
    if found is None and asked.key is None:
        found = _left_open(text, str(asked.tag))
    if found is None and pairs.get(bare[:1]) == bare[-1:]:
        found = bare
    value = _loads(found)
    if isinstance(value, dict):
        value = value.get(asked.key, [])
    return value if isinstance(value, list) else None


def _last_tag(text: str, tag: str, pairs: dict[str, str]) -> str | None:
    """Return what stands from bracket to bracket in the last complete tag.

    A tag runs to the next bracket that closes before a closing tag, whatever is in between.
    """
    opening = re.compile(rf"<{tag}>\s*+([{re.escape(''.join(pairs))}])", re.IGNORECASE)
    closing = {
        mark: re.compile(rf"{re.escape(end)}\s*+</{tag}>", re.IGNORECASE)
        for mark, end in pairs.items()
    }
    found, at = None, 0
    while closing and (start := opening.search(text, at)):
        at = start.end()
        end = closing[start[1]].search(text, at) if start[1] in closing else None
        if end is None:
            closing.pop(start[1], None)  # none follows, so none follows a later one either
            continue
        found, at = text[start.start(1) : end.start() + 1], end.end()
    return found


def _left_open(text: str, tag: str) -> str | None:
    """Return the list that ends the text where the tag before it is not closed."""
    if tag != tag.lower():  # only the lists of pairs, whose tag is asked for in lower case
        return None
    start = re.search(rf"<{tag}>\s*+(?=\[)", text, re.IGNORECASE)
    end = text.rstrip()
    return end[start.end() :] if start and end.endswith("]") else None


def _items(value: Any, asked: AnswerFormat) -> Any:
    """Return ``value`` with each item as it is read there."""
    if asked.tag is None:
        items = value[asked.key]
        if isinstance(items, list):
            items = [_word_in(item, str.upper) for item in items]
        return {asked.key: items}
    if asked.key is not None:
        return [_repeated(item) for item in value if isinstance(item, dict)]
    return [_pair(item) if isinstance(item, list) else _word(str(item)) for item in value]


def _word(word: str) -> str:
    """Return a direction in lower case; another word with a mark, since it may be one to us."""
    word = word.strip().lower()
    return word if word in STEPS else f"{word}?"


def _word_in(item: Any, case: Any) -> Any:
    if not isinstance(item, dict) or item.get("direction") is None:
        return item
    kept = {name: item[name] for name in ("from",) if name in item}
    return {**kept, "direction": case(_word(str(item["direction"])))}


def _repeated(item: dict[str, Any]) -> dict[str, Any]:
    word = str(item.get("direction", "")).strip().lower()
    repeats = _int(item.get("steps", item.get("distance", 1)))
    return {
        "car": str(item.get("car", "")).strip().upper(),
        "direction": _word(_LETTERS.get(word, word)),
        "steps": min(max(1, 1 if repeats is None else repeats), _MOST),
    }


def _pair(item: list[Any]) -> Any:
    """Return a pair of cells with their numbers read, or the item as it is."""
    numbers = [
        [_int(number) for number in cell] if isinstance(cell, list) else [None] for cell in item
    ]
    return item if any(None in cell for cell in numbers) else numbers


def _int(value: Any) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _labels(text: str) -> list[str]:
    """Return the labels in the last tag, or else in the last line that names some."""
    tagged, opening = "", None
    for tag in re.finditer("<(/?)ANSWER>", text, re.IGNORECASE):
        if not tag[1]:
            opening = opening or tag
        elif opening:
            tagged, opening = text[opening.end() : tag.start()], None
    for said in (tagged, *reversed(text.splitlines()), text):
        labels = _letters(said) if said and not said.isspace() else []
        if labels:
            return labels
    return []


def _letters(text: str) -> list[str]:
    said = text.strip().upper().strip("`\"'[](){}<> \n\t")
    if re.fullmatch("[A-E]{1,5}", said):
        return list(said)
    alone = _LABELS.findall(said)
    if alone or not re.fullmatch(r"[A-E,\-\s>]++", said):
        return alone
    return re.findall("[A-E]", said)
