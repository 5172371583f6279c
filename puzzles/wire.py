"""Answers in wire format, read item by item, each from a table of those that were read before.

Most answers of a trained model are written to the letter, and there are few actions to be named.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from puzzles.family import AnswerFormat, Family

_LONGEST = 20_000
"""Characters; a longer answer is read the long way, which has limits of its own."""
_LONGEST_ITEM = 100
_ITEMS = 4096
"""Items of a family that are kept."""


class Wire:
    """What reads the wire format of a family, and nothing else.

    It rests on two things that hold for every family with a ``joint``: an answer in wire format is
    its items, one by one in wire format, with the joint between; and what is written so is read
    back as it was.
    """

    def __init__(
        self,
        parse: Callable[[Any], list[Any]],
        format: Callable[[Sequence[Any]], str],
        asked: AnswerFormat,
    ):
        self._parse, self._format, self._asked = parse, format, asked
        closing, opening = asked.joint.split(",")
        before, after = self._content([]).split("[]")
        self.head, self.tail = f"{before}[{opening}", f"{closing}]{after}"
        self._item = lru_cache(_ITEMS)(self._read_item)

    def read(self, content: str) -> tuple[list[Any], str] | None:
        """Return the answer that ``content``, without its tag, writes to the letter; and with it.

        None where it is another text.
        """
        start, end = len(self.head), len(content) - len(self.tail)
        if start > end or end > _LONGEST:
            return None
        if not (content.startswith(self.head) and content.endswith(self.tail)):
            return None
        answer = [*map(self._item, content[start:end].split(self._asked.joint))]
        if None in answer:
            return None
        tag = self._asked.tag
        return answer, content if tag is None else f"<{tag}>{content}</{tag}>"

    def alone(self, text: str) -> tuple[list[Any], str] | None:
        """Return the answer that is all of ``text`` but prose before it, where it has no tag.

        None where there may be another answer, or it is not written to the letter.
        """
        start = text.find("{")
        if self._asked.tag is not None or start < 0 or "<" in text:
            return None
        return self.read(text[start:].rstrip())

    def _content(self, answer: Sequence[Any]) -> str:
        """Return an answer in wire format, without its tag."""
        tag = self._asked.tag
        return self._format(answer).removeprefix(f"<{tag}>").removesuffix(f"</{tag}>")

    def _read_item(self, item: str) -> Any:
        content, key = self.head + item + self.tail, self._asked.key
        if len(item) > _LONGEST_ITEM:
            return None
        try:
            value = json.loads(content)
            (action,) = self._parse(value[key] if self._asked.tag is None else value)
        except (ValueError, TypeError, LookupError, RecursionError):
            return None
        return action if self._content([action]) == content else None


def wire_of(room: Family[Any, Any]) -> Wire | None:
    """Return what reads the wire format of a family; None where it has to be read as a whole."""
    asked = room.answer_format
    return _wire(room.parse_answer, room.format_answer, asked) if asked.joint else None


_wire = lru_cache(maxsize=64)(Wire)
