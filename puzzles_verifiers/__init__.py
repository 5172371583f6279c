"""The environment id ``puzzles-verifiers``: the package that verifiers loads by that name.

Its present API takes the classes, which are found in ``__all__``; the one up to 0.1.14 takes the
function ``load_environment``. What they are is in ``oracle.trainers``.
"""

from importlib import import_module
from typing import Any

__all__ = ["PuzzleEnv", "PuzzleHarness", "PuzzleTaskset"]


def __getattr__(name: str) -> Any:
    """Import for the API that asks; only one of them is installed."""
    if name == "load_environment":
        return import_module("oracle.trainers.verifiers_legacy").load_environment
    if name in __all__:
        return getattr(import_module("oracle.trainers.verifiers_tasks"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
