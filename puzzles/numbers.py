"""A set of 64-bit numbers that takes 12 to 24 bytes for each; Python's own takes about 70."""

from __future__ import annotations

from array import array


class Numbers:
    """Numbers from 0 to 2^64 - 1 by open addressing, the table doubled when two thirds are taken.

    They must be hashes already: where one is looked for follows from its last bits.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * 1024))
        self._count = 0
        self._zero = False  # a slot of 0 is an empty one

    def __len__(self) -> int:
        return self._count + self._zero

    def __contains__(self, number: int) -> bool:
        return self._slots[self._place(number)] == number if number else self._zero

    def add(self, number: int) -> None:
        """Add ``number``, if it isn't there."""
        if not number:
            self._zero = True
            return
        at = self._place(number)
        if self._slots[at]:
            return
        self._slots[at] = number
        self._count += 1
        if 3 * self._count > 2 * len(self._slots):
            self._double()

    def _place(self, number: int) -> int:
        """Return the slot that holds ``number``, or the empty one where it would go."""
        slots, last = self._slots, len(self._slots) - 1
        at = number & last
        while slots[at] not in (0, number):
            at = (at + 1) & last
        return at

    def _double(self) -> None:
        held = self._slots
        self._slots = array("Q", bytes(2 * 8 * len(held)))
        for number in held:
            if number:
                self._slots[self._place(number)] = number
