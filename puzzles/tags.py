"""Tags in a reply: where complete ones stand, and whether the last one stays open."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

# Texts come from models that may repeat themselves for megabytes, so each pattern takes a time in
# proportion to the text.
FLAGS = re.IGNORECASE | re.ASCII
_OTHERS = ("answer_json", "answer")
"""The tags that an answer may stand in, whichever was asked for."""


class Found(NamedTuple):
    """A complete answer: where it stands, its content, and how it is marked.

    ``own``: by the tag asked for, in any case; ``exact``: to the letter.
    """

    start: int
    end: int
    content: slice
    own: bool = True
    exact: bool = True


def tagged(text: str, asked: str | None) -> tuple[list[Found], bool]:
    """Return the contents of all complete answer tags, and whether the last tag stays open.

    asked
        The tag that was asked for; None where it was a bare object.
    """
    found: list[Found] = []
    opening: re.Match[str] | None = None
    first = text.find("<")
    if first < 0:
        return found, False
    for tag in _tag(asked).finditer(text, first):  # what comes before is skipped at once
        if not tag[1]:
            opening = tag
        elif opening is not None and opening[2].lower() == tag[2].lower():
            own = asked is None or tag[2].lower() == asked.lower()
            exact = (opening[0], tag[0]) == (f"<{asked}>", f"</{asked}>")
            content = slice(opening.end(), tag.start())
            found.append(Found(opening.start(), tag.end(), content, own, exact))
            opening = None
    tail = text[text.rfind("<") :].lower()
    torn = not tail.endswith(">") and any(
        f"<{name}>".lower().startswith(tail) for name in (asked or _OTHERS[0], *_OTHERS)
    )
    return found, opening is not None or torn


def wanted(found: list[Found]) -> list[Found]:
    """Return those in the tag asked for, or all where none is."""
    return [one for one in found if one.own] or found


@lru_cache
def _tag(asked: str | None) -> re.Pattern[str]:
    """Return what matches the tag asked for, and those that models write in its place."""
    names = "|".join(map(re.escape, dict.fromkeys((asked or _OTHERS[0], *_OTHERS))))
    return re.compile(rf"<\s{{0,8}}(/?)\s{{0,8}}({names})\s{{0,8}}>", FLAGS)
