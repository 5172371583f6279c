"""Participants of a study: their names, their order of puzzles, and a puzzle with its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b, scrypt
from hmac import compare_digest
from secrets import token_hex
from typing import Any, Literal, NamedTuple

from oracle.errors import Conflict
from oracle.page.games import Game
from oracle.page.names import key_of
from puzzles.instance import Instance

GAP = 15.0
"""Seconds between two signs of life that count at most: a page says every few that it is seen."""

Status = Literal["ready", "playing", "paused", "over", "finished"]


class Slot(NamedTuple):
    """A puzzle of the plan; one to practise on doesn't count."""

    instance: Instance
    practice: bool


@dataclass(frozen=True)
class Attempt:
    """A puzzle as it is played, and the time that its board has been in sight.

    seen
        When the board was last known to be in sight, seconds since 1970; None while it is hidden.
    grid
        Whether it is drawn with the grid now; ``grid_seconds`` is the time that it has been.
    """

    game: Game
    began: float
    seen: float | None
    seconds: float = 0.0
    grid: bool = False
    grid_seconds: float = 0.0
    pauses: int = 0
    paused: bool = False

    def at(self, now: float, grid: bool) -> Attempt:
        """Return the attempt with its time up to ``now``; the board is in sight from then on."""
        spent = 0.0 if self.seen is None else min(max(now - self.seen, 0.0), GAP)
        with_grid = self.grid_seconds + (spent if self.grid else 0.0)
        seconds = self.seconds + spent
        return replace(self, seen=now, seconds=seconds, grid=grid, grid_seconds=with_grid)

    def hidden(self, now: float, *, paused: bool) -> Attempt:
        """Return the attempt with its board out of sight: by a pause, or behind other windows."""
        counted = self.at(now, self.grid)
        more = 1 if paused and not self.paused else 0
        return replace(counted, seen=None, paused=paused or self.paused, pauses=self.pauses + more)

    def played(self, change: Callable[[Game, float], Game], now: float) -> Attempt:
        """Return the attempt after a change of the game, whose time is up to ``now``."""
        game = change(replace(self.game, seen=now, seconds=self.seconds), now)
        return replace(self, game=game, seen=None if game.end else self.seen)

    def record(self) -> dict[str, Any]:
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return fields | {"game": self.game.record()}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Attempt:
        return cls(**{**record, "game": Game.of(record["game"])})


@dataclass(frozen=True)
class Participant:
    """Where someone has got to: the place in their plan, and the puzzle that they are at.

    ticket
        What their browser shows to be let in; it can't be guessed.
    code
        Salt and hash of the word that they have to know as well; None without one.
    """

    name: str
    ticket: str
    code: tuple[str, str] | None = None
    at: int = 0
    solved: int = 0
    attempt: Attempt | None = None

    @classmethod
    def new(cls, name: str, code: str | None) -> Participant:
        salt = token_hex(8)
        return cls(name, token_hex(16), (salt, _hashed(code, salt)) if code else None)

    def knows(self, code: str | None) -> bool:
        """Whether ``code`` is the one that the name was first given with."""
        if self.code is None or not code:
            return self.code is None and not code
        salt, known = self.code
        return compare_digest(_hashed(code, salt), known)

    def status(self, plan: Sequence[Slot]) -> Status:
        if self.at >= len(plan):
            return "finished"
        if self.attempt is None:
            return "ready"
        if self.attempt.game.end:
            return "over"
        return "paused" if self.attempt.paused else "playing"

    def record(self) -> dict[str, Any]:
        attempt = self.attempt and self.attempt.record()
        return {**asdict(replace(self, attempt=None)), "attempt": attempt}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Participant:
        attempt = record["attempt"] and Attempt.of(record["attempt"])
        code = record["code"] and tuple(record["code"])
        return cls(**{**record, "attempt": attempt, "code": code})


def begun(participant: Participant, plan: Sequence[Slot], now: float, grid: bool) -> Participant:
    """Return the participant with the board of their place before them."""
    if participant.attempt is not None or participant.at >= len(plan):
        return participant  # another tab has begun it
    game = Game(plan[participant.at].instance, now)
    return replace(participant, attempt=Attempt(game, now, now, grid=grid))


def resumed(participant: Participant, now: float, grid: bool) -> Participant:
    """Return the participant after a pause."""
    attempt = participant.attempt
    if attempt is None or attempt.game.end:
        return participant
    return replace(participant, attempt=replace(attempt, paused=False).at(now, grid))


def looked(participant: Participant, now: float, grid: bool, *, seen: bool) -> Participant:
    """Return the participant with their time up to now; the board is in sight if ``seen``."""
    attempt = participant.attempt
    if attempt is None or attempt.game.end or attempt.paused:
        return participant
    after = attempt.at(now, grid) if seen else attempt.hidden(now, paused=False)
    return replace(participant, attempt=after)


def paused(participant: Participant, now: float) -> Participant:
    """Return the participant with the board hidden until they want to go on."""
    attempt = participant.attempt
    if attempt is None or attempt.game.end or attempt.paused:
        return participant
    return replace(participant, attempt=attempt.hidden(now, paused=True))


def gone_on(participant: Participant) -> Participant:
    """Return the participant at the next place of their plan; raise Conflict before the end."""
    if participant.attempt is None or not participant.attempt.game.end:
        raise Conflict("the puzzle isn't over yet: solve it or give up")
    return replace(participant, at=participant.at + 1, attempt=None)


def plan_of(name: str, puzzles: Sequence[Instance], practice: Sequence[Instance]) -> list[Slot]:
    """Return the order in which someone meets the puzzles; hashes of name and puzzle draw it.

    The families come one after the other, each begun by its puzzle to practise on; which family
    comes when, and which of its puzzles, differs from name to name. So over many names no puzzle
    comes early or late more often than another.
    """
    families = sorted({one.family for one in puzzles}, key=lambda family: _drawn(name, family))
    first = {one.family: one for one in practice}
    plan = []
    for family in families:
        if family in first:
            plan.append(Slot(first[family], practice=True))
        own = [one for one in puzzles if one.family == family]
        plan += [Slot(one, False) for one in sorted(own, key=lambda one: _drawn(name, one.id))]
    return plan


def _drawn(name: str, what: str) -> bytes:
    return blake2b(f"{key_of(name)}\n{what}".encode(), digest_size=16).digest()


def _hashed(code: str, salt: str) -> str:
    return scrypt(code.encode(), salt=salt.encode(), n=1 << 12, r=8, p=1, dklen=16).hex()
