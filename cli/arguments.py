"""The values of options, from the text that is typed; ValueError says what they look like."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from protocols.protocol import Protocol


def parse_families(text: str) -> list[str]:
    from puzzles import NAMES

    return list(NAMES) if text == "all" else parse_list(text)


def parse_difficulties(text: str | None, length: str | None) -> list[str | None]:
    if length is not None:
        if text is not None:
            raise ValueError("give --difficulty or --length, not both")
        return [None]
    return (
        ["easy", "medium", "hard"]
        if text == "all"
        else [*parse_list("easy" if text is None else text)]
    )


def parse_list(text: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in text.split(",")))


def one_of(option: str, value: str, *known: str) -> str:
    """Return ``value`` where it is one of ``known``; raise ValueError."""
    if value not in known:
        raise ValueError(f"{option} is {' or '.join(known)}, not {value!r}")
    return value


def parse_protocols(text: str, stopping: str, history: str, rules: str) -> list[Protocol]:
    """Return the protocols, the stepwise ones in the variants that the options name."""
    from protocols.protocol import VARIANTS, named

    chosen = {
        one_of("--stopping", stopping, "fixed", "budget"),
        one_of("--history", history, "all", "last"),
        one_of("--rules", rules, "own", "vgau"),
    }
    variants = [variant for variant in VARIANTS if variant in chosen]
    found = [named(name) for name in parse_list(text)]
    if variants and not any(protocol.stepwise for protocol in found):
        raise ValueError("--stopping, --history and --rules are for stepwise protocols (vcot)")
    varied = (named("+".join([one.name, *variants])) if one.stepwise else one for one in found)
    return list({one.name: one for one in varied}.values())


def parse_lengths(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", text)
    if not found:
        raise ValueError(f"--length is LOW-HIGH or one number, not {text!r}")
    return int(found[1]), int(found[2] or found[1])


def parse_size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text.lower())
    if not found:
        raise ValueError(f"--size is ROWSxCOLUMNS, e.g. 12x8, not {text!r}")
    return int(found[1]), int(found[2])


def parse_rules(text: str | None, what: str) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError(f"{what} is a JSON object, not {text!r}")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def parse_option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--option is NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def parse_limit(states: int | None, memory: str | None) -> Any:
    """Return what a search may store; ``memory`` is such as 512MB or 2GB."""
    from solvers import Limit

    limit = Limit() if states is None else Limit(states)
    if memory is None:
        return limit
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?) *([kmgt])i?b?", memory.strip().lower())
    size = float(found[1]) * 1024 ** " kmgt".index(found[2]) if found else 0
    if size < 1:
        raise ValueError(f"--memory is a number with its unit, e.g. 512MB or 2GB, not {memory!r}")
    return limit._replace(memory=int(size))


def parse_cell(text: str | None, what: str) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"\(?([0-9]{1,6}) *, *([0-9]{1,6})\)?", text.strip())
    if not found:
        raise ValueError(f"{what} is ROW,COLUMN from 0, e.g. 3,0, not {text!r}")
    return int(found[1]), int(found[2])


def bytes_in_words(n: int) -> str:
    """Return a number of bytes as ``parse_limit`` reads it, in the unit that suits it."""
    unit = max(0, min(3, (n.bit_length() - 1) // 10 - 1))
    return f"{n / 1024 ** (unit + 1):.4g} {('KB', 'MB', 'GB', 'TB')[unit]}"
