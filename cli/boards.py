"""puzzles solve and puzzles show: one board, from wherever it is given."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.arguments import parse_limit, parse_rules
from cli.say import console, print_json, sentences

_FILE_NAME = re.compile(r"\.[a-z]{2,5}\Z")


def solve(
    board: Annotated[
        str, typer.Argument(help="A board, a file that holds one, an id, or - (standard input).")
    ] = "-",
    family: Annotated[str | None, typer.Option(help="The family of the board.")] = None,
    rules: Annotated[str | None, typer.Option(help="Its rules as JSON.")] = None,
    data: Annotated[Path, typer.Option(help="Where to look for an id.")] = Path("data"),
    metric: Annotated[
        str, typer.Option(help="cell, or slide: a piece moved any distance counts as one.")
    ] = "cell",
    algorithm: Annotated[str, typer.Option(help="bfs, astar or auto; all are exact.")] = "auto",
    limit: Annotated[
        int | None, typer.Option(help="States to store at most [default: 20000000].", min=1)
    ] = None,
    memory: Annotated[
        str | None, typer.Option(help="Memory for them at most, e.g. 512MB [default: 4GB].")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find a shortest solution of a board."""
    with sentences():
        bound = parse_limit(limit, memory)
        room, state = _board(board, family, rules, data)
        record, said = _solved(room, state, bound, algorithm=algorithm, metric=metric)
        if as_json:
            print_json(record)
        else:
            print(said, file=sys.stdout if record["result"] == "solved" else sys.stderr)
    if record["result"] != "solved":
        raise typer.Exit(1)


def _solved(room: Any, state: Any, limit: Any, **how: str) -> tuple[dict[str, Any], str]:
    """Return what the search found, as a record and as text."""
    from time import perf_counter

    from puzzles.solve import solve as search
    from solvers import SearchLimit, Unsolvable

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
        said = (
            f"optimal length {found.length}{cells}\n{record['answer']}\n"
            f"{found.expanded:,} states expanded by {found.algorithm} in {record['seconds']:.2f} s "
            f"(limit {limit.states:,} states, {limit.memory / (1 << 30):.3g} GB)"
        )
    return record, said


def show(
    board: Annotated[
        str, typer.Argument(help="A board, a file that holds one, an id, or - (standard input).")
    ] = "-",
    family: Annotated[str | None, typer.Option(help="The family of the board.")] = None,
    rules: Annotated[str | None, typer.Option(help="Its rules as JSON.")] = None,
    data: Annotated[Path, typer.Option(help="Where to look for an id.")] = Path("data"),
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write a PNG (a GIF with --animate).")
    ] = None,
    aid: Annotated[bool, typer.Option("--aid", help="With grid and coordinates.")] = False,
    solution: Annotated[bool, typer.Option("--solution", help="With the solution drawn.")] = False,
    animate: Annotated[bool, typer.Option("--animate", help="A GIF of the solution.")] = False,
    cell: Annotated[int, typer.Option(help="Pixels a cell.", min=16, max=512)] = 64,
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
            _check_picture(out, ".gif" if animate else ".png")
        room, state = _board(board, family, rules, data)
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
            _print_picture(picture)
        else:
            print(room.format(state))
            if solution:
                print(room.format_answer(room.answer_of(state, actions)))


def _check_picture(out: Path, suffix: str) -> None:
    """Raise ValueError unless ``out`` is named as a picture, and free or a picture."""
    if out.suffix.lower() != suffix:
        raise ValueError(f"the picture is a {suffix[1:].upper()}: name it *{suffix}, not {out}")
    if out.exists():
        with out.open("rb") as file:
            if not file.read(8).startswith((b"\x89PNG", b"GIF8")):
                raise ValueError(f"{out} holds something other than a picture")


def _board(board: str, name: str | None, rules: str | None, data: Path) -> tuple[Any, Any]:
    """Return the family and the state that the arguments of solve and show mean."""
    from puzzles import family as room_of
    from puzzles.family import InvalidBoard
    from puzzles.instance import ID
    from puzzles.replay import initial

    if name is None or ID.fullmatch(board):
        if board == "-" or Path(board[:250]).is_file():
            raise ValueError("a board needs its --family; only an id of a dataset does without")
        instance = _instance_called(board, data)
        return room_of(instance.family), initial(instance)
    room = room_of(name)
    if board == "-":
        if sys.stdin.isatty():
            print("the board, then Ctrl-D:", file=sys.stderr)
        text = sys.stdin.read()
    elif "\n" not in board and len(board) < 250 and Path(board).is_file():
        text = Path(board).read_text("utf-8")
    else:
        text = board
    if "\n" not in text.strip("\n"):
        text = text.replace("\\n", "\n").replace("/", "\n")
    try:
        return room, room.parse(text.rstrip("\n"), parse_rules(rules, "--rules"))
    except InvalidBoard as error:
        hint = f" (and there is no file {board})" if _FILE_NAME.search(board) else ""
        raise InvalidBoard(f"{error}{hint}") from None


def _instance_called(name: str, data: Path) -> Any:
    from protocols.library import Library

    instance = Library.below([data]).get(name) if data.is_dir() else None
    if instance is None:
        raise ValueError(
            f"no instance has the id {name!r} in {data}; for a board give its --family as well"
        )
    return instance


def _print_picture(picture: Any) -> None:
    """Print a picture as half blocks, two pixels a character."""
    from render.terminal import lines

    for line in lines(picture, console().width):
        sys.stdout.write(line + "\n")
