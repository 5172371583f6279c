"""puzzles dedup: boards that datasets share, or that one has twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Address, AsJson, EngineName, Workers
from cli.say import console, counted, escape_output, print_json, progress_bar, sentences
from cli.whole_file import whole_file

if TYPE_CHECKING:
    from rich.table import Table

    from puzzles.dedup import Comparison, Tally
    from puzzles.engine import Engine

_SHOWN = 20
"""Findings that are shown one by one; all of them go to the file."""


def dedup(
    data: Annotated[
        list[Path], typer.Argument(help="Folders with datasets in or below them, or single shards.")
    ],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="A file for all of it, one JSON a line.")
    ] = None,
    split: Annotated[
        bool, typer.Option("--split", help="Also name records whose split is not their board's.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    workers: Workers = None,
    engine: EngineName = "local",
    address: Address = None,
    as_json: AsJson = False,
) -> None:
    """Name the boards that datasets share up to symmetry, or that one has twice.

    The exit code is 1 where there are any.
    """
    with sentences("interrupted: nothing has been written"):
        from puzzles.dedup import Comparison, sides
        from puzzles.engine import engine_of

        escape_output()
        comparison = Comparison(sides(data))
        with ExitStack() as stack:
            file = stack.enter_context(whole_file(out, force=force)) if out else None
            tasked = stack.enter_context(engine_of(engine, workers, address))
            bar = stack.enter_context(progress_bar())
            _scan(comparison, tasked, bar)
            shown = _name(comparison, split, file, bar)
        if as_json:
            print_json(_record(comparison, shown))
        else:
            _print(comparison, shown, split, out)
    if comparison.shared or comparison.wrong:
        raise typer.Exit(1)


def _scan(comparison: Comparison, engine: Engine, bar: Any) -> None:
    from puzzles.dedup import scan

    for side in comparison.sides:
        total = side.count()
        task = bar.add_task(f"reading {side.name}", total=total)
        scan(side, engine, total, partial(_tell, bar, task))


def _tell(bar: Any, task: Any, done: int) -> None:
    bar.update(task, completed=done)


def _name(comparison: Comparison, split: bool, file: Any, bar: Any) -> list[dict[str, Any]]:
    """Write what is found to the file; return the first of it."""
    total = sum(len(side.kin) for side in comparison.sides)
    task = bar.add_task("naming what is shared", total=total)
    shown: list[dict[str, Any]] = []
    for one in comparison.named(splits=split, progress=partial(_tell, bar, task)):
        record = one.record()
        if len(shown) < _SHOWN:
            shown.append(record)
        if file is not None:
            file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    return shown


def _record(comparison: Comparison, shown: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "data": [
            {
                "data": side.name,
                "records": len(side.kin),
                "boards": side.boards,
                "families": dict(sorted(side.families.items())),
            }
            for side in comparison.sides
        ],
        "shared": [
            {
                "first": comparison.sides[first].name,
                "second": comparison.sides[second].name,
                "families": {name: vars(tally) for name, tally in sorted(tallies.items())},
            }
            for (first, second), tallies in comparison.tallies.items()
        ],
        "wrong_splits": comparison.wrong,
        "first_found": shown,
    }


def _print(
    comparison: Comparison, shown: list[dict[str, Any]], split: bool, out: Path | None
) -> None:
    from puzzles.printable import printable

    for side in comparison.sides:
        print(printable(f"{side.name}: {counted(len(side.kin))}, {side.boards:,} boards"))
    for (first, second), tallies in comparison.tallies.items():
        names = comparison.sides[first].name, comparison.sides[second].name
        if tallies:
            console().print(_table(names, tallies))
        elif first == second:
            print("no board is there twice, up to symmetry")
        else:
            print(printable("no board is shared by {} and {}, up to symmetry".format(*names)))
    if split:
        number = f"{comparison.wrong:,}" if comparison.wrong else "none"
        print(f"records whose split is not that of their board: {number}")
    for record in shown:
        print(printable(_line(record)))
    total = comparison.found
    if total > len(shown):
        print(f"and {total - len(shown):,} more" + ("" if out else "; -o FILE writes all of them"))
    if out:
        print(f"{total:,} written to {out}")


def _table(names: tuple[str, str], tallies: Mapping[str, Tally]) -> Table:
    """Return what is shared by family; of one side with itself, what is there twice."""
    from rich.table import Table

    alone = names[0] == names[1]
    title = f"twice in {names[0]}" if alone else "shared by {} and {}".format(*names)
    table = Table(title=title, title_justify="left")
    table.add_column("family")
    heads = ["boards", "records too many"] if alone else ["boards", *map("in {}".format, names)]
    for head in heads:
        table.add_column(head, justify="right")
    for name, tally in sorted(tallies.items()):
        counts = (tally.boards, *(() if alone else (tally.first,)), tally.second)
        table.add_row(name, *map("{:,}".format, counts))
    return table


def _line(record: dict[str, Any]) -> str:
    if record["problem"] == "split":
        said = f"says {record['split']}, its board is {record['expected']}"
        return f"{record['id']} ({record['place']}) {said}"
    return " = ".join("{id} ({place})".format(**record[one]) for one in ("first", "second"))
