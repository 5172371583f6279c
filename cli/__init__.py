"""The command line: each command parses, calls, prints; what is heavy is imported inside."""

import typer

from cli import boards
from cli.families import families
from cli.make import make
from cli.verify import verify

app = typer.Typer(
    name="puzzles",
    help="Visual planning puzzles of exact optimal length: make, draw, solve and judge them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (make, verify, boards.solve, boards.show, families):
    app.command()(command)


def main() -> None:
    """Run the command line."""
    app()
