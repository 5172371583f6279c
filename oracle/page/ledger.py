"""Ledger: where each participant of a study has got to, changed by one hand at a time."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from hmac import compare_digest
from pathlib import Path
from typing import Any

from oracle.errors import Conflict, Refused, TooMany
from oracle.page import answers
from oracle.page.locking import locked
from oracle.page.names import cleaned, key_of
from oracle.page.participants import Attempt, Participant, Slot, plan_of
from oracle.page.puzzle_set import PuzzleSet
from oracle.store import Store

KIND = "participant"
PROTOCOL = "human-study"
"""The label of the answers: none of the protocols, so the response is what is judged."""
_MOST = 10_000
"""Participants of one study."""
Change = Callable[[Participant, Sequence[Slot], float], Participant]


class StrangerError(Refused):
    """Whoever asks has not said who they are."""

    status = 403


class Unwritable(Refused):
    """The file of answers can't be written; nothing has changed, so the same may be tried again."""

    status = 507


class Ledger:
    """The participants of one study, and the file that their answers go to.

    A change is read, made and written under a lock, so that browser tabs, workers and participants
    never mix; a puzzle that has ended is in the file of answers before anybody is told.
    """

    def __init__(self, store: Store, path: Path, puzzles: PuzzleSet):
        self._store, self._path, self._puzzles = store, path, puzzles
        self._lock = asyncio.Lock()

    def plan(self, participant: Participant) -> list[Slot]:
        """Return the puzzles in the order in which the participant meets them."""
        return plan_of(participant.name, self._puzzles.puzzles, self._puzzles.practice)

    async def join(self, name: str, code: str | None) -> tuple[str, Participant]:
        """Return who goes by ``name``, or is new, and the ticket that lets their browser in.

        Raises Refused for what is no name, and where another code belongs to it.
        """
        name = cleaned(name)
        code = cleaned(code, "code") if code and code.strip() else None
        key = key_of(name)
        async with self._alone():
            found = await self._kept(key)
            if found is None:
                found = await asyncio.to_thread(Participant.new, name, code)
                if await self._store.awaited(self._store.count, KIND) >= _MOST:
                    raise TooMany(f"the study has {_MOST:,} participants, the most that it takes")
                await self._keep(key, found)
        if not await asyncio.to_thread(found.knows, code):
            raise StrangerError(
                "that name is taken, and was first given with another code; if it is yours, type "
                "the same code"
            )
        return f"{key}.{found.ticket}", found

    async def get(self, ticket: str | None) -> tuple[str, Participant]:
        """Return whom ``ticket`` lets in, with their key; raise StrangerError."""
        key, _, secret = (ticket or "").partition(".")
        found = await self._kept(key) if key else None
        if found is None or not compare_digest(found.ticket.encode(), secret.encode()):
            raise StrangerError("say who you are first")
        return key, found

    async def change(self, ticket: str | None, at: int, change: Change) -> Participant:
        """Return the participant after ``change``, which is handed their plan and the time too.

        Raises Conflict unless they are at place ``at`` of their plan: another tab may have gone on.
        """
        async with self._alone():
            key, before = await self.get(ticket)
            if before.at != at:
                raise Conflict("the study has gone on elsewhere, perhaps in another tab")
            after = change(before, self.plan(before), time.time())
            if _has_ended(before, after):
                after = await self._noted(key, after)
            if after != before:
                await self._keep(key, after)
        return after

    async def _noted(self, key: str, participant: Participant) -> Participant:
        """Return the participant with their puzzle's end noted: in the answers, if it counts."""
        plan, attempt = self.plan(participant), participant.attempt
        slot = plan[participant.at]
        assert attempt is not None
        if slot.practice:
            return participant
        order = sum(not one.practice for one in plan[: participant.at + 1])
        try:
            await answers.save(self._path, [line(key, participant.name, attempt, order)])
        except OSError as error:
            raise self._unwritable(error) from None
        solved = attempt.game.end == "solved"
        return replace(participant, solved=participant.solved + solved)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Hold the lock of the study: first this worker's, then that of all on this machine."""
        async with self._lock:
            place = self._path.with_name(f".{self._path.name}.lock")
            try:
                descriptor = await locked(place, "the study is busy; try again in a moment")
            except OSError as error:
                raise self._unwritable(error) from None
            try:
                yield
            finally:
                os.close(descriptor)

    def _unwritable(self, error: OSError) -> Unwritable:
        why = error.strerror or str(error)
        return Unwritable(f"the answers can't be stored ({why}); tell whoever runs the study")

    async def _kept(self, key: str) -> Participant | None:
        record = await self._store.awaited(self._store.get, KIND, key)
        return None if record is None else Participant.of(record)

    async def _keep(self, key: str, participant: Participant) -> None:
        body = participant.record()
        await self._store.awaited(self._store.put, KIND, key, body, time.time())


def line(key: str, name: str, attempt: Attempt, order: int) -> dict[str, Any]:
    """Return a puzzle that has ended as a line of answers.jsonl without its run.

    One that was given up has no answer. ``order`` counts the puzzles from 1, those to practise on
    left out; ``elapsed`` is the time from its first sight to its end, pauses included.
    """
    game = attempt.game
    written = answers.line(f"{key}-{game.instance.id}", game, name, PROTOCOL)
    given_up = {"response": ""} if game.end == "given_up" else {}
    return {
        **written,
        **given_up,
        "seconds": round(attempt.seconds, 1),
        "elapsed": round(game.seen - attempt.began, 1),
        "pauses": attempt.pauses,
        "grid_seconds": round(attempt.grid_seconds, 1),
        "order": order,
    }


def _has_ended(before: Participant, after: Participant) -> bool:
    was = before.attempt.game.end if before.attempt else None
    return bool(after.attempt and after.attempt.game.end and not was)
