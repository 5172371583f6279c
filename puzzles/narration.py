"""Solutions told step by step, in sentences that are claims; and the check of what is told.

A family says its solution as claims (``Narration.tell``). Each is written as a sentence, of which
there are several for each kind of claim: which one is taken is decided by a hash of the board. A
text is checked by reading its sentences back as claims, playing the actions that they name, and
holding every claim against the plain rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Generic, NamedTuple, TypeVar

from puzzles.family import Family
from puzzles.sentences import phrase

S = TypeVar("S")
A = TypeVar("A")


Facts = Mapping[str, Any]
"""What stands in the slots of a sentence, by name."""


class Claim(NamedTuple):
    """One statement: its kind, and the facts that stand in its sentence."""

    kind: str
    facts: Facts


def claim(kind: str, /, **facts: Any) -> Claim:
    """Return a claim of ``kind``."""
    return Claim(kind, facts)


class Scene(NamedTuple, Generic[S, A]):
    """When a claim is made: all states and actions of the solution, and how many are taken.

    since
        How many had been taken when the last claim began that took some.
    """

    states: Sequence[S]
    actions: Sequence[A]
    at: int
    since: int = 0

    @property
    def state(self) -> S:
        """The state when the claim is made, before the actions that it takes itself."""
        return self.states[self.at]

    @property
    def before(self) -> S:
        """The state before the actions of the last claim that took some."""
        return self.states[self.since]


@dataclass(frozen=True)
class Narration(Generic[S, A]):
    """How a family tells a solution.

    tell
        The claims, those of one line of text together.
    phrases
        The sentences of each kind of claim, with slots (``puzzles.sentences``).
    takes
        The actions that a claim takes in a state; [] where it only says how things are.
    holds
        Whether a claim is true, by the plain rules; one of each kind.
    """

    tell: Callable[[S, Sequence[A]], Iterable[Sequence[Claim]]]
    phrases: Mapping[str, tuple[str, ...]]
    takes: Callable[[S, Claim], Sequence[A]]
    holds: Mapping[str, Callable[[Scene[S, A], Facts], Any]]


CLOSINGS = ("The answer:", "So the answer is:", "Final answer:", "Written down as asked:")
_GRID = (
    "I name cells (row,column), counted from (0,0) at the top left; the last one is {last:cell}.",
    "Cells are (row,column) with (0,0) at the top left, and {last:cell} is at the bottom right.",
    "With cells as (row,column) from (0,0) at the top left, the bottom right one is {last:cell}.",
)


def grid(rows: int, columns: int) -> Claim:
    """Return the claim that every telling begins with: how cells are named, and how many."""
    return claim("grid", last=(rows - 1, columns - 1))


class _Chance:
    """Which sentence is taken, by a hash of the board; the same board is told the same way."""

    def __init__(self, key: str):
        self._key, self._count = key.encode(), 0

    def choice(self, texts: Sequence[str]) -> str:
        self._count += 1
        digest = blake2b(self._key, digest_size=8, salt=self._count.to_bytes(8, "big")).digest()
        return texts[int.from_bytes(digest, "big") % len(texts)]


def narrate(room: Family[S, A], state: S, actions: Sequence[A]) -> str:
    """Return a solution of ``state`` in sentences, a line for each step; last comes the answer.

    The text is a function of the board and the actions. Raises KeyError where the family makes a
    claim that it has no sentence for.
    """
    narration = room.narration()
    chance = _Chance(f"{room.name}\n{room.format(state)}")
    phrases = {"grid": _GRID, **narration.phrases}
    lines = []
    for claims in narration.tell(state, actions):
        said = [phrase(chance.choice(phrases[one.kind])).write(one.facts) for one in claims]
        lines.append(" ".join(said))
    closing = chance.choice(CLOSINGS)
    return "\n".join([*lines, closing, room.format_answer(room.answer_of(state, actions))])


def flaw(room: Family[S, A], state: S, text: str) -> str | None:
    """Return the first thing that is wrong in a solution told of ``state``; None for none.

    Each sentence must be one of the family's, each action legal and each claim true; the actions
    solve the board, and the answer at the end is theirs.
    """
    narration = room.narration()
    *told, closing, answer = text.split("\n")
    if closing not in CLOSINGS:
        return f"{closing!r} is not how the answer is introduced"
    claims, states, actions, since = [], [state], list[A](), 0
    for line in told:
        for one, sentence in _read(narration, line):
            if one is None:
                return f"{sentence!r} is no sentence that is known"
            claims.append((one, sentence, len(actions), since))
            try:
                for action in narration.takes(states[-1], one):
                    states.append(room.apply(states[-1], action))
                    actions.append(action)
            except ValueError as error:
                return f"{sentence!r}: {error}"
            if len(actions) > claims[-1][2]:
                since = claims[-1][2]
    if [one.kind == "grid" for one, *_ in claims] != [at == 0 for at in range(len(claims))]:
        return "it is not said first, and once, how cells are named"
    if not room.is_solved(states[-1]):
        return "the actions told do not solve the board"
    if answer != room.format_answer(room.answer_of(state, actions)):
        return f"the answer {answer!r} is not that of the actions told"
    for one, sentence, at, since in claims:
        if not _holds(room, narration, Scene(states, actions, at, since), one):
            return f"{sentence!r} is not true"
    return None


def _holds(room: Family[S, A], narration: Narration[S, A], scene: Scene[S, A], one: Claim) -> bool:
    """Whether a claim is true; one about a piece, a cell or a time that there isn't is not."""
    if one.kind == "grid":
        rows = room.format(scene.state).split("\n")
        return bool(one.facts["last"] == (len(rows) - 1, len(rows[0]) - 1))
    try:
        return bool(narration.holds[one.kind](scene, one.facts))
    except (ValueError, LookupError):
        return False


def _read(narration: Narration[Any, Any], line: str) -> Iterator[tuple[Claim | None, str]]:
    """Yield the claims of a line with their sentences; None for the rest where it can't be read."""
    known, at = _sentences(tuple({"grid": _GRID, **narration.phrases}.items())), 0
    while at < len(line):
        start = at + (at > 0)
        read = [
            (found[1], Claim(kind, found[0]))
            for kind, text in known
            if (found := phrase(text).read(line, start)) and line[at:start] == " " * (at > 0)
        ]
        if not read:
            yield None, line[at:]
            return
        end, one = max(read, key=lambda pair: pair[0])
        yield one, line[start:end]
        at = end


@lru_cache(maxsize=64)
def _sentences(phrases: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((kind, text) for kind, texts in phrases for text in texts)
