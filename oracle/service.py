"""Service: episodes opened, stepped and shown, whatever carries the messages."""

from __future__ import annotations

from pathlib import Path

from oracle import replies
from oracle.episodes import Episodes, admitted, built, taken_by
from oracle.errors import Refused, TooMany, refusing
from oracle.limits import Limits
from oracle.messages import Opened, Start, Step, Stepped, Transcript, Transition
from oracle.openings import Openings
from oracle.store import Store
from oracle.watch import Watch
from oracle.workshop import Workshop
from protocols.selection import Selection

_NOWHERE = ""
"""The name of an episode that is kept nowhere."""


class Service:
    """The episodes of one store; raises Refused and its kin, and StoreError.

    One service serves one event loop; any number of them, in any number of processes, share a
    store.

    selection
        The data whose instances are named by id; None where there are none.
    files
        The folder of another generator's pictures, for the source files.
    watch
        Is told of episodes that begin and of steps that are taken.
    """

    def __init__(
        self,
        store: Store,
        workshop: Workshop,
        limits: Limits,
        selection: Selection | None = None,
        files: Path | None = None,
        watch: Watch | None = None,
    ):
        self.limits = limits
        self.openings = Openings(workshop, limits, selection, files)
        self.episodes = Episodes(store, limits, self.openings.aids, watch=watch)

    async def open(self, start: Start) -> Opened:
        """Begin an episode."""
        opening = await self.openings.prepared(start)
        return await replies.opened(*await self.episodes.begin(opening))

    async def step(self, name: str, step: Step) -> Stepped:
        """Take a step of an episode, or answer it again as before."""
        return await replies.stepped(name, *await self.episodes.take(name, step))

    async def transcript(self, name: str) -> Transcript:
        """Return what has happened so far."""
        return replies.transcript(name, await self.episodes.find(name))

    async def picture(self, name: str, which: str) -> bytes:
        """Return a picture as PNG: ``which`` is a round (0: the board), or ``aid``."""
        return await replies.picture(await self.episodes.find(name), which)

    async def delete(self, name: str) -> None:
        """Forget an episode."""
        await self.episodes.forget(name)

    async def transition(self, transition: Transition) -> Stepped:
        """Answer the last step of an episode that is kept nowhere.

        Its pictures are inline, so those in its messages have names but no place.
        """
        if transition.images == "link":
            raise Refused("pictures of a transition are kept nowhere, so there are no links")
        if len(transition.steps) > self.limits.steps:
            raise TooMany(f"a transition has at most {self.limits.steps:,} steps")
        opening = await self.openings.prepared(transition)
        session = await built(opening, self.openings.aids)
        for step in transition.steps:
            with refusing():
                taken = await taken_by(session, *await admitted(step, self.limits))
        return await replies.stepped(_NOWHERE, session, taken)

    def close(self) -> None:
        """Let go of what is in memory; the store and the workshop are their owners' to close."""
        self.episodes.clear()
