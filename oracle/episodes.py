"""Episodes: the sessions that a worker has in memory, kept in step with the store."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from oracle.admission import check_drawing, plain
from oracle.errors import Refused, TooLarge, TooMany, Unknown, refusing
from oracle.limits import Limits
from oracle.messages import Step
from oracle.recent import Recent
from oracle.session import Opening, Session, Taken
from oracle.store import Store
from oracle.watch import Watch
from protocols.aids import Aids
from protocols.protocol import Protocol, named

T = TypeVar("T")
_UNKNOWN = "there is no such episode, or no longer"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SHORT = 20_000
"""Characters of a step that are read before anything else goes on; for longer ones a thread is."""
_THREADS = ThreadPoolExecutor(2, "puzzles-slow")
"""Of their own, so that neither the store nor anything else waits for them."""
_SWEEP_SECONDS = 60
"""How often idle episodes are looked for, at most."""


class _Kept:
    """An episode in memory.

    session
        None where it has to be built from the store: before the first use, and after anything has
        gone wrong, since it may then be ahead of the store.
    """

    def __init__(self, session: Session | None = None):
        self.lock = asyncio.Lock()
        self.session = session
        self.size = 0
        """Bytes of its steps."""


class Episodes:
    """Episodes by name; the store decides, what is in memory saves playing them again.

    Raises Refused and its kin, and StoreError where the store can't be used.

    aids
        From an opening to what its pictures are made of.
    clock, ticks
        Seconds since the epoch, and since any time, which nobody sets.
    watch
        Is told of episodes and steps, to count them.
    """

    def __init__(
        self,
        store: Store,
        limits: Limits,
        aids: Callable[[Opening], Aids],
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
        watch: Watch | None = None,
    ):
        self.store, self.limits, self.aids = store, limits, aids
        self.clock, self._ticks = clock, ticks
        self._watch = watch or Watch()
        self._recent: Recent[str, _Kept] = Recent(limits.cached, limits.cached_bytes)
        self._ahead = clock() - ticks()
        self._swept = -float("inf")

    async def begin(self, opening: Opening) -> tuple[str, Session]:
        """Begin an episode; return its name, which can't be guessed. Raises TooMany."""
        await self._make_room()
        session = await built(opening, self.aids)
        name = secrets.token_urlsafe(16)
        await self.store.awaited(self.store.open, name, opening.record(), self.clock())
        self._recent.put(name, _Kept(session))
        self._watch.opened(opening.instance.family, session.protocol.name)
        return name, session

    async def _make_room(self) -> None:
        now = self._ticks()
        if now - self._swept > _SWEEP_SECONDS:
            gone = await self.store.awaited(self.store.expire, self._idle_since())
            self._swept = self._swept if gone else now  # there may be more than go at a time
        if await self.store.awaited(self.store.open_count) >= self.limits.open_episodes:
            raise TooMany(
                f"{self.limits.open_episodes:,} episodes are open, as many as are allowed: "
                f"end or delete some"
            )

    def _idle_since(self) -> float:
        """Return before when an episode must have been stepped last to be forgotten.

        A clock that is set forward ages nothing: less time has passed than it says.
        """
        return min(self.clock(), self._ticks() + self._ahead) - self.limits.idle_seconds

    async def find(self, name: str) -> Session:
        """Return an episode as it stands now; raise Unknown."""
        kept = self._kept(name)
        async with kept.lock:
            return await self._caught_up(name, kept)

    async def take(self, name: str, step: Step) -> tuple[Session, Taken]:
        """Take ``step``, or know it again, and keep it before anyone is told.

        Where another worker has been faster, the store decides and the step is looked at again. So
        of each number there is one step, and none that was answered is lost.
        """
        step, text = await admitted(step, self.limits)
        kept = self._kept(name)
        async with kept.lock:
            # What is in memory may be behind the store, which is only asked where that matters:
            # before a step is refused or known again. A new one that is behind isn't appended.
            certain = False
            while True:
                session = kept.session
                if certain or session is None:
                    session, certain = await self._caught_up(name, kept), True
                before = len(session.taken)
                try:
                    self._check_limits(kept, session, step, text)
                    kept.session = None  # until it is known to agree with the store again
                    taken = await taken_by(session, step, text)
                except Refused:
                    kept.session = session  # which has not changed
                    if certain:
                        raise
                    certain = True
                    continue
                except ValueError as error:
                    raise Refused(str(error)) from None
                if len(session.taken) == before:
                    kept.session = session
                    if certain:
                        return session, taken
                    certain = True
                elif await self._appended(name, kept, session, text):
                    return session, taken

    async def _appended(self, name: str, kept: _Kept, session: Session, text: str) -> bool:
        """Whether the last step of ``session`` is now in the store."""
        row = name, len(session.taken), text, session.done, self.clock()
        if not await self.store.awaited(self.store.append, *row):
            return False
        kept.size += len(text)
        self._remember(name, kept, session)
        self._tell(session)
        return True

    def _tell(self, session: Session) -> None:
        verdict = session.verdict() if session.done else None
        family = session.opening.instance.family
        self._watch.stepped(family, session.protocol.name, verdict)

    def _check_limits(self, kept: _Kept, session: Session, step: Step, text: str) -> None:
        """Raise TooMany or TooLarge where the episode takes no more, unless it knows the step."""
        full, large = self.limits.steps, self.limits.episode_bytes
        if len(session.taken) < full and kept.size + len(text) <= large:
            return
        if session.known(step) is not None:
            return
        if len(session.taken) >= full:
            raise TooMany(f"the episode has had {full:,} steps, as many as are allowed")
        raise TooLarge(f"the steps of the episode have more than {large:,} bytes")

    async def forget(self, name: str) -> None:
        """Delete an episode; raise Unknown."""
        self._recent.drop(name)
        if not _NAME.fullmatch(name) or not await self.store.awaited(self.store.delete, name):
            raise Unknown(_UNKNOWN)

    def clear(self) -> None:
        """Let go of what is in memory."""
        self._recent.clear()

    # A session, in memory and built anew.

    def _kept(self, name: str) -> _Kept:
        if not _NAME.fullmatch(name):
            raise Unknown(_UNKNOWN)
        return self._recent.get(name) or _Kept()

    async def _caught_up(self, name: str, kept: _Kept) -> Session:
        """Return the session with all the steps that the store has."""
        session, kept.session = kept.session, None
        with refusing():
            if session is None:
                session, kept.size = await self._rebuilt(name), 0
            steps = await self.store.awaited(self.store.steps, name, len(session.taken))
            if steps is None:
                self._recent.drop(name)
                raise Unknown(_UNKNOWN)
            for text in steps:
                await taken_by(session, Step.model_validate_json(text), text)
                kept.size += len(text)
        self._remember(name, kept, session)
        return session

    async def _rebuilt(self, name: str) -> Session:
        """Return the session as it began."""
        record = await self.store.awaited(self.store.opening, name)
        if record is None:
            raise Unknown(_UNKNOWN)
        return await built(Opening.of(record), self.aids)

    def _remember(self, name: str, kept: _Kept, session: Session) -> None:
        kept.session = session
        pictures = 0
        if session.protocol.source in ("self", "files"):  # which can't be drawn again
            pictures = sum(len(image.png) for key, image in session.pictures.items() if key != 0)
        self._recent.put(name, kept, kept.size + pictures)


async def built(opening: Opening, aids: Callable[[Opening], Aids]) -> Session:
    """Return a session at its beginning; raise Refused."""
    with refusing():
        protocol = named(opening.protocol)
        return await _apart(_slow(protocol), Session, opening, aids(opening))


async def taken_by(session: Session, step: Step, text: str) -> Taken:
    """Have ``session`` take ``step``, of which ``text`` is kept.

    Raises Refused where nothing has changed, and another ValueError where the session is spoilt.
    """
    await asyncio.sleep(0)  # of many steps in a row none holds up others for longer than it takes
    slow = _slow(session.protocol) or len(text) > _SHORT
    return await _apart(slow, session.take, step)


async def admitted(step: Step, limits: Limits) -> tuple[Step, str]:
    """Return ``step`` as it comes back from the store, and what is kept of it; raise Refused."""
    step, text = plain(step, limits)
    if step.drawing is not None:
        await _apart(True, check_drawing, step.drawing, limits)
    return step, text


def _slow(protocol: Protocol) -> bool:
    """Whether an episode reads pictures, or draws what takes a search."""
    return protocol.source not in (None, "oracle", "noise") or protocol.paradigm == "vr"


async def _apart(slow: bool, call: Callable[..., T], *arguments: Any) -> T:
    """Return ``call(*arguments)``, in a thread where it is slow so that others can go on."""
    if not slow:
        return call(*arguments)
    return await asyncio.get_running_loop().run_in_executor(_THREADS, call, *arguments)
