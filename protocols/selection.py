"""Which episodes a run consists of: instances, protocols and runs, in order."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from protocols.aids import CELL, Aids, AidsError
from protocols.library import Library
from protocols.protocol import Protocol
from puzzles.instance import Instance
from puzzles.records import DatasetError, datasets, header, read
from puzzles.replay import initial
from puzzles.rooms import family


class Job(NamedTuple):
    """One episode to be played."""

    instance: Instance
    protocol: Protocol
    run: int
    aids: Aids


@dataclass(frozen=True)
class Selection:
    """The episodes that are asked for: run by run, instance by instance, protocol by protocol.

    So whatever a run has got to when it is interrupted, its protocols have met the same instances.

    data
        Folders with datasets in or below them. Pictures are drawn from the boards, so none need be
        there.
    limit
        How many instances of each family and difficulty, the first in the data.
    families, difficulties
        Those that are wanted; None for all.
    cell
        Pixels a cell; None for what each dataset was drawn with.
    files
        The folder of another generator's pictures, for the source files.

    Raises DatasetError where the data can't be read; see ``check`` for what else may be wrong.
    """

    data: Sequence[Path]
    protocols: Sequence[Protocol]
    runs: int = 1
    limit: int | None = None
    families: Sequence[str] | None = None
    difficulties: Sequence[str] | None = None
    cell: int | None = None
    files: Path | None = None

    @cached_property
    def library(self) -> Library:
        return Library.below(self.data)

    @cached_property
    def _folders(self) -> list[Path]:
        return list(dict.fromkeys(path.resolve() for top in self.data for path in datasets(top)))

    @cached_property
    def instance_count(self) -> int:
        return sum(
            n if self.limit is None else min(n, self.limit)
            for bucket, n in self.library.buckets.items()
            if self._wants(*bucket)
        )

    def __len__(self) -> int:
        """The number of episodes."""
        return self.instance_count * len(self.protocols) * self.runs

    def jobs(self) -> Iterator[Job]:
        """Yield the episodes in order, read from disk as they are asked for."""
        for run in range(1, self.runs + 1):
            for instance, aids in self._read():
                for protocol in self.protocols:
                    yield Job(instance, protocol, run, aids)

    def check(self) -> None:
        """Raise DatasetError, AidsError or ValueError where what is wanted can't be had.

        Pictures of another generator are looked at for the first instance of each bucket only.
        """
        self._check_wanted()
        looked_at = set()
        for instance, aids in self._read():
            bucket = instance.family, instance.difficulty
            for protocol in self.protocols:
                if protocol.source != "files" or bucket not in looked_at:
                    aids.check(instance, protocol)
            looked_at.add(bucket)

    def _check_wanted(self) -> None:
        buckets = self.library.buckets
        for what, wanted, at in (
            ("family", self.families, 0),
            ("difficulty", self.difficulties, 1),
        ):
            for name in wanted or ():
                if not any(bucket[at] == name for bucket in buckets):
                    held = ", ".join(sorted({bucket[at] for bucket in buckets}))
                    raise DatasetError(f"the data hold no instance of {what} {name}: only {held}")
        if not self.instance_count:
            raise DatasetError("the data hold no instance of what is asked for")

    def _wants(self, family: str, difficulty: str) -> bool:
        return (not self.families or family in self.families) and (
            not self.difficulties or difficulty in self.difficulties
        )

    def _read(self) -> Iterator[tuple[Instance, Aids]]:
        taken: Counter[tuple[str, str]] = Counter()
        met: set[str] = set()
        for folder in self._folders:
            aids = Aids(self.cell or _cell(folder), self.donor, self.files)
            for instance, _ in read(folder):
                bucket = instance.family, instance.difficulty
                if not self._wants(*bucket) or taken[bucket] == self.limit or instance.id in met:
                    continue
                met.add(instance.id)
                taken[bucket] += 1
                yield instance, aids

    @cached_property
    def _rings(self) -> dict[tuple[str, str], list[tuple[bytes, str]]]:
        """The ids of each bucket in the order of their hashes."""
        rings: defaultdict[tuple[str, str], dict[bytes, str]] = defaultdict(dict)
        for folder in self._folders:
            for instance, _ in read(folder):
                place = _hash(instance.id, "place")
                rings[instance.family, instance.difficulty][place] = instance.id
        return {bucket: sorted(ring.items()) for bucket, ring in rings.items()}

    def donor(self, instance: Instance) -> Instance:
        """Return the instance whose aid is shown for ``instance`` under mismatch; raise AidsError.

        Hashes of the ids choose it among all others of its family and difficulty in the data,
        whatever their lengths. The same board turned or renamed, or counted in the other metric, is
        none: its aid would be the true one.
        """
        ring = self._rings[instance.family, instance.difficulty]
        at = bisect(ring, (_hash(instance.id, "donor"), ""))
        board = _board(instance)
        for k in range(len(ring)):
            found = self.library.get(ring[(at + k) % len(ring)][1])
            if found is not None and _board(found) != board:
                return found
        raise AidsError(
            f"mismatch takes the aid of another instance, and the data hold no other of "
            f"{instance.family} {instance.difficulty} than {instance.id}"
        )


def _board(instance: Instance) -> bytes:
    """Return what a board has in common with its images under the family's symmetries."""
    return family(instance.family).canonical(initial(instance))


def _hash(name: str, what: str) -> bytes:
    return blake2b(f"{what}\n{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _cell(folder: Path) -> int:
    """Return the pixels a cell of the pictures of a dataset, as far as it says so."""
    content = header(folder).get("content")
    cell = content.get("cell") if isinstance(content, dict) else None
    return cell if type(cell) is int and 1 <= cell <= 512 else CELL
