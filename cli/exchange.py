"""puzzles import and puzzles export: boards from and for other people's tools."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.arguments import parse_cell, parse_limit, parse_rules
from cli.say import progress_bar, sentences

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
    rules: Annotated[
        str | None, typer.Option(help="Rules of the boards as JSON; see `puzzles families`.")
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="R,C", help="Where to start on a map that doesn't say.")
    ] = None,
    goal: Annotated[
        str | None, typer.Option(metavar="R,C", help="Where to go on a map that doesn't say.")
    ] = None,
    metric: Annotated[
        str, typer.Option(help="cell, or slide: a piece moved any distance counts as one.")
    ] = "cell",
    limit: Annotated[
        int | None,
        typer.Option(help="States that a search may store [default: 20000000].", min=1),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(help="Memory that a search may take, e.g. 512MB [default: 4GB]."),
    ] = None,
    images: Annotated[bool, typer.Option(help="Draw the boards and their aids.")] = True,
    cell: Annotated[int, typer.Option(help="Pixels a cell.", min=16, max=512)] = 64,
    workers: Annotated[
        int | None, typer.Option(help="Processes [default: all cores].", min=1)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Complete an interrupted run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset.")] = False,
) -> None:
    """Make a dataset of other people's boards, each with its exact optimum."""
    with sentences("interrupted; --resume completes a dataset"):
        from puzzles import family as room_of
        from puzzles.exchange.importing import Wanted
        from puzzles.exchange.importing import import_boards as run
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
        sources = tuple(map(_file, files))
        wanted = Wanted(sources, format=format, family=family, **given)
        with progress_bar() as bar:
            task = bar.add_task(folder.name, total=sum(file.lines for file in sources))
            outcome = run(
                wanted,
                folder,
                workers=workers,
                resume=resume,
                force=force,
                told=_teller(bar),
                progress=lambda lines: bar.update(task, completed=lines),
            )
        print(_summary(folder, outcome))
    if outcome.left_out:
        raise typer.Exit(1)


def export(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders with datasets in or below.")
    ],
    format: Annotated[str, typer.Option(help="The format to write, e.g. vgau, xsb, rush.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="The file to write; *.json is one array [default: print]."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
) -> None:
    """Write instances in a format of others; imported ones come out as they came in."""
    with sentences():
        from puzzles.exchange.exporting import Exported
        from puzzles.exchange.exporting import export as run

        for folder in folders:
            if folder.is_file():
                raise ValueError(f"{folder} is a file; name the folder of the dataset")
        exported = Exported()
        array = out is not None and out.suffix.lower() == ".json"
        texts = run(folders, format, array=array, exported=exported, told=_tell_id)
        if out is None:
            for text in texts:
                sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
        else:
            _write(out, texts, exported, force)
    if exported.left_out:
        raise typer.Exit(1)


def _default_folder(files: list[str]) -> Path:
    if len(files) > 1 or files == ["-"]:
        raise ValueError("name the folder to write with -o")
    return Path("data") / Path(files[0]).stem


def _file(name: str) -> File:
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
    return file_of(path.read_bytes(), path, path.name)


def _teller(bar: Any) -> Callable[[str, int, str], None]:
    """Return what says a sentence about a line of a file, above the progress bar if any."""

    def tell(file: str, line: int, sentence: str) -> None:
        text = printable(f"{file}:{line}: {sentence}")
        if bar.live.is_started:
            bar.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            print(text, file=sys.stderr)

    return tell


def printable(text: str) -> str:
    """Return ``text``, which may quote a file, without anything that steers a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _tell_id(name: str, sentence: str) -> None:
    print(printable(f"{name}: {sentence}"), file=sys.stderr)


def _summary(folder: Path, outcome: Outcome) -> str:
    count, total = outcome.summary.count, outcome.total
    text = f"imported {count:,} of {total:,} board{'' if total == 1 else 's'}"
    if not count:
        return f"{text}; nothing is written"
    lengths = outcome.summary.lengths
    text = f"{folder}: {text}, optimal lengths {min(lengths)} to {max(lengths)}"
    stated = outcome.confirmed + outcome.different
    if stated:
        text += f", {outcome.confirmed:,} of {stated:,} stated optima confirmed"
    if outcome.left_out:
        text += f"; {outcome.left_out:,} left out, see {folder / 'left_out.jsonl'}"
    return text


def _write(out: Path, texts: Iterator[bytes], exported: Any, force: bool) -> None:
    """Write the file all at once, or not at all where nothing can be written."""
    if out.is_dir():
        raise ValueError(f"{out} is a folder; name a file in it")
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {out.parent}")
    if out.exists() and not force:
        raise ValueError(f"{out} is there already; --force replaces it")
    new = out.with_name(f".{out.name}.{os.getpid()}.new")
    try:
        with new.open("wb") as file:
            for text in texts:
                file.write(text)
        if exported.written or not exported.left_out:
            os.replace(new, out)
    finally:
        new.unlink(missing_ok=True)
