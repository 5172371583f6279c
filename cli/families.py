"""puzzles families: what there is."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.say import console, print_json, sentences


def families(
    family: Annotated[str | None, typer.Argument(help="One family, in full.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the families: rules, difficulties, formats."""
    with sentences():
        from puzzles import NAMES
        from puzzles import family as room_of

        rooms = [room_of(name) for name in ([family] if family else NAMES)]
        if as_json:
            print_json([_family_record(room) for room in rooms])
            return
        for room in rooms:
            _print_family(room)


def _family_record(room: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "name": room.name,
        **asdict(room.words(room.rule_options)),
        "size": room.size,
        "buckets": {name: [bucket.low, bucket.high] for name, bucket in room.buckets.items()},
        "rule_options": dict(room.rule_options),
        "sample_options": dict(room.sample_options),
        "generator": room.generator,
    }


def _print_family(room: Any) -> None:
    from rich.padding import Padding
    from rich.text import Text

    lengths = ", ".join(f"{name} {b.low}-{b.high}" for name, b in room.buckets.items())
    rows, columns = room.size
    screen, words = console(), room.words(room.rule_options)
    screen.print(Text(f"{room.name}", style="bold"), f"{rows}x{columns}; lengths {lengths}")
    for name in ("legend", "rules", "goal", "answer"):
        screen.print(Padding(Text(getattr(words, name)), (0, 0, 0, 2)))
    for title, options in (("rules", room.rule_options), ("options", room.sample_options)):
        if options:
            said = ", ".join(f"{name}={value}" for name, value in options.items())
            screen.print(Padding(Text(f"{title}: {said}"), (0, 0, 0, 2)))
    screen.print()
