"""The pictures of many answers, measured in several processes; the rows stay in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from protocols.answer_line import Answer
from puzzles.instance import Instance

Row = dict[str, Any]
_BATCH = 256
"""Rows without pictures that wait for one with pictures before them, at most."""


class Task(NamedTuple):
    """An answer with pictures, the folder of their files, and where its line ends in its file."""

    instance: Instance
    answer: Answer
    folder: Path
    read: int


def filled(
    rows: Iterable[tuple[Row, Task | None]],
    share: Callable[[Task], int],
    workers: int | None,
    progress: Callable[[int], None],
) -> Iterator[Row]:
    """Yield the rows, in order, with ``measured`` filled in where there is a task.

    Rows without pictures take no detour: where there are none, no process is started.

    share
        From the first task to a guess at how many there are.
    progress
        Is told where the line of each answer with pictures ends, when it is done.
    """
    rows = iter(rows)
    for row, task in rows:
        if task is not None:
            yield from _measured(chain([(row, task)], rows), share(task), workers, progress)
            return
        yield row


def _measured(
    rows: Iterable[tuple[Row, Task | None]],
    total: int,
    workers: int | None,
    progress: Callable[[int], None],
) -> Iterator[Row]:
    from puzzles.engine import Engine

    batches: deque[tuple[list[Row], Task | None]] = deque()
    with Engine(workers) as engine:
        for measured in engine.map(_measure, _tasks(rows, batches), total):
            batch, task = batches.popleft()
            if task is not None:
                batch[-1]["measured"] = measured
                progress(task.read)
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

    found = measured(task.instance, task.answer, task.folder)
    return found.model_dump(mode="json", by_alias=True)
