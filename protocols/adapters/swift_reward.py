"""ms-swift: reward classes, ``--external_plugins FILE --reward_funcs puzzles_mix``.

``python -m protocols.adapters.swift_reward`` prints the file. Where ms-swift is installed, each
reward is in its table under ``puzzles_`` and its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar

from protocols.adapters.scoring import Scoring, paired
from protocols.reward import REWARDS


def _swift() -> tuple[type, dict[str, Any]]:
    """Return the class that rewards derive from, and the table of rewards by name."""
    for module in ("swift.rewards", "swift.plugin"):  # from 4.0, and before
        try:
            found = import_module(module)
            return found.ORM, found.orms
        except (ImportError, AttributeError):  # another package may have that name
            continue
    return object, {}


_Base, ORMS = _swift()


# mypy wants a base that is known, and whether ms-swift is there shows only when this is run.
class PuzzleReward(_Base):  # type: ignore[misc,valid-type]
    """One reward as ms-swift calls it: with completions, and the columns of the dataset by name."""

    scoring: ClassVar[Scoring] = Scoring()
    column: ClassVar[str] = "record"

    def __init__(self, args: Any = None, **given: Any):
        if _Base is not object:
            super().__init__(args, **given)

    def __call__(self, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """Return the reward of each completion, None where the row holds no instance.

        Raises ValueError where the column of records is missing or of another length, and what
        ``score`` raises.
        """
        pairs = paired(completions, columns, self.column)
        return [None if given is None else self.scoring(said, given) for said, given in pairs]


def plugged(name: str, scoring: Scoring, column: str = "record") -> type[PuzzleReward]:
    """Return the class of a reward, after putting it into ms-swift's table under ``name``."""
    kind = type(name, (PuzzleReward,), {"scoring": scoring, "column": column})
    ORMS[name] = kind
    return kind


for _name in REWARDS:
    plugged(f"puzzles_{_name}", Scoring(_name))

if __name__ == "__main__":
    print(__file__)
