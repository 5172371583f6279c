"""puzzles run: instances put to a model under protocols, its answers collected."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.arguments import one_of, parse_list, parse_protocols, parse_rules
from cli.options import AidFiles, CellOfData, History, RoundRules, Stopping
from cli.say import interruptions, progress_bar, sentences, tell

if TYPE_CHECKING:
    from protocols.models import Model
    from protocols.run import Totals

KEY = "OPENAI_API_KEY"
CONTINUE = "interrupted; every reply that has come is kept, and the same command goes on from there"


def run(
    data: Annotated[
        list[Path], typer.Option(help="A folder with datasets in or below it; repeatable.")
    ],
    protocol: Annotated[str, typer.Option(help="A protocol, or several with commas.")],
    model: Annotated[
        str,
        typer.Option(
            help="The name of a model at --base-url; solver, random, greedy or noisy:P (built in); "
            "python:MODULE:CLASS (your own)."
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", help="The answers; a file that is there is continued.")
    ] = Path("answers.jsonl"),
    base_url: Annotated[
        str | None, typer.Option(help="An OpenAI-compatible endpoint: http://localhost:8000/v1.")
    ] = None,
    key_env: Annotated[
        str, typer.Option(help="The environment variable that holds the endpoint's key.")
    ] = KEY,
    runs: Annotated[int, typer.Option(help="How often each episode is played.", min=1)] = 1,
    limit: Annotated[
        int | None, typer.Option(help="The first N instances of each family and difficulty.", min=1)
    ] = None,
    family: Annotated[
        str | None, typer.Option(help="Only this family, or several with commas.")
    ] = None,
    difficulty: Annotated[
        str | None, typer.Option(help="Only this difficulty, or several with commas.")
    ] = None,
    stopping: Stopping = "fixed",
    history: History = "all",
    rules: RoundRules = "own",
    temperature: Annotated[float, typer.Option(help="Of sampling; 0 is greedy.", min=0)] = 0.0,
    max_tokens: Annotated[int, typer.Option(help="New tokens of a reply.", min=1)] = 8192,
    images: Annotated[
        str,
        typer.Option(
            help="How drawings are asked for: chat, or the images endpoint: edit (with the board), "
            "generate (in words alone)."
        ),
    ] = "chat",
    image_model: Annotated[
        str | None, typer.Option(help="The model that draws [default: --model].")
    ] = None,
    extra: Annotated[
        str | None, typer.Option(help="JSON added to the body of every chat request.")
    ] = None,
    image_extra: Annotated[
        str | None,
        typer.Option(help='JSON added where a drawing is due: {"modalities": ["image", "text"]}.'),
    ] = None,
    price: Annotated[
        str | None,
        typer.Option(help="IN,OUT: USD per million tokens, where the endpoint names no cost."),
    ] = None,
    concurrency: Annotated[int, typer.Option(help="Episodes at once.", min=1, max=256)] = 8,
    timeout: Annotated[float, typer.Option(help="Seconds for one request.", min=0.001)] = 600.0,
    retries: Annotated[int, typer.Option(help="How often a request is put again.", min=0)] = 6,
    aids: AidFiles = None,
    cell: CellOfData = None,
) -> None:
    """Put instances to a model, or go on where that was stopped."""
    with sentences(CONTINUE):
        from protocols.journal import Journal
        from protocols.models.endpoint import Options
        from protocols.selection import Selection

        options = Options(
            temperature,
            max_tokens,
            timeout,
            retries,
            images=one_of("--images", images, "chat", "edit", "generate"),
            image_model=image_model,
            extra=parse_rules(extra, "--extra"),
            image_extra=parse_rules(image_extra, "--image-extra"),
            price=_price(price),
        )
        protocols = parse_protocols(protocol, stopping, history, rules)
        selection = Selection(
            data,
            protocols,
            runs,
            limit,
            family and parse_list(family),
            difficulty and parse_list(difficulty),
            cell,
            aids,
        )
        stop = Event()
        maker, asked, alone = _model(model, base_url, key_env, options, stop)
        settings = {"cell": cell, "aids": None if aids is None else str(aids), **asked}
        selection.check()
        with Journal(out, selection.library, model, settings) as journal:
            totals = _run(journal, maker, selection, 1 if alone else concurrency, stop)
    _print(totals, out, data)
    if totals.failed:
        raise typer.Exit(1)


def _run(
    journal: Any, maker: Callable[[int], Model], selection: Any, concurrency: int, stop: Event
) -> Totals:
    from protocols.run import Runner

    with progress_bar() as bar:
        told = bar.add_task("episodes", total=len(selection))
        with interruptions() as interrupted:
            runner = Runner(
                journal,
                maker,
                stop=stop,
                interrupted=interrupted,
                progress=lambda: bar.advance(told),
            )
            return runner.run(selection.jobs(), concurrency)


def _model(
    name: str, base_url: str | None, key_env: str, options: Any, stop: Event
) -> tuple[Callable[[int], Model], dict[str, Any], bool]:
    """Return the model of each run, what its replies depend on, and whether it works alone."""
    from protocols.models import ModelError, is_own, is_player

    if is_player(name) and base_url is None:
        from protocols.models.players import player

        player(name)
        return lambda run: player(name, run=run), {}, False
    if is_own(name):
        from protocols.models.own import Own

        own = Own(name)
        return lambda run: own, {}, not own.thread_safe
    if base_url is None:
        raise ModelError(
            f"--model {name} is behind which endpoint? Name it with --base-url, or take a built-in "
            "player (solver, random, greedy, noisy:P) or python:MODULE:CLASS"
        )
    from protocols.models.endpoint import Endpoint

    key = os.environ.get(key_env)
    if key is None and key_env != KEY:
        raise ModelError(f"--key-env {key_env}: there is no such environment variable")
    endpoint = Endpoint(name, base_url, options, key=key, stop=stop, note=_note)
    return lambda run: endpoint, options.record(), False


def _note(text: str) -> None:
    tell(f"puzzles: {text}")


def _price(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
        if 0 <= low < inf and 0 <= high < inf:
            return low, high
    except ValueError:
        pass
    raise ValueError(f"--price is IN,OUT in USD per million tokens, e.g. 0.15,0.60, not {text!r}")


def _print(totals: Totals, out: Path, data: list[Path]) -> None:
    kept = f" ({totals.kept:,} more were there already)" if totals.kept else ""
    print(f"episodes: {totals.episodes:,}{kept}; requests: {totals.requests:,}", end="")
    if totals.prompt_tokens or totals.completion_tokens:
        tokens = f"{totals.prompt_tokens:,.0f} in, {totals.completion_tokens:,.0f} out"
        print(f"; tokens: {tokens}", end="")
    print("" if totals.cost is None else f"; cost: {totals.cost:,.4f} USD")
    for text in totals.failures:
        tell(f"not answered: {text}")
    if totals.failed > len(totals.failures):
        print(f"and {totals.failed - len(totals.failures):,} more", file=sys.stderr)
    if totals.failed:
        print("the same command asks these again", file=sys.stderr)
    if not totals.episodes and not totals.kept:
        return  # where nothing was answered, there is no file to judge
    folders = "".join(f" --data {folder}" for folder in data)
    print(f"answers: {out}; judge them with: puzzles verify {out}{folders}")
