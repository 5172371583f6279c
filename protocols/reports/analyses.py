"""The tables of a report, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from protocols.reports import (
    attempts,
    failures,
    formats,
    lengths,
    matched,
    names,
    paired,
    progress,
    rubric,
    stopping,
    success,
)
from protocols.reports.sources import Sources
from protocols.reports.tables import Table

Analysis = Callable[[Any], Table | None]

ANALYSES: tuple[Analysis, ...] = (
    success.optimal,
    success.feasible,
    paired.paired,
    success.success,
    attempts.attempts,
    lengths.optimal_by_length,
    failures.survival,
    failures.reasons,
    stopping.stopping,
    progress.progress,
    formats.formats,
    matched.matched,
    rubric.rubric,
    rubric.checklist,
    rubric.result_marks,
    rubric.process_marks,
    failures.steps,
    lengths.lengths,
)
"""What is found from verdicts alone."""


class Asked(NamedTuple):
    """What a report is made of.

    rows, against
        As ``rows.load`` returns them; ``against`` is a second set of judgements, or None.
    sources
        Where the answers are, which tell what they took and what was drawn; None without them.
    suite_names
        Also list the metrics of the published suite.
    drawings
        Measure what models have drawn: a twentieth of a second each, where all else is quick.
    measured
        Is told of how many answers the drawings have been measured, and of how many they will be.
    """

    rows: Any
    against: Any = None
    sources: Sources | None = None
    suite_names: bool = False
    drawings: bool = True
    measured: Callable[[int, int], None] = lambda done, total: None


def tables(asked: Asked) -> Iterator[Table]:
    """Yield every table that there is something to say in."""
    if asked.suite_names and (table := names.suite_metrics(asked.rows)):
        yield table
    for analysis in ANALYSES:
        if table := analysis(asked.rows):
            yield table
    if asked.sources is not None:
        yield from filter(None, _of_answers(asked, asked.sources))
    if asked.against is not None:
        from protocols.reports.agreement import agreement

        if table := agreement(asked.rows, asked.against):
            yield table


def _of_answers(asked: Asked, sources: Sources) -> Iterator[Table | None]:
    from protocols.reports import fidelity
    from protocols.reports.drawn import fidelities
    from protocols.reports.usage import usage

    yield usage(asked.rows, sources.answers)
    if asked.drawings and any(sources.answers):
        found = fidelities(asked.rows, sources, progress=asked.measured)
        yield fidelity.drawings(found)
        yield fidelity.by_fidelity(found)
        yield fidelity.correlation(found)
