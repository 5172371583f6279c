"""Workshop: boards made, settled and solved in a worker process, each within a time limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from oracle import making
from oracle.errors import TooMany, TooSlow, Unavailable, refusing
from oracle.limits import Limits
from oracle.worker import Worker
from puzzles.asked import checked
from puzzles.generate import Recipe
from puzzles.instance import Instance
from puzzles.rooms import family as room_of

_PATIENCE = 20.0
"""Seconds that a request waits for the warming: less than clients wait for an answer."""


class Workshop:
    """One worker process, started when it is first needed; boards wait for their turn.

    Every method raises Refused or its kin: TooSlow where the board takes more than
    ``limits.seconds``, or has waited for so long; TooMany where too many wait; TooLarge for a board
    above ``limits.cells``.
    """

    def __init__(self, limits: Limits):
        self.limits = limits
        self._worker = Worker()
        self._line = ThreadPoolExecutor(1, "workshop")
        self._waiting = 0
        self._warming: asyncio.Future[None] | None = None

    async def warm(self) -> None:
        """Start the worker and load what it needs; it may take what it takes."""
        call = self._worker.call
        self._warming = asyncio.get_running_loop().run_in_executor(
            self._line, lambda: call(making.rehearse, self.limits, seconds=None)
        )
        await self._warming

    async def loaded(self, patience: float | None = None) -> None:
        """Wait until it is warm; raise Unavailable where that takes more than so many seconds."""
        if self._warming is None or (await asyncio.wait([self._warming], timeout=patience))[0]:
            return
        raise Unavailable(
            "no board can be made yet: the kernels are being compiled, which happens once after an "
            "installation; try again in a minute"
        )

    async def make(self, family: str, difficulty: str, seed: int, index: int) -> Instance:
        """Return the instance that ``puzzles make`` makes first at that place."""
        with refusing():
            recipe = checked(Recipe(family, seed, difficulty))
        made: Instance = await self._done(making.make, recipe, index)
        return made

    async def settle(
        self, family: str, board: str, rules: Mapping[str, Any] | None = None
    ) -> Instance:
        """Return the instance of a board from outside, its optimum found by search."""
        self.check(family, board)
        settled: Instance = await self._done(
            making.settle, family, board, dict(rules or {}), self.limits
        )
        return settled

    async def solve(
        self, family: str, board: str, rules: Mapping[str, Any] | None = None
    ) -> list[Any]:
        """Return a shortest solution as the JSON values of its actions; [] where it is solved."""
        self.check(family, board)
        way: list[Any] = await self._done(making.way, family, board, dict(rules or {}), self.limits)
        return way

    async def answered(self, instance: Instance) -> Instance:
        """Return ``instance`` with an optimal answer."""
        self.check(instance.family, instance.board)
        answered: Instance = await self._done(making.answered, instance, self.limits)
        return answered

    def check(self, family: str, board: str) -> None:
        """Raise Refused for a family that is none, TooLarge for a board of too many cells."""
        with refusing():
            room_of(family)
        self.limits.check_cells(board)

    def close(self) -> None:
        """End the worker, whatever it is at."""
        self._line.shutdown(wait=False, cancel_futures=True)
        self._worker.close()

    async def _done(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self._waiting >= self.limits.waiting:
            raise TooMany(f"{self._waiting} boards wait to be made or solved; try again later")
        self._waiting += 1
        try:
            await self.loaded(_PATIENCE)
            return await self._in_turn(function, *arguments)
        finally:
            self._waiting -= 1

    async def _in_turn(self, function: Callable[..., Any], *arguments: Any) -> Any:
        asked, seconds = time.monotonic(), self.limits.seconds

        def work() -> Any:
            if time.monotonic() - asked > seconds:
                raise TooSlow(f"it has waited for {seconds:g} seconds while other boards were made")
            return self._worker.call(function, *arguments, seconds=seconds)

        return await asyncio.get_running_loop().run_in_executor(self._line, work)
