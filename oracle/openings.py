"""From what a caller sends to the Opening of an episode: which instance, put how."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from oracle.errors import Refused, Unknown, refusing
from oracle.limits import Limits
from oracle.messages import Start
from oracle.recent import Recent
from oracle.session import Opening
from oracle.workshop import Workshop
from protocols.aids import Aids
from protocols.protocol import Protocol, named
from protocols.selection import Selection
from puzzles.answers import extract
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family as room_of

_KEPT = 1_000
"""Instances that are remembered by how they were asked for: many episodes are of the same one."""
_DONORS = 20
"""Indices that are looked at for a donor: on the spot, duplicates of a board are made too."""


class Openings:
    """Finds the instances that episodes are about, or has them made."""

    def __init__(
        self,
        workshop: Workshop,
        limits: Limits,
        selection: Selection | None = None,
        files: Path | None = None,
    ):
        self.workshop, self.limits, self.selection, self.files = workshop, limits, selection, files
        self._made: Recent[tuple[object, ...], Instance] = Recent(_KEPT)

    async def prepared(self, start: Start) -> Opening:
        """Return the opening that ``start`` asks for; raise Refused or its kin."""
        protocol = self._protocol(start)
        _check_source(start)
        instance = await self._instance(start)
        self.workshop.check(instance.family, instance.board)
        self.limits.check_pixels(instance.board, start.cell)
        donor = await self._donor(start, instance) if protocol.source == "mismatch" else None
        if protocol.leaks or protocol.source == "mismatch":
            instance = await self._answered(instance)
            donor = donor and await self._answered(donor)
        opening = Opening(
            instance, protocol.name, donor=donor, cell=start.cell, link=start.images == "link"
        )
        with refusing():
            self.aids(opening).check(instance, protocol)
        return opening

    def aids(self, opening: Opening) -> Aids:
        """Return what the pictures of an episode are made of."""
        donor = opening.donor
        return Aids(opening.cell, (lambda _: donor) if donor else None, self.files)

    def _protocol(self, start: Start) -> Protocol:
        variants = ["budget"] * (start.stopping == "budget") + ["last"] * (start.history == "last")
        with refusing():
            protocol = named(start.protocol)
            if variants and not protocol.stepwise:
                raise Refused(f"{protocol.name} is not stepwise: it has no stopping and no history")
            protocol = named("+".join([start.protocol, *variants]))
        if protocol.paradigm == "draw":
            raise Refused(f"{protocol.name} isn't served: its drawings are judged elsewhere")
        if protocol.vgau:
            raise Refused("+vgau isn't served: its ends tell of every step off a shortest path")
        if protocol.source == "files" and self.files is None:
            raise Refused(f"{protocol.name} needs a folder of pictures, and the server has none")
        return protocol

    async def _instance(self, start: Start) -> Instance:
        if start.id is not None:
            return self._of_data(start.id)
        if start.board is not None:
            return await self._of_board(start.family or "", start.board, start.rules or {})
        place = start.family or "", start.difficulty or "", start.seed, start.index
        return await self._of_place(*place)

    async def _of_board(self, family: str, board: str, rules: dict[str, Any]) -> Instance:
        self.workshop.check(family, board)
        key = family, board, repr(rules)
        found = self._made.get(key)
        if found is None:
            found = await self.workshop.settle(family, board, rules)
            self._made.put(key, found)
        return found

    async def _of_place(self, family: str, difficulty: str, seed: int, index: int) -> Instance:
        key = family, difficulty, seed, index
        found = self._made.get(key)
        if found is None:
            found = await self.workshop.make(family, difficulty, seed, index)
            self._made.put(key, found)
        return found

    def _of_data(self, name: str) -> Instance:
        if self.selection is None:
            raise Unknown("the server has no data: send a board, or a family and a difficulty")
        with refusing():
            found = self.selection.library.get(name)
        if found is None:
            raise Unknown("the server's data hold no instance of that id")
        return found

    async def _donor(self, start: Start, instance: Instance) -> Instance:
        if start.board is not None:
            raise Refused("mismatch takes the aid of another instance; a lone board has none")
        if start.id is not None and self.selection is not None:
            with refusing():
                return await asyncio.to_thread(self.selection.donor, instance)
        family, difficulty = instance.family, start.difficulty or ""
        for index in range(start.index + 1, start.index + 1 + _DONORS):
            other = await self._of_place(family, difficulty, start.seed, index)
            if _board(other) != _board(instance):
                return other
        raise Refused(f"mismatch takes the aid of another board, and the next {_DONORS} are this")

    async def _answered(self, instance: Instance) -> Instance:
        """Return ``instance`` with an answer that aids can be drawn from without a search."""
        room = room_of(instance.family)
        known = instance.answer and extract(instance.answer, room).answer
        if known or not room.counts_actions:
            return instance
        return await self.workshop.answered(instance)


def _board(instance: Instance) -> bytes:
    return room_of(instance.family).canonical(initial(instance))


def _check_source(start: Start) -> None:
    """Raise Refused unless ``start`` names its instance in one way, and says nothing besides."""
    made = start.difficulty is not None
    ways = [start.id is not None, start.board is not None, made]
    if sum(ways) != 1 or (start.family is None) != (start.id is not None):
        raise Refused("send an id; or family and board; or family and difficulty")
    if start.rules is not None and start.board is None:
        raise Refused("rules belong to a board")
    if (start.seed or start.index) and not made:
        raise Refused("seed and index belong to a family and a difficulty")
