"""puzzles solve and puzzles show: one board, solved or drawn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.arguments import bytes_in_words, parse_limit
from cli.given import given
from cli.options import (
    AsJson,
    Board,
    BoardFamily,
    BoardMetric,
    BoardRules,
    Cell,
    Data,
    Memory,
    States,
)
from cli.say import console, print_json, sentences


def solve(
    board: Board = "-",
    family: BoardFamily = None,
    rules: BoardRules = None,
    data: Data = Path("data"),
    metric: BoardMetric = None,
    algorithm: Annotated[str, typer.Option(help="bfs, astar or auto; all are exact.")] = "auto",
    limit: States = None,
    memory: Memory = None,
    as_json: AsJson = False,
) -> None:
    """Find a shortest solution of a board."""
    with sentences():
        bound = parse_limit(limit, memory)
        room, state, own = given(board, family, rules, data)
        record, said = _solved(room, state, bound, algorithm=algorithm, metric=metric or own)
        if as_json:
            print_json(record)
        else:
            print(said, file=sys.stdout if record["result"] == "solved" else sys.stderr)
    if record["result"] != "solved":
        raise typer.Exit(1)


def _solved(room: Any, state: Any, limit: Any, **how: str) -> tuple[dict[str, Any], str]:
    """Return what the search found, as a record and as text."""
    from contextlib import suppress
    from time import perf_counter

    from puzzles.solve import solve as search
    from solvers import Limit, SearchLimit, Unsolvable

    record: dict[str, Any] = {
        "family": room.name,
        "metric": how["metric"],
        "result": "solved",
        "length": None,
        "answer": None,
        "algorithm": how["algorithm"],
        "expanded": None,
        "limit": limit._asdict(),
    }
    with suppress(ValueError):  # compiles the kernels: nothing that the search takes
        search(room, state, Limit(1), **how)
    started = perf_counter()
    try:
        found = search(room, state, limit, **how)
    except Unsolvable as error:
        record |= {"result": "unsolvable", "expanded": error.states}
        said = str(error)
    except SearchLimit as error:
        record |= {"result": "limit", "stored": error.states, "at_least": error.bound}
        said = str(error)
    else:
        record |= {"length": found.length, "expanded": found.expanded}
        record["algorithm"] = found.algorithm
        record["answer"] = room.format_answer(room.answer_of(state, found.actions))
    record["seconds"] = round(perf_counter() - started, 4)
    if record["result"] == "solved":
        cells = f" ({len(found.actions)} moves by one cell)" if how["metric"] == "slide" else ""
        states = f"{found.expanded:,} state{'' if found.expanded == 1 else 's'}"
        said = (
            f"optimal length {found.length}{cells}\n{record['answer']}\n"
            f"{states} expanded by {found.algorithm} in {record['seconds']:.3f} s "
            f"(limit {limit.states:,} states, {bytes_in_words(limit.memory)})"
        )
    return record, said


def show(
    board: Board = "-",
    family: BoardFamily = None,
    rules: BoardRules = None,
    data: Data = Path("data"),
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write a PNG (a GIF with --animate).")
    ] = None,
    aid: Annotated[bool, typer.Option("--aid", help="With grid and coordinates.")] = False,
    solution: Annotated[bool, typer.Option("--solution", help="With the solution drawn.")] = False,
    animate: Annotated[bool, typer.Option("--animate", help="A GIF of the solution.")] = False,
    cell: Cell = 64,
) -> None:
    """Draw a board in the terminal, or to a file."""
    with sentences():
        from puzzles.pictures import check_pixels
        from puzzles.solve import solve as search
        from render.encode import gif, png

        if aid + solution + animate > 1:
            raise ValueError("--aid, --solution and --animate exclude each other")
        if animate and out is None:
            raise ValueError("--animate needs a file: -o solution.gif")
        if out is not None:
            check_picture(out, ".gif" if animate else ".png")
        room, state, _ = given(board, family, rules, data)
        rows = room.format(state).split("\n")
        check_pixels((len(rows), len(rows[0])), cell)
        if animate and out is not None:
            pictures = [room.draw(state, cell)]
            for action in search(room, state).actions:
                state = room.apply(state, action)
                pictures.append(room.draw(state, cell))
            out.write_bytes(gif(pictures, 400))
            print(f"{out}: {len(pictures)} frames")
            return
        actions = search(room, state).actions if solution else []
        if solution:
            picture = room.draw_solution(state, actions, cell)
        else:
            picture = (room.draw_aid if aid else room.draw)(state, cell)
        if out is not None:
            out.write_bytes(png(picture))
            print(f"{out}: {picture.pixels.shape[1]}x{picture.pixels.shape[0]} pixels")
        elif sys.stdout.isatty():
            print_picture(picture)
        else:
            print(room.format(state))
            if solution:
                print(room.format_answer(room.answer_of(state, actions)))


def check_picture(out: Path, suffix: str) -> None:
    """Raise ValueError unless ``out`` is named as a picture, and free or a picture."""
    if out.suffix.lower() != suffix:
        raise ValueError(f"the picture is a {suffix[1:].upper()}: name it *{suffix}, not {out}")
    if out.exists():
        with out.open("rb") as file:
            if not file.read(8).startswith((b"\x89PNG", b"GIF8")):
                raise ValueError(f"{out} holds something other than a picture")


def print_picture(picture: Any) -> None:
    """Print a picture as half blocks, two pixels a character."""
    from render.terminal import lines

    for line in lines(picture, console().width):
        sys.stdout.write(line + "\n")
