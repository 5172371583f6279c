"""Recent: what was used last, within a number of things and the weight of them all."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Keeps at most ``most`` values, and no more than ``weight`` in all; the oldest go first."""

    def __init__(self, most: int, weight: int = 0):
        self.most, self.weight = most, weight
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._load = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """Return what is kept of ``key``, which is now the latest; None where there is nothing."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: K, value: V, weight: int = 0) -> None:
        """Keep ``value`` as the latest; what is too heavy alone isn't kept at all."""
        self.drop(key)
        self._kept[key] = value, weight
        self._load += weight
        while len(self._kept) > self.most or self._load > self.weight:
            self._load -= self._kept.popitem(last=False)[1][1]

    def drop(self, key: K) -> None:
        """Keep nothing of ``key``."""
        _, weight = self._kept.pop(key, (None, 0))
        self._load -= weight

    def clear(self) -> None:
        self._kept.clear()
        self._load = 0
