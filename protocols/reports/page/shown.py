"""All that is shown of one episode: its board played, what was written, what was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import pandas as pd

from protocols.answer_line import Answer
from protocols.reports.columns import unpacked
from protocols.reports.page.frames import Sheets
from protocols.reports.page.played import MOST_ACTIONS, Played, marked, play
from protocols.reports.page.readings import Readings
from protocols.reports.sources import Sources
from puzzles.instance import Instance
from puzzles.rooms import family

_MOST_DRAWINGS = 4
"""Drawings that are shown of an answer outside stepwise protocols."""


class Pictures(Protocol):
    """The way to the pictures that answers name."""

    def record(self, file: int, name: Any, at: int | None = None) -> dict[str, str]:
        """Return as JSON ``src``, what to show, and ``href``, the file; or ``problem``.

        at
            The number of a picture in a video.
        """
        ...


class Shown:
    """Turns a row of verdicts into what a page shows of it, as JSON.

    sources
        Where answers and boards are; None where only the verdicts are at hand.
    sheets
        Takes the looks of the cells that are met.
    drawings
        The way to the pictures; without it none are shown.
    longest
        Characters of text kept of one episode.
    """

    def __init__(
        self, sources: Sources | None, sheets: Sheets, drawings: Pictures | None, longest: int
    ):
        self._sources, self._sheets, self._drawings = sources, sheets, drawings
        self._longest = longest
        self.cut = 0
        """Texts that were cut."""

    def episode(self, row: Any) -> dict[str, Any]:
        """Return all that is shown of one row; what is missing is said in ``problem``."""
        episode: dict[str, Any] = {"detail": plain(row.detail), "error": plain(row.error)}
        name, sources = plain(row.id), self._sources
        record = sources.record(row.file, row.answer_line, name) if sources and name else None
        if sources is None or record is None:
            return episode | {"problem": "The answer of this verdict is not at hand."}
        try:
            answer = Answer.model_validate(record)
            instance = sources.instance(row.file, name, record)
            rounds = answer.rounds
            readings = Readings(unpacked(row.measured), plain(row.family))
            episode |= self._pictures(row.file, answer, readings)
            episode |= self._texts(record, answer, instance) | {"read": readings.whole}
            if instance is None:
                return episode | {"problem": "The board of this answer is not at hand."}
            judged = plain(row.rounds) if rounds is not None else None
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

    def _pictures(self, file: int, answer: Answer, readings: Readings) -> dict[str, Any]:
        """Return the drawings: ``frames``, one an action or a round, or all from the start."""
        pictures = self._drawings
        if pictures is None:
            return {}

        def shown(name: Any, at: int | None = None) -> dict[str, Any]:
            return {**pictures.record(file, name, at), **readings.of(name)}

        if answer.rounds is None and readings.film:
            return {"frames": [shown(name, at) for name, at in readings.film[:MOST_ACTIONS]]}
        if answer.rounds is not None:
            names = [step.get("image") for step in _rounds(answer)]
            drawn = [shown(name) if name else None for name in names]
            return {"frames": drawn} if any(drawn) else {}
        if isinstance(answer.images, list) and answer.images:
            return {"drawings": [shown(name) for name in answer.images[:_MOST_DRAWINGS]]}
        return {}

    def _shortened(self, text: str, most: int) -> str:
        """Return ``text`` with its middle left out, and a note of how much, where it is long."""
        if len(text) <= most:
            return text
        self.cut += 1
        head = most * 2 // 3
        note = f"[… {len(text) - most:,} characters left out …]"
        return f"{text[:head]}\n{note}\n{text[head - most :]}"


def _rounds(answer: Answer) -> list[dict[str, Any]]:
    """Return the rounds that are shown of a stepwise episode."""
    return [step for step in (answer.rounds or [])[:MOST_ACTIONS] if isinstance(step, dict)]


def _number(value: Any) -> int | None:
    return value if type(value) is int else None


def _line(error: ValueError) -> str:
    """Return the first line of a message, which may have many."""
    return str(error).partition("\n")[0]


def plain(value: Any) -> Any:
    """Return a cell as JSON has it; None where nothing is there."""
    if value is None or pd.isna(value):
        return None
    return value if isinstance(value, str) else int(value)
