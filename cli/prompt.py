"""puzzles prompt: what a model is sent under a protocol, request by request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.arguments import parse_protocols
from cli.options import AidFiles, AsJson, CellOfData, Data, History, RoundRules, Stopping
from cli.say import console, print_json, sentences
from cli.script import IMAGE, RECORD, TEXT, Script

if TYPE_CHECKING:
    from protocols.aids import Aids
    from protocols.episode import Episode
    from protocols.protocol import Protocol
    from puzzles.instance import Instance


def prompt(
    protocol: Annotated[str, typer.Option(help="A protocol, such as text-cot or oracle-vcot.")],
    family: Annotated[str | None, typer.Option(help="A family; or give --id.")] = None,
    difficulty: Annotated[str, typer.Option(help="easy, medium or hard.")] = "easy",
    name: Annotated[
        str | None, typer.Option("--id", help="This instance of --data, instead of a new one.")
    ] = None,
    data: Data = Path("data"),
    seed: Annotated[int, typer.Option(help="Another seed, another board.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help=f"A folder for the images, {TEXT} and {RECORD}."),
    ] = None,
    as_json: AsJson = False,
    stopping: Stopping = "fixed",
    history: History = "all",
    rules: RoundRules = "own",
    aids: AidFiles = None,
    cell: CellOfData = None,
) -> None:
    """Show the exact messages of an episode.

    The replies between them are the solver's, and no part of a prompt.
    """
    with sentences():
        chosen, *more = parse_protocols(protocol, stopping, history, rules)
        if more:
            raise ValueError("--protocol is one protocol here")
        if out is not None:
            _check_folder(out)
        if name is not None:
            instance, shown = _stored(name, family, data, chosen, cell, aids)
        else:
            instance, shown = _made(family, difficulty, seed, chosen, cell, aids)
        shown.check(instance, chosen)
        script = Script(_played(instance, chosen, shown))
        if out is not None:
            script.write(out)
        if as_json:
            print_json(script.record())
        elif out is not None:
            print(f"{out}: {TEXT}, {RECORD} and {script.pictures_in_words()}")
        else:
            _print(script)


def _check_folder(out: Path) -> None:
    """Raise ValueError unless ``out`` is new, empty, or holds what was written here before."""
    if not out.exists():
        return
    if not out.is_dir():
        raise ValueError(f"{out} is a file, not a folder")
    names = {entry.name for entry in out.iterdir()}
    others = {name for name in names - {TEXT, RECORD} if not IMAGE.fullmatch(name)}
    if names and (others or not {TEXT, RECORD} <= names):
        raise ValueError(
            f"{out} holds something else ({min(others or names)}); give an empty or new folder"
        )


def _stored(
    name: str,
    family: str | None,
    data: Path,
    protocol: Protocol,
    cell: int | None,
    files: Path | None,
) -> tuple[Instance, Aids]:
    """Return an instance of the data, and the aids that a run would show with it."""
    from protocols.selection import Selection

    for job in Selection([data], [protocol], cell=cell, files=files).jobs():
        if job.instance.id == name:
            if family not in (None, job.instance.family):
                raise ValueError(f"{name} is not of the family {family}")
            return job.instance, job.aids
    raise ValueError(f"no instance has the id {name!r} in {data}; --data says where to look")


def _made(
    family: str | None,
    difficulty: str,
    seed: int,
    protocol: Protocol,
    cell: int | None,
    files: Path | None,
) -> tuple[Instance, Aids]:
    """Return a new instance, and its aids; a second one gives the aid of a mismatch."""
    from protocols.aids import CELL, Aids
    from puzzles import NAMES
    from puzzles.dataset import make

    if family is None:
        raise ValueError(f"give a --family ({', '.join(NAMES)}), or the --id of an instance")
    instance, *donors = make(family, difficulty, 1 + (protocol.source == "mismatch"), seed=seed)
    donor: Callable[[Instance], Instance] | None = (lambda _: donors[0]) if donors else None
    return instance, Aids(cell or CELL, donor, files)


def _played(instance: Instance, protocol: Protocol, aids: Aids) -> Episode:
    """Return the episode that the solver has played to its end."""
    from protocols.episode import Episode
    from protocols.models.players import player

    solver, episode = player("solver"), Episode(instance, protocol, aids)
    while not episode.done:
        episode.take(solver.reply(episode))
    return episode


def _print(script: Script) -> None:
    """Print a script; what belongs to the prompt stands out from what is said of it."""
    styles = {"title": "bold", "heading": "bold cyan", "reply": "yellow", "image": "magenta"}
    screen = console()
    for line in script.lines:
        text = f"[{line.text}]" if line.kind in ("note", "image", "reply") else line.text
        if line.kind == "heading":
            text = f"\n{'=' * 4} {text} {'=' * 4}"
        screen.print(text, style=styles.get(line.kind, "dim" if line.kind == "note" else None))
        if line.kind == "text":
            screen.print()
