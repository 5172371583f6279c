"""puzzles map: what a board leads to, as numbers and as a picture."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.arguments import parse_limit
from cli.given import given
from cli.options import AsJson, Board, BoardFamily, BoardMetric, BoardRules, Data, Memory, States
from cli.say import console, print_json, sentences

if TYPE_CHECKING:
    from puzzles.map import Map

_KINDS = {".png": b"\x89PNG", ".svg": b"<?xml"}
"""The pictures that can be written, and how such a file begins."""
_ROWS, _BAR = 20, 40
"""Lines of a histogram at most, and characters of its longest bar."""


def map_board(
    board: Board = "-",
    family: BoardFamily = None,
    rules: BoardRules = None,
    data: Data = Path("data"),
    metric: BoardMetric = None,
    limit: States = None,
    memory: Memory = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Draw it: FILE.png or FILE.svg.")
    ] = None,
) -> None:
    """Count all states that a board leads to.

    Also how far each is from the goal.
    """
    with sentences():
        bound = parse_limit(limit, memory)
        if out is not None:
            _check_out(out)
        room, state, own = given(board, family, rules, data)
        metric = metric or own
        found, over = _explored(room, state, bound, metric)
        if over:
            if as_json:
                print_json({"result": "limit", "family": room.name, "metric": metric, **over})
            print(f"no map: {over['error']}", file=sys.stderr)
            raise typer.Exit(1)
        if out is not None:
            out.write_bytes(found.picture(out.suffix.lower()[1:]))
        if as_json:
            with _any_digits():  # there may be more solutions than Python writes out
                print_json({"result": "mapped", **found.record(), "picture": out and str(out)})
        else:
            _print_map(found)
            if out is not None:
                print(f"\npicture: {out}")


@contextmanager
def _any_digits() -> Iterator[None]:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def _explored(room: Any, state: Any, limit: Any, metric: str) -> tuple[Any, dict[str, Any]]:
    """Return the map, or what is to be said of a board that has more states than the limit."""
    from puzzles.map import explore
    from solvers import SearchLimit

    try:
        return explore(room, state, limit, metric=metric), {}
    except SearchLimit as error:
        reached = {"stored": error.states, "at_least": error.bound}
        return None, {"error": str(error), **reached, "limit": limit._asdict()}


def _check_out(out: Path) -> None:
    """Raise ValueError unless a picture can be drawn, and written to ``out``."""
    kind = _KINDS.get(out.suffix.lower())
    if kind is None:
        raise ValueError(f"the picture is a PNG or an SVG: name it *.png or *.svg, not {out}")
    if out.exists():
        with out.open("rb") as file:
            if not file.read(8).startswith(kind):
                raise ValueError(f"{out} holds something other than such a picture")
    elif not out.parent.is_dir():
        raise ValueError(f"there is no folder {out.parent}")
    missing = [name for name in ("matplotlib", "networkx") if find_spec(name) is None]
    if missing:
        raise ValueError(
            f"drawing a map needs {' and '.join(missing)}: pip install 'puzzles[plots]'"
        )


def _print_map(found: Map) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for row in _numbers(found):
        table.add_row(*row)
    screen = console()
    screen.print(f"{found.family} ({found.metric} metric)", style="bold")
    screen.print(table)
    for title, counts, dead in (
        ("states by distance from the board", found.from_start, 0),
        ("states by distance to the nearest goal", found.to_goal, found.dead_ends),
    ):
        screen.print(f"\n{title}", style="bold")
        for line in _histogram(counts, dead, screen.width if sys.stdout.isatty() else 80):
            screen.print(line)
    if found.hardest:
        rules = f", rules {json.dumps(found.hardest.rules)}" if found.hardest.rules else ""
        title = f"the hardest state, {found.hardest.length:,} from a goal{rules}"
        screen.print(f"\n{title}", style="bold")
        print(found.hardest.board)


def _numbers(found: Map) -> list[tuple[str, str, str]]:
    """Return the rows of the table: name, number, and what it is a part of."""
    length, good, hardest = found.optimal_length, found.good_first_moves, found.hardest
    rows = [
        ("reachable states", f"{found.states:,}", ""),
        ("  goals", f"{found.goals:,}", f"{found.goals / found.states:.1%}"),
        ("  dead ends", f"{found.dead_ends:,}", f"{found.dead_end_share:.1%}"),
        ("mean branching", f"{found.mean_branching:.2f}", ""),
        ("optimal length", "none" if length is None else f"{length:,}", ""),
        ("optimal solutions", _short(found.optimal_solutions), ""),
    ]
    if good is not None:
        part = f"of {found.legal_first_moves}, {good:.1%}"
        rows.append(("good first moves", f"{found.shortest_first_moves}", part))
    if hardest:
        many = f"{hardest.states:,} state{'' if hardest.states == 1 else 's'}"
        rows.append(("farthest from a goal", f"{hardest.length:,}", many))
    rows.append(("farthest from here", f"{len(found.from_start) - 1:,}", ""))
    return rows


def _short(number: int) -> str:
    if number < 10**9:
        return f"{number:,}"
    digits = log10(number)
    return f"{min(10 ** (digits % 1), 9.99):.2f}e{int(digits)}"


def _histogram(counts: tuple[int, ...], dead: int, width: int) -> list[str]:
    """Return lines of bars, of several distances each where there are many."""
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(step for step in steps if len(counts) <= _ROWS * step)
    rows = []
    for low in range(0, len(counts), step):
        high = min(low + step, len(counts)) - 1
        rows.append((f"{low}" if low == high else f"{low}-{high}", sum(counts[low : high + 1])))
    if dead:
        rows.append(("dead", dead))
    names, numbers = [name for name, _ in rows], [f"{states:,}" for _, states in rows]
    left, right = max(map(len, names)), max(map(len, numbers))
    most = max(states for _, states in rows)
    room = max(4, min(_BAR, width - left - right - 5))
    return [
        f"{name:>{left}}  {number:>{right}}  {_bar(states, most, room)}"
        for name, number, (_, states) in zip(names, numbers, rows, strict=True)
    ]


def _bar(states: int, most: int, room: int) -> str:
    """Return a bar in eighths of a character; what is not 0 can be seen."""
    eighths = -(-8 * room * states // most)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
