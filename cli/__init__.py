"""The command line: each command parses, calls, prints; what is heavy is imported inside."""

import os
import signal
from typing import Annotated

import typer

from cli import boards
from cli.dedup import dedup
from cli.export import export
from cli.families import families
from cli.import_boards import import_boards
from cli.make import make
from cli.map import map_board
from cli.metrics import metrics
from cli.prompt import prompt
from cli.read import read
from cli.report import report
from cli.run import run
from cli.serve import serve
from cli.verify import verify

app = typer.Typer(
    name="puzzles",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Visual planning puzzles of exact optimal length: make, draw, solve and judge them."""
    if show:
        from puzzles import __version__

        print(__version__)
        raise typer.Exit


commands = (make, prompt, run, verify, report, serve, boards.solve, boards.show, read, families)
for command in commands:
    app.command()(command)
app.command("import")(import_boards)
app.command()(export)
app.command()(dedup)
app.command("map")(map_board)
app.add_typer(metrics, name="metrics")


def main() -> None:
    """Run the command line; being told to end is like Ctrl-C."""
    # Boards are small: numpy's threads would wait for each other for longer than they work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    app()
