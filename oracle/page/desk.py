"""Desk: what a participant of a study is answered; nothing of solutions, nothing of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from oracle.errors import Conflict, Refused
from oracle.page import shown
from oracle.page.context import PageContext
from oracle.page.games import Game
from oracle.page.kept import Hand, played
from oracle.page.ledger import Change, Ledger, StrangerError
from oracle.page.participants import Participant, Slot, looked
from oracle.page.play import Deed, sentence
from oracle.page.puzzle_set import Assembly
from oracle.page.shown import Look
from puzzles.family import IllegalAction

_SOON, _LATER = 0.3, 20.0
"""Seconds that a request waits for puzzles that are still being made: a look, and a name."""
_UNTOLD = {"id": "", "difficulty": "", "seed": None, "index": None}
"""What a game says of itself that a study doesn't."""
_NOT_NOW = {
    "ready": "the puzzle hasn't been begun; start it first",
    "paused": "the puzzle is paused; go on with it first",
    "over": "the puzzle is over; go on to the next one",
    "finished": "the study is over; thank you",
}


class Desk:
    """Answers the participants of one study; raises Refused and its kin only."""

    def __init__(self, context: PageContext, per_bucket: int):
        self._context = context
        self._assembly = Assembly(context, per_bucket)
        self._ledger: Ledger | None = None

    async def _found(self, patience: float) -> Ledger | float:
        """Return the ledger, or the share of the puzzles that is there by now."""
        if self._ledger is None:
            puzzles = await self._assembly.get(patience)
            if isinstance(puzzles, float):
                return puzzles
            if self._context.answers is None:
                raise Refused("the study has no file for its answers; name one with --answers")
            self._ledger = Ledger(self._context.store, self._context.answers, puzzles)
        return self._ledger

    async def _open(self) -> Ledger:
        ledger = await self._found(_LATER)
        if isinstance(ledger, float):
            raise Conflict("the puzzles are still being made; try again in a moment")
        return ledger

    async def seen(self, ticket: str | None, look: Look) -> dict[str, Any]:
        """Return whether the study is ready, and where the one with ``ticket`` has got to."""
        ledger = await self._found(_SOON)
        if isinstance(ledger, float):
            return {"ready": False, "share": ledger, "me": None}
        try:
            _, me = await ledger.get(ticket)
        except StrangerError:
            return {"ready": True, "me": None}
        return {"ready": True, **self._stands(ledger, me, look)}

    async def joined(self, name: str, code: str | None, look: Look) -> tuple[str, dict[str, Any]]:
        """Return the ticket of who goes by ``name``, and where they have got to."""
        ledger = await self._open()
        ticket, me = await ledger.join(name, code)
        return ticket, self._stands(ledger, me, look)

    async def moved(
        self, ticket: str | None, at: int, look: Look, change: Change
    ) -> dict[str, Any]:
        """Return where a participant has got to after ``change``."""
        ledger = await self._open()
        me = await ledger.change(ticket, at, change)
        return self._stands(ledger, me, look)

    async def counted(self, ticket: str | None, at: int, change: Change) -> dict[str, Any]:
        """Return in what state a participant's puzzle is after ``change``, and no more."""
        ledger = await self._open()
        me = await ledger.change(ticket, at, change)
        return {"status": me.status(ledger.plan(me))}

    async def board(self, ticket: str | None, at: int, look: Look) -> dict[str, Any]:
        """Return the game as it stands, in whatever state but hidden."""
        ledger = await self._open()
        me = await ledger.change(
            ticket, at, lambda me, plan, now: looked(me, now, look.grid, seen=True)
        )
        if me.attempt is None or me.attempt.paused:
            raise Conflict(_NOT_NOW[me.status(ledger.plan(me))])
        return self._game(me, look)

    async def played(
        self,
        ticket: str | None,
        at: int,
        look: Look,
        change: Callable[[Game, float], Game],
        tell: Callable[[Game, Game], str],
    ) -> dict[str, Any]:
        """Return how the game stands after ``change``; ``tell`` says what that has done."""
        ledger = await self._open()
        said = ""

        def changed(me: Participant, plan: Sequence[Slot], now: float) -> Participant:
            nonlocal said
            if me.attempt is None or me.status(plan) != "playing":
                raise Conflict(_NOT_NOW[me.status(plan)])
            counted = me.attempt.at(now, look.grid)
            after = counted.played(change, now)
            said = tell(counted.game, after.game)
            return replace(me, attempt=after)

        me = await ledger.change(ticket, at, changed)
        return {**self._game(me, look), "said": said}

    async def did(self, ticket: str | None, at: int, look: Look, deed: Deed) -> dict[str, Any]:
        """Return how the game stands after ``deed``."""
        return await self.played(ticket, at, look, deed.change, lambda before, after: deed.said)

    async def acted(self, ticket: str | None, at: int, look: Look, hand: Hand) -> dict[str, Any]:
        """Return how the game stands after what ``hand`` does, or why that can't be done."""
        most = self._context.limits.steps

        def taken(game: Game, now: float) -> Game:
            return played(game, hand, most, now)

        def tell(before: Game, game: Game) -> str:
            return shown.told(before, game, quiet=True)

        try:
            return {**await self.played(ticket, at, look, taken, tell), "legal": True}
        except IllegalAction as error:
            return {"legal": False, "reason": error.reason, "said": sentence(str(error))}

    def _stands(self, ledger: Ledger, me: Participant, look: Look) -> dict[str, Any]:
        """Return where a participant has got to, with the board unless it is hidden."""
        plan = ledger.plan(me)
        status = me.status(plan)
        counted = [slot for slot in plan[: me.at] if not slot.practice]
        told: dict[str, Any] = {
            **{"name": me.name, "at": me.at, "status": status, "solved": me.solved},
            **{"done": len(counted), "puzzles": sum(not slot.practice for slot in plan)},
        }
        if status == "finished":
            return {"me": told}
        instance, practice = plan[me.at]
        told |= {
            "practice": practice,
            "number": len(counted) + 1,
            "words": shown.words_of(instance),
        }
        if me.attempt is not None and status != "paused":
            told["game"] = self._game(me, look)
        return {"me": told}

    def _game(self, me: Participant, look: Look) -> dict[str, Any]:
        """Return a game as ``oracle.page.play`` has it, with nothing of what a study keeps back."""
        assert me.attempt is not None
        game = me.attempt.game
        game = game if game.end else replace(game, seconds=me.attempt.seconds)
        stands = shown.standing(game, look, self._context.limits, quiet=True)
        whole = {**shown.opening(game), **stands, "game": str(me.at), "actions": len(game.actions)}
        return {**whole, **_UNTOLD}
