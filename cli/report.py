"""puzzles report: verdicts turned into tables, curves and a page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.extras import extra
from cli.options import DataFolders
from cli.say import INTERRUPTED, LARGE, escape_output, progress_bar, sentences

if TYPE_CHECKING:
    from protocols.reports.contents import Asked
    from protocols.reports.sources import Sources
    from protocols.reports.tables import Table

_INTERRUPTED = "interrupted while drawings were measured: this report has no tables of them"
_NO_ANSWERS = (
    "its answers don't stand beside it, so nothing is said of drawings, texts and tokens; "
    "name them with --answers"
)


def report(
    verdicts: Annotated[list[Path], typer.Argument(help="Files that `puzzles verify` wrote.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="A folder [default: print it].")
    ] = None,
    formats: Annotated[
        str | None,
        typer.Option("--format", help="Of md,html,csv,latex [default: all; printed: md]."),
    ] = None,
    against: Annotated[
        list[Path] | None, typer.Option(help="Other judgements of the same answers.")
    ] = None,
    names: Annotated[
        str | None, typer.Option(help="vgau: also the metrics of the published suite.")
    ] = None,
    data: DataFolders = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option(help="The answers, one for each file [default: beside the verdicts]."),
    ] = None,
    drawings: Annotated[
        bool, typer.Option(help="Measure what models have drawn, which takes longest.")
    ] = True,
    title: Annotated[str, typer.Option(help="What it is called.")] = "Puzzles report",
) -> None:
    """Turn verdicts into tables, plots and one HTML page."""
    with sentences("interrupted; no report was written"), extra("report"):
        from protocols.reports.contents import Asked
        from protocols.reports.document import Report, unusable
        from protocols.reports.folder import check
        from protocols.reports.publishing import FORMATS, parse_formats, printed, publish
        from puzzles.printable import printable

        wanted = parse_formats(formats) if formats is not None else list(FORMATS)
        if names not in (None, "vgau"):
            raise ValueError(f"unknown names {names!r} (known: vgau)")
        if out is None and len(wanted) > 1 and formats is not None:
            raise ValueError("several formats need a folder: name one with -o")
        if out is not None:
            check(out)
        sources = _sources(verdicts, data or [], answers or [])
        rows, other = _load(verdicts), _load(against) if against else None
        asked = Asked(rows, other, sources, suite_names=names is not None)
        tables, whole = _tables(asked, drawings)
        unfit = rows.attrs["unfit"]
        remarks = [*filter(None, [unfit]), *([] if whole else [_INTERRUPTED])]
        found = Report(printable(title), rows, verdicts, tables, sources, remarks)
        escape_output()
        if out is None:
            print(printed(found, wanted[0]), end="")
        else:
            publish(found, out, wanted)
        if names is not None and not any(table.name == names for table in found.tables):
            print("no answer here has a metric in the published suite", file=sys.stderr)
        for path, place in zip(verdicts, sources.answers, strict=True):
            if place is None:
                print(f"{printable(str(path))}: {_NO_ANSWERS}", file=sys.stderr)
        for line in unusable(found):
            print(f"without a verdict: {line}", file=sys.stderr)
        if unfit:
            print(unfit, file=sys.stderr)
        if out is not None:
            print(f"report: {out}")
        if not whole:
            print(f"puzzles: {_INTERRUPTED}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED)


def _tables(asked: Asked, drawings: bool) -> tuple[list[Table], bool]:
    """Return the tables, and whether they are all: Ctrl-C only ends the measuring of drawings."""
    from protocols.reports.contents import of_drawings, tables

    found = list(tables(asked))
    if not drawings:
        return found, True
    with progress_bar() as bar:
        told = bar.add_task("measuring drawings", total=None, visible=False)

        def measured(done: int, total: int) -> None:
            bar.update(told, completed=done, total=total, visible=True)

        try:
            return found + of_drawings(asked, measured), True
        except KeyboardInterrupt:
            return found, False


def _load(paths: list[Path]) -> Any:
    from protocols.reports.rows import load

    size = sum(path.stat().st_size for path in paths if path.is_file())
    with progress_bar(quiet=size < LARGE) as bar:
        told = bar.add_task("reading verdicts", total=size)
        return load(paths, lambda read: bar.update(told, completed=read))


def _sources(verdicts: list[Path], data: list[Path], answers: list[Path]) -> Sources:
    from protocols.library import Library
    from protocols.reports.sources import Sources

    if not answers:
        return Sources.beside(verdicts, data)
    if len(answers) != len(verdicts):
        raise ValueError(
            f"--answers is given {len(answers)} times for {len(verdicts)} files of verdicts; each "
            "needs its own, in the same order"
        )
    for path in answers:
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
    return Sources(answers, *(Library.beside(path, data) for path in answers))
