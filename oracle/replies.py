"""What is sent back of a session: pictures drawn, messages with their places."""

from __future__ import annotations

import asyncio
from base64 import b64encode

from oracle.errors import Unknown
from oracle.messages import Opened, Stepped, Transcript, TranscriptStep
from oracle.session import AID, Session, Taken

_AT_ONCE = 1 << 20
"""Pixels of a picture that is drawn before anything else goes on; of larger ones a thread is."""


def place_of(name: str) -> str:
    """Return where an episode lies below the server's address; without a name, nowhere."""
    return f"/episodes/{name}" if name else ""


async def opened(name: str, session: Session) -> Opened:
    """Return what is told of an episode that has begun."""
    due = session.due
    if due is None:
        raise RuntimeError(f"{session.protocol.name}: an episode is over before it has begun")
    return Opened(
        episode=name,
        due=due,
        messages=session.chat(session.first, place_of(name)),
        image=await _sent(session, name, 0),
        aid=await _sent(session, name, AID) if AID in session.pictures else None,
    )


async def stepped(name: str, session: Session, taken: Taken) -> Stepped:
    """Return what is answered to a step, whatever has happened since."""
    done = taken.due is None
    return Stepped(
        round=taken.step.round,
        legal=taken.legal,
        reason=taken.reason,
        detail=taken.detail,
        image=None if taken.image is None else await _sent(session, name, taken.image),
        done=done,
        verdict=session.verdict() if done else None,
        due=taken.due,
        messages=session.chat(taken.said, place_of(name)),
    )


def transcript(name: str, session: Session) -> Transcript:
    """Return an episode so far."""
    place = place_of(name)
    return Transcript(
        episode=name,
        protocol=session.protocol.name,
        round=session.round,
        due=session.due,
        done=session.done,
        steps=[_line(place, taken) for taken in session.taken],
        verdict=session.verdict() if session.done else None,
        answer=session.answer(place),
    )


def _line(place: str, taken: Taken) -> TranscriptStep:
    return TranscriptStep(
        **taken.step.model_dump(include={"round", "action", "reply", "remaining"}),
        legal=taken.legal,
        reason=taken.reason,
        image=None if taken.image is None else f"{place}/images/{taken.image}",
    )


async def picture(session: Session, which: str) -> bytes:
    """Return a picture as PNG: ``which`` is a round, or ``aid``; raise Unknown."""
    round_like = which.isdecimal() and which.isascii() and len(which) < 10
    key = int(which) if round_like else which
    if key not in session.pictures:
        raise Unknown(f"the episode has no picture {which!r}")
    return await _drawn(session, key)


async def _sent(session: Session, name: str, which: int | str) -> str:
    """Return a picture as it stands in a reply: a link, or base64."""
    if session.opening.link:
        return f"{place_of(name)}/images/{which}"
    return b64encode(await _drawn(session, which)).decode()


async def _drawn(session: Session, which: int | str) -> bytes:
    image, opening = session.pictures[which], session.opening
    large = opening.cell**2 * len(opening.instance.board) > _AT_ONCE
    png = await asyncio.to_thread(lambda: image.png) if large else image.png
    image.forget()  # so that what is kept of an episode stays small
    return png
