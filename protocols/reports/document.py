"""A report as one Markdown text: what was read, then the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from protocols.reports.rows import errors
from protocols.reports.sources import Sources
from protocols.reports.tables import Table, escape_markdown, markdown
from puzzles.printable import printable

_ERRORS = 10


class Report(NamedTuple):
    """What is published.

    paths
        The files of ``rows``, by their numbers.
    remarks
        What is to be known of the whole, in sentences.
    """

    title: str
    rows: Any
    paths: Sequence[Path]
    tables: Sequence[Table]
    sources: Sources | None = None
    remarks: Sequence[str] = ()


def document(report: Report, *, stored: bool = True) -> str:
    """Return the report as Markdown; ``stored`` is as ``markdown`` takes it."""
    parts = [f"# {escape_markdown(report.title)}", _bullets(read(report))]
    if problems := unusable(report):
        parts += ["Lines without a verdict:", _bullets(problems)]
    parts += [markdown(table, stored=stored) for table in report.tables]
    return "\n\n".join(parts) + "\n"


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {escape_markdown(line)}" for line in lines)


def read(report: Report) -> list[str]:
    """Return what was read, a line for each file and one for all, and the remarks."""
    rows = report.rows
    counts = rows.groupby("file").size()
    lines = [
        f"{printable(str(path))}: {_counted(counts[at], 'line')}"
        for at, path in enumerate(report.paths)
    ]
    if drawings := int((rows["error"].isna() & rows["optimal"].isna()).sum()):
        lines.append(f"{_counted(drawings, 'answer')} that no verdict is given on: drawings alone")
    columns = {"model": "model", "protocol": "protocol", "id": "instance"}
    found = [_counted(rows[name].nunique(), word) for name, word in columns.items()]
    return [*lines, ", ".join(found), *report.remarks]


def unusable(report: Report) -> list[str]:
    """Return why lines have no verdict, how many, and where the first of each kind is."""
    kinds = list(errors(report.rows).items())
    lines = [
        f"{printable(text)}: {count:,}, the first in "
        f"{printable(str(report.paths[first['file']]))} line {first['line']}"
        for text, (count, first) in kinds[:_ERRORS]
    ]
    rest = sum(count for _, (count, _) in kinds[_ERRORS:])
    return [*lines, f"and {rest:,} more, for other reasons"] if rest else lines


def _counted(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"
