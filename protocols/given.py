"""Instances that completions are scored on: checked once, and kept ready with their distances.

What is kept changes how long a call takes, never what it returns. Threads may share it; processes
that are forked go on with their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any

from protocols.adapters.rows import held
from puzzles.answers import Reading
from puzzles.directions import quoted
from puzzles.distances import Distances
from puzzles.family import Family
from puzzles.instance import Instance, stands_for
from puzzles.replay import WrongInstance, judged, verify
from puzzles.rooms import family
from puzzles.verdict import Replay, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 1024
"""Instances that are kept ready; one of more than LARGE characters isn't kept."""
LARGE = 20_000

Record = Instance | str | bytes | Mapping[str, Any]
"""An instance, its line of metadata.jsonl, or a row that holds one; see ``adapters.rows.held``."""


@dataclass(frozen=True)
class Given:
    """An instance that has been checked, with its first state."""

    key: tuple[Any, ...]
    instance: Instance = field(compare=False)
    room: Family[Any, Any] = field(compare=False)
    state: Any = field(compare=False)

    # What is found out once is kept here, and not by functools.cached_property, whose lock a thread
    # may hold while the process is forked: two threads may find out the same, and lose nothing.
    _found: dict[str, Any] = field(default_factory=dict, compare=False)

    def _pack(self) -> tuple[Any, NDArray[np.uint64]]:
        if "pack" not in self._found:
            packed, start = self.room.pack(self.state)
            self._found["pack"] = packed, start[None]
        found: tuple[Any, NDArray[np.uint64]] = self._found["pack"]
        return found

    @property
    def packed(self) -> Any:
        return self._pack()[0]

    @property
    def start(self) -> NDArray[np.uint64]:
        return self._pack()[1]

    @property
    def first(self) -> float:
        """How many actions the goal is away at first; raises WrongInstance where it is not so."""
        if "first" not in self._found:
            self._found["first"] = self._first()
        return float(self._found["first"])

    def _first(self) -> float:
        left, claimed = DISTANCES.of(self, self.start), self.instance.optimal_length
        if left == inf:
            raise _wrong(self.instance, "its board can't be solved")
        if left is None:
            return claimed
        if self.instance.metric == "cell" and left != claimed:
            raise _wrong(self.instance, f"it takes {left} actions, not {claimed} as it says")
        return left

    def judged(self, reading: Reading, played: Replay) -> Verdict:
        """Return the verdict on an answer; raise WrongInstance, which names the instance."""
        try:
            return judged(self.instance, reading, played)
        except WrongInstance as error:
            raise _wrong(self.instance, str(error)) from None

    def left(self, state: Any) -> float | None:
        """Return how many actions the goal is away from a state that the first one has led to.

        ``math.inf`` where there is no way, None where the search for one would be too large.
        """
        return DISTANCES.of(self, self.room.repack(self.packed, state)[None])


DISTANCES = Distances()
"""Of all instances that this process scores completions on."""


def given(record: Record) -> Given:
    """Return the instance that ``record`` is or holds, checked; raise WrongInstance.

    The board can be read, is the one that an id of ours stands for, and isn't solved; the answer,
    where there is one, solves it in ``optimal_length``.
    """
    if isinstance(record, str | bytes):
        return _read(record) if len(record) <= LARGE else _ready(_held({"record": record}))
    if isinstance(record, Instance):
        return _ready(record)
    if not isinstance(record, Mapping):
        raise WrongInstance(f"an instance is a record or a row, not {quoted(record)}")
    text = record.get("record")
    return given(text) if isinstance(text, str | bytes) else _ready(_held(record))


@lru_cache(maxsize=KEPT)
def _read(record: str | bytes) -> Given:
    return _ready(_held({"record": record}))


def _held(row: Mapping[str, Any]) -> Instance:
    try:
        return held(row)
    except ValueError as error:
        raise WrongInstance(str(error)) from None


@dataclass(frozen=True)
class _Told:
    """An instance by what matters of it."""

    key: tuple[Any, ...]
    instance: Instance = field(compare=False)


def _ready(instance: Instance) -> Given:
    rules = json.dumps(instance.rules, sort_keys=True, default=repr) if instance.rules else ""
    told = _Told(
        (
            *(instance.family, instance.board, rules, instance.metric),
            *(instance.optimal_length, instance.id, instance.answer),
        ),
        instance,
    )
    return _kept(told) if len(instance.board) <= LARGE else _checked(told)


@lru_cache(maxsize=KEPT)
def _kept(told: _Told) -> Given:
    return _checked(told)


def _checked(told: _Told) -> Given:
    instance = told.instance
    try:
        room = family(instance.family)
        state = room.parse(instance.board, instance.rules)
        if instance.answer is not None:
            verdict = verify(instance, instance.answer)
    except WrongInstance as error:
        raise _wrong(instance, f"its own answer contradicts it: {error}") from None
    except ValueError as error:  # an unknown family, a board that can't be read
        raise _wrong(instance, str(error)) from None
    if not stands_for(instance.id, instance):
        raise _wrong(instance, "its board is not the one that its id stands for")
    if room.is_solved(state):
        raise _wrong(instance, "its board is solved already")
    if not instance.optimal_length:
        raise _wrong(instance, "it says that 0 actions solve it, and it isn't solved")
    if instance.answer is not None and not verdict.optimal:
        raise _wrong(instance, f"its own answer is no shortest solution: {verdict.detail}")
    return Given(told.key, instance, room, state)


def _wrong(instance: Instance, why: str) -> WrongInstance:
    name = instance.id or f"of {quoted(instance.family)}"
    return WrongInstance(f"the instance {name}: {why}")
