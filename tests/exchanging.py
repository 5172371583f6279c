"""Boards of others in a test: texts imported, and given back."""

from pathlib import Path

from puzzles.exchange.exporting import Exported, export
from puzzles.exchange.formats import File, file_of
from puzzles.exchange.importing import Wanted, import_boards
from puzzles.exchange.progress import Outcome

ROOMS = "S.G\n\n###\nS#G\n###\n\nS.G\n\nGS\n\n*\n\nS.x\n"
"""Six mazes: 2 long, unsolvable, the first one again, 1 long, solved, and not a maze."""


def file_named(name: str, text: str | bytes) -> File:
    return file_of(text.encode() if isinstance(text, str) else text, Path(name), name)


def imported(
    folder: Path, *texts: str | bytes, flags: dict | None = None, **wanted: object
) -> tuple[Outcome, list[str]]:
    """Import texts as the files a.txt, b.txt, ...; return the outcome and what is said."""
    said: list[str] = []
    files = tuple(
        file_named(f"{name}.txt", text) for name, text in zip("abcd", texts, strict=False)
    )
    outcome = import_boards(
        Wanted(files, **{"cell": None, **wanted}),
        folder,
        workers=1,
        told=lambda *what: said.append("{}:{}: {}".format(*what)),
        **(flags or {}),
    )
    return outcome, said


def exported(folder: Path, name: str) -> bytes:
    counts = Exported()
    text = b"".join(export([folder], name, exported=counts))
    assert counts.left_out == 0
    return text


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
