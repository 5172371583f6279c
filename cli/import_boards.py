"""puzzles import: other people's boards."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.arguments import parse_cell, parse_limit, parse_rules
from cli.options import (
    Address,
    Cell,
    EngineName,
    Force,
    Images,
    Memory,
    Resume,
    Rules,
    States,
    Workers,
)
from cli.say import progress_bar, sentences, tell

if TYPE_CHECKING:
    from puzzles.exchange.formats import File
    from puzzles.exchange.progress import Outcome

_STDIN = "stdin"


def import_boards(
    files: Annotated[list[str], typer.Argument(help="Files of boards; - is standard input.")],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="The folder to write [default: data/FILE]."),
    ] = None,
    format: Annotated[
        str | None, typer.Option(help="The format of the files, where it can't be told.")
    ] = None,
    family: Annotated[
        str | None, typer.Option(help="The family of the boards, where it can't be told.")
    ] = None,
    rules: Rules = None,
    start: Annotated[
        str | None, typer.Option(metavar="R,C", help="Where to start on a map that doesn't say.")
    ] = None,
    goal: Annotated[
        str | None, typer.Option(metavar="R,C", help="Where to go on a map that doesn't say.")
    ] = None,
    metric: Annotated[
        str, typer.Option(help="cell, or slide: a piece moved any distance counts as one.")
    ] = "cell",
    limit: States = None,
    memory: Memory = None,
    images: Images = True,
    cell: Cell = 64,
    workers: Workers = None,
    engine: EngineName = "local",
    address: Address = None,
    resume: Resume = False,
    force: Force = False,
) -> None:
    """Make a dataset of other people's boards.

    Each gets its exact optimum, or is left out with the reason.
    """
    with sentences("interrupted; --resume completes a dataset"):
        from puzzles import family as room_of
        from puzzles.engine import engine_of
        from puzzles.exchange.importing import Wanted
        from puzzles.exchange.importing import import_boards as run
        from puzzles.printable import printable
        from puzzles.solve import METRICS

        if metric not in METRICS:
            raise ValueError(f"unknown metric {metric!r} (known: {', '.join(METRICS)})")
        if family is not None:
            room_of(family)
        given: dict[str, Any] = {
            "metric": metric,
            "rules": parse_rules(rules, "--rules"),
            "start": parse_cell(start, "--start"),
            "goal": parse_cell(goal, "--goal"),
            "limit": parse_limit(limit, memory),
            "cell": cell if images else None,
        }
        folder = out or _default_folder(files)
        sources = tuple(map(_file, files, _names(files)))
        wanted = Wanted(sources, format=format, family=family, **given)
        with engine_of(engine, workers, address) as tasked, progress_bar() as bar:
            task = bar.add_task(folder.name, total=sum(file.lines for file in sources))
            outcome = run(
                wanted,
                folder,
                engine=tasked,
                resume=resume,
                force=force,
                told=_teller(bar),
                progress=lambda lines: bar.update(task, completed=lines),
            )
        print(printable(_summary(folder, outcome)))
    if outcome.left_out:
        raise typer.Exit(1)


def _default_folder(files: list[str]) -> Path:
    if len(files) > 1 or files == ["-"]:
        raise ValueError("name the folder to write with -o")
    return Path("data") / Path(files[0]).stem


def _names(files: list[str]) -> list[str]:
    """Return what each file is called: its name, with as many folders as tell it from others.

    Raises ValueError where one file is named twice.
    """
    parts = [(_STDIN,) if file == "-" else Path(os.path.abspath(file)).parts for file in files]
    for at, one in enumerate(parts):
        if one in parts[:at]:
            raise ValueError(f"the file {files[at]} is named twice")
    names = []
    for one in parts:
        others = [other for other in parts if other != one]
        count = 1
        while any(other[-count:] == one[-count:] for other in others):
            count += 1
        names.append("/".join(one[-count:]).replace("//", "/"))
    return names


def _file(name: str, called: str) -> File:
    from puzzles.exchange.formats import file_of

    if name == "-":
        if sys.stdin.isatty():
            print("the boards, then Ctrl-D:", file=sys.stderr)
        return file_of(sys.stdin.buffer.read(), Path(_STDIN), _STDIN)
    path = Path(name)
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name the files in it")
    if not path.exists():
        raise ValueError(f"there is no file {path}")
    return file_of(path.read_bytes(), path, called)


def _teller(bar: Any) -> Callable[[str, int, str], None]:
    """Return what says a sentence about a line of a file, above the progress bar if any."""
    from puzzles.printable import printable

    def told(file: str, line: int, sentence: str) -> None:
        text = f"{file}:{line}: {sentence}"
        if bar.live.is_started:
            text = printable(text)
            bar.console.print(text, markup=False, highlight=False, soft_wrap=True, emoji=False)
        else:
            tell(text)

    return told


def _summary(folder: Path, outcome: Outcome) -> str:
    count, total = outcome.summary.count, outcome.total
    text = f"imported {count:,} of {_counted(total, 'board')}{_kinds(outcome.kinds)}"
    if not count:
        return f"{text}; nothing is written"
    lengths = outcome.summary.lengths
    text = f"{folder}: {text}, optimal {_lengths(min(lengths), max(lengths))}"
    stated = outcome.confirmed + outcome.different
    if stated:
        optima = "optimum" if stated == 1 else "optima"
        text += f", {outcome.confirmed:,} of {stated:,} stated {optima} confirmed"
    if outcome.left_out:
        text += f"; {outcome.left_out:,} left out, see {folder / 'left_out.jsonl'}"
    return text


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _lengths(least: int, most: int) -> str:
    return f"length {least}" if least == most else f"lengths {least} to {most}"


def _kinds(kinds: dict[str, list[str]]) -> str:
    """Return the format and the families that were taken: one entry a file where they differ."""
    said = {
        file: ", ".join(filter(None, (format, " and ".join(families))))
        for file, (format, *families) in kinds.items()
    }
    if len(set(said.values())) == 1:
        return f" ({next(iter(said.values()))})"
    text = "; ".join(f"{file}: {kind}" for file, kind in said.items())
    return f" ({text})" if text else ""
