"""What a dataset holds, in numbers, counted while its records pass by."""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import blake2b
from typing import Any

from puzzles.instance import Instance


class Summary:
    """Counts, lengths and means of the structure statistics, and a fingerprint of all records."""

    def __init__(self) -> None:
        self.count = 0
        self.difficulties: Counter[str] = Counter()
        self.splits: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()
        self._sums: defaultdict[str, float] = defaultdict(float)
        self._known: Counter[str] = Counter()
        self._hash = blake2b(digest_size=16)

    def add(self, instance: Instance, line: str) -> None:
        """Count ``instance``, whose line of metadata.jsonl is ``line``."""
        self.count += 1
        self.difficulties[instance.difficulty] += 1
        self.splits[instance.split or "none"] += 1
        self.lengths[instance.optimal_length] += 1
        for name, value in instance.stats.items():
            if isinstance(value, int | float):
                self._sums[name] += value
                self._known[name] += 1
        self._hash.update(line.encode())

    def structure(self) -> dict[str, float]:
        """Return the mean of every statistic that is a number, over the boards that have it."""
        return {name: round(total / self._known[name], 4) for name, total in self._sums.items()}

    @property
    def fingerprint(self) -> str:
        """The hash over all lines so far, in hex."""
        return self._hash.hexdigest()

    def record(self) -> dict[str, Any]:
        """Return what dataset.json says of the contents."""
        return {
            "count": self.count,
            "difficulties": dict(sorted(self.difficulties.items())),
            "splits": dict(sorted(self.splits.items())),
            "lengths": {str(length): self.lengths[length] for length in sorted(self.lengths)},
            "structure": self.structure(),
            "fingerprint": self.fingerprint,
        }
