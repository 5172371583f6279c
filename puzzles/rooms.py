"""The list of families, and the way from a name to its record."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from puzzles.family import Family

NAMES = ("maze", "sokoban", "path", "onet", "parking", "klotski")


class UnknownFamily(ValueError):
    """No family of that name."""


def family(name: str) -> Family[Any, Any]:
    """Return the family called ``name``, importing it on first use; raise UnknownFamily."""
    if name not in NAMES:
        raise UnknownFamily(f"unknown family {name!r} (known: {', '.join(NAMES)})")
    return _imported(name)


@cache
def _imported(name: str) -> Family[Any, Any]:
    record: Family[Any, Any] = import_module(f"puzzles.{name}").FAMILY
    return record
