"""Moves that prose names: "I move the agent up." names one, "up or left" none."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import NamedTuple

from puzzles.directions import STEPS, parse_direction


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never a guess: a direction counts only where a clause says that the move is made. What else speaks
# of directions ("the wall on the right", "I can't go up", "if I go left") is passed over.
_TOKEN = re.compile(r"\w+(?:['’]\w+)?|\n|[^\s\w]")
_IGNORED = {*'*`"“”_<>', "\ufe0f"}
_ENDS = {".", "!", "?", "\n", ""}
_BREAKS = {*_ENDS, *";:,()-–—"}
_RESETS = _words("so thus therefore hence")
_JOINTS = _RESETS | _words("then now next first and but")
_DOUBTS = _words(
    "if when whenever unless whether would could might may can suppose imagine consider not never "
    "cannot without before after once until instead rather though although moving going like"
)
_SUBJECTS = _words("i we i'll we'll i’ll we’ll let's let’s")
_PIECES = _words("agent player marker person disc triangle")
_ADVERBS = _words("will shall should must now then first next therefore thus")
_VERBS = _words("move go step walk head push proceed advance choose")
_OTHER_VERBS = _words("moves goes steps walks heads pushes proceeds advances")
_WEAK_VERBS = _words("moved went stepped walked headed pushed moving going")
_UNITS = _words("the a an one 1 single by cell square tile space step direction")
_FILLERS = _UNITS | _PIECES | _words("it him box crate further straight to towards in")
_MANNERS = _words("my the next best only chosen final correct single first")
_NOUNS = _words("action move step direction answer choice round")
_TAILS = _words("to into onto toward towards from because since as so and")
_OPTIONS = {"or", "/", "|"}
_SEPARATORS = {",", "and", "then", *_OPTIONS}
_MOST = 8


class _Phrase(NamedTuple):
    directions: list[str]
    end: int
    weak: bool = False


def moves_in(text: str) -> list[str]:
    """Return the distinct directions in which ``text`` says that it moves, in their order."""
    tokens = [token for token in _TOKEN.findall(text.lower()) if token not in _IGNORED]
    words = {_direction(token) for token in tokens} - {None}
    if not words:
        return []
    listed = _directed(tokens, 0)
    if listed is not None and not set(tokens[listed.end :]) - _ENDS:
        return listed.directions
    phrases = _phrases(tokens)
    said = [phrase for phrase in phrases if not phrase.weak]
    if not said and len(words) == 1:
        said = phrases
    return list(dict.fromkeys(word for phrase in said for word in phrase.directions))


def _phrases(tokens: list[str]) -> list[_Phrase]:
    """Return the phrases that say a move, each at the start of a clause that isn't in doubt."""
    found: list[_Phrase] = []
    at, doubt, clause, sentence = 0, False, True, True
    while at < len(tokens):
        token = tokens[at]
        if clause and not doubt:
            phrase = _phrase(tokens, at, sentence)
            if phrase is not None:
                found.append(phrase)
                at, clause = phrase.end, False
                continue
        after = _direction(_word(tokens, at + 1))
        if token == "then" and found and after is not None:
            found.append(_Phrase([after], at + 2))
        if token in _ENDS:
            doubt, clause, sentence = False, True, True
        elif token in _JOINTS or token in _BREAKS:
            doubt = doubt and token not in _RESETS
            clause, sentence = True, token == ":" or (sentence and clause) or token in _RESETS
        else:
            doubt = doubt or token in _DOUBTS or token.endswith(("n't", "n’t"))
            clause = sentence = False
        at += 1
    return found


def _phrase(tokens: list[str], start: int, sentence: bool) -> _Phrase | None:
    """Return the move that is said from ``start`` on; an order only at the head of a sentence."""
    at = _past_subject(tokens, start)
    if at > start:
        at = _past(tokens, at, _ADVERBS)
        verbs = _VERBS | _OTHER_VERBS
    else:
        verbs = _VERBS if sentence else frozenset()
    word, phrase = _word(tokens, at), None
    if word in verbs or word in _WEAK_VERBS:
        at = _past(tokens, at + 1, _FILLERS)
        at += _word(tokens, at) in _VERBS
        phrase = _directed(tokens, _past(tokens, at, _FILLERS), word in _WEAK_VERBS)
    return phrase or (_labelled(tokens, start) if sentence else None)


def _labelled(tokens: list[str], at: int) -> _Phrase | None:
    """Return the move that is said as in "Next action: up" or "My move is to go up"."""
    at = _past(tokens, at, _MANNERS)
    if _word(tokens, at) not in _NOUNS:
        return None
    at += 1
    at += _word(tokens, at).isdigit()
    if _word(tokens, at) not in (":", "is", "="):
        return None
    at = _past(tokens, at + 1, {"\n", ":"})
    at += _word(tokens, at) == "to"
    at += _word(tokens, at) in _VERBS
    return _directed(tokens, _past(tokens, at, _FILLERS))


def _directed(tokens: list[str], at: int, weak: bool = False) -> _Phrase | None:
    """Return the directions from ``at`` on, where the clause ends after them or goes on well.

    Directions joined by "or" are options: the phrase then names none.
    """
    directions, ends = list[str](), list[int]()
    options = False
    while len(directions) < _MOST and (word := _direction(_word(tokens, at))) is not None:
        directions.append(word)
        at += 1
        ends.append(at)
        while _word(tokens, at) in _SEPARATORS:
            options = options or _word(tokens, at) in _OPTIONS
            at += 1
        if at == ends[-1]:
            break
    if options:
        return _Phrase([], at, weak)
    while ends:
        if _goes_on_well(tokens, ends[-1]):
            return _Phrase(directions, ends[-1], weak)
        directions.pop()
        ends.pop()
    return None


def _goes_on_well(tokens: list[str], at: int) -> bool:
    """Whether what follows a direction leaves it what it is: "up." does, "up the stairs" not."""
    at = _past(tokens, at, _UNITS | {"now"})
    word = _word(tokens, at)
    return word != "?" and (word in _BREAKS or word in _TAILS)


def _past_subject(tokens: list[str], at: int) -> int:
    word, after = _word(tokens, at), _word(tokens, at + 1)
    if word in _SUBJECTS:
        return at + 1
    if (word == "the" and after in _PIECES) or (word == "let" and after in ("me", "us")):
        return at + 2
    return at


def _past(tokens: list[str], at: int, words: Set[str]) -> int:
    """Return where the run of ``words`` from ``at`` on ends; a long one is prose, and cut."""
    end = at
    while end < at + _MOST and _word(tokens, end) in words and end < len(tokens):
        end += 1
    return end


def _word(tokens: list[str], at: int) -> str:
    return tokens[at] if at < len(tokens) else ""


def _direction(token: str) -> str | None:
    """Return the direction that a word or an arrow is; letters in prose may be anything."""
    if len(token) == 1 and token.isalnum():
        return None
    word = parse_direction(token)
    return word if word in STEPS else None
