"""Verdicts: files of them as rows to search, and each with what there is to show of its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from oracle.errors import Refused, Unknown
from oracle.page.facets import Column, Facets
from protocols.answer_line import Answer
from protocols.reports.page.episodes import outcomes
from protocols.reports.page.frames import Sheets
from protocols.reports.page.shown import Shown, plain
from protocols.reports.page.svg import present
from protocols.reports.rows import load
from protocols.reports.sources import Sources
from render.decode import UnusablePicture, received

FILTERS = ("model", "protocol", "family", "difficulty", "outcome", "reason", "run")
NUMBERS = ("optimal_length", "moves", "legal_moves", "at", "distance", "rounds")
_LONGEST = 200_000
"""Characters of text that are sent of one episode."""


class Verdicts:
    """The verdicts in ``files``, and the answers beside them.

    data
        Folders that hold instances, besides those beside the verdicts.

    Raises RowsError and DatasetError where the files can't be read.
    """

    def __init__(self, files: Sequence[Path], data: Sequence[Path], told: Callable[[int], None]):
        rows = load(files, told)
        self._rows = rows.assign(outcome=outcomes(rows))
        self._sources = Sources.beside(files, data)
        self._starts = np.searchsorted(rows["file"].to_numpy(), np.arange(len(files) + 1))
        columns = {name: _column(self._rows[name]) for name in FILTERS}
        self.find = Facets(columns, _column(rows["id"])).find

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, at: int) -> dict[str, Any]:
        """Return a row as a list shows it; ``file`` counts from 1, as ``line`` does."""
        row = self._rows.iloc[at]
        fields = {name: plain(row[name]) for name in ("file", "line", "id", *FILTERS, *NUMBERS)}
        return fields | {"file": fields["file"] + 1}

    def at(self, file: int, line: int) -> int:
        """Return the place of the row that stands there; raise Unknown where there is none."""
        if 1 <= file < len(self._starts):
            first, end = self._starts[file - 1], self._starts[file]
            at = first + np.searchsorted(self._rows["line"].to_numpy()[first:end], line)
            if at < end and self._rows["line"].iat[at] == line:
                return int(at)
        raise Unknown(f"there is no verdict in line {line} of file {file}")

    def episode(self, at: int, link: Callable[[str], str]) -> dict[str, Any]:
        """Return what there is to show: its verdict, its episode, and the looks of its cells.

        ``link`` gives the address of a picture by the name that the answer has for it.
        """
        sheets = Sheets()
        shown = Shown(self._sources, sheets, _Links(link), _LONGEST)
        row = next(self._rows.iloc[at : at + 1].itertuples(index=False))
        episode = shown.episode(row)
        sheet = next(iter(sheets.record().values()), None)
        return {"row": self.row(at), "episode": episode, "sheet": sheet}

    def picture(self, at: int, name: str) -> bytes:
        """Return a picture that the answer names, as PNG; raise Unknown or Refused."""
        row = self._rows.iloc[at]
        file, line, known = int(row["file"]), int(row["answer_line"]), plain(row["id"])
        record = self._sources.record(file, line, known) if known else None
        folder = self._sources.folder(file)
        if record is None or folder is None or name not in _named(record):
            raise Unknown("the answer names no such picture")
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise Unknown("the picture is not beside the answers")
        try:
            return received(self._sources.picture(file, name))
        except FileNotFoundError:
            raise Unknown("the picture is not there") from None
        except (OSError, UnusablePicture) as error:
            why = getattr(error, "strerror", None) or error  # without the place on this machine
            raise Refused(f"the picture can't be shown: {why}") from None


class _Links:
    """The way to the pictures of one answer: their addresses."""

    def __init__(self, link: Callable[[str], str]):
        self._link = link

    def record(self, file: int, name: Any, at: int | None = None) -> dict[str, str]:
        if not isinstance(name, str):
            return {"problem": "the answer names no file"}
        if at is not None:
            return {"problem": "a picture of a video, which `puzzles report` shows"}
        address = self._link(name)
        return {"src": address, "href": address}


def _named(record: dict[str, Any]) -> set[str]:
    """Return the names of the pictures of an answer."""
    try:
        answer = Answer.model_validate(record)
        rounds = answer.rounds or []
    except ValueError:
        return set()
    images = answer.images if isinstance(answer.images, list) else []
    found = [*images, *(step.get("image") for step in rounds if isinstance(step, dict))]
    return {name for name in found if isinstance(name, str) and "\0" not in name}


def _column(words: Any) -> Column:
    """Return a categorical column of which only the words that occur are kept, in their order."""
    kept = words.cat.set_categories(present(words))
    return Column(kept.cat.codes.to_numpy(), [str(word) for word in kept.cat.categories])
