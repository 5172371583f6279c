"""Options that several commands have, each said once."""

from pathlib import Path
from typing import Annotated

import typer

Board = Annotated[
    str, typer.Argument(help="A board, a file that holds one, an id, or - (standard input).")
]
BoardFamily = Annotated[str | None, typer.Option(help="Its family, where several read it.")]
BoardRules = Annotated[str | None, typer.Option(help="Its rules as JSON.")]
Data = Annotated[Path, typer.Option(help="Where to look for an id.")]
DataFolders = Annotated[
    list[Path] | None, typer.Option(help="A folder with datasets in or below it.")
]
BoardMetric = Annotated[
    str | None,
    typer.Option(
        help="cell, or slide: a piece moved any distance counts as one [default: cell, or that of "
        "the instance]."
    ),
]
States = Annotated[
    int | None,
    typer.Option(help="States that a search may store [default: 20000000].", min=1),
]
Memory = Annotated[
    str | None, typer.Option(help="Memory that they may take, e.g. 512MB [default: 4GB].")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Rules = Annotated[
    str | None, typer.Option(help="Rules of the boards as JSON; see `puzzles families`.")
]
Images = Annotated[bool, typer.Option(help="Draw the boards and their aids.")]
Cell = Annotated[int, typer.Option(help="Pixels a cell.", min=16, max=512)]
Workers = Annotated[int | None, typer.Option(help="Processes [default: all cores].", min=1)]
EngineName = Annotated[
    str, typer.Option("--engine", help="local, or ray: on the nodes of a Ray cluster.")
]
Address = Annotated[
    str | None,
    typer.Option(help="The cluster of --engine ray [default: $RAY_ADDRESS, or one of its own]."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Complete an interrupted run.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a dataset.")]
Stopping = Annotated[
    str, typer.Option(help="fixed, or budget: as many rounds as the optimum (stepwise).")
]
History = Annotated[
    str, typer.Option(help="all, or last: show only the latest picture (stepwise).")
]
RoundRules = Annotated[str, typer.Option(help="own, or vgau: the published suite's (stepwise).")]
AidFiles = Annotated[
    Path | None, typer.Option(help="Another generator's pictures, for the source files.")
]
CellOfData = Annotated[
    int | None,
    typer.Option(help="Pixels a cell [default: as the dataset was drawn].", min=16, max=512),
]
ShardCount = Annotated[
    int | None, typer.Option("--shards", help="How many shards to write.", min=1)
]
ShardSize = Annotated[int | None, typer.Option(help="Rows of a shard [default: 10000].", min=1)]
Trainer = Annotated[
    str | None,
    typer.Option(
        "--for", help="Rows for a trainer: trl, verl, easyr1 or swift; prompts and the record."
    ),
]
Sft = Annotated[
    str | None,
    typer.Option(help="Rows with a target: answer, steps, vcot; as a picture: aid, overlay."),
]
RowProtocol = Annotated[
    str | None,
    typer.Option(
        "--protocol", help="How their prompts are put [default: direct, or that of the target]."
    ),
]
