"""Boards that datasets share up to symmetry, or that one has twice; and splits that can't be."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzles.dataset import kin_of
from puzzles.engine import Engine
from puzzles.instance import Instance, split_of
from puzzles.records import DatasetError, Line, datasets, files, header, lines, parse_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TASK = 1000
"""Records that one task of a worker looks at."""

Progress = Callable[[int], None]


class Found(NamedTuple):
    """A record: in what was compared as ``data``, its id, and where it stands in words."""

    data: str
    id: str
    place: str


class Shared(NamedTuple):
    """Two records of one board up to symmetry."""

    family: str
    first: Found
    second: Found

    def record(self) -> dict[str, Any]:
        two = {"first": self.first._asdict(), "second": self.second._asdict()}
        return {"problem": "shared", "family": self.family, **two}


class WrongSplit(NamedTuple):
    """A record that says another split than its board has."""

    family: str
    found: Found
    split: str
    expected: str

    def record(self) -> dict[str, Any]:
        said = {"split": self.split, "expected": self.expected}
        return {"problem": "split", "family": self.family, **self.found._asdict(), **said}


@dataclass
class Side:
    """What is compared: all datasets in and below a folder.

    kin
        The number that each record's board shares with its kin (``puzzles.instance.kinship``), in
        the order of the records: all that is kept of them.
    wrong
        Which records, from 0, say a split that their boards don't have.
    """

    name: str
    folders: list[Path]
    kin: array[int] = field(default_factory=lambda: array("Q"))
    wrong: array[int] = field(default_factory=lambda: array("Q"))
    families: Counter[str] = field(default_factory=Counter)

    def lines(self) -> Iterator[Line]:
        """Yield the records, not yet looked at."""
        for folder in self.folders:
            for path in files(folder):
                yield from lines(path)

    def count(self) -> int:
        """Return how many records there should be; read to be counted where nothing says so."""
        said = [header(folder).get("count") for folder in self.folders]
        whole = [one for one in said if type(one) is int]
        return sum(whole) if len(whole) == len(said) else sum(1 for _ in self.lines())

    @property
    def boards(self) -> int:
        """How many boards there are, up to symmetry."""
        import numpy as np

        return len(np.unique(self.numbers()))

    def numbers(self) -> NDArray[np.uint64]:
        """Return ``kin`` as an array, without a copy."""
        import numpy as np

        return np.frombuffer(self.kin, np.uint64) if self.kin else np.zeros(0, np.uint64)


def sides(tops: Sequence[Path]) -> list[Side]:
    """Return what there is to compare; raise DatasetError where there is none, or one twice."""
    made = [Side(str(top), datasets(top)) for top in tops]
    owners: dict[Path, Side] = {}
    for side in made:
        for path in (path for folder in side.folders for path in files(folder)):
            other = owners.setdefault(path.resolve(), side)
            if other is not side:
                raise DatasetError(
                    f"{path} is in both {other.name} and {side.name}: give each dataset once"
                )
    return made


def scan(side: Side, engine: Engine, total: int, progress: Progress = lambda done: None) -> None:
    """Read all records of a side; ``total`` says how many there may be.

    Raises DatasetError naming the place of a record that can't be read, or whose board can't.
    """
    every = side.lines()
    tasks = iter(lambda: [(line.text, line.said) for line in islice(every, _TASK)], [])
    for kin, wrong, families in engine.map(_look, tasks, -(-total // _TASK)):
        side.wrong.extend(len(side.kin) + at for at in wrong)
        side.kin.extend(kin)
        side.families.update(families)
        progress(len(side.kin))


def _look(task: list[tuple[str, str]]) -> tuple[array[int], list[int], Counter[str]]:
    kin, wrong = array("Q"), []
    families: Counter[str] = Counter()
    for at, (text, said) in enumerate(task):
        instance = parse_line(text, said)
        kin.append(_kin(instance, said))
        families[instance.family] += 1
        if instance.split not in (None, split_of(kin[-1])):
            wrong.append(at)
    return kin, wrong, families


def _kin(instance: Instance, said: str) -> int:
    try:
        return kin_of(instance)
    except ValueError as error:
        raise DatasetError(f"{said}: {error}") from None


@dataclass
class Tally:
    """Boards that two sides share, and the records of each that show one of them.

    Where a side is compared with itself, ``second`` counts those that an earlier record shows.
    """

    boards: int = 0
    first: int = 0
    second: int = 0


@dataclass
class Comparison:
    """What several sides share, or what one side has twice, counted while it is named."""

    sides: list[Side]
    tallies: dict[tuple[int, int], defaultdict[str, Tally]] = field(init=False)
    found: int = 0
    """How many findings have been named; ``wrong`` of them are splits."""
    wrong: int = 0

    def __post_init__(self) -> None:
        count = len(self.sides)
        pairs = combinations(range(count), 2) if count > 1 else [(0, 0)]
        self.tallies = {pair: defaultdict(Tally) for pair in pairs}

    @property
    def shared(self) -> int:
        """How many boards are shared, or there more than once."""
        return sum(one.boards for tally in self.tallies.values() for one in tally.values())

    def named(
        self, *, splits: bool = False, progress: Progress = lambda done: None
    ) -> Iterator[Shared | WrongSplit]:
        """Yield the records that share a board, each at least once; with ``splits`` wrong ones too.

        The first record of a board on one side stands beside all of it on the other, and the other
        way round, so a board that is there m and n times has m + n - 1 pairs. Takes memory for what
        is shared only. Raises DatasetError where a dataset has changed meanwhile.
        """
        held: list[dict[int, list[Found]]] = [{} for _ in self.sides]
        done = 0
        for number, side in enumerate(self.sides):
            shared, wrong = self._shared(number), set(side.wrong if splits else ())
            for at, line in enumerate(side.lines()):
                done += 1
                if done % _TASK == 0:
                    progress(done)
                if at < len(shared) and not shared[at] and at not in wrong:
                    continue
                instance = parse_line(line.text, line.said)
                if at >= len(shared) or side.kin[at] != _kin(instance, line.said):
                    raise DatasetError(f"{line.said} has changed while it was compared")
                found = Found(side.name, instance.id, line.said)
                if at in wrong:
                    self.found += 1
                    yield self._wrong(instance, found, split_of(side.kin[at]))
                if shared[at]:
                    for pair in self._pairs(held, number, side.kin[at], instance.family, found):
                        self.found += 1
                        yield pair
        progress(done)

    def _shared(self, number: int) -> NDArray[np.bool_]:
        """Return for each record of a side whether its board is also on another, or there twice."""
        import numpy as np

        own = self.sides[number].numbers()
        if len(self.sides) == 1:
            boards, counts = np.unique(own, return_counts=True)
            return np.isin(own, boards[counts > 1])
        shared = np.zeros(len(own), bool)
        for other, side in enumerate(self.sides):
            if other != number:
                shared |= np.isin(own, side.numbers())
        return shared

    def _wrong(self, instance: Instance, found: Found, expected: str) -> WrongSplit:
        self.wrong += 1
        return WrongSplit(instance.family, found, str(instance.split), expected)

    def _pairs(
        self, held: list[dict[int, list[Found]]], number: int, kin: int, family: str, found: Found
    ) -> Iterator[Shared]:
        """Yield the pairs that ``found``, a record on side ``number``, makes with those before."""
        before = held[number].get(kin, [])
        if len(self.sides) == 1 and before:
            tally = self.tallies[0, 0][family]
            tally.boards += len(before) == 1
            tally.second += 1
            yield Shared(family, before[0], found)
        for other in range(number):
            if theirs := held[other].get(kin):
                tally = self.tallies[other, number][family]
                tally.second += 1
                if not before:
                    tally.boards += 1
                    tally.first += len(theirs)
                for one in theirs[: 1 if before else None]:
                    yield Shared(family, one, found)
        last = number == len(self.sides) - 1
        if not last or len(before) < 2:  # of the last side it is enough to know: none, one or more
            held[number].setdefault(kin, []).append(found)
