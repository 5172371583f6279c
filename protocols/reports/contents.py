"""What a report holds: the table of contents, and the tables in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from protocols.reports.analyses import (
    against_text,
    attempts,
    drawn_aids,
    failures,
    lengths,
    matched,
    paired,
    progress,
    rubric,
    states,
    stopping,
    success,
    suite,
)
from protocols.reports.sources import Sources
from protocols.reports.tables import Table

Analysis = Callable[[Any], Table | None]

CONTENTS: dict[str, tuple[Analysis, ...]] = {
    "how many are solved": (
        success.optimal,
        success.feasible,
        success.optimal_by_difficulty,
        success.feasible_by_difficulty,
        success.success,
        attempts.attempts,
        lengths.optimal_by_length,
    ),
    "which protocol helps": (paired.paired,),
    "where answers fail": (
        failures.reasons,
        failures.formats,
        failures.survival,
        progress.progress,
        stopping.stopping,
    ),
    "what judges of drawings say": (
        matched.matched,
        rubric.rubric,
        rubric.checklist,
        rubric.result_marks,
        rubric.process_marks,
    ),
    "what drawings show": (
        against_text.drawings,
        against_text.flaws,
        against_text.frames,
        states.states,
        states.drift,
        drawn_aids.aids,
        drawn_aids.success_by_aid,
    ),
    "curves": (failures.steps, lengths.lengths, states.states_by_round),
}
"""What is found from verdicts alone; usage, agreement and the fidelity of drawings follow."""


class Asked(NamedTuple):
    """What a report is made of.

    rows, against
        As ``rows.load`` returns them; ``against`` is a second set of judgements, or None.
    sources
        Where the answers are, which tell what they took and what was drawn; None without them.
    suite_names
        Also list the metrics of the published suite.
    """

    rows: Any
    against: Any = None
    sources: Sources | None = None
    suite_names: bool = False


def tables(asked: Asked) -> Iterator[Table]:
    """Yield every table that there is something to say in, but for those of ``of_drawings``."""
    yield from filter(None, _found(asked))


def _found(asked: Asked) -> Iterator[Table | None]:
    if asked.suite_names:
        yield suite.suite_metrics(asked.rows)
    for part in CONTENTS.values():
        yield from (analysis(asked.rows) for analysis in part)
    if asked.sources is not None:
        from protocols.reports.analyses.usage import usage

        yield usage(asked.rows, asked.sources.answers)
    yield from _agreements(asked)


def _agreements(asked: Asked) -> Iterator[Table | None]:
    twice = asked.rows["scores"].notna() & asked.rows["measured"].notna()
    if asked.against is None and not twice.any():
        return  # the libraries for it take a while to load
    from protocols.reports.analyses.agreement import agreement, with_engine

    yield with_engine(asked.rows)
    if asked.against is not None:
        yield agreement(asked.rows, asked.against)


def of_drawings(
    asked: Asked, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[Table]:
    """Return the tables on what models have drawn, which takes longer than all others together.

    progress
        Is told of how many answers the drawings have been measured, and of how many they will be.
    """
    from protocols.reports.analyses import fidelity
    from protocols.reports.analyses.drawn import fidelities

    if asked.sources is None or not any(asked.sources.answers):
        return []
    found = fidelities(asked.rows, asked.sources, progress=progress)
    every = fidelity.drawings(found), fidelity.by_fidelity(found), fidelity.correlation(found)
    return [table for table in every if table]
