"""The study: each participant plays the same puzzles in an order of their own, and is timed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Response
from pydantic import Field

from oracle.messages import Incoming
from oracle.page.context import PageContext
from oracle.page.desk import Desk
from oracle.page.kept import Hand
from oracle.page.names import LONGEST, MOST
from oracle.page.participants import (
    begun,
    gone_on,
    looked,
    paused,
    resumed,
)
from oracle.page.play import GIVE_UP, RESTART, UNDO, Looking

COOKIE = "puzzles-study"
_ROUTES = "/page/study"
_YEAR = 366 * 24 * 3600
_INTRO = 20_000
"""Characters of the operator's text."""


@dataclass(frozen=True)
class Study:
    """What participants are asked to solve.

    per_bucket
        Puzzles of each family and difficulty, the same for everybody.
    intro
        The operator's text, shown before a name is typed: paragraphs apart by empty lines.
    """

    per_bucket: int = 2
    intro: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.per_bucket <= 100:
            raise ValueError(f"a study has 1 to 100 puzzles of a kind, not {self.per_bucket}")

    @classmethod
    def of(cls, per_bucket: int | None, intro: Path | None) -> Study:
        """Return the study that the options describe; raise ValueError for an unreadable text."""
        text = None
        if intro is not None:
            try:
                text = intro.read_text("utf-8-sig")
            except UnicodeDecodeError:
                raise ValueError(f"{intro} is not UTF-8 text") from None
            except OSError as error:
                raise ValueError(f"{intro}: {error.strerror or error}") from None
            if not text.strip() or len(text) > _INTRO:
                raise ValueError(f"{intro}: a text of 1 to {_INTRO:,} characters is shown")
        return cls(intro=text) if per_bucket is None else cls(per_bucket, text)


class Name(Incoming):
    """Who takes part; ``code`` keeps others from going on under that name."""

    name: Annotated[str, Field(max_length=MOST)]
    code: Annotated[str | None, Field(max_length=MOST)] = None


class Sight(Incoming):
    """Whether the board is in sight just now."""

    seen: bool = True


Ticket = Annotated[str | None, Cookie(alias=COOKIE)]


def router(context: PageContext) -> APIRouter:
    """Return the routes of the study; none where there is none."""
    routes = APIRouter(prefix=_ROUTES)
    study = context.study
    if study is None:
        return routes
    desk = Desk(context, study.per_bucket)

    @routes.get("")
    async def look_in(look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        """Return what everybody sees first, and where the one who asks has got to."""
        return {"intro": study.intro, "longest": LONGEST, **await desk.seen(ticket, look)}

    @routes.post("/join")
    async def join(name: Name, look: Looking, response: Response) -> dict[str, Any]:
        ticket, me = await desk.joined(name.name, name.code, look)
        response.set_cookie(COOKIE, ticket, _YEAR, path=_ROUTES, httponly=True, samesite="strict")
        return me

    @routes.post("/leave")
    async def leave(response: Response) -> dict[str, Any]:
        response.delete_cookie(COOKIE, path=_ROUTES, httponly=True, samesite="strict")
        return {"me": None}

    @routes.post("/{at}/start")
    async def start(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.moved(
            ticket, at, look, lambda me, plan, now: begun(me, plan, now, look.grid)
        )

    @routes.post("/{at}/pause")
    async def pause(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.moved(ticket, at, look, lambda me, plan, now: paused(me, now))

    @routes.post("/{at}/resume")
    async def resume(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.moved(ticket, at, look, lambda me, plan, now: resumed(me, now, look.grid))

    @routes.post("/{at}/next")
    async def go_on(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.moved(ticket, at, look, lambda me, plan, now: gone_on(me))

    @routes.post("/{at}/sight")
    async def sight(at: int, sight: Sight, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        """Count the time that the board is in sight; the page says so every few seconds."""
        return await desk.counted(
            ticket, at, lambda me, plan, now: looked(me, now, look.grid, seen=sight.seen)
        )

    @routes.get("/{at}")
    async def board(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        """Return the game as it stands, drawn as it is to be looked at now."""
        return await desk.board(ticket, at, look)

    @routes.post("/{at}/actions")
    async def act(at: int, hand: Hand, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.acted(ticket, at, look, hand)

    @routes.post("/{at}/undo")
    async def undo(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.did(ticket, at, look, UNDO)

    @routes.post("/{at}/restart")
    async def restart(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.did(ticket, at, look, RESTART)

    @routes.post("/{at}/give-up")
    async def give_up(at: int, look: Looking, ticket: Ticket = None) -> dict[str, Any]:
        return await desk.did(ticket, at, look, GIVE_UP)

    return routes
