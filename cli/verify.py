"""puzzles verify: answers judged, success rates printed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from cli.arguments import one_of
from cli.options import Address, DataFolders, EngineName, RoundRules, Workers
from cli.say import console, escape_output, progress_bar, sentences, tell

if TYPE_CHECKING:
    from protocols.success import Report

_PATIENCE = 1.0
"""Seconds after which progress is shown."""


def verify(
    answers: Annotated[
        Path,
        typer.Argument(
            help="A file of answers, one JSON object a line, or of samples by lmms-eval."
        ),
    ],
    data: DataFolders = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The verdicts [default: beside the answers].")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Accept the exact answer format only.")
    ] = False,
    distance: Annotated[
        bool, typer.Option("--distance", help="Also find how far from the goal each answer ends.")
    ] = False,
    rules: RoundRules = "own",
    reader: Annotated[
        str, typer.Option(help="own, or vgau: find answers in replies as the published suite does.")
    ] = "own",
    images: Annotated[bool, typer.Option(help="Measure the pictures that answers name.")] = True,
    workers: Workers = None,
    engine: EngineName = "local",
    address: Address = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Judge answers by replaying them, and print success rates."""
    with sentences():
        from protocols.judge import Options, judge_file, verdicts_path
        from puzzles.engine import engine_of

        theirs = one_of("--reader", reader, "own", "vgau") == "vgau"
        if strict and theirs:
            raise ValueError("--strict is about our answer format; leave out --reader vgau")
        by_theirs = one_of("--rules", rules, "own", "vgau") == "vgau"
        escape_output()
        place = out or verdicts_path(answers)
        options = Options(strict, distance, by_theirs, theirs, images)
        begun = monotonic()
        with engine_of(engine, workers, address) as tasked, progress_bar() as bar:
            told = bar.add_task("judging answers", total=None, visible=False)

            def judged(done: int, total: int) -> None:
                late = monotonic() - begun > _PATIENCE
                bar.update(told, completed=done, total=total or None, visible=late or None)

            report = judge_file(answers, data or (), place, options, judged, engine=tasked)
        if as_json:
            print(json.dumps({**report.record(), "verdicts": str(place)}, indent=2))
        else:
            console().print(report.table())
            if report.untouched():
                print("no answers to:", ", ".join(report.untouched()))
            if report.seen():
                print(report.seen())
        _print_errors(answers, place, report)
        if not as_json:
            print(f"verdicts: {place}")
    if report.error_count:
        raise typer.Exit(1)


def _print_errors(answers: Path, place: Path, report: Report) -> None:
    """Name the first lines that can't be judged."""
    for line, text in report.errors[:20]:
        tell(f"{answers} line {line}: {text}")
    if report.error_count > 20:
        print(f"and {report.error_count - 20:,} more, all in {place}", file=sys.stderr)
