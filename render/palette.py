"""Named colours, and the fixed palette in which a family is drawn."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Number = TypeVar("Number", np.int32, np.int64)

# Shared by all families. The reds of aids stay away from everything on the boards.
AID_RED: Colour = (255, 0, 48)
INK: Colour = (30, 30, 40)
HALO: Colour = (255, 253, 247)

LEVELS = 4  # steps of anti-aliasing from uncovered to covered
FULL = 256


def mix(under: Colour, over: Colour, level: int, levels: int = LEVELS) -> Colour:
    """The colour ``level / levels`` of the way from ``under`` to ``over``."""
    pairs = zip(under, over, strict=True)
    r, g, b = ((u * (levels - level) + o * level + levels // 2) // levels for u, o in pairs)
    return r, g, b


class Paints:
    """At most 256 colours that serve a family at one cell size.

    ``exact`` colours are kept as they are; then come the blends seen in ``samples`` ((H, W, 3)
    arrays), the frequent first, merged where there are too many; then, as far as there is room,
    blends of each colour of ``overlays`` with the exact ones.
    """

    def __init__(
        self,
        exact: Sequence[Colour],
        samples: Iterable[NDArray[np.int32]] = (),
        overlays: Sequence[Colour] = (),
    ):
        firm = list(dict.fromkeys([*exact, *overlays]))
        if len(firm) > FULL:
            raise ValueError(f"{len(firm)} exact colours do not fit a palette of {FULL}")
        chosen = _choose(firm, _by_frequency(samples))
        for over in overlays:
            blends = [mix(c, over, k) for c in exact for k in (2, 1, 3)]
            chosen = list(dict.fromkeys([*chosen, *blends]))[:FULL]
        self.colours: NDArray[np.uint8] = np.array(chosen, np.uint8)
        self.colours.setflags(write=False)
        self._washes: dict[Colour, NDArray[np.uint8]] = {}

    def index(self, colour: Colour) -> int:
        """The palette index nearest to a colour."""
        return int(self.indices(np.array([[colour]], np.int32))[0, 0])

    def indices(self, rgb: NDArray[np.int32]) -> NDArray[np.uint8]:
        """An (H, W, 3) picture as (H, W) palette indices, each pixel by its nearest colour."""
        values, where = distinct((rgb[..., 0] * 256 + rgb[..., 1]) * 256 + rgb[..., 2])
        colours = np.stack([values >> 16, (values >> 8) & 255, values & 255], axis=-1)
        best = _gaps(colours, self.colours).argmin(axis=1).astype(np.uint8)
        indices: NDArray[np.uint8] = best[where]
        return indices

    def wash(self, colour: Colour) -> NDArray[np.uint8]:
        """(LEVELS + 1, 256): what an index becomes under ``level / LEVELS`` of a colour."""
        if colour not in self._washes:
            under, over = self.colours.astype(np.int32), np.array(colour, np.int32)
            table = np.zeros((LEVELS + 1, FULL), np.uint8)
            for level in range(LEVELS + 1):
                blend = (under * (LEVELS - level) + over * level + LEVELS // 2) // LEVELS
                table[level, : len(under)] = self.indices(blend[None])[0]
            self._washes[colour] = table
        return self._washes[colour]


def distinct(numbers: NDArray[Number]) -> tuple[NDArray[Number], NDArray[np.intp]]:
    """The numbers of a picture (H, W), ascending, and for each pixel which it is.

    Those from 0 on; by runs, of which a drawing has far fewer than pixels.
    """
    flat = numbers.ravel()
    starts = np.flatnonzero(np.diff(flat, prepend=-1))
    values, which = np.unique(flat[starts], return_inverse=True)
    where = np.repeat(which, np.diff(starts, append=len(flat)))
    return values, where.reshape(numbers.shape)


def _by_frequency(samples: Iterable[NDArray[np.int32]]) -> list[Colour]:
    packed = [((s[..., 0] * 256 + s[..., 1]) * 256 + s[..., 2]).ravel() for s in samples]
    if not packed:
        return []
    values, counts = np.unique(np.concatenate(packed), return_counts=True)
    order = np.lexsort((values, -counts))
    return [(int(v) >> 16, (int(v) >> 8) & 255, int(v) & 255) for v in values[order]]


def _choose(firm: list[Colour], blends: list[Colour]) -> list[Colour]:
    """The firm colours, then as many blends as fit, near ones merged a little more until all do."""
    merged = 0
    while True:
        chosen = np.zeros((FULL, 3), np.int32)
        chosen[: len(firm)] = firm
        n = len(firm)
        for blend in blends:
            gap = _gaps(np.array([blend], np.int32), chosen[:n]).min(initial=1 << 30)
            if gap <= merged:
                continue
            if n == FULL:
                break
            chosen[n] = blend
            n += 1
        else:
            return [(int(r), int(g), int(b)) for r, g, b in chosen[:n]]
        merged = merged * 2 + 32


def _gaps(
    colours: NDArray[np.integer[Any]], palette: NDArray[np.integer[Any]]
) -> NDArray[np.int64]:
    """Weighted square distances, (len(colours), len(palette))."""
    d = colours[:, None, :].astype(np.int64) - palette[None, :, :].astype(np.int64)
    d *= d
    gaps: NDArray[np.int64] = 2 * d[..., 0] + 4 * d[..., 1] + 3 * d[..., 2]
    return gaps
