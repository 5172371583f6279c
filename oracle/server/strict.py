"""JSON from outside, read strictly: what two readers might take differently is refused."""

from __future__ import annotations

import json
import math
from typing import Any

from oracle.errors import Refused

DEPTH = 32
"""How deeply lists and objects may lie in each other."""
_SURROGATE = b"\\ud"


class Malformed(Refused):
    """The body is no JSON, or JSON that can't be kept as it is."""

    status = 400


def loads(raw: bytes) -> Any:
    """Return the JSON value of ``raw``; raise Malformed.

    Not taken, though Python's reader takes them: NaN and infinities (also as 1e999), a key that
    comes twice, halves of characters (lone surrogates), and more than ``DEPTH`` levels.
    """
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_object,
            parse_float=_number,
            parse_constant=_constant,
        )
        if raw.count(b"[") + raw.count(b"{") > DEPTH and _depth(value) > DEPTH:
            raise RecursionError
        if _SURROGATE in raw.lower():
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("the body is not UTF-8 text") from None
    except UnicodeEncodeError:
        raise Malformed("the body holds half a character: a lone surrogate") from None
    except RecursionError:
        raise Malformed(f"the body is nested more than {DEPTH} levels deep") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Malformed(f"the body is not JSON: {error.msg} ({place})") from None
    except ValueError as error:
        # A whole number of more digits than Python converts.
        known = error if isinstance(error, Malformed) else Malformed("a number is too large")
        raise known from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"the key {twice[:80]!r} comes twice")
    return found


def _number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise Malformed(f"the number {text[:80]} is too large")
    return number


def _constant(text: str) -> Any:
    raise Malformed(f"{text} is no JSON")


def _depth(value: Any) -> int:
    """Return how many levels of lists and objects lie in each other."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        if depth > DEPTH:
            break
        level = [
            inner for item in level for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return depth
