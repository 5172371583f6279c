"""Visual planning puzzles of exact optimal length: made, solved, drawn and judged.

>>> from puzzles import family, load, make, replay, verify
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzles.replay import replay, verify
from puzzles.rooms import NAMES, family
from puzzles.solve import solve
from puzzles.verdict import Reason, Replay, Verdict
from puzzles.version import VERSION

if TYPE_CHECKING:
    from puzzles.curriculum import Entry, mixture
    from puzzles.dataset import load, make
    from puzzles.instance import Instance
    from puzzles.map import Map, explore
    from puzzles.streaming import stream

__version__ = VERSION
__all__ = [
    "NAMES",
    "Entry",
    "Instance",
    "Map",
    "Reason",
    "Replay",
    "Verdict",
    "explore",
    "family",
    "load",
    "make",
    "mixture",
    "replay",
    "solve",
    "stream",
    "verify",
]

_LATE = {
    "make": "dataset",
    "load": "dataset",
    "Entry": "curriculum",
    "mixture": "curriculum",
    "stream": "streaming",
    "Instance": "instance",
    "Map": "map",
    "explore": "map",
}


def __getattr__(name: str) -> Any:
    """Import what needs pydantic or worker processes only when it is asked for."""
    if name not in _LATE:
        raise AttributeError(f"module 'puzzles' has no attribute {name!r}")
    return getattr(importlib.import_module(f"puzzles.{_LATE[name]}"), name)


def _check_siblings() -> None:
    """Raise ImportError where another folder hides one of the packages that belong to this one."""
    home = Path(__file__).resolve().parents[1]
    for sibling in ("solvers", "render", "protocols"):
        spec = importlib.util.find_spec(sibling)
        found = Path(spec.origin).resolve().parents[1] if spec and spec.origin else None
        if found != home:
            where = f"is hidden by {found / sibling}" if found else "is missing"
            raise ImportError(f"puzzles is in {home}, but its package '{sibling}' {where}")


_check_siblings()
