"""A report written into a folder, in the formats that are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from protocols.reports.document import Report, document
from protocols.reports.folder import replacing, write_text
from protocols.reports.tables import Table, csv, latex, totals

MARKDOWN, HTML, CSV, LATEX = FORMATS = ("md", "html", "csv", "latex")


class UnknownFormat(ValueError):
    """There is no format of that name."""


def parse_formats(text: str) -> list[str]:
    """Return the formats that ``text`` names, separated by commas; raise UnknownFormat."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in FORMATS:
            raise UnknownFormat(f"unknown format {name!r} (known: {', '.join(FORMATS)})")
    if not names:
        raise UnknownFormat(f"--format names no format (known: {', '.join(FORMATS)})")
    return names


def publish(report: Report, folder: Path, formats: Sequence[str]) -> None:
    """Write the report into ``folder``, which is replaced all at once.

    Raises FolderError where the folder holds anything but a report.
    """
    # What is not printed can only be had from its CSV.
    csvs = [
        table
        for table in report.tables
        if CSV in formats or table.long or (MARKDOWN in formats and totals(table) is not table)
    ]
    with replacing(folder) as new:
        if MARKDOWN in formats:
            write_text(new / "report.md", document(report))
        for table in csvs:
            write_text(new / "tables" / f"{table.name}.csv", csv(table))
        if LATEX in formats:
            for table in report.tables:
                if not table.long:
                    write_text(new / "tables" / f"{table.name}.tex", latex(table))
        if HTML in formats:
            from protocols.reports.page import write

            page, about = new / "report.html", (report.title, report.remarks)
            write(report.rows, report.tables, report.sources, page, *about)


def printed(report: Report, name: str) -> str:
    """Return the report in one format as text; raise UnknownFormat where it needs a folder."""
    if name == MARKDOWN:
        return document(report, stored=False)
    renderers: dict[str, tuple[str, Callable[[Table], str]]] = {
        CSV: ("#", csv),
        LATEX: ("%", latex),
    }
    if name not in renderers:
        raise UnknownFormat(f"the format {name} needs a folder: name one with -o")
    sign, rendered = renderers[name]
    shown = [table for table in report.tables if not table.long]
    return "\n".join(f"{sign} {table.name}: {table.title}\n{rendered(table)}" for table in shown)
