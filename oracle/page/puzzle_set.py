"""The puzzles of a study: the same for everybody, balanced, and fixed once they are chosen."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any

from oracle.errors import Conflict, Refused
from oracle.page.context import PageContext
from protocols.protocol import named
from puzzles.instance import Instance
from puzzles.rooms import NAMES, family

KIND, NAME = "study", "set"
"""Under which the store keeps them."""
_PRACTICE_SEED = 1
"""Of the boards to practise on; those that count are made with seed 0."""


@dataclass(frozen=True)
class PuzzleSet:
    """The puzzles that count, and one of each family to practise on."""

    puzzles: tuple[Instance, ...]
    practice: tuple[Instance, ...]


class Assembly:
    """Chooses the puzzles when they are first asked for, and keeps them in the store.

    From data they are the first of each family and difficulty, those that ``puzzles run --limit``
    puts to a model; without data they are made with seed 0, as ``puzzles make`` makes them.
    """

    def __init__(self, context: PageContext, per_bucket: int):
        self._context, self._per_bucket = context, per_bucket
        self._task: asyncio.Task[PuzzleSet] | None = None
        self._done, self._total = 0, 1

    async def get(self, patience: float) -> PuzzleSet | float:
        """Return the puzzles, or after ``patience`` seconds the share of them that is there.

        Raises Refused where they can't be had; the next call tries again.
        """
        if self._task is None:
            self._task = asyncio.create_task(self._found())
        await asyncio.wait([self._task], timeout=patience)
        if not self._task.done():
            return min(0.99, self._done / self._total)
        if self._task.exception() is not None:
            failed, self._task = self._task, None
            failed.result()
        assert self._task is not None
        return self._task.result()

    async def _found(self) -> PuzzleSet:
        store, asked = self._context.store, self._asked()
        kept = await asyncio.to_thread(store.get, KIND, NAME)
        if kept is None:
            found = await self._chosen()
            body = {"asked": asked, "puzzles": _records(found.puzzles)}
            body["practice"] = _records(found.practice)
            await asyncio.to_thread(store.put, KIND, NAME, body, time.time())
            return found
        if kept["asked"] != asked:
            raise Conflict(
                f"the store holds a study of other puzzles ({_in_words(kept['asked'])}); start the "
                "server as it was started then, or with another --store"
            )
        puzzles, practice = (tuple(map(Instance.model_validate, kept[k])) for k in _FIELDS)
        return PuzzleSet(puzzles, practice)

    def _asked(self) -> dict[str, Any]:
        return {"per_bucket": self._per_bucket, "data": self._context.data is not None}

    async def _chosen(self) -> PuzzleSet:
        data = self._context.data
        if data is not None:
            few = replace(data, protocols=[named("direct")], runs=1, limit=self._per_bucket)
            puzzles = await asyncio.to_thread(lambda: [job.instance for job in few.jobs()])
            if not puzzles:
                raise Refused("the data hold no puzzle for a study")
        else:
            levels = [(name, level) for name in NAMES for level in family(name).buckets]
            self._total = len(levels) * self._per_bucket + len(NAMES)
            puzzles = []
            for name, level in levels:
                for index in range(self._per_bucket):
                    puzzles.append(await self._made(name, level, 0, index))
        practice = [await self._practice(name, puzzles) for name in _families(puzzles)]
        return PuzzleSet(tuple(puzzles), tuple(practice))

    async def _practice(self, name: str, puzzles: list[Instance]) -> Instance:
        """Return an easy board that is none of those that count."""
        known = {one.board for one in puzzles}
        index = 0
        level = next(iter(family(name).buckets))
        while True:
            found = await self._made(name, level, _PRACTICE_SEED, index)
            if found.board not in known:
                return found
            index += 1

    async def _made(self, name: str, level: str, seed: int, index: int) -> Instance:
        await self._context.workshop.loaded()  # however long it takes: the page says how far it is
        made = await self._context.workshop.make(name, level, seed, index)
        self._done += 1
        return made


_FIELDS = ("puzzles", "practice")


def _families(puzzles: list[Instance]) -> list[str]:
    return list(dict.fromkeys(one.family for one in puzzles))


def _records(instances: tuple[Instance, ...]) -> list[dict[str, Any]]:
    return [one.model_dump(mode="json") for one in instances]


def _in_words(asked: dict[str, Any]) -> str:
    source = "from data" if asked["data"] else "made by the server"
    return f"{asked['per_bucket']} of each family and difficulty, {source}"
