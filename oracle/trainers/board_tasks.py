"""Tasks by split and index, and the choice of one by a seed: of a data folder, or made for it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from protocols.adapters.documents import Document, documents
from protocols.adapters.rows import made
from protocols.aids import CELL
from protocols.protocol import named
from puzzles.draws import Draws
from puzzles.rooms import NAMES, family

SPLITS = ("train", "eval")
PLACES = 1_000
"""Tasks of each family, difficulty and split where they are made."""


@dataclass(frozen=True)
class Task:
    """What is said of a task: enough to find it again, nothing of its solution.

    seed
        Of boards that are made; ``place`` is then the index under that seed.
    index
        Within the split; None for a board that a seed has chosen.
    """

    split: str
    index: int | None
    family: str
    difficulty: str
    id: str | None = None
    seed: int | None = None
    place: int | None = None

    def record(self) -> dict[str, Any]:
        """Return what there is to say, as JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class BoardTasks:
    """All tasks of a folder, or those that can be made; raises DatasetError."""

    def __init__(self, data: str | None = None):
        self._held: dict[str, list[Document]] | None = None
        if data is not None:
            self._held = {split: [] for split in SPLITS}
            for document in documents(Path(data), [named("direct")], None, None):
                self._held[document.instance.split or SPLITS[1]].append(document)

    def count(self, split: str) -> int:
        """Return how many tasks there are; raise ValueError for an unknown split."""
        if self._held is not None:
            return len(self._held[_known(split)])
        return PLACES * len(_buckets()) if _known(split) else 0

    def get(self, split: str, index: int) -> Task:
        """Return the task at ``index``; raise IndexError, or ValueError for an unknown split."""
        if not 0 <= index < self.count(split):
            raise IndexError(f"index {index}: {split} has tasks 0 to {self.count(split) - 1}")
        if self._held is not None:
            document = self._held[split][index]
            return Task(split, index, *document.bucket, document.instance.id)
        buckets = _buckets()
        place, bucket = divmod(index, len(buckets))
        name, difficulty = buckets[bucket]
        return Task(split, index, name, difficulty, seed=0, place=place)

    def choose(
        self, split: str, seed: int, family: str | None = None, difficulty: str | None = None
    ) -> Task:
        """Return the task that ``seed`` chooses among those of a family and a difficulty.

        Raises ValueError where there are none.
        """
        draws = Draws("task", split, seed, family, difficulty)
        if self._held is not None:
            fits = [
                k
                for k, one in enumerate(self._held[_known(split)])
                if _fits(one.bucket, family, difficulty)
            ]
            return self.get(split, draws.choice(_some(fits, split, family, difficulty)))
        fitting = [bucket for bucket in _buckets() if _fits(bucket, family, difficulty)]
        name, level = draws.choice(_some(fitting, _known(split), family, difficulty))
        return Task(split, None, name, level, seed=seed, place=0)

    def document(self, task: Task) -> Document:
        """Return the instance of ``task``, made if need be."""
        if self._held is not None and task.index is not None:
            return self._held[task.split][task.index]
        one = made(task.family, task.difficulty, task.seed or 0, task.place or 0, task.split)
        return Document(one.line(), "", (task.family, task.difficulty), CELL)


def _known(split: str) -> str:
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r} (known: {', '.join(SPLITS)})")
    return split


def _buckets() -> list[tuple[str, str]]:
    return [(name, difficulty) for name in NAMES for difficulty in family(name).buckets]


def _fits(bucket: tuple[str, str], family: str | None, difficulty: str | None) -> bool:
    return family in (None, bucket[0]) and difficulty in (None, bucket[1])


def _some(found: list[Any], split: str, family: str | None, difficulty: str | None) -> list[Any]:
    if not found:
        wanted = " ".join(word for word in (family, difficulty) if word)
        raise ValueError(f"there is no task of {wanted or 'any kind'} in {split}")
    return found
