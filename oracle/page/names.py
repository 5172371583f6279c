"""The names that people give themselves, and the codes that keep them."""

from __future__ import annotations

import unicodedata
from hashlib import blake2b

from oracle.errors import Refused

LONGEST = 60
"""Characters of a name and of a code."""
MOST = 20 * LONGEST
"""Characters of what may be sent as one: composed and without its spaces it may be short enough."""
_JOINERS = "\u200c\u200d"
"""Invisible, and yet part of words and of emoji."""


def cleaned(name: str, what: str = "name") -> str:
    """Return a name as it is kept; raise Refused for none, a long one, or signs that don't show."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name.strip(_JOINERS):
        raise Refused(f"the {what} is empty")
    if len(name) > LONGEST:
        raise Refused(f"the {what} has more than {LONGEST} characters")
    if not all(sign.isprintable() or sign in _JOINERS for sign in name):
        raise Refused(f"the {what} holds signs that can't be shown")
    return name


def key_of(name: str) -> str:
    """Return what stands for a name: the same in capitals and in small letters."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return blake2b(folded.encode(), digest_size=16).hexdigest()
