"""puzzles serve: episodes one step at a time over HTTP, and a page to play and watch."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from errno import EADDRINUSE
from pathlib import Path
from stat import S_IRWXG, S_IRWXO
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from cli.extras import extra
from cli.options import DataFolders
from cli.say import sentences, tell

if TYPE_CHECKING:
    from oracle.limits import Limits
    from oracle.server.settings import Settings

_LAST_WORDS = 5
"""Seconds that requests under way are given when the server is told to end."""


def serve(
    data: DataFolders = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at; others than this machine's: a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0: any that is free.", min=0, max=65535)] = 8000,
    store: Annotated[
        str,
        typer.Option(help="Where episodes are kept: a file, or postgresql://USER@HOST/DATABASE."),
    ] = "puzzles-episodes.sqlite",
    token_file: Annotated[
        Path | None, typer.Option(help="A file with the token that requests have to bring.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that answer.", min=1, max=64)] = 1,
    stateless: Annotated[
        bool,
        typer.Option(
            "--stateless", help="Also POST /transition, which keeps nothing; needs a token."
        ),
    ] = False,
    aids: Annotated[
        Path | None, typer.Option(help="Another generator's pictures, for the source files.")
    ] = None,
    verdicts: Annotated[
        list[Path] | None, typer.Option(help="Verdicts to be watched on the page; repeatable.")
    ] = None,
    study: Annotated[
        bool, typer.Option("--study", help="Hand each participant a balanced set of the data.")
    ] = False,
    study_per_bucket: Annotated[
        int | None, typer.Option(help="Puzzles of each family and difficulty.", min=1)
    ] = None,
    study_intro: Annotated[
        Path | None, typer.Option(help="A text that participants read first.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Where the games of people are saved, as answers.")
    ] = None,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Serve the page at /.")] = True,
    idle: Annotated[
        float | None,
        typer.Option(help="Seconds after which an untouched episode is forgotten [a day].", min=1),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(help="NAME=VALUE, such as steps=200; docs/serving.md lists them."),
    ] = None,
) -> None:
    """Serve episodes, step by step, and a page to play."""
    with sentences(), extra("serve"):
        from oracle.server.settings import Settings

        settings = Settings(
            data=tuple(data or ()),
            store=store,
            host=host,
            token_file=token_file,
            stateless=stateless,
            aids=aids,
            verdicts=tuple(verdicts or ()),
            page=page,
            study=study,
            study_per_bucket=study_per_bucket,
            study_intro=study_intro,
            answers=answers,
            limits=_limits(limit or (), idle),
        )
        _check(settings)
        _serve(settings, _free(host, port), workers)


def _limits(texts: Sequence[str], idle: float | None) -> Limits:
    """Return the limits with those changed that are named; raise ValueError."""
    from oracle.limits import Limits

    limits = Limits()
    kinds = {field.name: type(getattr(limits, field.name)) for field in fields(limits)}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in kinds:
            raise ValueError(f"--limit is NAME=VALUE (names: {', '.join(kinds)}), not {text!r}")
        try:
            number = kinds[name](value)
        except ValueError:
            number = 0
        if not 0 < number < 1 << 53:
            kind = "a whole number" if kinds[name] is int else "a number"
            raise ValueError(f"--limit {name} is {kind} above 0, not {value!r}")
        limits = replace(limits, **{name: number})
    return limits if idle is None else replace(limits, idle_seconds=idle)


def _check(settings: Settings) -> None:
    """Raise ValueError where something is not there, and warn of what is open to others."""
    from oracle.server.access import is_loopback

    folders = [("--data", folder) for folder in settings.data]
    folders += [("--aids", folder) for folder in (settings.aids,) if folder is not None]
    for option, folder in folders:
        if not folder.is_dir():
            raise ValueError(f"{option} {folder}: there is no such folder")
    for path in settings.verdicts:
        if not path.is_file():
            raise ValueError(f"--verdicts {path}: there is no such file")
    token = settings.token_file
    if token is None:
        if not is_loopback(settings.host):
            tell(
                f"puzzles: warning: everybody who reaches {settings.host} may use this server; see "
                "--token-file"
            )
    elif token.is_file() and token.stat().st_mode & (S_IRWXG | S_IRWXO):
        tell(f"puzzles: warning: others on this machine can read {token}; chmod 600 {token}")


def _free(host: str, port: int) -> int:
    """Return the port, of its own choice for 0; raise ValueError where it can't be had."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=kind) as taken:
            found: int = taken.getsockname()[1]
            return found
    except OSError as error:
        if error.errno == EADDRINUSE:
            raise ValueError(
                f"port {port} of {host} is taken; choose another with --port (0: any)"
            ) from None
        why = str(error.strerror or error).partition(" (while")[0]
        raise ValueError(f"--host {host} --port {port}: {why}") from None


def _serve(settings: Settings, port: int, workers: int) -> None:
    """Serve until Ctrl-C, or until the process is told to end."""
    import uvicorn

    from oracle.server.application import application
    from oracle.server.settings import VARIABLE

    # In this process too when there are several: what is wrong is said before they start.
    app = application(settings)
    os.environ[VARIABLE] = settings.record()
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    print(f"serving {_offered(settings)} at http://{shown}:{port}")
    print(
        f"{_kept(settings)} kept in {_place(settings.store)}; Ctrl-C ends, nothing is lost",
        flush=True,
    )
    with _counted_together(workers):
        uvicorn.run(
            app if workers == 1 else "oracle.server.application:served",
            factory=workers > 1,
            workers=workers,
            host=settings.host,
            port=port,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws_max_size=2 * settings.limits.body_bytes,
            ws_per_message_deflate=False,  # what is large in messages is compressed already
            timeout_graceful_shutdown=_LAST_WORDS,
        )
    print("ended; nothing is lost" if settings.study else "ended; every episode is kept")


def _offered(settings: Settings) -> str:
    if settings.study:
        return "the study"
    return f"{'the page, ' if settings.page else ''}the API and its description (/docs)"


def _kept(settings: Settings) -> str:
    """Return what the store holds, and where else people's games are saved."""
    saved = f"answers are appended to {settings.saved}; " if settings.saved else ""
    return f"{saved}{'participants' if settings.study else 'episodes'} are"


def _place(store: str) -> str:
    """Return where the store is, without a password."""
    from sqlalchemy import make_url

    from oracle.databases import is_remote

    return make_url(store).render_as_string() if is_remote(store) else str(Path(store).absolute())


@contextmanager
def _counted_together(workers: int) -> Iterator[None]:
    """Give several workers a folder in which /metrics adds up what each has counted."""
    from oracle.server.metrics import SHARED

    if workers == 1 or SHARED in os.environ:
        yield
        return
    with TemporaryDirectory(prefix="puzzles-metrics-") as folder:
        os.environ[SHARED] = folder
        yield
