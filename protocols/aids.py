"""Where a visual aid comes from: the engine, noise, another instance, a folder of pictures."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocols.messages import Image
from protocols.protocol import Protocol
from puzzles.instance import Instance
from puzzles.notation import size_of
from puzzles.pictures import check_pixels
from puzzles.replay import initial, optimal_actions
from puzzles.rooms import family
from render.decode import UnusablePicture, received

if TYPE_CHECKING:
    from render.canvas import Picture


CELL = 64
"""Pixels a cell where neither the dataset nor the user says it."""


class AidsError(ValueError):
    """A visual aid can't be had; the message says which and why."""


@dataclass(frozen=True)
class Aids:
    """What the aids that the model doesn't draw itself are made of.

    cell
        Pixels a cell of everything that is drawn.
    donor
        From an instance to the one whose aid is shown in its place (source mismatch).
    files
        The folder of another generator's pictures (source files): ``ID.png``, and for stepwise
        protocols ``ID/1.png``, ``ID/2.png``, ... for the state after each round.
    """

    cell: int = CELL
    donor: Callable[[Instance], Instance] | None = None
    files: Path | None = None

    def board(self, instance: Instance, state: Any, *, aug: bool = False) -> Image:
        """Return the true picture of ``state``, with grid and coordinates if ``aug``."""
        room = family(instance.family)
        return self._drawn(room.draw_aid if aug else room.draw, state)

    def solution(self, instance: Instance, actions: list[Any]) -> Image:
        """Return the board of ``instance`` with a solution drawn on it."""
        room, start = family(instance.family), initial(instance)
        return self._drawn(room.draw_solution, start, actions)

    def aid(self, instance: Instance, protocol: Protocol) -> Image:
        """Return the second picture of gta and vr; raise AidsError."""
        if protocol.source == "noise":
            return self._noise(instance, 0)
        if protocol.source == "files":
            return self._file(instance, f"{instance.id}.png")
        shown = self._donor(instance) if protocol.source == "mismatch" else instance
        if protocol.paradigm == "vr":
            return self.solution(shown, optimal_actions(shown))
        return self.board(shown, initial(shown), aug=True)

    def frame(self, instance: Instance, protocol: Protocol, state: Any, k: int) -> Image:
        """Return the picture that follows action ``k`` (from 1) and leads to ``state``.

        Donors and files that have fewer give their last. Raises AidsError.
        """
        if protocol.source == "noise":
            return self._noise(instance, k)
        if protocol.source == "files":
            return self._file(instance, self._last_file(instance, k))
        if protocol.source == "mismatch":
            instance = self._donor(instance)
            states = _states(instance.line())
            state = states[min(k, len(states) - 1)]
        return self.board(instance, state, aug=protocol.aug)

    def check(self, instance: Instance, protocol: Protocol) -> None:
        """Raise AidsError where what the protocol shows can't be had; cheap, before a run."""
        check_pixels(size_of(instance.board), self.cell)
        if protocol.source == "files":
            self._file(
                instance, f"{instance.id}/1.png" if protocol.stepwise else f"{instance.id}.png"
            )
        if protocol.source == "mismatch":
            self._donor(instance)

    def _drawn(self, draw: Callable[..., Any], *what: Any) -> Image:
        def make() -> bytes:
            from render.encode import png

            return png(draw(*what, self.cell))

        return Image(make)

    def _noise(self, instance: Instance, k: int) -> Image:
        """Return Gaussian noise of the board's size, the same for the same board and round."""
        key = blake2b(f"{instance.id}\n{k}".encode(), digest_size=8).digest()

        def make(state: Any, cell: int) -> Picture:
            from render.noise import noise

            height, width = family(instance.family).draw(state, cell).pixels.shape
            return noise(height, width, int.from_bytes(key, "big"))

        return self._drawn(make, initial(instance))

    def _donor(self, instance: Instance) -> Instance:
        if self.donor is None:
            raise AidsError("mismatch needs other instances to take the aid from")
        return self.donor(instance)

    def _last_file(self, instance: Instance, k: int) -> str:
        while k > 1 and self.files and not (self.files / instance.id / f"{k}.png").exists():
            k -= 1
        return f"{instance.id}/{k}.png"

    def _file(self, instance: Instance, name: str) -> Image:
        if self.files is None:
            raise AidsError("the source files needs a folder of pictures (--aids)")
        if os.path.isabs(name) or os.path.normpath(name).split(os.sep)[0] == "..":
            # A dataset may come from anywhere, and what it names is shown to whoever asks.
            raise AidsError(f"{name!r} is no place within the folder of pictures (--aids)")
        place = self.files / name
        try:
            return Image(received(place.read_bytes()))
        except OSError as error:
            raise AidsError(f"{place}: {error.strerror or error}") from None
        except UnusablePicture as error:
            raise AidsError(f"{place}: {error}") from None


@lru_cache(maxsize=128)
def _states(line: str) -> list[Any]:
    """Return the states along the optimal solution of the instance in ``line``."""
    instance = Instance.model_validate_json(line)
    room, states = family(instance.family), [initial(instance)]
    for action in optimal_actions(instance):
        states.append(room.apply(states[-1], action))
    return states
