"""Random numbers that are the same on every machine and with every version of every library."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Draws:
    """A stream of random numbers keyed by what it is for: SplitMix64 (Steele, Lea, Flood 2014).

    ``state`` is an array of shape (1,), dtype uint64: kernels take it and carry the same stream
    on with their own copy of ``below`` (kernels of one file can't call those of another, see
    docs/architecture.md; a test holds the copies to this one).
    """

    def __init__(self, *key: Any):
        """Start the stream of ``key``, a sequence of values whose ``repr`` is stable."""
        digest = blake2b(repr(key).encode(), digest_size=8).digest()
        self.state = np.array([int.from_bytes(digest, "little")], np.uint64)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1; n is at most 2**32."""
        x = (int(self.state[0]) + 0x9E3779B97F4A7C15) & _MASK
        self.state[0] = x
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
        x ^= x >> 31
        return ((x >> 32) * n) >> 32

    def choice(self, items: Sequence[T]) -> T:
        """Return one of ``items``."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return ``items`` in random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
