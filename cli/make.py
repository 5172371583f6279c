"""puzzles make: datasets of instances with pictures."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.arguments import (
    parse_difficulties,
    parse_families,
    parse_lengths,
    parse_option,
    parse_rules,
    parse_size,
)
from cli.options import (
    Address,
    Cell,
    EngineName,
    Force,
    Images,
    Resume,
    RowProtocol,
    Rules,
    Sft,
    ShardCount,
    ShardSize,
    Trainer,
    Workers,
)
from cli.say import console, counted, progress_bar, sentences
from cli.storing import storage as storage_of

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from puzzles.generate import Recipe
    from puzzles.summary import Summary


def make(
    family: Annotated[str, typer.Option(help="A family, several with commas, or all.")] = "maze",
    difficulty: Annotated[
        str | None,
        typer.Option(help="easy, medium, hard, several with commas, or all [default: easy]."),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option("-n", help="How many of each [default: 20 easy, 30 medium, 50 hard]."),
    ] = None,
    length: Annotated[
        str | None, typer.Option(help="Optimal lengths LOW-HIGH, instead of a difficulty.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed, other boards.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder to write; one in it for each family and difficulty where there are "
            "several [default: data/FAMILY-DIFFICULTY]."
        ),
    ] = None,
    size: Annotated[str | None, typer.Option(help="ROWSxCOLUMNS, e.g. 12x8.")] = None,
    rules: Rules = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="For the sampler, e.g. border=false; see `puzzles families`."
        ),
    ] = None,
    boxes: Annotated[
        int | None,
        typer.Option(help="How many boxes, in families with boxes: as --option boxes=N.", min=1),
    ] = None,
    split: Annotated[str, typer.Option(help="train, eval or any.")] = "any",
    exclude: Annotated[
        list[Path] | None,
        typer.Option(help="A folder with datasets whose boards must not come up."),
    ] = None,
    images: Images = True,
    cell: Cell = 64,
    format: Annotated[
        str | None, typer.Option(help="folder, parquet or webdataset [default: folder].")
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
    force: Force = False,
) -> None:
    """Make a dataset of instances with pictures."""
    with sentences("interrupted; --resume completes a dataset"):
        from puzzles.asked import checked, wanted
        from puzzles.content import Content
        from puzzles.dataset import write
        from puzzles.engine import engine_of
        from puzzles.generate import Recipe

        storage = storage_of(
            format, shards, shard_size, trainer=trainer, target=sft, protocol=protocol
        )
        common: dict[str, Any] = {
            "seed": seed,
            "size": parse_size(size),
            "rules": parse_rules(rules, "--rules"),
            "split": split,
            "lengths": parse_lengths(length),
        }
        names, tiers = parse_families(family), parse_difficulties(difficulty, length)
        options = {name: _options(name, option or [], boxes) for name in names}
        if boxes is not None and not any("boxes" in given for given in options.values()):
            raise ValueError(f"--boxes: there are no boxes in {' and '.join(names)}")
        recipes = [
            checked(Recipe(name, difficulty=tier, options=options[name], **common))
            for name in names
            for tier in tiers
        ]
        jobs = []
        for recipe in recipes:
            folder = _folder(out, recipe, single=len(recipes) == 1)
            content = Content(recipe, wanted(recipe, n), cell if images else None)
            storage(folder, content)  # says what can't be meant before anything is written
            jobs.append((content, folder))
        made = []
        with engine_of(engine, workers, address) as tasked, progress_bar() as bar:
            for content, folder in jobs:
                told = bar.add_task(folder.name, total=content.n)
                summary = write(
                    content,
                    folder,
                    storage,
                    exclude=exclude or (),
                    engine=tasked,
                    resume=resume,
                    force=force,
                    progress=partial(_tell, bar, told),
                )
                made.append((folder, summary))
        _print_made(made)


def _options(family: str, given: list[str], boxes: int | None) -> dict[str, Any]:
    """Return what the sampler of ``family`` is told; boxes only where it knows of them."""
    from puzzles import family as room_of

    options = dict(map(parse_option, given))
    if boxes is not None and "boxes" in options:
        raise ValueError("--boxes and --option boxes=... say the same: give one of them")
    if boxes is not None and "boxes" in room_of(family).sample_options:
        options["boxes"] = boxes
    return options


def _tell(bar: Progress, task: TaskID, done: int) -> None:
    bar.update(task, completed=done)


def _print_made(made: list[tuple[Path, Summary]]) -> None:
    from rich.table import Table

    if not sys.stdout.isatty():
        for folder, summary in made:
            lengths = sorted(summary.lengths)
            print(f"{folder}: {counted(summary.count)}, lengths {lengths[0]} to {lengths[-1]}")
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("folder", "instances", "optimal lengths", "structure (means)"):
        table.add_column(name, justify="right" if name == "instances" else "left", overflow="fold")
    for folder, summary in made:
        structure = "  ".join(f"{name} {mean:.4g}" for name, mean in summary.structure().items())
        table.add_row(str(folder), str(summary.count), _histogram(summary), structure)
    console().print(table)


def _histogram(summary: Summary) -> str:
    """Return the lengths as a row of bars, from the shortest to the longest."""
    low, high = min(summary.lengths), max(summary.lengths)
    most = max(summary.lengths.values())
    counts = [summary.lengths[length] for length in range(low, high + 1)]
    return f"{low} {''.join(' ▁▂▃▄▅▆▇█'[-(-8 * count // most)] for count in counts)} {high}"


def _folder(out: Path | None, recipe: Recipe, *, single: bool) -> Path:
    name = recipe.difficulty or "{}-{}".format(*recipe.bucket[:2])
    if out is not None and single:
        return out
    return (out or Path("data")) / f"{recipe.family}-{name}"
