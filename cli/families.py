"""puzzles families: what there is."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from typing import Annotated, Any

import typer

from cli.options import AsJson
from cli.say import print_json, sentences


def families(
    family: Annotated[str | None, typer.Argument(help="One family, in full.")] = None,
    as_json: AsJson = False,
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
    """Print a family; folded to a terminal's width, unfolded where the output goes elsewhere."""
    lengths = ", ".join(f"{name} {b.low}-{b.high}" for name, b in room.buckets.items())
    rows, columns = room.size
    print(f"{room.name}: {rows}x{columns}, optimal lengths {lengths}")
    words = room.words(room.rule_options)
    lines = [words.legend, words.rules, words.goal]
    lines += [f"{words.answer} For example: {words.examples[0]}", f"Step by step: {words.step}"]
    for title, options in (("--rules", room.rule_options), ("--option", room.sample_options)):
        if options:
            lines.append(f"{title} (defaults): {json.dumps(dict(options))}")
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 1 << 20
    for line in lines:
        print(
            textwrap.fill(
                line,
                width,
                initial_indent="  ",
                subsequent_indent="  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
    print()
