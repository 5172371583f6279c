"""puzzles export: datasets in other formats of storage, and boards for other people's tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.options import (
    Address,
    EngineName,
    Resume,
    RowProtocol,
    Sft,
    ShardCount,
    ShardSize,
    Trainer,
    Workers,
)
from cli.say import counted, progress_bar, sentences, tell
from cli.storing import storage as storage_of
from cli.whole_file import whole_file


def export(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders with datasets in or below.")
    ],
    format: Annotated[
        str | None,
        typer.Option(
            help="A dataset as folder, parquet or webdataset; or its boards, e.g. as vgau, xsb, "
            "rush."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            help="The folder to write; of boards the file, *.json is one array [default: print].",
        ),
    ] = None,
    shards: ShardCount = None,
    shard_size: ShardSize = None,
    trainer: Trainer = None,
    sft: Sft = None,
    protocol: RowProtocol = None,
    workers: Workers = None,
    engine: EngineName = "local",
    address: Address = None,
    resume: Resume = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
) -> None:
    """Write datasets in another format, or their boards in other people's formats.

    Nothing is lost on the way; imported boards come out as they came in.
    """
    with sentences("interrupted; --resume completes a dataset"):
        for folder in folders:
            if folder.is_file() and folder.suffix not in (".parquet", ".tar"):
                raise ValueError(f"{folder} is a file; name the folder of the dataset")
        from puzzles.exchange.listing import UnknownFormat
        from puzzles.shards.store import FORMATS

        rows = {"--for": trainer, "--sft": sft, "--protocol": protocol}
        trained = any(value is not None for value in rows.values())
        if format in ("folder", *FORMATS) or (format is None and trained):
            storage = storage_of(
                format, shards, shard_size, trainer=trainer, target=sft, protocol=protocol
            )
            where = engine, workers, address
            _export_datasets(folders, out, storage, where, resume=resume, force=force)
            return
        if format is None:
            raise ValueError("say what to write, with --format or --for")
        cut = {"--shards": shards, "--shard-size": shard_size, "--resume": resume or None}
        tasks = {"--workers": workers, "--engine ray": engine != "local" or None}
        _refuse({**rows, **cut, **tasks})
        try:
            left_out = _export_boards(folders, format, out, force)
        except UnknownFormat as error:
            kept = ", ".join(["folder", *FORMATS])
            raise UnknownFormat(f"{error}; a dataset as {kept}, or with --for") from None
    if left_out:
        raise typer.Exit(1)


def _refuse(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} is for datasets, not for their boards as text")


def _export_datasets(
    folders: list[Path],
    out: Path | None,
    storage: Any,
    where: tuple[str, int | None, str | None],
    *,
    resume: bool,
    force: bool,
) -> None:
    from puzzles.conversion import convert, copied, targets
    from puzzles.engine import engine_of

    if out is None:
        raise ValueError("name the folder to write with -o")
    jobs = [(copied(source), goal) for source, goal in targets(folders, out).items()]
    for content, goal in jobs:
        storage(goal, content)  # says what can't be meant before anything is written
    with engine_of(*where) as engine, progress_bar() as bar:
        for content, goal in jobs:
            task = bar.add_task(goal.name, total=content.n)
            convert(
                content,
                goal,
                storage,
                engine=engine,
                resume=resume,
                force=force,
                progress=partial(_tell_bar, bar, task),
            )
    for content, goal in jobs:
        print(f"{goal}: {counted(content.n)}")


def _tell_bar(bar: Any, task: Any, done: int) -> None:
    bar.update(task, completed=done)


def _export_boards(folders: list[Path], format: str, out: Path | None, force: bool) -> int:
    """Write the text; return how many instances it can't hold."""
    from puzzles.exchange.exporting import Exported
    from puzzles.exchange.exporting import export as run

    exported = Exported()
    array = out is not None and out.suffix.lower() == ".json"
    texts = run(folders, format, array=array, exported=exported, told=_tell_id)
    if out is None:
        for text in texts:
            sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
    else:
        _write(out, texts, exported, force)
    total = exported.written + exported.left_out
    where = "" if out is None else f" to {out}"
    tell(f"wrote {exported.written:,} of {counted(total)}{where}")
    return exported.left_out


def _tell_id(name: str, sentence: str) -> None:
    tell(f"{name}: {sentence}")


def _write(out: Path, texts: Iterator[bytes], exported: Any, force: bool) -> None:
    """Write the file all at once, or not at all where nothing can be written."""
    with whole_file(
        out, force=force, kept=lambda: exported.written or not exported.left_out
    ) as file:
        for text in texts:
            file.write(text)
