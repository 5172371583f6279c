"""The visual aid in a picture: what is there of it, and what has become of the board beneath."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from puzzles.changes import at
from puzzles.family import Family
from puzzles.reading import check_aid

if TYPE_CHECKING:
    from render.boards.warping import RGB
    from render.decode import Source
    from render.drawings.aid_check import AidCheck

_NAMED = 6
_LEAST = 0.5
"""Correlation below which a picture is not of the board."""


@dataclass(frozen=True)
class AidSight:
    """What a picture has of the visual aid of ``state``; no ``check`` where it is no picture."""

    room: Family[Any, Any]
    state: Any
    check: AidCheck | None
    reason: str = ""

    @property
    def readable(self) -> bool:
        return self.check is not None and not self.reason

    @property
    def faults(self) -> dict[str, list[tuple[int, int]]]:
        """The cells with something amiss, by what that is."""
        if self.check is None:
            return {}
        found = {
            "the label is that of another cell": _with(self.check, "wrong"),
            "the label is missing": _with(self.check, "missing"),
            "the label can't be read": _with(self.check, "unclear"),
            "there is a label that was not asked for": self.check.added,
            "the board beneath is another": self.check.changed,
        }
        return {what: cells for what, cells in found.items() if cells}

    @property
    def title(self) -> str:
        """In a few words what it is."""
        if not self.readable or self.check is None:
            return f"{self.room.name}, no aid"
        right = Counter(self.check.labels.values())["right"]
        return (
            f"{self.room.name}, {self.check.lines:.0%} of the grid, "
            f"{right} of {len(self.check.labels)} labels"
        )

    def record(self) -> dict[str, Any]:
        """Return all that is known, as JSON."""
        record = {
            "family": self.room.name,
            "readable": self.readable,
            "reason": self.reason or None,
        }
        if self.check is None:
            return record
        kinds = Counter(self.check.labels.values())
        return record | {
            "lines": round(self.check.lines, 4),
            "stray": self.check.stray,
            "labels": dict(sorted(kinds.items())),
            "wrong": _with(self.check, "wrong"),
            "missing": _with(self.check, "missing"),
            "unclear": _with(self.check, "unclear"),
            "added": self.check.added,
            "changed": self.check.changed,
            "correlation": round(self.check.correlation, 4),
        }

    picture = None
    """An aid is looked at beside the true one: see ``overlay``."""

    def lines(self) -> list[str]:
        """Return what is amiss, one thing a sentence."""
        if not self.readable or self.check is None:
            return []
        said = []
        if self.check.lines < 1:
            said.append(f"{1 - self.check.lines:.0%} of the grid's lines are missing")
        if self.check.stray:
            many = "s" if self.check.stray > 1 else ""
            said.append(f"{self.check.stray} line{many} too many")
        for what, cells in self.faults.items():
            more = f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
            said.append(f"{what}: {', '.join(map(at, cells[:_NAMED]))}{more}")
        return said or ["all of the aid is there, and the board beneath is what it was"]

    def overlay(self, image: RGB) -> RGB:
        """Return a picture to look at: ``image``, the one seen, with what is amiss in it."""
        from puzzles.sights.overlay import of_aid

        return of_aid(self, image)


def see_aid(room: Family[Any, Any], image: Source, state: Any) -> AidSight:
    """Return what a picture has of the visual aid of ``state``."""
    from render.read import UnreadableImage

    try:
        check = check_aid(room, image, state)
    except UnreadableImage as error:
        return AidSight(room, state, None, str(error))
    if check.correlation < _LEAST:
        return AidSight(room, state, check, "the picture does not show the board")
    return AidSight(room, state, check)


def _with(check: AidCheck, mark: str) -> list[tuple[int, int]]:
    return [cell for cell, is_ in check.labels.items() if is_ == mark]
