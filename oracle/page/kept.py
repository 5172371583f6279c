"""Games as the store keeps them: begun, moved by a hand, helped and solved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from secrets import token_urlsafe
from typing import Annotated, Any

from pydantic import Field

from oracle.errors import Conflict, NoWay, Refused, TooMany, Unknown
from oracle.messages import Incoming
from oracle.page.context import PageContext
from oracle.page.games import Game
from puzzles.answers import extract
from puzzles.controls import Gesture
from puzzles.family import InvalidBoard
from puzzles.instance import Instance
from puzzles.rooms import UnknownFamily
from puzzles.steps import read

KIND = "game"
"""Under which the store keeps games."""
_SWEEP_SECONDS = 60
"""How often games that nobody goes on with are looked for, at most."""
Cell = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]


class Wish(Incoming):
    """Which board is to be played: ``id`` of the data, or the one made at a place."""

    id: Annotated[str | None, Field(max_length=200)] = None
    family: Annotated[str | None, Field(max_length=40)] = None
    difficulty: Annotated[str | None, Field(max_length=40)] = None
    seed: Annotated[int, Field(ge=0, lt=1 << 53)] = 0
    index: Annotated[int, Field(ge=0, lt=1 << 53)] = 0


class Hand(Incoming):
    """What a hand does; ``after`` is the number of actions that it has seen on the board."""

    cell: Cell
    direction: Annotated[str | None, Field(pattern="^(up|right|down|left)$")] = None
    other: Cell | None = None
    after: int


class Games:
    """The games that the store keeps, by names that can't be guessed."""

    def __init__(self, context: PageContext):
        self.context = context
        self._swept = -float("inf")

    async def begin(self, instance: Instance, about: dict[str, Any] | None = None) -> str:
        """Begin a game of ``instance``; return its name. Raises Refused for a board that is none.

        about
            What is to be known of it later; see ``Game.about``.
        """
        game = Game(instance, time.time(), about=about)
        try:
            board = game.room.format(game.start)
        except (InvalidBoard, UnknownFamily) as error:
            raise Refused(f"{instance.id or 'the instance'}: {error}") from None
        self.context.limits.check_cells(board)
        await self._make_room(game.seen)
        name, store = token_urlsafe(12), self.context.store
        await store.awaited(store.put, KIND, name, game.record(), game.seen)
        return name

    async def _make_room(self, now: float) -> None:
        """Forget games that nobody goes on with; raise TooMany where there are too many others."""
        store, limits = self.context.store, self.context.limits
        if now - self._swept > _SWEEP_SECONDS:
            gone = await store.awaited(store.fade, KIND, now - limits.game_seconds)
            self._swept = self._swept if gone else now  # there may be more than go at a time
        if await store.awaited(store.count, KIND) >= limits.games:
            raise TooMany(f"{limits.games:,} games are kept, as many as are allowed")

    async def get(self, name: str) -> Game:
        """Return a game; raise Unknown where there is none of that name."""
        return Game.of(await self._record(name))

    async def _record(self, name: str) -> dict[str, Any]:
        store = self.context.store
        record = await store.awaited(store.get, KIND, name)
        if record is None:
            raise Unknown("there is no such game; it may have been forgotten")
        return record

    async def playing(self, name: str) -> Game:
        """Return a game that goes on; raise Conflict where it is over."""
        return going_on(await self.get(name))

    async def change(self, name: str, change: Callable[[Game], Game]) -> tuple[Game, Game]:
        """Return a game before and after ``change``, which is pure and raises where it can't be.

        Where another request has been faster, the game is looked at again: nothing that was
        answered is lost, be it a move or the mark of a hint.
        """
        store = self.context.store
        while True:
            old = await self._record(name)
            before = Game.of(old)
            after = change(before)
            new, now = after.record(), time.time()
            if await store.awaited(store.swap, KIND, name, old, new, now):
                return before, after

    async def board(self, wish: Wish) -> Instance:
        """Return the instance that is wished for."""
        if wish.id is not None:
            data = self.context.data
            found = None if data is None else data.library.get(wish.id)
            if found is None:
                raise Unknown(f"the data hold no instance {wish.id!r}")
            return found
        if wish.family is None or wish.difficulty is None:
            raise Refused("name a family and a difficulty, or the id of an instance")
        return await self.context.workshop.make(wish.family, wish.difficulty, wish.seed, wish.index)

    async def take(self, name: str, hand: Hand) -> tuple[Game, Game]:
        """Return the game before and after what ``hand`` does; raise IllegalAction."""
        most = self.context.limits.steps
        return await self.change(name, lambda game: played(going_on(game), hand, most, time.time()))

    async def hinted(self, name: str) -> tuple[Game, Any | None]:
        """Return a game marked as assisted, and the next action of a shortest solution, if any.

        Raises Conflict where the board has changed while a way was looked for.
        """
        seen = await self.playing(name)
        action = await self.next_action(seen)

        def marked(game: Game) -> Game:
            if going_on(game).actions != seen.actions:
                raise Conflict("the board has changed elsewhere; it is shown anew")
            return game.hinted(time.time())

        return (await self.change(name, marked))[1], action

    async def next_action(self, game: Game) -> Any | None:
        """Return the next action of a shortest solution from here; None where there is no way."""
        room, state = game.room, game.state
        if game.judged.at is not None:
            return None  # what the answer has named by now is wrong, wherever one goes from here
        try:
            values = await self.context.workshop.solve(
                room.name, room.format(state), room.rules_of(state)
            )
        except NoWay:
            return None
        return read(room.step, values[0]) if values else None

    async def solved(self, name: str) -> Game:
        """Return a game that is over with a shortest solution of its board."""
        game = await self.get(name)
        if not game.end:
            raise Conflict("the solution is shown when the game is over: solve it or give up")
        if game.solution is None:
            solution = await self._solution(game)
            _, game = await self.change(name, lambda game: replace(game, solution=solution))
        return game

    async def _solution(self, game: Game) -> tuple[Any, ...]:
        room, instance = game.room, game.instance
        if room.counts_actions and instance.answer:
            answer = extract(instance.answer, room).answer
            if answer is not None:
                return tuple(answer)
        board, rules = room.format(game.start), room.rules_of(game.start)
        values = await self.context.workshop.solve(room.name, board, rules)
        return tuple(read(room.step, value) for value in values)


def going_on(game: Game) -> Game:
    """Return ``game``; raise Conflict where it is over."""
    if game.end:
        raise Conflict("the game is over; begin another one")
    return game


def played(game: Game, hand: Hand, most: int, now: float) -> Game:
    """Return ``game`` after what ``hand`` does; raise IllegalAction, or Refused and its kin.

    most
        Actions that a game may have.
    """
    if hand.after != len(game.actions):
        raise Conflict("the board has changed elsewhere; it is shown anew")
    if len(game.actions) >= most:
        raise TooMany(f"a game has {most:,} actions at most; undo some")
    _check(game, hand)
    gesture = Gesture(hand.cell, hand.direction, hand.other)
    return game.take(game.room.controls.action(game.state, gesture), now)


def _check(game: Game, hand: Hand) -> None:
    """Raise Refused unless the hand does what the family's kind asks for, on the board."""
    rows = game.room.format(game.state).split("\n")
    for r, c in filter(None, (hand.cell, hand.other)):
        if r >= len(rows) or c >= len(rows[0]):
            raise Refused(f"cell ({r},{c}) is not on the board")
    pair = game.room.controls.kind == "pair"
    if (hand.other is None) == pair or (hand.direction is None) != pair:
        raise Refused("send a second cell" if pair else "send a direction")
