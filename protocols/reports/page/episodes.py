"""The episodes of a page: an index that lists them, and chunks that are unpacked when opened."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import pandas as pd

from protocols.answer_line import Answer
from protocols.reports.page.drawings import Drawings
from protocols.reports.page.frames import Sheets
from protocols.reports.page.played import MOST_ACTIONS, Played, marked, play
from protocols.reports.page.svg import present
from protocols.reports.sources import Sources
from puzzles.instance import Instance
from puzzles.rooms import family

CHUNK = 256 * 1024
"""Characters of JSON after which a chunk is closed."""
LONGEST, SHORTEST = 60_000, 2_000
"""Characters of text kept of one episode: where there is room, and where there is little."""
_LISTED = 120
"""Bytes that an episode takes in the list, about."""
_NAMES = ("model", "protocol", "family", "difficulty", "run", "outcome", "reason")
_MOST_DRAWINGS = 4
"""Drawings that are shown of an answer outside stepwise protocols."""
_NUMBERS = ("optimal_length", "moves", "legal_moves", "at", "distance", "rounds")
_FIELDS = ("file", "line", "id", *_NAMES, *_NUMBERS)
OUTCOMES = ("optimal", "feasible", "failed", "drawing", "not judged")


class Written(NamedTuple):
    """What became of the episodes: the list of them and the looks of cells, both as JSON, and how
    much found no room.
    """

    listed: dict[str, Any]
    sheets: dict[str, Any]
    total: int
    shown: int
    cut: int
    """Texts that were cut."""
    linked: int
    """Pictures that are linked, not embedded."""


class Episodes:
    """Turns rows of verdicts into the chunks of a page, within ``budget`` bytes."""

    def __init__(self, rows: Any, sources: Sources | None, path: Path, budget: int):
        self._rows, self._sources, self._budget = _in_turn(rows), sources, budget
        self._longest = min(LONGEST, max(SHORTEST, 4 * budget // max(1, len(rows))))
        self._sheets = Sheets()
        self._drawings = Drawings(sources, path, budget // 8) if sources else None
        self._cut = 0

    def write(self, out: IO[str], progress: Callable[[int], None]) -> Written:
        """Write the chunks to ``out``, a line each: base64 of deflated JSON, a list of episodes."""
        index: list[dict[str, Any]] = []
        used = 0
        for number, (entries, chunk) in enumerate(self._chunks()):
            used += len(chunk) + _LISTED * len(entries)
            if used > self._budget:
                break
            out.write(chunk + "\n")
            places = ({"chunk": number, "place": at} for at in range(len(entries)))
            index += [entry | place for entry, place in zip(entries, places, strict=True)]
            progress(len(index))
        linked = self._drawings.linked if self._drawings else 0
        return Written(
            _columns(sorted(index, key=_place), self._rows),
            self._sheets.record(),
            len(self._rows),
            len(index),
            self._cut,
            linked,
        )

    def _chunks(self) -> Iterator[tuple[list[dict[str, Any]], str]]:
        entries: list[dict[str, Any]] = []
        texts: list[str] = []
        size = 0
        for row in self._rows.itertuples(index=False):
            entries.append(_entry(row))
            texts.append(json.dumps(self._episode(row), separators=(",", ":")))
            size += len(texts[-1])
            if size >= CHUNK:
                yield entries, _packed(texts)
                entries, texts, size = [], [], 0
        if entries:
            yield entries, _packed(texts)

    def _episode(self, row: Any) -> dict[str, Any]:
        """Return all that is shown of one row; what is missing is said in ``problem``."""
        episode: dict[str, Any] = {"detail": _plain(row.detail), "error": _plain(row.error)}
        name, sources = _plain(row.id), self._sources
        record = sources.record(row.file, row.answer_line, name) if sources and name else None
        if sources is None or record is None:
            return episode | {"problem": "The answer of this verdict is not at hand."}
        try:
            answer = Answer.model_validate(record)
            instance = sources.instance(row.file, name, record)
            rounds = answer.rounds
            episode |= self._pictures(row.file, answer) | self._texts(record, answer, instance)
            if instance is None:
                return episode | {"problem": "The board of this answer is not at hand."}
            judged = _plain(row.rounds) if rounds is not None else None
            return episode | self._film(instance, play(instance, answer, judged))
        except ValueError as error:
            return episode | {"problem": f"This answer can't be shown: {_line(error)}"}

    def _film(self, instance: Instance, played: Played) -> dict[str, Any]:
        film = self._sheets.film(family(instance.family), played.states)
        return {"film": film, "actions": played.actions, "left_out": played.left_out}

    def _texts(
        self, record: Mapping[str, Any], answer: Answer, instance: Instance | None
    ) -> dict[str, Any]:
        texts: dict[str, Any] = {"said": answer.trouble}
        if record.get("reasoning"):
            texts["reasoning"] = self._shortened(str(record["reasoning"]), self._longest // 2)
        if answer.rounds is not None:
            rounds = _rounds(answer)
            most = max(200, self._longest // max(1, len(rounds)))
            return texts | {"rounds": [self._round(step, most) for step in rounds]}
        response = answer.response or ""
        parts = marked(response, family(instance.family)) if instance else (response, "", "")
        return texts | {"text": [self._shortened(part, self._longest) for part in parts]}

    def _round(self, step: Mapping[str, Any], most: int) -> dict[str, Any]:
        reply, probe = (str(step.get(name) or "") for name in ("reply", "probe"))
        texts = {"reply": self._shortened(reply, most), "probe": self._shortened(probe, 200)}
        return {**texts, "left": _number(step.get("remaining"))}

    def _pictures(self, file: int, answer: Answer) -> dict[str, Any]:
        """Return the drawings: one a round in stepwise episodes, else all from the start."""
        if self._drawings is None:
            return {}
        if answer.rounds is not None:
            names = [step.get("image") for step in _rounds(answer)]
            drawn = [self._drawings.record(file, name) if name else None for name in names]
            return {"frames": drawn} if any(drawn) else {}
        if isinstance(answer.images, list) and answer.images:
            shown = answer.images[:_MOST_DRAWINGS]
            return {"drawings": [self._drawings.record(file, name) for name in shown]}
        return {}

    def _shortened(self, text: str, most: int) -> str:
        """Return ``text`` with its middle left out, and a note of how much, where it is long."""
        if len(text) <= most:
            return text
        self._cut += 1
        head = most * 2 // 3
        note = f"[… {len(text) - most:,} characters left out …]"
        return f"{text[:head]}\n{note}\n{text[head - most :]}"


def _in_turn(rows: Any) -> Any:
    """Return ``rows`` so that each group's first come first: what finds no room is shared out."""
    by = ["model", "protocol", "family", "difficulty"]
    rank = rows.groupby(by, observed=True, dropna=False, sort=False).cumcount()
    return rows.iloc[rank.to_numpy().argsort(kind="stable")]


def _place(entry: dict[str, Any]) -> tuple[int, int]:
    """Return where an entry stands in the files, which is where it stands in the page's list."""
    return entry["file"], entry["line"]


def _entry(row: Any) -> dict[str, Any]:
    entry = {name: _plain(getattr(row, name, None)) for name in _FIELDS}
    return entry | {"outcome": _outcome(row)}


def _outcome(row: Any) -> str:
    if not pd.isna(row.error):
        return "not judged"
    if pd.isna(row.optimal) or pd.isna(row.feasible):
        return "drawing"
    return "optimal" if row.optimal else "feasible" if row.feasible else "failed"


def _columns(index: list[dict[str, Any]], rows: Any) -> dict[str, Any]:
    """Return the index by column; of names, numbers in a list of what occurs, in its order."""
    columns: dict[str, Any] = {
        name: [entry[name] for entry in index] for name in ("id", "chunk", "place", *_NUMBERS)
    }
    for name in _NAMES:
        words = present(rows[name]) if name in rows else list(OUTCOMES)
        found = {entry[name] for entry in index}
        known = {word: at for at, word in enumerate([w for w in [*words, None] if w in found])}
        columns[name] = {
            "words": ["–" if word is None else word for word in known],
            "at": [known[entry[name]] for entry in index],
        }
    return columns


def _rounds(answer: Answer) -> list[dict[str, Any]]:
    """Return the rounds that are shown of a stepwise episode."""
    return [step for step in (answer.rounds or [])[:MOST_ACTIONS] if isinstance(step, dict)]


def _number(value: Any) -> int | None:
    return value if type(value) is int else None


def _line(error: ValueError) -> str:
    """Return the first line of a message, which may have many."""
    return str(error).partition("\n")[0]


def _plain(value: Any) -> Any:
    """Return a cell as JSON has it; None where nothing is there."""
    if value is None or pd.isna(value):
        return None
    return value if isinstance(value, str) else int(value)


def _packed(texts: list[str]) -> str:
    return b64encode(zlib.compress(f"[{','.join(texts)}]".encode(), 9)).decode()
