"""The pictures of many answers, measured in several processes; the rows stay in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from protocols.answer_line import Answer
from protocols.measures.pictures import MOST_READ, Carried, carried
from protocols.measures.record import Measured
from puzzles.engine import Engine
from puzzles.instance import Instance

Row = dict[str, Any]
_BATCH = 256
"""Rows without pictures that wait for one with pictures before them, at most."""
_KILLED = "the process that looked at them was killed, twice, perhaps for want of memory"


class Task(NamedTuple):
    """An answer with pictures, and the folder of their files, or what it holds of them."""

    instance: Instance
    answer: Answer
    folder: Path | Carried

    def with_files(self) -> Task:
        """Return the same for where the folder can't be seen: with the files that are named."""
        if isinstance(self.folder, Carried):
            return self
        images, steps = _listed(self.answer.images), _listed(self.answer.steps)[:MOST_READ]
        if len(images) > MOST_READ:  # then the last one is looked at, if any
            images = images[-1:]
        drawn = (step.get("image") for step in steps if isinstance(step, Mapping))
        names = dict.fromkeys(name for name in chain(images, drawn) if isinstance(name, str))
        return self._replace(folder=carried(self.folder, names))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def filled(rows: Iterable[tuple[Row, Task | None]], total: int, engine: Engine) -> Iterator[Row]:
    """Yield the rows, in order, with ``measured`` filled in where there is a task.

    Rows without pictures take no detour. Pictures at
    which one process after another ends are said not to be measured.

    total
        How many rows there are, about.
    """
    rows = iter(rows)
    for at, (row, task) in enumerate(rows, 1):
        if task is not None:
            yield from _measured(chain([(row, task)], rows), total // at + 1, engine)
            return
        yield row


def _measured(rows: Iterable[tuple[Row, Task | None]], total: int, engine: Engine) -> Iterator[Row]:
    batches: deque[tuple[list[Row], Task | None]] = deque()
    tasks = _tasks(rows, batches)
    if not engine.sees_files:
        tasks = (task and task.with_files() for task in tasks)
    for measured in engine.map(_measure, tasks, total, _lost):
        batch, task = batches.popleft()
        if task is not None:
            batch[-1]["measured"] = measured
        yield from batch
    for batch, _ in batches:
        yield from batch


def _tasks(
    rows: Iterable[tuple[Row, Task | None]], batches: deque[tuple[list[Row], Task | None]]
) -> Iterator[Task | None]:
    """Yield the tasks, and put the rows up to each of them into ``batches``.

    So that not too many wait, a batch may also end without a task.
    """
    batch: list[Row] = []
    for row, task in rows:
        batch.append(row)
        if task is not None or len(batch) == _BATCH:
            batches.append((batch, task))
            batch = []
            yield task
    batches.append((batch, None))


def _measure(task: Task | None) -> Row | None:
    if task is None:
        return None
    from protocols.measures.kinds import measured

    try:
        return _record(measured(task.instance, task.answer, task.folder))
    except MemoryError:
        return _record(Measured(problem="they need more memory than there is"))


def _lost(task: Task | None) -> Row:
    return _record(Measured(problem=_KILLED))


def _record(measured: Measured) -> Row:
    return measured.model_dump(mode="json", by_alias=True)
