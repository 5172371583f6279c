"""The command line: each command parses, calls, prints; what is heavy is imported inside."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

    from puzzles.generate import Recipe
    from puzzles.summary import Summary

app = typer.Typer(
    name="puzzles",
    help="Visual planning puzzles of exact optimal length: make, draw, solve and judge them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

BAD_INPUT, INTERRUPTED = 2, 130


@app.command()
def make(
    family: Annotated[str, typer.Option(help="A family, several with commas, or all.")] = "maze",
    difficulty: Annotated[
        str | None, typer.Option(help="easy, medium, hard, several with commas, or all.")
    ] = None,
    n: Annotated[
        int | None, typer.Option("-n", help="How many of each [default: the suite's 20, 30, 50].")
    ] = None,
    length: Annotated[
        str | None, typer.Option(help="Optimal lengths LOW-HIGH, instead of a difficulty.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed, other boards.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write [default: data/FAMILY-DIFFICULTY].")
    ] = None,
    size: Annotated[str | None, typer.Option(help="ROWSxCOLUMNS, e.g. 12x8.")] = None,
    rules: Annotated[
        str | None, typer.Option(help="Rules of the boards as JSON; see `puzzles families`.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE for the sampler, e.g. border=false.")
    ] = None,
    split: Annotated[str, typer.Option(help="train, eval or any.")] = "any",
    exclude: Annotated[
        list[Path] | None, typer.Option(help="A dataset whose boards must not come up.")
    ] = None,
    images: Annotated[bool, typer.Option(help="Draw the boards and their aids.")] = True,
    cell: Annotated[int, typer.Option(help="Pixels a cell.", min=16, max=512)] = 64,
    workers: Annotated[
        int | None, typer.Option(help="Processes [default: all cores].", min=1)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Complete an interrupted run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset.")] = False,
) -> None:
    """Make a dataset of instances with pictures."""
    with sentences():
        from puzzles.dataset import checked, wanted, write
        from puzzles.folder import Content
        from puzzles.generate import Recipe

        common: dict[str, Any] = {
            "seed": seed,
            "size": _size(size),
            "rules": _json_object(rules, "--rules"),
            "options": dict(map(_option, option or [])),
            "split": split,
            "lengths": _lengths(length),
        }
        names, tiers = _families(family), _difficulties(difficulty, length)
        recipes = [
            checked(Recipe(name, difficulty=tier, **common)) for name in names for tier in tiers
        ]
        jobs = []
        for recipe in recipes:
            folder = _folder(out, recipe, single=len(recipes) == 1)
            jobs.append((Content(recipe, wanted(recipe, n), cell if images else None), folder))
        made = []
        with progress_bar() as bar:
            for content, folder in jobs:
                told = bar.add_task(folder.name, total=content.n)
                summary = write(
                    content,
                    folder,
                    exclude=exclude or (),
                    workers=workers,
                    resume=resume,
                    force=force,
                    progress=lambda done, told=told: bar.update(told, completed=done),
                )
                made.append((folder, summary))
        _print_made(made)


def _print_made(made: list[tuple[Path, Summary]]) -> None:
    from rich.table import Table

    if not sys.stdout.isatty():
        for folder, summary in made:
            lengths = sorted(summary.lengths)
            print(f"{folder}: {summary.count} instances, lengths {lengths[0]} to {lengths[-1]}")
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("folder", "instances", "optimal lengths", "structure (means)"):
        table.add_column(name, justify="right" if name == "instances" else "left", overflow="fold")
    for folder, summary in made:
        structure = "  ".join(f"{name} {mean:.4g}" for name, mean in summary.structure().items())
        table.add_row(str(folder), str(summary.count), _histogram(summary), structure)
    console().print(table)


def _histogram(summary: Summary) -> str:
    """Return the lengths as a row of bars, from the shortest to the longest."""
    low, high = min(summary.lengths), max(summary.lengths)
    most = max(summary.lengths.values())
    counts = [summary.lengths[length] for length in range(low, high + 1)]
    return f"{low} {''.join(' ▁▂▃▄▅▆▇█'[-(-8 * count // most)] for count in counts)} {high}"


@app.command()
def verify(
    answers: Annotated[Path, typer.Argument(help="A file of answers, one JSON object a line.")],
    data: Annotated[
        list[Path] | None, typer.Option(help="A folder with datasets in or below it.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The verdicts [default: beside the answers].")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Accept the exact answer format only.")
    ] = False,
    distance: Annotated[
        bool, typer.Option("--distance", help="Also find how far from the goal each answer ends.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Judge answers by replaying them, and print success rates."""
    with sentences():
        from protocols.judge import Options, judge_file, verdicts_path

        place = out or verdicts_path(answers)
        size = answers.stat().st_size if answers.is_file() else 0
        with progress_bar(quiet=size < 5_000_000 and not distance) as bar:
            told = bar.add_task("judging", total=size)
            report = judge_file(
                answers,
                data or (),
                place,
                Options(strict, distance),
                lambda read: bar.update(told, completed=read),
            )
        if as_json:
            _print_json({**report.record(), "verdicts": str(place)})
        else:
            console().print(report.table())
            if report.untouched():
                print("no answers to:", ", ".join(report.untouched()))
        for line, text in report.errors[:20]:
            print(f"{answers} line {line}: {text}", file=sys.stderr)
        if report.error_count > 20:
            print(f"and {report.error_count - 20:,} more, all in {place}", file=sys.stderr)
        if not as_json:
            print(f"verdicts: {place}")
    if report.error_count:
        raise typer.Exit(1)


@app.command()
def solve(
    board: Annotated[
        str, typer.Argument(help="A board, a file that holds one, an id, or - (standard input).")
    ] = "-",
    family: Annotated[str | None, typer.Option(help="The family of the board.")] = None,
    rules: Annotated[str | None, typer.Option(help="Its rules as JSON.")] = None,
    data: Annotated[Path, typer.Option(help="Where to look for an id.")] = Path("data"),
    limit: Annotated[int | None, typer.Option(help="States to store at most.", min=1)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find a shortest solution of a board."""
    with sentences():
        from time import perf_counter

        from puzzles.solve import solve as search
        from solvers import SearchLimit, Unsolvable

        room, state = _board(board, family, rules, data)
        record: dict[str, Any] = {"family": room.name, "length": None, "answer": None}
        started = perf_counter()
        try:
            actions, record["expanded"] = search(room, state, limit)
        except Unsolvable as error:
            record |= {"result": "unsolvable", "expanded": error.states}
            said = str(error)
        except SearchLimit as error:
            record |= {"result": "limit", "expanded": None, "limit": error.limit}
            said = str(error)
        else:
            answer = room.format_answer(room.answer_of(state, actions))
            record |= {"result": "solved", "length": len(actions), "answer": answer}
            said = f"optimal length {len(actions)}\n{answer}"
        record["seconds"] = round(perf_counter() - started, 4)
        if as_json:
            _print_json(record)
        elif record["result"] == "solved":
            print(said)
            print(f"{record['expanded']:,} states expanded in {record['seconds']:.2f} s")
        else:
            print(said, file=sys.stderr)
    if record["result"] != "solved":
        raise typer.Exit(1)


@app.command()
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
        from puzzles.solve import solve as search
        from render.encode import gif, png

        if aid + solution + animate > 1:
            raise ValueError("--aid, --solution and --animate exclude each other")
        if animate and out is None:
            raise ValueError("--animate needs a file: -o solution.gif")
        room, state = _board(board, family, rules, data)
        if animate and out is not None:
            pictures = [room.draw(state, cell)]
            for action in search(room, state).actions:
                state = room.apply(state, action)
                pictures.append(room.draw(state, cell))
            out.write_bytes(gif(pictures, 400))
            print(f"{out}: {len(pictures)} frames")
            return
        if solution:
            picture = room.draw_solution(state, search(room, state).actions, cell)
        else:
            picture = (room.draw_aid if aid else room.draw)(state, cell)
        if out is not None:
            out.write_bytes(png(picture))
            print(f"{out}: {picture.pixels.shape[1]}x{picture.pixels.shape[0]} pixels")
        elif sys.stdout.isatty():
            _print_picture(picture)
        else:
            print(room.format(state))


@app.command()
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
            _print_json([_family_record(room) for room in rooms])
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


def _board(board: str, name: str | None, rules: str | None, data: Path) -> tuple[Any, Any]:
    """Return the family and the state that the arguments of solve and show mean."""
    from puzzles import family as room_of
    from puzzles.replay import initial

    if name is None:
        instance = _instance_called(board, data)
        return room_of(instance.family), initial(instance)
    room = room_of(name)
    if board == "-":
        text = sys.stdin.read()
    elif "\n" not in board and len(board) < 250 and Path(board).is_file():
        text = Path(board).read_text("utf-8")
    else:
        text = board
    if "\n" not in text.strip("\n"):
        text = text.replace("\\n", "\n").replace("/", "\n")
    return room, room.parse(text.rstrip("\n"), _json_object(rules, "--rules"))


def _instance_called(name: str, data: Path) -> Any:
    from protocols.library import Library

    library = Library.beside(Path("answers.jsonl"), [data] if data.is_dir() else [])
    instance = library.get(name)
    if instance is None:
        raise ValueError(
            f"no instance has the id {name!r} in {data}; for a board give its --family as well"
        )
    return instance


def _families(text: str) -> list[str]:
    from puzzles import NAMES

    return list(NAMES) if text == "all" else text.split(",")


def _difficulties(text: str | None, length: str | None) -> list[str | None]:
    if length is not None:
        if text is not None:
            raise ValueError("give --difficulty or --length, not both")
        return [None]
    return ["easy", "medium", "hard"] if text == "all" else [*(text or "easy").split(",")]


def _folder(out: Path | None, recipe: Recipe, *, single: bool) -> Path:
    name = recipe.difficulty or "{}-{}".format(*recipe.bucket[:2])
    if out is not None and single:
        return out
    return (out or Path("data")) / f"{recipe.family}-{name}"


def _lengths(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text)
    if not found:
        raise ValueError(f"--length is LOW-HIGH or one number, not {text!r}")
    return int(found[1]), int(found[2] or found[1])


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text.lower())
    if not found:
        raise ValueError(f"--size is ROWSxCOLUMNS, e.g. 12x8, not {text!r}")
    return int(found[1]), int(found[2])


def _json_object(text: str | None, what: str) -> dict[str, Any]:
    import json

    if text is None:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ValueError(f"{what} is a JSON object, not {text!r}")
    return value


def _option(text: str) -> tuple[str, Any]:
    import json

    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--option is NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _print_json(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))


def _print_picture(picture: Any) -> None:
    """Print a picture as half blocks, two pixels a character."""
    from render.terminal import lines

    for line in lines(picture, console().width):
        sys.stdout.write(line + "\n")


def console() -> Any:
    """Return the console for standard output; piped output is not folded to a narrow width."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=160, soft_wrap=True)


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Progress]:
    """Show progress with rate and time left on standard error where that is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _rate_column(),
        TimeRemainingColumn(),
    )
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, disable=quiet or not screen.is_terminal) as bar:
        yield bar


def _rate_column() -> Any:
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s" if speed else "", style="progress.data.speed")

    return Rate()


@contextmanager
def sentences() -> Iterator[None]:
    """Turn what is wrong with the input into one sentence and exit code 2."""
    try:
        yield
    except KeyboardInterrupt:
        _end("interrupted; --resume completes a dataset", INTERRUPTED)
    except ValueError as error:
        _end(str(error), BAD_INPUT)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _end(f"{where}{error.strerror or error}", BAD_INPUT)


def _end(text: str, code: int) -> NoReturn:
    print(f"puzzles: {text}", file=sys.stderr)
    raise typer.Exit(code)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
