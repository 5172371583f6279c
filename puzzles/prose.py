"""Moves that prose states: "I move the agent up." states one, "up or left" none.

A sentence states a move where it says that the move is made ("So I move the agent up.", "Next
action: up") and holds no word of doubt and no second direction word. A reply names the moves that
its sentences state, but only where these are all the directions that it speaks of.
"""

from __future__ import annotations

import re

from puzzles.directions import STEPS, parse_direction

_MARKUP = str.maketrans({**dict.fromkeys("*_`\ufe0f"), "’": "'"})
_TOKEN = re.compile(r"\w+|[^\w\s]")
# Neither "e.g." ends a sentence nor a single line break: "I do not / move up." is one.
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\.[ge]\.)\s+|\n[^\S\n]*+\n")
_DOUBT = re.compile(
    r"\?|n't\b|\b(?:no|not|never|cannot|or|if|unless|whether|when|until|before|after|can|could|would"
    r"|should|may|might|maybe|perhaps|suppose|imagine|example|like|instead|without|wrong)\b"
)
_SAID = (
    r"(?:(?:i|we|let me|let us|let's|i'll|we'll|the (?:agent|player|marker)) )?"
    r"(?:(?:will|now|then|therefore|thus) ){0,2}"
    r"(?:move|go|step|walk|head|push|choose)(?:s|es)? "
)
_LABEL = (
    r"(?:(?:my|the|next|best|chosen|final) ){0,3}"
    r"(?:action|move|step|direction|answer)(?: is:?|:) (?:to )?"
)
_FILLERS = r"(?:(?:the|a|one|1|by|to|move|go|agent|player|marker|box|crate|cell|step) ){0,6}"
_TAIL = r"(?: (?:by )?(?:one|1|a) (?:cell|step))?(?: now)?(?:[.!]?$|,? (?:because|since|towards?) )"
_START = r"(?:^(?:(?:now|next),? )?|\b(?:so|thus|therefore|hence),? )"
_MOVE = re.compile(rf"{_START}(?:{_SAID}|{_LABEL}(?:{_SAID})?){_FILLERS}(\w+|[^\w\s]){_TAIL}")


def moves_in(text: str) -> list[str]:
    """Return the distinct directions that ``text`` states as moves, in their order.

    The list is empty where it speaks of another direction too. One word or arrow alone is a move.
    """
    text = text.translate(_MARKUP).lower()
    spoken = _directions(text)
    if len(spoken) == 1 and len(_TOKEN.findall(text.strip().rstrip(".!"))) == 1:
        return spoken
    stated = dict.fromkeys(
        move for sentence in _SENTENCE_END.split(text) if (move := _stated(sentence))
    )
    return list(stated) if stated.keys() == set(spoken) else []


def _stated(sentence: str) -> str | None:
    """Return the direction in which ``sentence`` says that it moves."""
    spoken = _directions(sentence)
    if len(spoken) != 1 or _DOUBT.search(sentence):
        return None
    found = _MOVE.search(" ".join(sentence.split()))
    return spoken[0] if found and _directions(found[1]) else None


def _directions(text: str) -> list[str]:
    """Return the directions that words and arrows of ``text`` mean; a letter may be anything."""
    tokens = (token for token in _TOKEN.findall(text) if len(token) > 1 or not token.isalnum())
    return [word for word in map(parse_direction, tokens) if word in STEPS]
