"""Parking's own search: breadth first over words of line configurations, in arrays that grow."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.parking import FAMILY
from puzzles.parking.packing import pack
from puzzles.parking.rules import State
from puzzles.parking.search import DONE, FOUND, advance, chart, enter
from solvers import DEFAULT, Limit, Path, SearchLimit, Unsolvable
from solvers.breadth_first import layers, shortest_path

_FIRST, _MOST = 2048, 1 << 30
"""States that there is room for at the beginning, and that an int32 can number."""


def shortest_cell(level: Any, start: NDArray[np.uint64], limit: Limit = DEFAULT) -> Path:
    """Return a shortest path in moves of one cell; see solvers.System."""
    return _shortest("cell", level, start, limit)


def shortest_slide(level: Any, start: NDArray[np.uint64], limit: Limit = DEFAULT) -> Path:
    """Return a shortest path in moves of any distance; see solvers.System."""
    return _shortest("slide", level, start, limit)


def reachable(state: State, limit: Limit = DEFAULT) -> int:
    """Return how many boards moves can make of ``state``, itself included, by visiting them all.

    Raises SearchLimit.
    """
    level, start = pack(state)
    search = _Search("cell", level, start, limit)
    if not search.fits:
        return sum(map(len, layers(FAMILY.systems["cell"], level, start[None], limit)))
    search.run(0)
    return int(search.progress[1])


def starting(state: State) -> tuple[int, int, tuple[NDArray[Any], ...]]:
    """Return the word, the solved ways and the ``lots`` that ``explore`` takes (see ``chart``)."""
    level, start = pack(state)
    word, solved, lots = chart(level, _offsets(level, start), 1)
    return word, solved, lots[:6]


def _shortest(metric: str, level: Any, start: NDArray[np.uint64], limit: Limit) -> Path:
    search = _Search(metric, level, start, limit)
    if not search.fits:
        return shortest_path(FAMILY.systems[metric], level, start, limit)
    if search.solved >> (search.word & int(search.chart[1][0])) & 1:
        return Path(np.empty(0, np.int32), 0)
    if not search.run(search.solved):
        raise Unsolvable(int(search.progress[1]))
    return Path(search.moves(), int(search.progress[0]))


class _Search:
    """The states seen so far: a queue in the order of their distance, and a hash table of them."""

    def __init__(self, metric: str, level: Any, start: NDArray[np.uint64], limit: Limit):
        farthest = 1 if metric == "cell" else max(level[0].shape)
        self.word, self.solved, self.chart = chart(level, _offsets(level, start), farthest)
        self.fits = len(self.chart[0]) > 0
        taken = sum(part.nbytes for part in self.chart)
        held = _capacity(limit.memory - taken)
        self.most = min(limit.states, held, _MOST)
        self.progress = np.array([0, 1, 0, 1], np.int64)
        self.queue, self.parents = np.empty(0, np.uint64), np.empty(0, np.int32)
        self.what = limit.in_words(held)

    def run(self, solved: int) -> bool:
        """Search up to a solved state, the last of the queue; False where there is none."""
        if self.most < 1:
            raise SearchLimit(self.what, 0, 0)
        self._make_room(min(_FIRST, self.most))
        while True:
            # No reference to the arrays may outlive the call: they grow in place.
            outcome = advance(
                *(self.chart, np.uint64(solved), self.queue, self.parents, self.slots),
                self.progress,
            )
            if outcome in (FOUND, DONE):
                return bool(outcome == FOUND)
            if len(self.queue) == self.most:
                raise self._over(self.what)
            self._make_room(min(2 * len(self.queue), self.most))

    def _over(self, what: str) -> SearchLimit:
        # States at the depth that is being expanded were all seen before, and none is solved.
        return SearchLimit(what, int(self.progress[1]), int(self.progress[2]) + 1)

    def _make_room(self, room: int) -> None:
        """Make room for so many states; raise SearchLimit where the machine has no more."""
        try:
            # The old table goes first, and the rest grows in place: no byte is held twice.
            self.slots = np.empty(0, np.uint64)
            self.queue.resize(room, refcheck=False)
            self.parents.resize(room, refcheck=False)
            self.slots = np.zeros(_slots(room), np.uint64)
        except MemoryError:
            raise self._over("the memory of this machine") from None
        self.queue[0], self.parents[0] = self.word, -1
        enter(self.queue, int(self.progress[1]), self.slots)

    def moves(self) -> NDArray[np.int32]:
        """Return the codes of the moves that lead to the last state of the queue."""
        at, found = int(self.progress[1]) - 1, []
        while self.parents[at] >= 0:
            before = int(self.parents[at])
            found.append(self._move(int(self.queue[before]), int(self.queue[at])))
            at = before
        return np.array(found[::-1], np.int32)

    def _move(self, before: int, after: int) -> int:
        shifts, widths, first, _, _, turn, _, codes = self.chart
        for a, (shift, width) in enumerate(zip(shifts.tolist(), widths.tolist(), strict=True)):
            way = before >> shift & width
            if way != after >> shift & width:
                for k in range(int(first[a, way]), int(first[a, way + 1])):
                    if int(turn[k]) == after - before & (1 << 64) - 1:
                        return int(codes[k])
        raise RuntimeError(f"parking: no move leads from word {before} to {after}")


def _offsets(level: Any, start: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return where each vehicle begins along its axis (see kernels)."""
    bits, vehicles = level[4], len(level[1])
    fit, words = 64 // bits, start.tolist()
    at = [words[k // fit] >> k % fit * bits & (1 << bits) - 1 for k in range(vehicles)]
    return np.array(at, np.int64)


def _slots(room: int) -> int:
    """Return the size of the hash table for ``room`` states: a third of it or more stays free."""
    return 1 << (room + room // 2).bit_length()


def _capacity(memory: int) -> int:
    """Return how many states ``memory`` bytes can hold: 12 bytes each, and 8 a slot."""
    best, slots = 0, 2
    while 8 * slots < memory:
        best = max(best, min(2 * slots // 3 - 1, (memory - 8 * slots) // 12))
        slots *= 2
    return best
