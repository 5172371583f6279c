"""Where the tasks of an environment come from: a data folder, or boards made on the spot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from protocols.adapters.documents import Document, documents
from protocols.aids import CELL
from protocols.protocol import Protocol
from puzzles.dataset import make
from puzzles.rooms import NAMES

MADE = 16
"""Instances of each family and difficulty that are made where nobody says how many."""


@dataclass(frozen=True)
class Source:
    """Which instances there are to play.

    data
        A folder with datasets in or below it; None to make boards.
    families, difficulties
        Those that are wanted; None for all, and of boards that are made for easy ones.
    n
        How many of each family and difficulty, the first; None for all of the data, or for MADE.
    seed
        Of boards that are made.
    split
        train, eval or any. It follows from the board alone, so what is trained on with one is never
        evaluated with the other.
    cell
        Pixels a cell; None for what each dataset was drawn with.
    files
        The folder of another generator's pictures, for the source files.
    """

    data: str | None = None
    families: Sequence[str] | None = None
    difficulties: Sequence[str] | None = None
    n: int | None = None
    seed: int = 0
    split: str = "any"
    cell: int | None = None
    files: str | None = None

    def documents(self, protocol: Protocol) -> list[Document]:
        """Return the instances, by family and difficulty.

        Raises DatasetError, AidsError, GenerationError and ValueError, each with one sentence.
        """
        if self.split not in ("train", "eval", "any"):
            raise ValueError(f"unknown split {self.split!r} (known: train, eval, any)")
        found = self._made(protocol) if self.data is None else self._read(protocol)
        if not found:
            raise ValueError("there is no instance of what is asked for")
        return found

    def _read(self, protocol: Protocol) -> list[Document]:
        files = Path(self.files) if self.files else None
        taken: Counter[tuple[str, str]] = Counter()
        found = []
        for document in documents(Path(self.data or ""), [protocol], self.cell, files):
            if self._wants(document) and taken[document.bucket] != self.n:
                taken[document.bucket] += 1
                found.append(document)
        return found

    def _wants(self, document: Document) -> bool:
        family, difficulty = document.bucket
        return (
            (not self.families or family in self.families)
            and (not self.difficulties or difficulty in self.difficulties)
            and (self.split == "any" or document.instance.split == self.split)
        )

    def _made(self, protocol: Protocol) -> list[Document]:
        cell, n = self.cell or CELL, MADE if self.n is None else self.n
        found = []
        for family in self.families or NAMES:
            for difficulty in self.difficulties or ("easy",):
                made = make(family, difficulty, n, seed=self.seed, split=self.split)
                donors = [one.line() for one in made] if protocol.source == "mismatch" else [""]
                for k, one in enumerate(made):
                    donor = donors[(k + 1) % len(donors)]
                    found.append(Document(one.line(), donor, (family, difficulty), cell))
        return found
