"""The routes of playing by hand: a game begun, moved, helped, given up and saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Query, Response
from pydantic import Field

from oracle.errors import Conflict, Unknown
from oracle.messages import Incoming
from oracle.page import answers, shown
from oracle.page.context import PageContext
from oracle.page.games import Game
from oracle.page.kept import Games, Hand, Wish, going_on
from oracle.page.names import MOST, cleaned
from oracle.page.shown import Look
from puzzles.family import IllegalAction
from puzzles.log import json_line

_MOST_SAVED = 1000


class Keeping(Incoming):
    """Which games are to be saved, and under which name."""

    name: Annotated[str, Field(max_length=MOST)]
    games: Annotated[list[str], Field(min_length=1, max_length=_MOST_SAVED)]


def _look(
    cell: Annotated[int, Query(ge=8, le=256)] = 64, grid: Annotated[bool, Query()] = False
) -> Look:
    return Look(cell, grid)


Looking = Annotated[Look, Depends(_look)]


class Deed(NamedTuple):
    """What can be done to a game beside moving, and what is said when it has been."""

    change: Callable[[Game, float], Game]
    said: str


def _undone(game: Game, now: float) -> Game:
    if not game.actions:
        raise Conflict("there is nothing to undo")
    return game.undo(now)


UNDO = Deed(_undone, "Undone.")
RESTART = Deed(Game.restart, "Back at the start.")
GIVE_UP = Deed(Game.give_up, "Given up.")


def router(context: PageContext) -> APIRouter:
    """Return the routes below ``/page/games`` and ``/page/answers``."""
    routes = APIRouter(prefix="/page")
    games, limits = Games(context), context.limits

    def reply(name: str, game: Game, look: Look, said: str, **more: Any) -> dict[str, Any]:
        stands = shown.standing(game, look, limits)
        return {"game": name, "said": said, "actions": len(game.actions), **stands, **more}

    @routes.post("/games")
    async def begin(wish: Wish, look: Looking) -> dict[str, Any]:
        name = await games.begin(await games.board(wish))
        game = await games.get(name)
        return {**shown.opening(game), **reply(name, game, look, "")}

    @routes.get("/games/{name}")
    async def look_at(name: str, look: Looking) -> dict[str, Any]:
        game = await games.get(name)
        return {**shown.opening(game), **reply(name, game, look, "")}

    @routes.post("/games/{name}/actions")
    async def act(name: str, hand: Hand, look: Looking) -> dict[str, Any]:
        try:
            before, game = await games.take(name, hand)
        except IllegalAction as error:
            return {"legal": False, "reason": error.reason, "said": sentence(str(error))}
        return reply(name, game, look, shown.told(before, game), legal=True)

    async def did(name: str, look: Look, deed: Deed) -> dict[str, Any]:
        _, game = await games.change(name, lambda game: deed.change(going_on(game), time.time()))
        return reply(name, game, look, deed.said)

    @routes.post("/games/{name}/undo")
    async def undo(name: str, look: Looking) -> dict[str, Any]:
        return await did(name, look, UNDO)

    @routes.post("/games/{name}/restart")
    async def restart(name: str, look: Looking) -> dict[str, Any]:
        return await did(name, look, RESTART)

    @routes.post("/games/{name}/give-up")
    async def give_up(name: str, look: Looking) -> dict[str, Any]:
        return await did(name, look, GIVE_UP)

    @routes.post("/games/{name}/hint")
    async def hint(name: str, look: Looking) -> dict[str, Any]:
        game, action = await games.hinted(name)
        advice = shown.advice(game, action)
        return reply(name, game, look, advice.said, hint=advice._asdict())

    @routes.get("/games/{name}/solution")
    async def solution(name: str) -> dict[str, Any]:
        """Return a film of a shortest solution: what is said of each frame, and its text."""
        return {"frames": shown.film(await games.solved(name))}

    @routes.get("/games/{name}/solution/{at}")
    async def frame(name: str, at: int, look: Looking) -> Response:
        game = await games.solved(name)
        if not 0 <= at <= len(game.solution or ()):
            raise Unknown(f"the solution has no frame {at}")
        state = game.after((game.solution or ())[:at])
        headers = {"Cache-Control": "private, max-age=3600"}
        content = shown.picture(game.room, state, look, limits)
        return Response(content, media_type="image/png", headers=headers)

    @routes.post("/answers")
    async def save(keeping: Keeping) -> dict[str, Any]:
        """Append games that are over to the server's answers, but for those saved before."""
        if context.answers is None:
            raise Conflict("this server keeps no answers; download them instead")
        lines, gone = await _lines(games, keeping)
        return {"saved": await answers.save(context.answers, lines), "of": len(lines), "gone": gone}

    @routes.post("/answers/download")
    async def download(keeping: Keeping) -> Response:
        """Return games that are over as a file of answers; those that are gone aren't in it."""
        lines = answers.numbered((await _lines(games, keeping))[0], ())
        headers = {"Content-Disposition": 'attachment; filename="answers.jsonl"'}
        text = "".join(json_line(one) for one in lines).encode("utf-8", "backslashreplace")
        return Response(text, media_type="application/jsonl", headers=headers)

    return routes


async def _lines(games: Games, keeping: Keeping) -> tuple[list[dict[str, Any]], list[str]]:
    """Return games as lines of answers, and the names of those that the store has no more.

    Raises Conflict for one that isn't over, Refused for a name that is none.
    """
    model = cleaned(keeping.name)
    lines: list[dict[str, Any]] = []
    gone: list[str] = []
    for name in dict.fromkeys(keeping.games):
        try:
            game = await games.get(name)
        except Unknown:
            gone.append(name)
            continue
        if not game.end:
            raise Conflict("a game that goes on can't be saved: solve it or give up")
        lines.append(answers.line(name, game, model))
    return lines, gone


def sentence(detail: str) -> str:
    """Return a detail of the rules as a sentence of its own."""
    return detail[:1].upper() + detail[1:] + ("" if detail.endswith(".") else ".")
