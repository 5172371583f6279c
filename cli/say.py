"""What a person sees: the console, progress, and one sentence where something is wrong."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from signal import SIGINT, SIGTERM, signal
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

BAD_INPUT, INTERRUPTED = 2, 130
LARGE = 5_000_000
"""Bytes of a file from which on its reading shows its progress."""


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def escape_output() -> None:
    """Print as an escape what the encoding of standard output lacks; it is not ours to choose."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def tell(text: str) -> None:
    """Print a sentence on standard error; what it quotes steers no terminal."""
    from puzzles.printable import printable

    print(printable(text), file=sys.stderr)


def counted(n: int) -> str:
    return f"{n:,} instance{'' if n == 1 else 's'}"


def console() -> Any:
    """Return the console for standard output; piped output is not folded to a narrow width."""
    from rich.console import Console

    plain: Any = {"markup": False, "highlight": False, "emoji": False}  # names are not ours
    if sys.stdout.isatty():
        return Console(**plain)
    return Console(width=160, soft_wrap=True, **plain)


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
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _rate_column(),
        TimeRemainingColumn(),
    )
    screen = Console(stderr=True, emoji=False)
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
def interruptions() -> Iterator[Callable[[], bool]]:
    """Yield what says whether the first Ctrl-C has come, or the process has been told to end.

    An exception in its place is lost where it comes up in a destructor. A second Ctrl-C raises.
    """
    came: list[int] = []

    def note(number: int, frame: object) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt

    before = {number: signal(number, note) for number in (SIGINT, SIGTERM)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal(number, handler)


@contextmanager
def sentences(interrupted: str = "interrupted") -> Iterator[None]:
    """Turn what is wrong with the input into one sentence and exit code 2."""
    try:
        yield
    except KeyboardInterrupt:
        _end(interrupted, INTERRUPTED)
    except UnicodeDecodeError as error:
        _end(f"the input is not UTF-8 text: {error.reason}", BAD_INPUT)
    except ValueError as error:
        _end(str(error), BAD_INPUT)
    except (MemoryError, RecursionError) as error:
        _end(f"too much for this machine: {error or 'out of memory'}", BAD_INPUT)
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _end(f"{where}{error.strerror or error}", BAD_INPUT)


def _end(text: str, code: int) -> NoReturn:
    print(f"puzzles: {text}", file=sys.stderr)
    raise typer.Exit(code)
